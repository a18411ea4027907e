-- Every message of every session (S2.4).
CREATE TABLE IF NOT EXISTS conversation (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT,
    role TEXT,
    content TEXT,
    create_time TEXT,
    is_collected INTEGER DEFAULT 0
);
