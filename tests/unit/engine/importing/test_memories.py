"""Memories of other programs, and chatmem's own export: JSON Lines, Markdown, mem0."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.contract.given import memory
from tests.unit.engine.importing.conftest import SourceOf

from chatmem.engine.importing import ImportedMemory, as_json, read_items, read_markdown, read_mem0
from chatmem.errors import ImportFormatError
from chatmem.model import Message

LINES = [
    {"conv": "c", "id": "1", "speaker": "Ines", "text": "早安", "date": "2025-05-01 08:00"},
    {"conv": "c", "id": "2", "speaker": "assistant", "text": "Good morning.", "session": "s2"},
    {"conv": 7, "id": 3, "speaker": "user", "text": "Look", "caption": "a heron", "date": "?"},
]


def lines_of(objects: Sequence[object]) -> str:
    return "\n".join(json.dumps(fields, ensure_ascii=False) for fields in objects)


def test_lines_become_messages_in_file_order(source_of: SourceOf) -> None:
    source = source_of(lines_of(LINES), "chat.jsonl")
    first, second, third = (
        item for item in read_items(source, "jsonl") if isinstance(item, Message)
    )
    assert (first.role, first.speaker, first.session_id) == ("user", "Ines", "c")
    assert (second.role, second.speaker, second.session_id) == ("assistant", None, "c/s2")
    assert (third.role, third.content, third.source_id) == ("user", "Look [a heron]", "7/3")
    assert first.timestamp == second.timestamp == datetime(2025, 5, 1, 8, tzinfo=UTC)
    assert source.notes == {
        "messages without a date, dated like the one before or now": 1,
        "messages with a date that cannot be read, dated like the one before or now": 1,
    }


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"conv": "c", "id": "1", "speaker": "x"}', "line 2: no `text`"),
        ('{"conv": null, "id": "1", "speaker": "x", "text": ""}', "line 2: no `conv`"),
        ("[]", "line 2: not an object"),
        ('{"conv": ', "line 2: not JSON"),
    ],
)
def test_a_broken_line_is_named_by_number(source_of: SourceOf, line: str, reason: str) -> None:
    source = source_of(lines_of(LINES[:1]) + "\n" + line, "chat.jsonl")
    with pytest.raises(ImportFormatError, match=rf"chat\.jsonl, {reason}.*; expected"):
        list(read_items(source, "jsonl"))


COLUMNS: dict[str, Any] = {
    **{"tags": ("health",), "key": "allergy", "value": {"to": ["peanuts"]}},
    **{"importance": 5, "confidence": 0.95, "timestamp": datetime(2025, 5, 1, 8, tzinfo=UTC)},
}
MEMORY = memory(
    "m1", "對花生過敏", memory_type="long_term", kind="semantic", category="fact", **COLUMNS
)


def test_an_exported_memory_comes_back_whole(source_of: SourceOf) -> None:
    (item,) = read_items(source_of(json.dumps(as_json(MEMORY)), "out.jsonl"), "jsonl")
    assert item == ImportedMemory(
        content=MEMORY.content,
        source_tag="chatmem:m1",
        source="user_stated",
        visibility="private",
        **COLUMNS,
    )


def test_a_superseded_memory_is_left_out_with_a_note(source_of: SourceOf) -> None:
    source = source_of(json.dumps(as_json(replace(MEMORY, valid_to=MEMORY.create_time))))
    assert list(read_items(source, "jsonl")) == []
    assert source.notes == {"superseded memories, left out": 1}


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("category", "opinion"),
        ("importance", 6),
        ("tags", [1]),
        ("timestamp", "soon"),
        ("content", None),
    ],
)
def test_a_column_of_wrong_value_is_named(source_of: SourceOf, column: str, value: object) -> None:
    line = json.dumps(as_json(MEMORY) | {column: value})
    with pytest.raises(ImportFormatError, match=rf"line 1: .*{column}"):
        list(read_items(source_of(line, "out.jsonl"), "jsonl"))


NOTES = """\
# What I know

- Lives in Kaohsiung

## 偏好

- 喝乌龙茶，不加糖 <!-- id=m1 importance=5 tags=tea at=2025-04-01T08:00:00Z -->
- 喝咖啡 <!-- id=m0 valid_to=2025-04-01T08:00:00Z superseded_by=m1 -->
* Window seats,
  never the aisle

## Habits
1. Swims on Mondays

## 2025-05-01
- Planted a fig tree
"""


def test_what_chatmem_wrote_is_read_with_all_it_says(source_of: SourceOf) -> None:
    source = source_of(NOTES, "notes.md")
    assert list(read_markdown(source))[1] == ImportedMemory(
        content="喝乌龙茶，不加糖",
        category="preference",
        timestamp=datetime(2025, 4, 1, 8, tzinfo=UTC),
        tags=("tea",),
        visibility="private",
        source_tag="chatmem:m1",
        source="user_stated",
        importance=5,
    )
    assert source.notes == {"superseded memories, left out": 1}


def test_bullets_of_a_day_are_its_entries(source_of: SourceOf) -> None:
    *_, under_a_date = read_markdown(source_of(NOTES, "notes.md"))
    (in_its_file,) = read_markdown(source_of("- 09:30 Rain all day\n", "2025-05-02.md"))
    assert under_a_date.kind == in_its_file.kind == "episodic"
    assert under_a_date.timestamp == datetime(2025, 5, 1, 12).astimezone()
    assert in_its_file.timestamp == datetime(2025, 5, 2, 9, 30).astimezone()


def test_a_file_without_bullets_is_refused(source_of: SourceOf) -> None:
    with pytest.raises(ImportFormatError, match=r"notes\.md: no bullet.*expected bullets"):
        list(read_items(source_of("Just prose.\n", "notes.md"), "markdown"))


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
