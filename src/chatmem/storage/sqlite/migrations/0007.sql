-- One memory, four dimensions (docs/adr/0001); owners; what indexing needs to know of a row.
-- Rows of older versions belong to the user `default`. What an older file lacked was added before
-- this script runs (legacy.py), so every column named here exists.

CREATE TABLE owner (
    number INTEGER PRIMARY KEY,             -- the upper half of the owner's row ids
    user_id TEXT NOT NULL UNIQUE,
    next_row INTEGER NOT NULL DEFAULT 0,    -- the lower half that the next row gets
    packed_rows INTEGER NOT NULL DEFAULT 0, -- rows below this stand in the packed index
    version INTEGER NOT NULL DEFAULT 0,     -- counts every change of a row: what was read is stale
    packed_version INTEGER NOT NULL DEFAULT 0  -- the same for facts and codes of packed rows
);
INSERT INTO owner (number, user_id, next_row)
    SELECT 1, 'default', (SELECT count(*) FROM atomic_memory);

ALTER TABLE atomic_memory RENAME TO atomic_memory_6;
CREATE TABLE atomic_memory (
    row_id INTEGER PRIMARY KEY,             -- owner number << 32 | row of that owner
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL,
    timestamp TEXT NOT NULL,                -- when it happened; UTC, as model/time.py writes it
    create_time TEXT NOT NULL,              -- when it was stored
    content TEXT NOT NULL,
    tags TEXT NOT NULL DEFAULT '[]',
    session_id TEXT,
    app_type TEXT,
    role TEXT,
    memory_type TEXT NOT NULL DEFAULT 'short_term'
        CHECK (memory_type IN ('short_term', 'long_term')),
    kind TEXT CHECK (kind IN ('semantic', 'episodic')),
    category TEXT CHECK (category IN ('preference', 'fact', 'pattern')),
    key TEXT,
    value TEXT NOT NULL DEFAULT 'null',
    confidence REAL NOT NULL DEFAULT 0.9 CHECK (confidence BETWEEN 0 AND 1),
    source TEXT NOT NULL DEFAULT 'user_stated'
        CHECK (source IN ('user_stated', 'inferred', 'system')),
    importance INTEGER NOT NULL DEFAULT 3 CHECK (importance BETWEEN 1 AND 5),
    visibility TEXT NOT NULL DEFAULT 'private'
        CHECK (visibility IN ('private', 'household', 'group', 'public')),
    valid_from TEXT,
    valid_to TEXT,
    superseded_by TEXT,
    document TEXT
);
INSERT INTO atomic_memory (
    row_id, id, user_id, timestamp, create_time, content, tags,
    session_id, app_type, role, memory_type
)
SELECT
    (1 << 32) | (row_number() OVER (ORDER BY place) - 1),
    -- No id, or one that an earlier row has: another program's table need not have forbidden it.
    iif(known IS NULL OR repeated > 1, lower(hex(randomblob(8))), known), 'default',
    legacy_time(timestamp, create_time), legacy_time(create_time, timestamp),
    clean_text(content), legacy_tags(tags), session_id, app_type, role,
    iif(memory_type = 'long_term', 'long_term', 'short_term')
FROM (
    SELECT *, rowid AS place, CAST(id AS TEXT) AS known,
        row_number() OVER (PARTITION BY CAST(id AS TEXT) ORDER BY rowid) AS repeated
    FROM atomic_memory_6
);
DROP TABLE atomic_memory_6;
CREATE INDEX memory_turn ON atomic_memory (user_id, session_id, role, substr(content, 1, 50))
    WHERE role IS NOT NULL;
CREATE INDEX memory_long_term ON atomic_memory (user_id, timestamp)
    WHERE memory_type = 'long_term';
CREATE INDEX memory_key ON atomic_memory (user_id, key) WHERE key IS NOT NULL;
CREATE INDEX memory_document ON atomic_memory (user_id, document) WHERE document IS NOT NULL;
CREATE INDEX memory_superseded_by ON atomic_memory (superseded_by)
    WHERE superseded_by IS NOT NULL;

-- Read counters stand apart: counting an access must not touch a memory's row or its index.
CREATE TABLE memory_access (
    row_id INTEGER PRIMARY KEY,
    last_accessed TEXT NOT NULL,
    access_count INTEGER NOT NULL
);

CREATE TABLE memory_history (
    number INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    at TEXT NOT NULL,
    action TEXT NOT NULL,
    reason TEXT NOT NULL,
    before TEXT,                            -- the record as JSON, null for the first entry
    after TEXT NOT NULL
);
CREATE INDEX history_memory ON memory_history (user_id, memory_id);

-- What a person deleted, as hashes only, so that no extractor brings it back.
CREATE TABLE tombstone (
    user_id TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (user_id, content_hash)
) WITHOUT ROWID;

CREATE TABLE session (
    owner INTEGER NOT NULL,
    number INTEGER NOT NULL,                -- counts up within the owner
    session_id TEXT NOT NULL,
    last_row INTEGER NOT NULL,              -- its newest row, -1 before the first
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (owner, session_id)
) WITHOUT ROWID;

ALTER TABLE conversation RENAME TO conversation_6;
CREATE TABLE conversation (
    id INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    create_time TEXT NOT NULL,
    is_collected INTEGER NOT NULL DEFAULT 0,
    app_type TEXT,
    speaker TEXT,
    source_id TEXT,                         -- the message's id in an imported source
    memory_id TEXT                          -- the memory that holds the same words
);
INSERT INTO conversation (
    user_id, session_id, role, content, create_time, is_collected, memory_id
)
SELECT
    'default', coalesce(c.session_id, ''), coalesce(c.role, ''), clean_text(c.content),
    legacy_time(c.create_time), CAST(coalesce(c.is_collected, 0) AS INTEGER),
    (
        SELECT m.id FROM atomic_memory m
        WHERE m.user_id = 'default' AND m.session_id = c.session_id AND m.role = c.role
            AND substr(m.content, 1, 50) = substr(clean_text(c.content), 1, 50)
            AND m.content = clean_text(c.content)
    )
FROM conversation_6 c ORDER BY c.rowid;
DROP TABLE conversation_6;
CREATE INDEX conversation_session ON conversation (user_id, session_id, id);
CREATE INDEX conversation_memory ON conversation (memory_id);
CREATE UNIQUE INDEX conversation_source ON conversation (user_id, source_id)
    WHERE source_id IS NOT NULL;

ALTER TABLE session_summary RENAME TO session_summary_6;
CREATE TABLE session_summary (
    id INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    session_id TEXT,
    title TEXT,
    snippet TEXT,
    created_at TEXT NOT NULL
);
INSERT INTO session_summary (user_id, session_id, title, snippet, created_at)
SELECT 'default', session_id, title, snippet, legacy_time(created_at)
FROM session_summary_6 ORDER BY rowid;
DROP TABLE session_summary_6;

ALTER TABLE user_profile RENAME TO user_profile_6;
CREATE TABLE user_profile (
    id INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    content TEXT,
    updated_at TEXT NOT NULL
);
INSERT INTO user_profile (user_id, content, updated_at)
SELECT 'default', content, legacy_time(updated_at) FROM user_profile_6 ORDER BY rowid;
DROP TABLE user_profile_6;

-- The state of running sessions (S3.1).
CREATE TABLE working_memory (
    user_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    current_topic TEXT,
    context_variables TEXT NOT NULL DEFAULT '{}',
    turn_count INTEGER NOT NULL DEFAULT 1,
    last_emotion TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (user_id, session_id)
) WITHOUT ROWID;

-- The Markdown files as they were when they were last folded in (decisions 2).
CREATE TABLE document (
    user_id TEXT NOT NULL,
    path TEXT NOT NULL,                     -- relative to the user's memory folder
    etag TEXT NOT NULL,
    modified_ns INTEGER NOT NULL,
    changed_ns INTEGER NOT NULL,
    size INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    held TEXT,                              -- why a change was not folded in, null otherwise
    PRIMARY KEY (user_id, path)
) WITHOUT ROWID;

-- What ranking needs to know of a row besides its terms and its vector.
CREATE TABLE memory_index (
    row_id INTEGER PRIMARY KEY,
    length INTEGER NOT NULL,                -- tokens
    session INTEGER NOT NULL,               -- session.number, -1 without one
    previous INTEGER NOT NULL,              -- row before it in its session, -1 for the first
    speaker INTEGER NOT NULL,               -- speaker.number, -1 without one
    flags INTEGER NOT NULL                  -- text.cues.TextFlags
);
CREATE TABLE speaker (
    owner INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,                     -- as shown
    terms TEXT NOT NULL,                    -- its index tokens, space separated
    PRIMARY KEY (owner, name)
) WITHOUT ROWID;

-- Rows that wait for their vector.
CREATE TABLE vector_queue (row_id INTEGER PRIMARY KEY);
-- One vector a row (storage/tables/dense.py); `_next` is filled beside the live one when the embedder changes.
CREATE TABLE memory_vector (
    row_id INTEGER PRIMARY KEY,
    text_hash INTEGER NOT NULL,             -- of the embedded text: equal texts are embedded once
    vector BLOB NOT NULL
);
CREATE INDEX vector_text ON memory_vector (text_hash);
CREATE TABLE memory_vector_next (
    row_id INTEGER PRIMARY KEY,
    text_hash INTEGER NOT NULL,
    vector BLOB NOT NULL
);
CREATE TABLE index_identity (what TEXT PRIMARY KEY, identity TEXT NOT NULL) WITHOUT ROWID;

-- The packed index: the same postings and codes as above, by term and by block of rows, for
-- owners with many rows. Derived data: `chatmem reindex` makes it again.
CREATE TABLE packed_posting (
    owner INTEGER NOT NULL,
    term TEXT NOT NULL,
    block INTEGER NOT NULL,
    data BLOB NOT NULL,                     -- uint32 little endian: row in block << 16 | count
    PRIMARY KEY (owner, term, block)
) WITHOUT ROWID;
CREATE TABLE packed_row (
    owner INTEGER NOT NULL,
    block INTEGER NOT NULL,
    data BLOB NOT NULL,                     -- storage.values.ROW_DTYPE, one entry a row
    PRIMARY KEY (owner, block)
);
CREATE TABLE packed_code (
    owner INTEGER NOT NULL,
    block INTEGER NOT NULL,
    data BLOB NOT NULL,                     -- sign bits of the vectors, one row after the other
    PRIMARY KEY (owner, block)
);
