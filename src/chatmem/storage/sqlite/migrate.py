"""Bring a database to the newest schema version, in one transaction.

Versions 1 to 5 are the baseline that the specifications start from; version 6 adds `memory_type`
exactly as S1.1 says; version 7 is today's shape. A file of version 1 to 6 may come from another
program: whatever it says, what the baseline has and the file lacks is added before version 7 copies
the rows.

Source: S1.1; interfaces, "a version-5 database made by a plain script".
"""

import contextlib
import json

import apsw

from chatmem.model.time import to_text, utc_now
from chatmem.storage.tables.database import read_migrations, refuse_newer
from chatmem.text.clean import clean_text
from chatmem.text.dates import read_date

NEWEST = max(read_migrations(__package__))
_BASELINE_VERSION = 5
"""The version that `_complete` brings any file to."""
_FOREIGN_UP_TO = 7
"""Scripts up to this version read tables that another program may have made."""

_BASELINE = {
    "atomic_memory": "id INTEGER, timestamp TEXT, content TEXT, tags TEXT, session_id TEXT, "
    "create_time TEXT, app_type TEXT, role TEXT",
    "user_profile": "content TEXT, updated_at TEXT",
    "session_summary": "session_id TEXT, title TEXT, snippet TEXT, created_at TEXT",
    "conversation": "session_id TEXT, role TEXT, content TEXT, create_time TEXT, "
    "is_collected INTEGER DEFAULT 0",
}
"""The columns of the baseline's tables that later scripts read."""

_WITHOUT_ROWID = "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = ? AND wr"
_GIVE_ROWIDS = (
    "ALTER TABLE {0} RENAME TO {0}_without; "
    "CREATE TABLE {0} AS SELECT * FROM {0}_without; DROP TABLE {0}_without"
)
"""Makes a table that was declared WITHOUT ROWID an ordinary one: scripts go by row order."""


def migrate(connection: apsw.Connection, path: object) -> bool:
    """True when the version was older; the caller has opened the transaction.

    Raises:
        SchemaVersionError: the file was written by a newer chatmem.
    """
    before = int(connection.pragma("user_version"))  # 0 for a new file
    refuse_newer(path, before, NEWEST)
    register_functions(connection)
    # A file that is not new holds memories, whether or not it says its version.
    foreign = before < _FOREIGN_UP_TO and bool(_columns(connection, "atomic_memory"))
    for version, script in read_migrations(__package__).items():
        if version <= before:
            continue
        if foreign and version <= _FOREIGN_UP_TO:
            _complete(connection)
        is_typed = "memory_type" in _columns(connection, "atomic_memory")  # what version 6 adds
        if not foreign or version > _BASELINE_VERSION + is_typed:
            connection.execute(script)
        connection.pragma("user_version", version)
    return before < NEWEST


def register_functions(connection: apsw.Connection) -> None:
    """The functions that migration 7 calls, on one connection."""
    connection.create_scalar_function("legacy_time", _time, -1, deterministic=False)
    connection.create_scalar_function("legacy_tags", _tags, 1, deterministic=True)
    connection.create_scalar_function("clean_text", _clean, 1, deterministic=True)


def _complete(connection: apsw.Connection) -> None:
    """Add the tables and columns of the baseline that the file lacks; keep everything it has."""
    for table, columns in _BASELINE.items():
        present = _columns(connection, table)
        if not present:
            connection.execute(f"CREATE TABLE {table} ({columns})")
            continue
        if connection.execute(_WITHOUT_ROWID, (table,)).fetchone():
            connection.execute(_GIVE_ROWIDS.format(table))
        for column in columns.split(", "):
            if column.split()[0] not in present:
                connection.execute(f"ALTER TABLE {table} ADD COLUMN {column}")


def _columns(connection: apsw.Connection, table: str) -> set[str]:
    found = connection.execute("SELECT lower(name) FROM pragma_table_info(?)", (table,))
    return {str(row[0]) for row in found}


def _clean(*values: object) -> str:
    return clean_text(_text(values[0]))


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def _time(*values: object) -> str:
    """The first of the values that is a time, as ours; now if none is.

    Such files hold ISO text, `YYYY-MM-DD HH:MM:SS`, `2024/1/5 8:03:02`, or seconds or milliseconds
    since 1970.
    """
    moments = (read_date(_text(value)) for value in values)
    return to_text(next(filter(None, moments), None) or utc_now())


def _tags(*values: object) -> str:
    """Tags as a JSON list, from JSON or from comma separated text (S2.1 allows both)."""
    text = _text(values[0]).strip()
    tags = [tag.strip() for tag in text.replace("，", ",").split(",")]
    with contextlib.suppress(ValueError):
        parsed = json.loads(text)
        tags = [str(tag) for tag in parsed] if isinstance(parsed, list) else tags
    return json.dumps([tag for tag in tags if tag], ensure_ascii=False)
