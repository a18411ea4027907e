-- The tables of storage/sqlite/migrations, as PostgreSQL holds them. The user leads the primary key of
-- every table that has rows of users, so that all of them can be split by it: `{by user}` marks those
-- (migrate.py). `{text}` is text in the order of its bytes, as on SQLite: times are texts of fixed width.

-- Numbers come from sequences, not from identities: those of partitioned tables are new in 17.
CREATE SEQUENCE owner_number;
CREATE SEQUENCE history_number;
CREATE SEQUENCE conversation_id;
CREATE SEQUENCE summary_id;
CREATE SEQUENCE profile_id;
CREATE SEQUENCE job_number;
CREATE SEQUENCE queue_number;
CREATE SEQUENCE document_version;

CREATE TABLE owner (
    user_id {text} PRIMARY KEY,
    number bigint NOT NULL DEFAULT nextval('owner_number'),  -- the upper half of the owner's row ids
    next_row integer NOT NULL DEFAULT 0,     -- the lower half that the next row gets
    packed_rows integer NOT NULL DEFAULT 0,  -- rows below this stand in the packed index
    version bigint NOT NULL DEFAULT 0,       -- counts every change of a row: what was read is stale
    packed_version bigint NOT NULL DEFAULT 0 -- the same for facts and codes of packed rows
) {by user};
CREATE INDEX owner_of_number ON owner (number);
CREATE INDEX owner_to_pack ON owner ((next_row - packed_rows));
INSERT INTO owner (user_id) VALUES ('default');

CREATE TABLE atomic_memory (
    row_id bigint NOT NULL,                  -- owner number << 32 | row of that owner
    id {text} NOT NULL,
    user_id {text} NOT NULL,
    timestamp {text} NOT NULL,               -- when it happened; UTC, as model/time.py writes it
    create_time {text} NOT NULL,             -- when it was stored
    content text NOT NULL,
    tags text NOT NULL DEFAULT '[]',
    tag_forms text[] NOT NULL DEFAULT '{}',  -- the tags as they are compared (text/tags.py)
    session_id {text},
    app_type text,
    role {text},
    memory_type text NOT NULL DEFAULT 'short_term'
        CHECK (memory_type IN ('short_term', 'long_term')),
    kind text CHECK (kind IN ('semantic', 'episodic')),
    category text CHECK (category IN ('preference', 'fact', 'pattern')),
    key {text},
    value text NOT NULL DEFAULT 'null',
    confidence double precision NOT NULL DEFAULT 0.9 CHECK (confidence BETWEEN 0 AND 1),
    source text NOT NULL DEFAULT 'user_stated'
        CHECK (source IN ('user_stated', 'inferred', 'system')),
    importance integer NOT NULL DEFAULT 3 CHECK (importance BETWEEN 1 AND 5),
    visibility text NOT NULL DEFAULT 'private'
        CHECK (visibility IN ('private', 'household', 'group', 'public')),
    valid_from {text},
    valid_to {text},
    superseded_by {text},
    document {text},
    PRIMARY KEY (user_id, row_id),
    UNIQUE (user_id, id)
) {by user};
CREATE INDEX memory_id ON atomic_memory (id);
CREATE INDEX memory_turn ON atomic_memory (user_id, session_id, role, substr(content, 1, 50))
    WHERE role IS NOT NULL;
CREATE INDEX memory_long_term ON atomic_memory (user_id, timestamp)
    WHERE memory_type = 'long_term';
CREATE INDEX memory_key ON atomic_memory (user_id, key) WHERE key IS NOT NULL;
CREATE INDEX memory_document ON atomic_memory (user_id, document) WHERE document IS NOT NULL;
CREATE INDEX memory_superseded_by ON atomic_memory (user_id, superseded_by)
    WHERE superseded_by IS NOT NULL;
CREATE INDEX memory_shared ON atomic_memory (visibility, user_id) WHERE visibility <> 'private';

-- Read counters stand apart: counting an access must not touch a memory's row or its index.
CREATE TABLE memory_access (
    user_id {text} NOT NULL,
    row_id bigint NOT NULL,
    last_accessed {text} NOT NULL,
    access_count integer NOT NULL,
    PRIMARY KEY (user_id, row_id)
) {by user};

CREATE TABLE memory_history (
    user_id {text} NOT NULL,
    memory_id {text} NOT NULL,
    number bigint NOT NULL DEFAULT nextval('history_number'),
    at {text} NOT NULL,
    action text NOT NULL,
    reason text NOT NULL,
    before text,                             -- the record as JSON, null for the first entry
    after text NOT NULL,
    PRIMARY KEY (user_id, memory_id, number)
) {by user};

-- What a person deleted, as hashes only, so that no extractor brings it back.
CREATE TABLE tombstone (
    user_id {text} NOT NULL,
    content_hash bytea NOT NULL,
    at {text} NOT NULL,
    PRIMARY KEY (user_id, content_hash)
) {by user};

CREATE TABLE session (
    user_id {text} NOT NULL,
    session_id {text} NOT NULL,
    number integer NOT NULL,                 -- counts up within the owner
    last_row integer NOT NULL,               -- its newest row, -1 before the first
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    title text,                              -- the one a person gave; else the summary's counts
    ended_at {text},                         -- null while it is running
    PRIMARY KEY (user_id, session_id)
) {by user};
CREATE INDEX session_id ON session (session_id);

CREATE TABLE conversation (
    user_id {text} NOT NULL,
    id bigint NOT NULL DEFAULT nextval('conversation_id'),  -- never given twice
    session_id {text} NOT NULL,
    role {text} NOT NULL,
    content text NOT NULL,
    create_time {text} NOT NULL,
    is_collected integer NOT NULL DEFAULT 0,
    app_type text,
    speaker {text},
    source_id {text},                        -- the message's id in an imported source
    memory_id {text},                        -- the memory that holds the same words
    PRIMARY KEY (user_id, id)
) {by user};
CREATE INDEX conversation_session ON conversation (user_id, session_id, id);
CREATE INDEX conversation_memory ON conversation (user_id, memory_id);
CREATE UNIQUE INDEX conversation_source ON conversation (user_id, source_id)
    WHERE source_id IS NOT NULL;
CREATE INDEX conversation_collected ON conversation (user_id, id) WHERE is_collected = 1;

CREATE TABLE session_summary (
    user_id {text} NOT NULL,
    id bigint NOT NULL DEFAULT nextval('summary_id'),
    session_id {text},
    title text,
    snippet text,
    created_at {text} NOT NULL,
    updated_at {text},
    message_count integer NOT NULL DEFAULT 0,
    made_by text NOT NULL DEFAULT 'rules',
    PRIMARY KEY (user_id, id)
) {by user};
CREATE INDEX summary_session ON session_summary (user_id, session_id);
CREATE INDEX summary_recent ON session_summary (user_id, updated_at);

-- USER.md and HOUSEHOLD.md as they were last read.
CREATE TABLE user_profile (
    user_id {text} NOT NULL,
    document {text} NOT NULL DEFAULT 'USER.md',
    id bigint NOT NULL DEFAULT nextval('profile_id'),
    content text,
    etag text NOT NULL DEFAULT '',
    updated_at {text} NOT NULL,
    PRIMARY KEY (user_id, document, id)
) {by user};

-- The state of running sessions (S3.1).
CREATE TABLE working_memory (
    user_id {text} NOT NULL,
    session_id {text} NOT NULL,
    current_topic text,
    context_variables text NOT NULL DEFAULT '{}',
    turn_count integer NOT NULL DEFAULT 1,
    last_emotion text,
    created_at {text} NOT NULL,
    updated_at {text} NOT NULL,
    open_message text,                       -- hash of a message that is counted, not answered yet
    analysed bigint NOT NULL DEFAULT 0,      -- up to which message it has been read
    pending integer NOT NULL DEFAULT 0,      -- whether newer ones wait
    PRIMARY KEY (user_id, session_id)
) {by user};
CREATE INDEX working_updated ON working_memory (updated_at);

-- The Markdown files as they were when they were last folded in (decisions 2).
CREATE TABLE document (
    user_id {text} NOT NULL,
    path {text} NOT NULL,                    -- relative to the user's memory folder
    etag text NOT NULL,
    modified_ns bigint NOT NULL,
    changed_ns bigint NOT NULL,
    size bigint NOT NULL,
    inode bigint NOT NULL,
    held text,                               -- why a change was not folded in, null otherwise
    PRIMARY KEY (user_id, path)
) {by user};

-- The Markdown documents themselves: files on a machine, rows here.
CREATE TABLE document_text (
    user_id {text} NOT NULL,
    path {text} NOT NULL,
    content text NOT NULL,
    etag text NOT NULL,                      -- hash of the content
    version bigint NOT NULL,                 -- of the row: never the same for two contents
    PRIMARY KEY (user_id, path)
) {by user};
CREATE FUNCTION tell_of_document() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_notify('chatmem_document', coalesce(NEW.user_id, OLD.user_id)) ; RETURN NULL ; END $$;
CREATE TRIGGER document_text_changed AFTER INSERT OR UPDATE OR DELETE ON document_text
    FOR EACH ROW EXECUTE FUNCTION tell_of_document();

-- What the index keeps of a row besides its vector: facts, and its terms in order.
CREATE TABLE memory_index (
    user_id {text} NOT NULL,
    row_id bigint NOT NULL,
    length integer NOT NULL,                 -- tokens
    session integer NOT NULL,                -- session.number, -1 without one
    previous integer NOT NULL,               -- row before it in its session, -1 for the first
    speaker integer NOT NULL,                -- speaker.number, -1 without one
    flags integer NOT NULL,                  -- text.cues.TextFlags
    tokens text NOT NULL,                    -- made by chatmem.text, blank separated
    PRIMARY KEY (user_id, row_id)
) {by user};
CREATE TABLE speaker (
    user_id {text} NOT NULL,
    name {text} NOT NULL,                    -- as shown
    number integer NOT NULL,
    terms text NOT NULL,                     -- its index tokens, space separated
    PRIMARY KEY (user_id, name)
) {by user};

-- Rows that wait for their vector, in the order in which they came.
CREATE TABLE vector_queue (
    user_id {text} NOT NULL,
    row_id bigint NOT NULL,
    number bigint NOT NULL DEFAULT nextval('queue_number'),
    taken_by text,                           -- the process that has it embedded now
    taken_until timestamptz,
    PRIMARY KEY (user_id, row_id)
) {by user};
CREATE INDEX vector_queue_order ON vector_queue (number);
-- One vector a row (storage/tables/dense.py); `_next` is filled beside the live one when the embedder changes.
CREATE TABLE memory_vector (
    user_id {text} NOT NULL,
    row_id bigint NOT NULL,
    text_hash bigint NOT NULL,               -- of the embedded text: equal texts are embedded once
    vector bytea NOT NULL,
    PRIMARY KEY (user_id, row_id)
) {by user};
CREATE INDEX vector_text ON memory_vector (text_hash);
CREATE TABLE memory_vector_next (
    user_id {text} NOT NULL,
    row_id bigint NOT NULL,
    text_hash bigint NOT NULL,
    vector bytea NOT NULL,
    PRIMARY KEY (user_id, row_id)
) {by user};
CREATE INDEX vector_text_next ON memory_vector_next (text_hash);
CREATE TABLE index_identity (what text PRIMARY KEY, identity text NOT NULL);
INSERT INTO index_identity (what, identity) VALUES ('generation', '0');  -- of embedders

-- The packed index: postings, facts and codes by block of rows, for owners with many rows. Derived
-- data: `chatmem reindex` makes it again.
CREATE TABLE packed_posting (
    user_id {text} NOT NULL,
    term {text} NOT NULL,
    block integer NOT NULL,
    data bytea NOT NULL,                     -- uint32 little endian: row in block << 16 | count
    PRIMARY KEY (user_id, term, block)
) {by user};
CREATE TABLE packed_row (
    user_id {text} NOT NULL,
    block integer NOT NULL,
    data bytea NOT NULL,                     -- storage.values.ROW_DTYPE, one entry a row
    PRIMARY KEY (user_id, block)
) {by user};
CREATE TABLE packed_code (
    user_id {text} NOT NULL,
    block integer NOT NULL,
    data bytea NOT NULL,                     -- sign bits of the vectors, one row after the other
    PRIMARY KEY (user_id, block)
) {by user};

-- Read often and whole: not compressed.
ALTER TABLE packed_posting ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE packed_row ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE packed_code ALTER COLUMN data SET STORAGE EXTERNAL;

-- What the background has to do; at most one of a kind for a session. Written in the transaction
-- of what causes it, so a crash loses none.
CREATE TABLE job (
    user_id {text} NOT NULL,
    session_id {text} NOT NULL,
    kind {text} NOT NULL,
    number bigint NOT NULL DEFAULT nextval('job_number'),
    due_at {text} NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    asked integer NOT NULL DEFAULT 1,        -- how often it was asked for
    error text,
    leased_by {text},                        -- the worker that does it now
    leased_until {text},
    given_up_at {text},                      -- failed too often: waits for a person
    PRIMARY KEY (user_id, session_id, kind)
) {by user};
CREATE INDEX job_of_number ON job (user_id, number);
CREATE INDEX job_due ON job (due_at) WHERE given_up_at IS NULL;
CREATE INDEX job_given_up ON job (user_id, given_up_at) WHERE given_up_at IS NOT NULL;
CREATE INDEX job_leased ON job (leased_by) WHERE leased_by IS NOT NULL;

-- How far a session's messages have been read for memories, and where its flush stands.
CREATE TABLE extraction (
    user_id {text} NOT NULL,
    session_id {text} NOT NULL,
    extracted_to bigint NOT NULL DEFAULT 0,  -- id of the last conversation row read
    extracted_at {text},
    flush text NOT NULL DEFAULT '{}',        -- JSON of extraction/flush.py
    PRIMARY KEY (user_id, session_id)
) {by user};

-- Ids of events that were handled: one that is delivered again has no effect.
CREATE TABLE handled_event (
    user_id {text} NOT NULL,
    session_id {text} NOT NULL,
    event_id {text} NOT NULL,
    at {text} NOT NULL,
    PRIMARY KEY (user_id, session_id, event_id)
) {by user};
CREATE INDEX handled_event_at ON handled_event (at);

-- What went into a prompt: sections, tokens, ids of memories; no text of any.
CREATE TABLE receipt (
    user_id {text} NOT NULL,
    id {text} NOT NULL,
    session_id {text},
    created_at {text} NOT NULL,
    body text NOT NULL,                      -- JSON
    PRIMARY KEY (user_id, id)
) {by user};
CREATE INDEX receipt_at ON receipt (created_at);

-- Answers to writes that carried an idempotency key: sent again, they are not done again.
CREATE TABLE idempotent_answer (
    user_id {text} NOT NULL,
    key {text} NOT NULL,
    request text NOT NULL,                   -- hash of what was asked
    status integer,                          -- null while it is being done
    body text,
    created_at {text} NOT NULL,
    PRIMARY KEY (user_id, key)
) {by user};
CREATE INDEX idempotent_at ON idempotent_answer (created_at);

-- What follows is about no single user, and small: every shard holds all of it.

CREATE TABLE api_key (
    id {text} PRIMARY KEY,
    hash {text} NOT NULL UNIQUE,             -- of the key, which is shown once and never kept
    user_id {text} NOT NULL,
    is_admin integer NOT NULL DEFAULT 0,     -- may act for another user
    created_at {text} NOT NULL,
    revoked_at {text}
);
CREATE INDEX api_key_user ON api_key (user_id);

-- Households and groups, who is in them, and what a role sees there (decisions 6).
CREATE TABLE circle (
    circle_id {text} PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('household', 'group')),
    name text NOT NULL,
    head {text} NOT NULL,                    -- who made it; HOUSEHOLD.md is in this user's folder
    created_at {text} NOT NULL
);
CREATE TABLE membership (
    user_id {text} NOT NULL,
    circle_id {text} NOT NULL,
    role {text} NOT NULL,
    joined_at {text} NOT NULL,
    PRIMARY KEY (user_id, circle_id)
);
CREATE INDEX membership_circle ON membership (circle_id);
-- Who was asked and has not said yes: nobody becomes a member without joining.
CREATE TABLE invitation (
    user_id {text} NOT NULL,
    circle_id {text} NOT NULL,
    role {text} NOT NULL,
    invited_at {text} NOT NULL,
    PRIMARY KEY (user_id, circle_id)
);
CREATE TABLE role_rule (
    role {text} NOT NULL,
    effect {text} NOT NULL CHECK (effect IN ('allow', 'deny')),
    tag {text} NOT NULL,                     -- '*': every memory
    PRIMARY KEY (role, effect, tag)
);
INSERT INTO role_rule (role, effect, tag) VALUES
    ('parent', 'allow', '*'),
    ('child', 'allow', '*'),
    ('child', 'deny', 'parent'),
    ('child', 'deny', 'work'),
    ('child', 'deny', 'finance'),
    ('child', 'deny', '家长'),               -- Simplified, as tags are compared (text/tags.py)
    ('child', 'deny', '工作'),
    ('child', 'deny', '财务'),
    ('guest', 'allow', 'guest'),
    ('guest', 'allow', '客人'),
    ('agent', 'allow', '*'),
    ('agent', 'deny', 'finance'),
    ('agent', 'deny', '财务'),
    ('member', 'allow', '*');
-- Counts every change of what is shared: what a viewer's search kept of it is then stale.
CREATE TABLE sharing (version bigint NOT NULL);
INSERT INTO sharing (version) VALUES (0);

-- Settings that were changed from inside (a page, `chatmem config`); they win over the file.
CREATE TABLE setting (
    name {text} PRIMARY KEY,                 -- memory.rag_top_n
    value text NOT NULL                      -- JSON
);
-- Counts every change of them: other processes then read them again.
CREATE TABLE setting_change (version bigint NOT NULL);
INSERT INTO setting_change (version) VALUES (0);

-- What people said is no statistic: ANALYZE would keep samples of it past its deletion.
ALTER TABLE atomic_memory ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE atomic_memory ALTER COLUMN value SET STATISTICS 0;
ALTER TABLE atomic_memory ALTER COLUMN key SET STATISTICS 0;
ALTER INDEX memory_turn ALTER COLUMN 4 SET STATISTICS 0;
ALTER TABLE memory_index ALTER COLUMN tokens SET STATISTICS 0;
ALTER TABLE memory_history ALTER COLUMN before SET STATISTICS 0;
ALTER TABLE memory_history ALTER COLUMN after SET STATISTICS 0;
ALTER TABLE conversation ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE packed_posting ALTER COLUMN term SET STATISTICS 0;
ALTER TABLE session ALTER COLUMN title SET STATISTICS 0;
ALTER TABLE session_summary ALTER COLUMN title SET STATISTICS 0;
ALTER TABLE session_summary ALTER COLUMN snippet SET STATISTICS 0;
ALTER TABLE user_profile ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE working_memory ALTER COLUMN current_topic SET STATISTICS 0;
ALTER TABLE working_memory ALTER COLUMN context_variables SET STATISTICS 0;
ALTER TABLE idempotent_answer ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE document_text ALTER COLUMN content SET STATISTICS 0;
