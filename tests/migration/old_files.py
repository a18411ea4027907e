"""Databases as other programs of versions 1 to 6 left them: made by the standard library alone."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

COMPLETE = """
CREATE TABLE atomic_memory (
    id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT, content TEXT NOT NULL, tags TEXT,
    session_id TEXT, create_time TEXT, app_type TEXT, role TEXT
);
CREATE TABLE user_profile (id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT, updated_at TEXT);
CREATE TABLE session_summary (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, title TEXT, snippet TEXT, created_at TEXT
);
CREATE TABLE conversation (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT,
    create_time TEXT, is_collected INTEGER DEFAULT 0
);
CREATE INDEX old_session ON atomic_memory (session_id);
"""
"""Every table and column that version 5 has, with an index of the program's own."""

GUIDS = """
CREATE TABLE atomic_memory (
    id TEXT PRIMARY KEY, timestamp DATETIME, content TEXT, tags TEXT, session_id TEXT,
    create_time DATETIME
) WITHOUT ROWID;
CREATE TABLE conversation (
    id TEXT PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, create_time DATETIME,
    is_collected BOOLEAN, app_type TEXT, user_id TEXT
);
"""
"""GUIDs for ids, no role, no application, tables missing, and columns that ours adds later."""

BARE = "CREATE TABLE atomic_memory (content TEXT, timestamp INTEGER)"
"""Just enough to be a memory."""

Row = dict[str, Any]


def write_old(
    path: Path, schema: str, rows: list[Row], *, version: int = 5, table: str = "atomic_memory"
) -> Path:
    """The file, made or added to."""
    with closing(sqlite3.connect(path)) as connection, connection:
        if not connection.execute("SELECT name FROM sqlite_master").fetchall():
            connection.executescript(schema)
        for row in rows:
            names = ", ".join(row)
            marks = ", ".join(f":{name}" for name in row)
            connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", row)
        connection.execute(f"PRAGMA user_version = {version}")
    return path


def read(path: Path, sql: str) -> list[tuple[Any, ...]]:
    """What a plain program reads."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()
