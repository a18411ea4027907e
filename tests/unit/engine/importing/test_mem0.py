"""Memories exported from mem0."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from chatmem.engine.importing import SourceFile
from chatmem.engine.importing.memories import read_mem0
from chatmem.errors import ImportFormatError

SourceOf = Callable[..., SourceFile]

ENTRY = {
    "id": "8f3a",
    "memory": "Prefers window seats",
    "created_at": "2025-05-01T08:00:00.5-07:00",
    "user_id": "anna",
    "metadata": {"category": "preference"},
    "categories": ["travel"],
}


@pytest.mark.parametrize("wrap", [list, lambda e: {"results": e}, lambda e: {"memories": e}])
def test_a_memory_is_read_in_every_wrapping(
    source_of: SourceOf, wrap: Callable[[list[object]], object]
) -> None:
    (memory,) = read_mem0(source_of(wrap([ENTRY])))
    assert memory.content == "Prefers window seats"
    assert memory.category == "preference"
    assert memory.tags == ("travel",)
    assert memory.source_tag == "mem0:8f3a"
    assert memory.timestamp == datetime(2025, 5, 1, 15, 0, 0, 500_000, tzinfo=UTC)


def test_a_memory_without_the_rest_is_a_fact(source_of: SourceOf) -> None:
    source = source_of([{"memory": "住在高雄"}])
    (memory,) = read_mem0(source)
    assert (memory.category, memory.source_tag, memory.timestamp) == ("fact", None, None)
    assert source.notes == {"memories without a readable date, dated now": 1}


def test_of_several_users_only_the_target_is_imported(source_of: SourceOf) -> None:
    source = source_of([ENTRY, {"memory": "喜欢爬山", "user_id": "mei"}])
    assert [memory.content for memory in read_mem0(source)] == ["喜欢爬山"]
    assert source.notes["memories of other users, left out"] == 1


def test_several_users_without_the_target_are_refused(source_of: SourceOf) -> None:
    source = source_of([ENTRY, {"memory": "x", "user_id": "bo"}])
    with pytest.raises(ImportFormatError, match=r"memories of 2 users \(anna, bo\).*--user"):
        list(read_mem0(source))


@pytest.mark.parametrize(
    ("document", "reason"),
    [({"results": 3}, "no list"), ([ENTRY, {"id": "x"}], "entry 1: no `memory`"), ("x", "no list")],
)
def test_what_is_no_memory_is_placed(source_of: SourceOf, document: object, reason: str) -> None:
    text = '"x"' if document == "x" else document
    with pytest.raises(ImportFormatError, match=reason):
        list(read_mem0(source_of(text)))
