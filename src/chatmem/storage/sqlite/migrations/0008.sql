-- Sessions with titles and ends, jobs of the background, people who share, settings kept with the
-- data.

ALTER TABLE session ADD COLUMN title TEXT;          -- the one a person gave; else the summary's counts
ALTER TABLE session ADD COLUMN ended_at TEXT;       -- null while it is running
-- Conversations of older files, and those whose memories were all forgotten.
INSERT INTO session (owner, number, session_id, last_row, created_at, updated_at)
SELECT
    o.number,
    coalesce((SELECT max(s.number) FROM session s WHERE s.owner = o.number), -1)
        + row_number() OVER (PARTITION BY o.number ORDER BY min(c.id)),
    c.session_id, -1, min(c.create_time), max(c.create_time)
FROM conversation c JOIN owner o USING (user_id)
WHERE c.session_id <> '' AND NOT EXISTS (
    SELECT 1 FROM session s WHERE s.owner = o.number AND s.session_id = c.session_id
)
GROUP BY o.number, c.session_id;
CREATE INDEX conversation_collected ON conversation (user_id, id) WHERE is_collected = 1;
CREATE INDEX session_id ON session (session_id);

ALTER TABLE session_summary ADD COLUMN updated_at TEXT;
ALTER TABLE session_summary ADD COLUMN message_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session_summary ADD COLUMN made_by TEXT NOT NULL DEFAULT 'rules';
UPDATE session_summary SET updated_at = created_at;
CREATE INDEX summary_session ON session_summary (user_id, session_id);
CREATE INDEX summary_recent ON session_summary (user_id, updated_at);

-- USER.md and HOUSEHOLD.md as they were last read.
ALTER TABLE user_profile ADD COLUMN document TEXT NOT NULL DEFAULT 'USER.md';
ALTER TABLE user_profile ADD COLUMN etag TEXT NOT NULL DEFAULT '';
CREATE INDEX profile_user ON user_profile (user_id, document);

-- The hash of a message that was counted as a turn and is not answered yet.
ALTER TABLE working_memory ADD COLUMN open_message TEXT;
-- Messages are analysed after they are saved: up to which message that is done, and whether some wait.
ALTER TABLE working_memory ADD COLUMN analysed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE working_memory ADD COLUMN pending INTEGER NOT NULL DEFAULT 0;

-- What the background has to do; at most one of a kind for a session. Written in the transaction
-- of what causes it, so a crash loses none.
CREATE TABLE job (
    number INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    session_id TEXT NOT NULL,
    due_at TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    asked INTEGER NOT NULL DEFAULT 1,       -- how often it was asked for
    error TEXT,
    UNIQUE (user_id, session_id, kind)
);
CREATE INDEX job_due ON job (due_at);

-- Households and groups, who is in them, and what a role sees there (decisions 6).
CREATE TABLE circle (
    circle_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('household', 'group')),
    name TEXT NOT NULL,
    head TEXT NOT NULL,                     -- who made it; HOUSEHOLD.md is in this user's folder
    created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE membership (
    user_id TEXT NOT NULL,
    circle_id TEXT NOT NULL,
    role TEXT NOT NULL,
    joined_at TEXT NOT NULL,
    PRIMARY KEY (user_id, circle_id)
) WITHOUT ROWID;
CREATE INDEX membership_circle ON membership (circle_id);
-- Who was asked and has not said yes: nobody becomes a member without joining.
CREATE TABLE invitation (
    user_id TEXT NOT NULL,
    circle_id TEXT NOT NULL,
    role TEXT NOT NULL,
    invited_at TEXT NOT NULL,
    PRIMARY KEY (user_id, circle_id)
) WITHOUT ROWID;
CREATE TABLE role_rule (
    role TEXT NOT NULL,
    effect TEXT NOT NULL CHECK (effect IN ('allow', 'deny')),
    tag TEXT NOT NULL,                      -- '*': every memory
    PRIMARY KEY (role, effect, tag)
) WITHOUT ROWID;
INSERT INTO role_rule (role, effect, tag) VALUES
    ('parent', 'allow', '*'),
    ('child', 'allow', '*'),
    ('child', 'deny', 'parent'),
    ('child', 'deny', 'work'),
    ('child', 'deny', 'finance'),
    ('child', 'deny', '家长'),              -- Simplified, as tags are compared (text/tags.py)
    ('child', 'deny', '工作'),
    ('child', 'deny', '财务'),
    ('guest', 'allow', 'guest'),
    ('guest', 'allow', '客人'),
    ('agent', 'allow', '*'),
    ('agent', 'deny', 'finance'),
    ('agent', 'deny', '财务'),
    ('member', 'allow', '*');
-- Counts every change of what is shared: what a viewer's search kept of it is then stale.
CREATE TABLE sharing (version INTEGER NOT NULL);
INSERT INTO sharing (version) VALUES (0);
CREATE INDEX memory_shared ON atomic_memory (visibility, user_id) WHERE visibility <> 'private';

-- Settings that were changed from inside (a page, `chatmem config`); they win over the file.
CREATE TABLE setting (
    name TEXT PRIMARY KEY,                  -- memory.rag_top_n
    value TEXT NOT NULL                     -- JSON
) WITHOUT ROWID;
-- Counts every change of them: other processes then read them again.
CREATE TABLE setting_change (version INTEGER NOT NULL);
INSERT INTO setting_change (version) VALUES (0);
