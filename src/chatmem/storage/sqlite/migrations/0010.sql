-- A server: who may call it, what went into its prompts, and what it has answered already.

CREATE TABLE api_key (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,                          -- of the key, which is shown once and never kept
    user_id TEXT NOT NULL,
    is_admin INTEGER NOT NULL DEFAULT 0,                -- may act for another user
    created_at TEXT NOT NULL,
    revoked_at TEXT
) WITHOUT ROWID;
CREATE INDEX api_key_user ON api_key (user_id);

-- What went into a prompt: sections, tokens, ids of memories; no text of any.
CREATE TABLE receipt (
    id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    session_id TEXT,
    created_at TEXT NOT NULL,
    body TEXT NOT NULL,                                 -- JSON
    PRIMARY KEY (user_id, id)
) WITHOUT ROWID;
CREATE INDEX receipt_at ON receipt (created_at);

-- Answers to writes that carried an idempotency key: sent again, they are not done again.
CREATE TABLE idempotent_answer (
    user_id TEXT NOT NULL,
    key TEXT NOT NULL,
    request TEXT NOT NULL,                              -- hash of what was asked
    status INTEGER,                                     -- null while it is being done
    body TEXT,
    created_at TEXT NOT NULL,
    PRIMARY KEY (user_id, key)
) WITHOUT ROWID;
CREATE INDEX idempotent_at ON idempotent_answer (created_at);
