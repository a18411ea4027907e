"""Events as hosts send them: twice, wrong, unknown, from another user."""

from typing import Any

import pytest
from tests.conftest import some

from chatmem import MemoryService
from chatmem.errors import InvalidInputError, NotOwnerError


def message(content: str, role: str = "user", **more: Any) -> dict[str, Any]:  # noqa: ANN401
    data = {"role": role, "content": content, **more}
    return {"type": "message", "session_id": "s1", "data": data}


def test_messages_that_arrive_one_by_one_are_a_session(memory: MemoryService) -> None:
    memory.handle_event(message("Book a flight to Oslo for 3 people"))
    memory.handle_event(message("Done", role="assistant"))
    memory.handle_event(message("And a hotel"))

    working = some(memory.working_memory("s1"))
    assert working.turn_count == 2
    assert working.context_variables["destination"] == "Oslo"
    assert [one.role for one in memory.sessions.messages("s1")] == ["user", "assistant", "user"]
    memory.wait_until_idle()
    assert memory.sessions.summary("s1") is not None


def test_a_tools_writes_are_memories_once(memory: MemoryService) -> None:
    """After a crash before they were noted, too: the ids of memories follow from the event's."""
    writes = [
        {"content": "Lives in Oslo", "key": "home", "value": "Oslo"},
        {"content": "Likes rye bread", "category": "preference"},
    ]
    event = {
        "type": "tool_result",
        "session_id": "s1",
        "id": "t1",
        "data": {"memoryWrites": writes},
    }
    first = memory.handle_event(event)

    assert len(first.memory_ids) == 2
    assert memory.handle_event(event).is_duplicate
    with memory._engine.store.transaction():
        memory._engine.store._db.execute("DELETE FROM handled_event")
    memory.handle_event(event)
    assert memory.list_memories().total == 2
    assert memory.get(first.memory_ids[0]).session_id == "s1"


def test_an_event_that_does_not_fit_is_named_and_has_no_effect(memory: MemoryService) -> None:
    unfit: tuple[tuple[Any, str], ...] = (
        ("turn_end", "takes"),
        ({}, "event type"),
        ({"type": "party", "session_id": "s1"}, "party"),
        ({"type": "turn_end"}, "session_id"),
        ({"type": "turn_end", "session_id": "s1", "data": [1]}, "data"),
        ({"type": "message", "session_id": "s1", "data": {"content": "x"}}, "role"),
        ({"type": "message", "session_id": "s1", "data": {"role": "user"}}, "content"),
        ({"type": "usage", "session_id": "s1", "data": {"tokenLimit": 9}}, "currentTokens"),
        ({"type": "compaction_end", "session_id": "s1", "data": {"success": "yes"}}, "success"),
        (
            {"type": "tool_result", "session_id": "s1", "data": {"memory_writes": [{"key": "x"}]}},
            "content",
        ),
    )
    for event, names in unfit:
        with pytest.raises(InvalidInputError, match=names):
            memory.handle_event(event)
    assert memory.jobs.list() == []
    assert memory.list_memories(None).total == 0


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
