"""The statements as PostgreSQL and psycopg understand them."""

import re
from collections.abc import Mapping
from functools import cache

from chatmem.storage.tables.statements import WITH_COUNTERS, read_statements
from chatmem.storage.visibility import visible

VISIBLE = visible("r.tag = ANY (m.tag_forms)")
_MARKS = {
    "visible": VISIBLE,
    "memory": WITH_COUNTERS,
    "with counters": "LEFT JOIN memory_access a ON a.user_id = m.user_id AND a.row_id = m.row_id",
    "like": 'COLLATE "C" ILIKE',
    "owner": "user_id",
    "row": "user_id = :user_id AND row_id = :row_id",
}
_WITH_NAME = {
    "in texts": "= ANY (ARRAY(SELECT jsonb_array_elements_text(:{}::jsonb)))",
    "in numbers": "= ANY (ARRAY(SELECT jsonb_array_elements_text(:{}::jsonb)::bigint))",
    "joined": "{}.data || excluded.data",
}
_PARAMETER = re.compile(r"(?<![:\w]):([a-z]\w*)")
_COMMENT = re.compile(r"^[^\S\n]*+--.*\n", re.MULTILINE)


@cache
def statements(name: str) -> Mapping[str, str]:
    """The statements of `<name>.sql`, those of `storage/sql/` and those of PostgreSQL's own."""
    found = read_statements(name, __package__, _MARKS, _WITH_NAME)
    return {title: translated(text) for title, text in found.items()}


def translated(text: str) -> str:
    """A statement with parameters `:name` as psycopg writes them, `%(name)s`."""
    return _PARAMETER.sub(r"%(\1)s", _COMMENT.sub("", text).replace("%", "%%"))
