"""What a person finds out about memories: where from, since when, who sees them."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.doors import by_words
from tests.integration.conftest import AT_ONCE, home

from chatmem import MemoryService
from chatmem.errors import InvalidInputError, NotOwnerError
from chatmem.model import MemoryFilter

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryService]:
    with by_words(tmp_path, "mei", **AT_ONCE) as opened:
        yield opened


def words(found: list[Any]) -> list[str]:
    return [one.content for one in found]


@pytest.mark.parametrize(
    ("before", "said", "kept"),
    [
        ("It rained today.", "I live in Oslo and I like oolong tea.", "I live in Oslo"),
        ("今天下雨了。", "我住在柏林，我喜欢乌龙茶。", "我住在柏林"),
    ],
)
def test_an_extracted_memory_came_from_the_very_message(
    memory: MemoryService, before: str, said: str, kept: str
) -> None:
    memory.save_conversation_turn(before, "Oh.", "s1", now=NOW)
    memory.save_conversation_turn(said, "Noted.", "s1", now=NOW)
    memory.wait_until_idle(now=NOW + timedelta(hours=1))
    found = next(one for one in memory.browse(MemoryFilter(memory_type="long_term")).items
                 if one.content == kept)  # fmt: skip

    assert words(memory.origin(found.id)) == [said]
    memory.update(found.id, content=f"{kept}!")
    assert words(memory.origin(found.id)) == [said]


def test_a_turn_and_a_promoted_one_came_from_their_message(memory: MemoryService) -> None:
    turn = memory.save_conversation_turn("Keep this", "Yes", "s1", now=NOW).user.id

    assert words(memory.origin(turn)) == ["Keep this"]
    memory.promote(turn)
    assert words(memory.origin(turn)) == ["Keep this"]


def test_what_was_written_by_hand_came_from_no_message(memory: MemoryService) -> None:
    assert memory.origin(memory.append_memory("Keeps bees").id) == []


def test_messages_of_another_user_stay_theirs(memory: MemoryService) -> None:
    shared = memory.append_memory("Keeps bees", visibility="public").id
    tom = memory.for_user("tom")

    assert tom.get(shared).content == "Keeps bees"
    for ask in (tom.origin, tom.viewers, tom.history):
        with pytest.raises(NotOwnerError):
            ask(shared)


def test_who_sees_a_memory_is_told_by_name(memory: MemoryService) -> None:
    home(memory, tom="child", ana="parent")
    kept = memory.append_memory("Earns well", tags=("finance",)).id

    assert memory.viewers(kept) == []
    memory.update(kept, visibility="household")
    assert memory.viewers(kept) == ["ana"]
    memory.update(kept, tags=("bees",))
    assert memory.viewers(kept) == ["ana", "tom"]
    memory.update(kept, visibility="group")
    assert memory.viewers(kept) == []


def test_growth_counts_each_local_day(memory: MemoryService) -> None:
    noon = datetime(2026, 3, 2, 12).astimezone()
    memory.save_conversation_turn("One", "Two", "s1", now=noon - timedelta(days=1))
    memory.append_memory("Likes tea", "preference", now=noon)
    memory.append_memory("Keeps bees", now=noon)
    late = noon.replace(hour=23, minute=59)

    days = memory.growth(3, now=late)

    assert [one.day for one in days] == [date(2026, 2, 28), date(2026, 3, 1), date(2026, 3, 2)]
    assert [one.turns for one in days] == [0, 2, 0]
    assert days[-1].by_category == {"preference": 1, "fact": 1}
    assert days[-1].long_term == 2
    with pytest.raises(InvalidInputError, match="days"):
        memory.growth(0)


@pytest.mark.parametrize(
    "wanted",
    [
        MemoryFilter(category="house"),  # type: ignore[arg-type]
        MemoryFilter(state="gone"),  # type: ignore[arg-type]
        MemoryFilter(as_of="yesterday"),  # type: ignore[arg-type]
    ],
)
def test_a_filter_that_there_is_not_is_refused(memory: MemoryService, wanted: MemoryFilter) -> None:
    with pytest.raises(InvalidInputError):
        memory.browse(wanted)
    with pytest.raises(InvalidInputError):
        memory.search_memories("bees", only=wanted)


def test_a_search_finds_only_what_the_filter_wants(memory: MemoryService) -> None:
    memory.save_conversation_turn("Bees, bees, bees: I keep bees", "Bees!", "s1", now=NOW)
    fact = memory.append_memory("Keeps bees in a garden far away from the city").id
    memory.append_memory("Likes bees", "preference")

    assert len(memory.search_memories("bees", only=MemoryFilter())) == 4
    assert len(memory.search_memories("bees", limit=1)) == 1
    found = memory.search_memories("bees", limit=1, only=MemoryFilter(category="fact"))
    assert [hit.memory.id for hit in found] == [fact]
    assert not memory.search_memories("bees", only=MemoryFilter(source="inferred"))
    of_session = memory.search_memories("bees", only=MemoryFilter(session_id="s1"))
    assert {hit.memory.role for hit in of_session} == {"user", "assistant"}


def test_a_search_finds_what_is_not_valid_where_it_is_asked_for(memory: MemoryService) -> None:
    old = memory.append_memory("Lives in Oslo", key="home", value="Oslo", now=NOW).id
    memory.append_memory("Lives in Lisbon", key="home", value="Lisbon",
                         now=NOW + timedelta(days=9))  # fmt: skip

    assert old not in [hit.memory.id for hit in memory.search_memories("lives")]
    for wanted in (
        MemoryFilter(state="superseded"),
        MemoryFilter(as_of=NOW + timedelta(days=1)),
    ):
        found = memory.search_memories("lives", only=wanted)
        assert [hit.memory.id for hit in found] == [old]


def test_a_filter_holds_for_what_others_share(memory: MemoryService) -> None:
    tom = memory.for_user("tom")
    for place in range(30):
        tom.append_memory(f"Tom's bees number {place}", "pattern", visibility="public")
    shared = tom.append_memory("Bees of Tom are calm animals, most of all days of a year",
                               "preference", visibility="public").id  # fmt: skip
    mine = memory.append_memory("Bees of mine sting", "preference").id

    found = memory.search_memories("bees", limit=5, only=MemoryFilter(category="preference"))

    assert {hit.memory.id for hit in found} == {shared, mine}
    assert memory.browse(MemoryFilter(text="Tom")).total == 0
    theirs = memory.browse(MemoryFilter(category="preference"), shared=True)
    assert ([one.id for one in theirs.items], theirs.total) == ([shared], 1)
    assert memory.browse(shared=True).total == 31
    assert tom.browse(shared=True).total == 0
