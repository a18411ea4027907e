-- Remembering by itself: how far extraction has come, events that were handled, jobs that are
-- leased by a worker or given up.

ALTER TABLE job ADD COLUMN leased_by TEXT;              -- the worker that does it now
ALTER TABLE job ADD COLUMN leased_until TEXT;
ALTER TABLE job ADD COLUMN given_up_at TEXT;            -- failed too often: waits for a person
CREATE INDEX job_given_up ON job (user_id, given_up_at) WHERE given_up_at IS NOT NULL;

-- How far a session's messages have been read for memories, and where its flush stands.
CREATE TABLE extraction (
    user_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    extracted_to INTEGER NOT NULL DEFAULT 0,            -- id of the last conversation row read
    extracted_at TEXT,
    flush TEXT NOT NULL DEFAULT '{}',                   -- JSON of extraction/flush.py
    PRIMARY KEY (user_id, session_id)
) WITHOUT ROWID;

-- Ids of events that were handled: one that is delivered again has no effect.
CREATE TABLE handled_event (
    user_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (user_id, session_id, event_id)
) WITHOUT ROWID;
CREATE INDEX handled_event_at ON handled_event (at);

-- Numbers of messages are never given twice: extraction goes by them, and the newest message may
-- be forgotten.
CREATE TABLE conversation_kept (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
INSERT INTO conversation_kept (
    id, user_id, session_id, role, content, create_time, is_collected, app_type, speaker,
    source_id, memory_id
)
SELECT
    id, user_id, session_id, role, content, create_time, is_collected, app_type, speaker,
    source_id, memory_id
FROM conversation;
DROP TABLE conversation;
ALTER TABLE conversation_kept RENAME TO conversation;
CREATE INDEX conversation_session ON conversation (user_id, session_id, id);
CREATE INDEX conversation_memory ON conversation (memory_id);
CREATE UNIQUE INDEX conversation_source ON conversation (user_id, source_id)
    WHERE source_id IS NOT NULL;
CREATE INDEX conversation_collected ON conversation (user_id, id) WHERE is_collected = 1;
