"""Events as hosts send them: twice, wrong, unknown, from another user."""

from collections.abc import Mapping
from typing import Any

import pytest

from chatmem import MemoryService
from chatmem.errors import InvalidInputError, NotOwnerError

TYPES = (
    *("message", "usage", "compaction_start", "compaction_end", "turn_end", "tool_result"),
    *("stream:idle", "session.idle", "session.usage_info", "session.compaction_start"),
    *("session.compaction_complete", "session.context_cleared"),
)


def message(content: str, role: str = "user", **more: Any) -> dict[str, Any]:  # noqa: ANN401
    data = {"role": role, "content": content, **more}
    return {"type": "message", "session_id": "s1", "data": data}


def test_an_event_with_an_id_has_effect_once(memory: MemoryService) -> None:
    first = memory.handle_event(message("I live in Oslo", id="m1"))
    again = memory.handle_event(message("I live in Oslo", id="m1"))
    other = memory.handle_event(message("I live in Oslo, really", id="m2"))

    assert (first.is_duplicate, again.is_duplicate, other.is_duplicate) == (False, True, False)
    assert again.memory_ids == ()
    assert len(memory.sessions.messages("s1")) == 2


def test_the_id_of_an_event_is_one_of_its_session_and_user(memory: MemoryService) -> None:
    memory.handle_event(message("hello", id="m1"))
    there = memory.handle_event({**message("hello", id="m1"), "session_id": "s2"})
    other = memory.for_user("tom").handle_event(message("hello", id="m1"))
    assert not there.is_duplicate
    assert not other.is_duplicate


def test_messages_that_arrive_one_by_one_are_a_session(memory: MemoryService) -> None:
    memory.handle_event(message("Book a flight to Oslo for 3 people"))
    memory.handle_event(message("Done", role="assistant"))
    memory.handle_event(message("And a hotel"))

    working = memory.working_memory("s1")
    assert working is not None
    assert working.turn_count == 2
    assert working.context_variables["destination"] == "Oslo"
    assert [one.role for one in memory.sessions.messages("s1")] == ["user", "assistant", "user"]
    memory.wait_until_idle()
    assert memory.sessions.summary("s1") is not None


def test_a_tools_writes_are_memories_once(memory: MemoryService) -> None:
    event = {
        "type": "tool_result",
        "session_id": "s1",
        "id": "t1",
        "data": {
            "memoryWrites": [
                {"content": "Lives in Oslo", "key": "home", "value": "Oslo"},
                {"content": "Likes rye bread", "category": "preference"},
            ]
        },
    }
    first = memory.handle_event(event)
    again = memory.handle_event(event)

    assert len(first.memory_ids) == 2
    assert again.is_duplicate
    assert memory.list_memories().total == 2
    assert memory.get(first.memory_ids[0]).session_id == "s1"


def test_a_tools_writes_survive_a_crash_before_they_were_noted(memory: MemoryService) -> None:
    """Delivered again, the event writes nothing twice: its memories' ids follow from its own."""
    event = {
        "type": "tool_result",
        "session_id": "s1",
        "id": "t1",
        "data": {"memory_writes": [{"content": "Likes rye bread"}]},
    }
    memory.handle_event(event)
    with memory._engine.store.transaction():
        memory._engine.store._db.execute("DELETE FROM handled_event")

    memory.handle_event(event)

    assert memory.list_memories().total == 1


@pytest.mark.parametrize(
    ("event", "names"),
    [
        ("turn_end", "takes"),
        ({}, "event type"),
        ({"type": "party", "session_id": "s1"}, "party"),
        ({"type": "turn_end"}, "session_id"),
        ({"type": "turn_end", "session_id": " "}, "session_id"),
        ({"type": "turn_end", "session_id": "s1", "data": [1]}, "data"),
        ({"type": "message", "session_id": "s1", "data": {"content": "x"}}, "role"),
        ({"type": "message", "session_id": "s1", "data": {"role": "user"}}, "content"),
        ({"type": "usage", "session_id": "s1", "data": {"tokenLimit": 9}}, "currentTokens"),
        (
            {"type": "usage", "session_id": "s1", "data": {"currentTokens": "9", "tokenLimit": 9}},
            "currentTokens",
        ),
        (
            {"type": "usage", "session_id": "s1", "data": {"currentTokens": -1, "tokenLimit": 9}},
            "currentTokens",
        ),
        ({"type": "compaction_end", "session_id": "s1", "data": {"success": "yes"}}, "success"),
        (
            {"type": "tool_result", "session_id": "s1", "data": {"memory_writes": "x"}},
            "memory_writes",
        ),
        (
            {"type": "tool_result", "session_id": "s1", "data": {"memory_writes": [{"key": "x"}]}},
            "content",
        ),
        (
            {
                "type": "tool_result",
                "session_id": "s1",
                "data": {"memory_writes": [{"content": 1}]},
            },
            "content",
        ),
    ],
)
def test_an_event_that_does_not_fit_is_named_and_has_no_effect(
    memory: MemoryService, event: Mapping[str, Any], names: str
) -> None:
    with pytest.raises(InvalidInputError, match=names):
        memory.handle_event(event)
    assert memory.jobs.list() == []
    assert memory.list_memories(None).total == 0


def test_unknown_fields_are_ignored_and_all_types_are_taken(memory: MemoryService) -> None:
    data = {
        "role": "user", "content": "hi", "currentTokens": 1, "tokenLimit": 10, "success": True,
        "whatever": [1, 2],
    }  # fmt: skip
    for name in TYPES:
        handled = memory.handle_event({"type": name, "sessionId": "s1", "data": data, "more": 1})
        assert handled.session_id == "s1"


def test_writes_for_somebody_else_are_refused(memory: MemoryService) -> None:
    with pytest.raises(NotOwnerError, match="tom"):
        memory.apply_writes([{"content": "x"}, {"content": "y", "ownerId": "tom"}])
    with pytest.raises(NotOwnerError, match="household"):
        memory.apply_writes([{"content": "x", "owner_type": "household"}])
    assert memory.list_memories().total == 0  # all are checked before the first is written

    memory.people.create_household("Home")
    (shared,) = memory.apply_writes(
        [{"content": "Bins go out on Friday", "owner_type": "household"}]
    )
    assert shared.visibility == "household"


def test_writes_with_a_known_key_supersede_and_others_never_do(memory: MemoryService) -> None:
    memory.apply_writes([{"content": "Lives in Paris", "key": "home", "value": "Paris"}])
    memory.apply_writes([{"content": "Lives in Berlin", "key": "home", "value": "Berlin"}])
    memory.apply_writes([{"content": "Likes tea"}, {"content": "Likes tea very much"}])

    valid = {one.content for one in memory.list_memories().items if one.is_valid}
    assert valid == {"Lives in Berlin", "Likes tea", "Likes tea very much"}
