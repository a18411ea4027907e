"""Sentences about a change end what they are about, and are kept for nothing else."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from chatmem import MemoryService

Open = Callable[..., MemoryService]


def remembered(memory: MemoryService, *messages: str, at_once: bool = False) -> dict[str, bool]:
    """Each memory's words, and if it holds."""
    at = datetime.now(UTC) - timedelta(days=9)
    for message in messages:
        at += timedelta(days=1)
        memory.save_conversation_turn(message, "OK", "s1", now=at)
        if not at_once:
            memory.wait_until_idle(now=at)
    memory.wait_until_idle(now=at)
    return {one.content: one.is_valid for one in memory.list_memories(limit=100).items}


@pytest.fixture
def memory(reopen: Open) -> MemoryService:
    return reopen(extract_interval_seconds=0.0, min_new_messages=1)


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize(
    ("first", "second", "old", "new"),
    [
        ("I live in Leeds.", "We moved to Bristol last month.", "Leeds", "Bristol"),
        ("我住在成都", "上个月搬到重庆了", "成都", "重庆"),
    ],
)
def test_a_change_ends_what_it_is_about(
    memory: MemoryService, first: str, second: str, old: str, new: str, at_once: bool
) -> None:
    found = remembered(memory, first, second, at_once=at_once)
    assert any(old in content and not holds for content, holds in found.items())
    assert any(new in content and holds for content, holds in found.items())


@pytest.mark.parametrize("message", ["The shop closed early again.", "店今天又提前关门了"])
def test_a_change_of_nothing_known_is_not_kept(memory: MemoryService, message: str) -> None:
    assert remembered(memory, message) == {}


def test_what_was_ended_comes_back_when_it_is_undone(memory: MemoryService) -> None:
    remembered(memory, "I live in Leeds.", "We moved to Bristol last month.")
    (ended,) = [one for one in memory.list_memories(limit=9).items if not one.is_valid]
    memory.restore(ended.id)
    (back,) = [one for one in memory.list_memories(limit=9).items if one.id == ended.id]
    assert back.is_valid
