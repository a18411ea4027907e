"""What is told of one sister, friend or cat leaves what is known of the other alone."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from chatmem import MemoryService

Open = Callable[..., MemoryService]


@pytest.fixture
def memory(reopen: Open) -> MemoryService:
    return reopen(extract_interval_seconds=0.0, min_new_messages=1)


def told(memory: MemoryService, *messages: str) -> tuple[set[str], set[str]]:
    """What holds, and what has ended, after these messages, a day between them."""
    at = datetime.now(UTC) - timedelta(days=9)
    for message in messages:
        at += timedelta(days=1)
        memory.save_conversation_turn(message, "OK", "s1", now=at)
        memory.wait_until_idle(now=at)
    known = memory.list_memories(limit=1000).items
    long_term = [one for one in known if one.memory_type == "long_term"]
    return (
        {one.content for one in long_term if one.is_valid},
        {one.content for one in long_term if not one.is_valid},
    )


@pytest.mark.parametrize(
    "messages",
    [
        ("My sister is called Bridget.", "My other sister Fern is a vet."),
        ("My sister is called Bridget.", "My sister Fern is a vet."),
        ("My brother works at the port.", "My second brother works at the zoo."),
        ("My friend Kit lives in Oslo.", "My friend Jude moved to Bergen."),
        ("My cat is called Mo.", "My other cat is called Jo."),
        ("我妹妹叫小满。", "我另一个妹妹叫小雪。"),
        ("我大姐在银川。", "我二姐搬到兰州了。"),
        ("我大儿子上初二。", "小儿子上五年级了。"),
        ("我哥离婚了。", "我弟结婚了。"),
        ("我妹妹叫小满。", "My brother is called Tom."),
    ],
)
def test_another_one_ends_nothing(memory: MemoryService, messages: tuple[str, str]) -> None:
    _, ended = told(memory, *messages)
    assert ended == set()


@pytest.mark.parametrize(
    ("messages", "old"),
    [
        (("我妈妈住在杭州。", "My mother moved to Bergen."), "杭州"),
    ],
)
def test_one_person_is_known_in_both_languages(
    memory: MemoryService, messages: tuple[str, str], old: str
) -> None:
    holds, ended = told(memory, *messages)
    assert any(old in one for one in ended)
    assert not any(old in one for one in holds)
