-- Atomic memories, as S2.1 lists their fields.
CREATE TABLE IF NOT EXISTS atomic_memory (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    timestamp TEXT,
    content TEXT NOT NULL,
    tags TEXT,
    session_id TEXT,
    create_time TEXT
);
