"""Sessions as an application uses them: deleted whole, never mixed; events of hosts, and jobs."""

import os
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import run_python, some, soon
from tests.contract.given import said
from tests.doors import by_words

from chatmem import MemoryService
from chatmem.analysis.summary import ExtractiveSummarizer, Masked, SummaryText
from chatmem.engine.leases import holder_of
from chatmem.errors import InvalidInputError, NotOwnerError, SessionNotFoundError
from chatmem.model import JobReport, MemoryFilter


class ForgetsMeanwhile(ExtractiveSummarizer):
    """Sums up like the rules; while it does, the person forgets a message."""

    name = "slow"

    def __init__(self, memory: MemoryService, word: str) -> None:
        self.memory = memory
        self.word = word

    def summarise(self, messages: Sequence[tuple[str, str]], masked: Masked) -> SummaryText:
        told = super().summarise(messages, masked)
        for hit in self.memory.search_memories(self.word):
            self.memory.forget(hit.memory.id)
        return told


def test_a_summary_in_the_making_brings_nothing_forgotten_back(memory: MemoryService) -> None:
    memory.save_conversation_turn("My dentist is Doctor Vogelsang in Graz", "Noted", "s1")
    memory.save_conversation_turn("The roses need water every second day", "Right", "s1")
    memory._engine.summarizer = ForgetsMeanwhile(memory, "Vogelsang")

    memory.wait_until_idle()

    summary = some(memory.sessions.summary("s1"))
    assert "Vogelsang" not in summary.title + summary.snippet
    assert "roses" in summary.title + summary.snippet


def test_a_turn_is_saved_though_no_daily_log_can_be(memory: MemoryService, data: Path) -> None:
    began = datetime.now(UTC)
    memory.save_conversation_turn("Book 4 seats to Lisbon for 300 euros", "Done", "s1", now=began)
    memory.wait_until_idle()
    shutil.rmtree(data / "prompts" / "memory" / "daily")
    (data / "prompts" / "memory" / "daily").write_text("in the way")
    later = began + timedelta(hours=2)

    memory.save_conversation_turn("What about the hotel?", "Which one?", "s1", now=later)

    working = some(memory.working_memory("s1", now=later))
    assert working.turn_count == 1
    assert len(memory.sessions.messages("s1")) == 4


def test_bad_input_is_named_and_changes_nothing(memory: MemoryService) -> None:
    sessions: Any = memory.sessions
    memory.save_conversation_turn("hello there", "hi", "s1")
    memory.wait_until_idle()
    before = (sessions.list(), sessions.messages("s1"), memory.working_memory("s1"))

    calls: tuple[Any, ...] = (
        *((one, "nowhere") for one in (sessions.get, sessions.messages, sessions.summary)),
        *((one, "nowhere") for one in (sessions.end, sessions.delete)),
        *((sessions.rename, *one) for one in (("nowhere", "x"), ("s1", " "))),
        *((sessions.collect, "s1", one) for one in (999, "one")),
        *((sessions.list, -1), (sessions.messages, "s1", 1.5)),
        *((sessions.receive, *one) for one in (("", "hello"), ("s1", " "))),
        (memory.working_memory, ""),
    )
    for call, *arguments in calls:
        with pytest.raises((SessionNotFoundError, InvalidInputError)):
            call(*arguments)

    assert (sessions.list(), sessions.messages("s1"), memory.working_memory("s1")) == before


def test_a_model_that_fails_leaves_a_summary_by_rules(data: Path) -> None:
    llm = {"base_url": "http://127.0.0.1:9/v1", "model": "none-here"}
    with by_words(data, llm=llm) as memory:
        memory.save_conversation_turn("Planning a hike in the Dolomites", "Great", "s1")
        memory.wait_until_idle()
        summary = some(memory.sessions.summary("s1"))
        assert summary.made_by == "rules"
        assert "Dolomites" in summary.title + summary.snippet
        waiting, why, _ = memory._engine.store.jobs.state()
        assert waiting > 0  # the model gets another chance
        assert why is not None


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


MOST_ATTEMPTS = 5


@pytest.fixture
def blocked(memory: MemoryService, main: Path) -> MemoryService:
    """A memory whose MEMORY.md cannot be written, with a session to extract from."""
    memory.save_conversation_turn("I live in Oslo", "Nice", "s1")
    memory.sessions.end("s1")
    main.unlink()
    main.mkdir()
    return memory


def job_of(memory: MemoryService, kind: str) -> JobReport:
    return next(one for one in memory.jobs.list() if one.kind == kind)


def test_a_job_that_fails_waits_longer_each_time_and_is_then_given_up(
    blocked: MemoryService, main: Path
) -> None:
    waits = []
    for _ in range(MOST_ATTEMPTS - 1):
        blocked.wait_until_idle()
        job = job_of(blocked, "session_end")
        assert job.state == "waiting"
        assert job.error is not None
        assert "MEMORY.md" in job.error
        waits.append(job.due_at - datetime.now(UTC))
    assert waits == sorted(waits)
    assert waits[-1] > 4 * waits[0]

    blocked.wait_until_idle()
    job = job_of(blocked, "session_end")
    assert (job.state, job.attempts) == ("failed", MOST_ATTEMPTS)
    blocked.wait_until_idle()
    assert job_of(blocked, "session_end").attempts == MOST_ATTEMPTS  # nobody tries it any more
    assert any("given up" in one.detail for one in blocked.diagnose() if not one.ok)

    main.rmdir()
    blocked.jobs.retry(job.number)
    blocked.wait_until_idle()
    assert "Oslo" in main.read_text("utf-8")
    assert blocked.jobs.list() == []


def test_a_job_that_was_given_up_can_be_struck_off(blocked: MemoryService) -> None:
    for _ in range(MOST_ATTEMPTS):
        blocked.wait_until_idle()
    job = job_of(blocked, "session_end")
    with pytest.raises(InvalidInputError, match="given up"):
        blocked.for_user("tom").jobs.discard(job.number)
    blocked.jobs.discard(job.number)
    assert "session_end" not in {one.kind for one in blocked.jobs.list()}
    with pytest.raises(InvalidInputError, match="given up"):
        blocked.jobs.retry(job.number)


@pytest.mark.parametrize("is_alive", [True, False])
def test_a_job_is_left_to_another_process_until_that_has_ended(
    memory: MemoryService, is_alive: bool
) -> None:
    memory.save_conversation_turn("I live in Oslo", "Nice", "s1")
    store, now = memory._engine.store, datetime.now(UTC)
    (job,) = store.jobs.due(now, ["summary"], 10)
    dead = int(run_python("import os; print(os.getpid())").stdout)
    holder = holder_of(os.getpid() if is_alive else dead)
    with store.transaction():
        assert store.jobs.lease(job, holder, now, now + timedelta(minutes=5))

    memory.wait_until_idle()
    assert (memory.sessions.summary("s1") is None) is is_alive
    assert [one.state for one in memory.jobs.list() if one.kind == "summary"] == (
        ["running"] if is_alive else []
    )


def test_closing_ends_a_long_reading_between_two_steps_and_the_rest_is_read_later(
    data: Path, main: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes = 60
    monkeypatch.setattr("chatmem.engine.remember.extract.READ_AT_ONCE", 10)
    noted = MemoryFilter(memory_type="long_term", text="holds")
    with by_words(data, background=True) as memory:
        memory.save_messages(
            said(f"Remember that box {number} holds apples.", timestamp=datetime.now(UTC))
            for number in range(boxes)
        )
        memory.sessions.end("s1")
        soon(lambda: main.exists() and "holds" in main.read_text(), 60)  # a call would hold it up

    with MemoryService.open(data, background=False) as memory:
        assert 0 < memory.browse(noted).total < boxes
        assert job_of(memory, "session_end").state == "waiting"
        memory.wait_until_idle()
        assert memory.browse(noted).total == boxes
