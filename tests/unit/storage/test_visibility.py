"""No statement reads memories for a user without asking who may see them."""

import re
from importlib.resources import files

from chatmem.storage.sqlite.statements import statements
from chatmem.storage.visibility import VISIBLE

FOR_NOBODY = {
    ("index", "everything"): "makes the index again, shows nothing to anybody",
    ("index", "unindexed"): "enters rows of an older file into the index",
    ("index", "has_rows"): "says only whether there is any row",
    ("index", "count_without_tokens"): "counts rows for `doctor`, whoever owns them",
    ("index", "rows"): "row facts by key: lengths and times of an owner's rows, no text",
    ("memories", "foreign"): "refuses ids of other people's memories; only they come back",
    ("vectors", "queued"): "texts that the embedder still has to read",
    ("vectors", "texts"): "texts that the embedder has just read",
    ("vectors", "enqueue_all"): "row numbers of everything, for a new embedder",
    ("vectors", "touch_shared"): "says only whether one of the rows is shared",
}
"""Statements that read memories on behalf of no user, and why that is all right."""


def _readers() -> dict[tuple[str, str], str]:
    folder = files("chatmem.storage.sqlite") / "sql"
    return {
        (file.name.removesuffix(".sql"), name): text
        for file in folder.iterdir()
        for name, text in statements(file.name.removesuffix(".sql")).items()
        if re.search(r"\b(FROM|JOIN)\s+atomic_memory\b", text)
        and not re.search(r"^DELETE FROM atomic_memory\b", text, re.MULTILINE)
    }


def test_every_statement_that_reads_memories_has_the_predicate() -> None:
    readers = _readers()
    assert len(readers) > len(FOR_NOBODY)

    without = {name for name, text in readers.items() if VISIBLE not in text}

    assert without == set(FOR_NOBODY)


def test_every_part_of_a_compound_statement_has_it() -> None:
    for name, text in _readers().items():
        if name not in FOR_NOBODY:
            reads = len(re.findall(r"\b(?:FROM|JOIN)\s+atomic_memory m\b", text))
            assert text.count(VISIBLE) == reads, name
