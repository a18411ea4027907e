-- Summaries of recent sessions (S2.3).
CREATE TABLE IF NOT EXISTS session_summary (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT,
    title TEXT,
    snippet TEXT,
    created_at TEXT
);
