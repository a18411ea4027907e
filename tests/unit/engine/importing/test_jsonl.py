"""JSON Lines, and chatmem's own export."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from chatmem.engine.importing import ImportedMemory, SourceFile, as_json, read_items
from chatmem.errors import ImportFormatError
from chatmem.model import AtomicMemoryRecord, Message

SourceOf = Callable[..., SourceFile]

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
def test_a_broken_line_is_named_with_its_number(
    source_of: SourceOf, line: str, reason: str
) -> None:
    source = source_of(lines_of(LINES[:1]) + "\n" + line, "chat.jsonl")
    with pytest.raises(ImportFormatError, match=rf"chat\.jsonl, {reason}.*; expected"):
        list(read_items(source, "jsonl"))


MEMORY = AtomicMemoryRecord(
    id="m1",
    user_id="mei",
    timestamp=datetime(2025, 5, 1, 8, tzinfo=UTC),
    create_time=datetime(2025, 5, 1, 9, tzinfo=UTC),
    content="對花生過敏",
    tags=("health",),
    memory_type="long_term",
    kind="semantic",
    category="fact",
    key="allergy",
    value={"to": ["peanuts"]},
    importance=5,
    confidence=0.95,
)


def test_an_exported_memory_comes_back_whole(source_of: SourceOf) -> None:
    (item,) = read_items(source_of(json.dumps(as_json(MEMORY)), "out.jsonl"), "jsonl")
    assert item == ImportedMemory(
        content="對花生過敏",
        timestamp=MEMORY.timestamp,
        tags=("health",),
        source_tag="chatmem:m1",
        key="allergy",
        value={"to": ["peanuts"]},
        importance=5,
        confidence=0.95,
    )


def test_an_exported_turn_comes_back_as_a_message(source_of: SourceOf) -> None:
    turn = replace(MEMORY, memory_type="short_term", role="assistant", session_id="s", kind=None)
    (item,) = read_items(source_of(json.dumps(as_json(turn)), "out.jsonl"), "jsonl")
    assert item == Message(
        role="assistant",
        content="對花生過敏",
        session_id="s",
        timestamp=MEMORY.timestamp,
        source_id="chatmem:m1",
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
        ("confidence", "high"),
        ("tags", [1]),
        ("timestamp", "soon"),
        ("content", None),
        ("id", None),
    ],
)
def test_a_column_with_a_wrong_value_is_named(
    source_of: SourceOf, column: str, value: object
) -> None:
    line = json.dumps(as_json(MEMORY) | {column: value})
    with pytest.raises(ImportFormatError, match=rf"line 1: .*{column}"):
        list(read_items(source_of(line, "out.jsonl"), "jsonl"))
