"""Background work: tried again, given up, seen by a person, taken over from a dead process."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.conftest import run_python, soon
from tests.contract.given import said
from tests.doors import by_words
from tests.integration.conftest import Open

from chatmem import MemoryService
from chatmem.engine.worker import holder_of
from chatmem.errors import InvalidInputError
from chatmem.model import JobReport, MemoryFilter

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


def test_a_job_that_another_process_does_is_left_alone(memory: MemoryService, reopen: Open) -> None:
    memory.save_conversation_turn("I live in Oslo", "Nice", "s1")
    store, now = memory._engine.store, datetime.now(UTC)
    (job,) = store.jobs.due(now, ["summary"], 10)
    alive = holder_of(os.getpid())
    with store.transaction():
        assert store.jobs.lease(job, alive, now, now + timedelta(minutes=5))

    memory.wait_until_idle()
    assert memory.sessions.summary("s1") is None
    assert job_of(memory, "summary").state == "running"


def test_the_job_of_a_dead_process_is_taken_over_at_once(memory: MemoryService) -> None:
    memory.save_conversation_turn("I live in Oslo", "Nice", "s1")
    store, now = memory._engine.store, datetime.now(UTC)
    (job,) = store.jobs.due(now, ["summary"], 10)
    dead = holder_of(int(run_python("import os; print(os.getpid())").stdout))
    with store.transaction():
        assert store.jobs.lease(job, dead, now, now + timedelta(minutes=5))

    memory.wait_until_idle()
    assert memory.sessions.summary("s1") is not None


def test_closing_ends_a_long_reading_between_two_steps_and_the_rest_is_read_later(
    data: Path, main: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes = 120
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
