"""SQL lives in `.sql` files; this reads them into named statements.

What both dialects understand stands in `storage/sql/`, once; what differs stands in `sqlite/sql/`
and `postgres/sql/` under the same names. Marks in a statement stand for what each dialect says in
its own way:

    {visible}          the visibility predicate (`storage/visibility.py`)
    {memory}           a memory's columns and its access counters, as `rows.to_record` takes them
    {with counters}    the join that has the counters
    {like}             a comparison that disregards the case of ASCII letters
    {in texts ids}     one of the texts in the JSON list `:ids`
    {in numbers keys}  one of the whole numbers in the JSON list `:keys`
    {owner}            the column that leads a table of the index, and the binding's name
    {row}              the row of the bindings `:user_id` and `:row_id`
    {joined table}     the bytes of the table's `data` and, behind them, those that are inserted
"""

import re
from collections.abc import Mapping
from importlib.resources import files

_MEMORY = (
    "row_id, id, user_id, timestamp, create_time, content, tags, session_id, app_type, role, "
    "memory_type, kind, category, key, value, confidence, source, importance, visibility, "
    "valid_from, valid_to, superseded_by, document"
)
MEMORY = ", ".join(f"m.{name}" for name in _MEMORY.split(", "))
"""A memory's columns in the order of `rows.to_record`; the access counters follow."""
WITH_COUNTERS = f"{MEMORY}, a.last_accessed, a.access_count"
"""What the mark `{memory}` stands for, and `rows.to_record` takes."""
STANDING_WITH_COUNTERS = (
    "m.row_id, m.timestamp, m.category, m.confidence, m.importance, m.valid_from, m.valid_to, "
    "a.last_accessed, a.access_count"
)
"""What `rows.to_standing` takes."""
_WITH_NAME = re.compile(r"\{(in numbers|in texts|joined) (\w+)\}")


def read_statements(
    name: str, package: str, marks: Mapping[str, str], with_name: Mapping[str, str]
) -> dict[str, str]:
    """The statements of `<name>.sql`, the shared ones and the package's, with their marks filled.

    `marks` are by the words between the braces; in those `with_name` the braces stand for the name.
    """
    found: dict[str, str] = {}
    for place in ("chatmem.storage", package):
        file = files(place) / "sql" / f"{name}.sql"
        if file.is_file():
            found.update(_named(file.read_text("utf-8")))
    for title, text in found.items():
        for mark, meaning in marks.items():
            text = text.replace(f"{{{mark}}}", meaning)
        found[title] = _WITH_NAME.sub(
            lambda match: with_name[match[1]].replace("{}", match[2]), text
        )
    return found


def _named(text: str) -> dict[str, str]:
    """Statements by the names in their `-- name:` lines."""
    found = {}
    for part in text.split("-- name:")[1:]:
        title, _, body = part.partition("\n")
        found[title.strip()] = body.strip()
    return found
