"""SQL stands in `.sql` files; this reads them into named statements.

What both dialects understand stands in `storage/sql/`, once; what differs stands in `sqlite/sql/`
and `postgres/sql/` under the same names. A statement's header has its name and who it acts for:

    -- name: by_sources, for a user    whom the caller passes (`SqlDatabase.rows`)
    -- name: due, for everybody        sees and changes the rows of all users
    -- name: version, for nobody       reads no table that has rows of users
    -- name: create, for everybody, locks the circle
    -- name: if_kind, part             a piece of another statement

PostgreSQL obeys it: inside a transaction a statement that is passed a user locks that user's row in
`owner`, one that locks the circle the row of `:circle_id`, until the transaction ends. SQLite has
one writer and nobody to hide rows from.

A mark in braces stands for text of the dialect, or of the code that calls `filled`; the last word
of a longer mark may be put into that text:

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
from dataclasses import dataclass, fields, replace
from importlib.resources import files
from typing import Final, Literal, TypeAlias, cast, get_args

from chatmem.model import AtomicMemoryRecord, Standing

ActsFor: TypeAlias = Literal["for a user", "for everybody", "for nobody", "part"]
LOCKS_CIRCLE: Final = "locks the circle"
COUNTERS: Final = {
    "last_accessed": "a.last_accessed",
    "access_count": "coalesce(a.access_count, 0)",
}
"""Columns of `memory_access`, which has no row before the first access."""
_MARK = re.compile(r"\{([a-z_ ]+)\}")
_COMMENT = re.compile(r"^[^\S\n]*+--.*\n", re.MULTILINE)
_MIGRATION = re.compile(r"(\d{4})\.sql")


@dataclass(frozen=True, slots=True)
class SqlStatement:
    """SQL with parameters `:name`, who it acts for, and whether it locks the circle."""

    text: str
    acts_for: ActsFor = "for nobody"
    locks_circle: bool = False

    def filled(self, **marks: str) -> "SqlStatement":
        """The statement with these marks filled."""
        return replace(self, text=fill(self.text, marks))


def columns_of(record: type[AtomicMemoryRecord] | type[Standing]) -> str:
    """The row's key and the columns of the record's fields, as `rows.py` takes them."""
    names = [COUNTERS.get(one.name, f"m.{one.name}") for one in fields(record)]
    return ", ".join(("m.row_id", *names))


MEMORY: Final = columns_of(AtomicMemoryRecord)
"""What the mark `{memory}` stands for."""


def fill(text: str, marks: Mapping[str, str]) -> str:
    """The text with what the marks stand for; those that are not given stay."""

    def meaning(match: re.Match[str]) -> str:
        stem, _, argument = match[1].rpartition(" ")
        if match[1] in marks:
            return marks[match[1]]
        return marks[stem].replace("{}", argument) if stem in marks else match[0]

    return _MARK.sub(meaning, text)


def read_statements(name: str, package: str, marks: Mapping[str, str]) -> dict[str, SqlStatement]:
    """The statements of `<name>.sql`, the shared ones and the package's, by name.

    Raises:
        ValueError: a header that does not say who its statement acts for.
    """
    found: dict[str, SqlStatement] = {}
    for folder in ("chatmem.storage", package):
        file = files(folder) / "sql" / f"{name}.sql"
        if file.is_file():
            for part in file.read_text("utf-8").split("-- name: ")[1:]:
                header, _, body = part.partition("\n")
                title, acts_for, *locks = header.split(", ")
                if acts_for not in get_args(ActsFor) or locks not in ([], [LOCKS_CIRCLE]):
                    raise ValueError(f"{file}: cannot read the header {header!r}")
                text = fill(_COMMENT.sub("", body).strip(), marks)
                found[title] = SqlStatement(text, cast(ActsFor, acts_for), bool(locks))
    return found


def read_migrations(package: str) -> dict[int, str]:
    """The package's migration scripts by the version that each leads to."""
    folder = files(package) / "migrations"
    return {
        int(match[1]): entry.read_text("utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if (match := _MIGRATION.fullmatch(entry.name))
    }
