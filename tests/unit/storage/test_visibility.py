"""No statement reads memories for a user without asking who may see them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files

import pytest

from chatmem.storage.postgres import database as postgres
from chatmem.storage.sqlite import database as sqlite
from chatmem.storage.tables.database import SqlStatement

FOR_NOBODY = {
    ("index", "everything"): "makes the index again, shows nothing to anybody",
    ("index", "unindexed"): "enters rows of an older file into the index",
    ("index", "has_rows"): "says only whether there is any row",
    ("index", "count_without_tokens"): "counts rows for `doctor`, whoever owns them",
    ("index", "rows"): "row facts by key: lengths and times of an owner's rows, no text",
    ("memories", "foreign"): "refuses ids of other people's memories; only they come back",
    ("transfer", "is_empty"): "says only whether there is any row",
    ("vectors", "take"): "the same, where many processes take them",
    ("vectors", "queued"): "texts that the embedder still has to read",
    ("vectors", "texts"): "texts that the embedder has just read",
    ("vectors", "enqueue_all"): "row numbers of everything, for a new embedder",
    ("vectors", "touch_shared"): "says only whether one of the rows is shared",
}
"""Statements that read memories on behalf of no user, and why that is all right."""


@dataclass(frozen=True)
class Dialect:
    """A store's statements, and the predicate as they hold it."""

    package: str
    statements: Callable[[str], Mapping[str, SqlStatement]]
    visible: str

    def readers(self) -> dict[tuple[str, str], str]:
        folders = [files("chatmem.storage") / "sql", files(self.package) / "sql"]
        return {
            (file.name.removesuffix(".sql"), name): statement.text
            for folder in folders
            for file in folder.iterdir()
            for name, statement in self.statements(file.name.removesuffix(".sql")).items()
            if re.search(r"\b(FROM|JOIN)\s+atomic_memory\b", statement.text)
            and not re.search(r"^DELETE FROM atomic_memory\b", statement.text, re.MULTILINE)
        }


DIALECTS = {
    "sqlite": Dialect("chatmem.storage.sqlite", sqlite.statements, sqlite.VISIBLE),
    "postgres": Dialect("chatmem.storage.postgres", postgres.statements, postgres.VISIBLE),
}


@pytest.fixture(params=DIALECTS)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    return DIALECTS[request.param]


def test_every_statement_that_reads_memories_has_the_predicate(dialect: Dialect) -> None:
    readers = dialect.readers()
    assert len(readers) > len(FOR_NOBODY)

    without = {name for name, text in readers.items() if dialect.visible not in text}

    assert without <= set(FOR_NOBODY)


def test_every_exception_is_needed() -> None:
    assert set(FOR_NOBODY) <= {name for one in DIALECTS.values() for name in one.readers()}


def test_every_part_of_a_compound_statement_has_it(dialect: Dialect) -> None:
    for name, text in dialect.readers().items():
        if name not in FOR_NOBODY:
            reads = len(re.findall(r"\b(?:FROM|JOIN)\s+atomic_memory m\b", text))
            assert text.count(dialect.visible) == reads, name
