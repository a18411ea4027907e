"""The statements as SQLite understands them."""

from collections.abc import Mapping
from functools import cache

from chatmem.storage.tables.statements import WITH_COUNTERS, read_statements
from chatmem.storage.visibility import visible

VISIBLE = visible("tag_matches(m.tags, r.tag)")
_MARKS = {
    "visible": VISIBLE,
    "memory": WITH_COUNTERS,
    "with counters": "LEFT JOIN memory_access a USING (row_id)",
    "like": "LIKE",
    "owner": "owner",
    "row": "row_id = :row_id",
}
_WITH_NAME = {
    "in texts": "IN (SELECT value FROM json_each(:{}))",
    "in numbers": "IN (SELECT value FROM json_each(:{}))",
    "joined": "CAST({}.data || excluded.data AS BLOB)",
}


@cache
def statements(name: str) -> Mapping[str, str]:
    """The statements of `<name>.sql`, those of `storage/sql/` and those of SQLite's own."""
    return read_statements(name, __package__, _MARKS, _WITH_NAME)
