"""Memories as Markdown bullets."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from chatmem.engine.importing import ImportedMemory, SourceFile, read_items
from chatmem.engine.importing.memories import read_markdown
from chatmem.errors import ImportFormatError

SourceOf = Callable[..., SourceFile]

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


def test_the_heading_tells_the_category(source_of: SourceOf) -> None:
    memories = list(read_markdown(source_of(NOTES, "notes.md")))
    assert [(memory.category, memory.content) for memory in memories[:4]] == [
        ("fact", "Lives in Kaohsiung"),
        ("preference", "喝乌龙茶，不加糖"),
        ("preference", "Window seats,\nnever the aisle"),
        ("pattern", "Swims on Mondays"),
    ]


def test_what_chatmem_wrote_is_read_with_all_it_says(source_of: SourceOf) -> None:
    source = source_of(NOTES, "notes.md")
    assert list(read_markdown(source))[1] == ImportedMemory(
        content="喝乌龙茶，不加糖",
        category="preference",
        timestamp=datetime(2025, 4, 1, 8, tzinfo=UTC),
        tags=("tea",),
        source_tag="chatmem:m1",
        importance=5,
    )
    assert source.notes == {"superseded memories, left out": 1}


def test_bullets_under_a_date_are_entries_of_that_day(source_of: SourceOf) -> None:
    entry = list(read_markdown(source_of(NOTES, "notes.md")))[-1]
    assert entry.kind == "episodic"
    assert entry.timestamp == datetime(2025, 5, 1, 12).astimezone()


def test_bullets_of_a_file_named_after_a_day_are_its_entries(source_of: SourceOf) -> None:
    (entry,) = read_markdown(source_of("- 09:30 Rain all day\n", "2025-05-02.md"))
    assert entry.kind == "episodic"
    assert entry.timestamp == datetime(2025, 5, 2, 9, 30).astimezone()


def test_a_file_without_bullets_is_refused(source_of: SourceOf) -> None:
    with pytest.raises(ImportFormatError, match=r"notes\.md: no bullet.*expected bullets"):
        list(read_items(source_of("Just prose.\n", "notes.md"), "markdown"))
