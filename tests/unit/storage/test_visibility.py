"""No statement reads memories for a user without asking who may see them."""

import re
from importlib.resources import files

import pytest

from chatmem.storage.postgres.database import PostgresDatabase
from chatmem.storage.sqlite.database import SqliteDatabase
from chatmem.storage.tables.database import SqlDatabase, SqlStatement

FOR_NOBODY = {
    ("index", "unindexed"): "enters rows of an older file into the index",
    ("index", "has_rows"): "says only whether there is any row",
    ("index", "count_without_tokens"): "counts rows for `doctor`, whoever owns them",
    ("index", "enter_tokens"): "words of rows that enter the index, whoever owns them",
    ("index", "read_contents"): "the same, a moment before; only their lengths come back",
    ("index", "enter_facts"): "their lengths and flags, whoever owns them",
    ("index", "rows"): "row facts by key: lengths and times of an owner's rows, no text",
    ("memories", "foreign"): "refuses ids of other people's memories; only they come back",
    ("owners", "counted"): "counts everybody's for whoever runs the place, no text",
    ("transfer", "is_empty"): "says only whether there is any row",
    ("vectors", "take"): "the same, where many processes take them",
    ("vectors", "queued"): "texts that the embedder still has to read",
    ("vectors", "texts"): "texts that the embedder has just read",
    ("vectors", "enqueue_all"): "row numbers of everything, for a new embedder",
    ("vectors", "touch_shared"): "says only whether one of the rows is shared",
}
"""Statements that read memories on behalf of no user, and why that is all right."""


@pytest.fixture(params=[SqliteDatabase, PostgresDatabase])
def dialect(request: pytest.FixtureRequest) -> type[SqlDatabase]:
    found: type[SqlDatabase] = request.param
    return found


def statements(dialect: type[SqlDatabase]) -> dict[tuple[str, str], SqlStatement]:
    """All of the dialect, by file and name."""
    return {
        (file.name.removesuffix(".sql"), name): statement
        for folder in ("chatmem.storage", dialect.package)
        for file in (files(folder) / "sql").iterdir()
        for name, statement in dialect.statements(file.name.removesuffix(".sql")).items()
    }


def _readers(dialect: type[SqlDatabase]) -> dict[tuple[str, str], str]:
    return {
        name: statement.text
        for name, statement in statements(dialect).items()
        if re.search(r"\b(FROM|JOIN)\s+atomic_memory\b", statement.text)
        and not re.search(r"^DELETE FROM atomic_memory\b", statement.text, re.MULTILINE)
    }


def test_every_statement_that_reads_memories_has_the_predicate(dialect: type[SqlDatabase]) -> None:
    readers = _readers(dialect)
    assert len(readers) > len(FOR_NOBODY)

    without = {name for name, text in readers.items() if dialect.marks["visible"] not in text}

    assert without <= set(FOR_NOBODY)


def test_every_exception_is_needed() -> None:
    assert set(FOR_NOBODY) <= {*_readers(SqliteDatabase), *_readers(PostgresDatabase)}


def test_every_part_of_a_compound_statement_has_it(dialect: type[SqlDatabase]) -> None:
    for name, text in _readers(dialect).items():
        if name not in FOR_NOBODY:
            reads = len(re.findall(r"\b(?:FROM|JOIN)\s+atomic_memory m\b", text))
            assert text.count(dialect.marks["visible"]) == reads, name
