"""Sessions as an application uses them: deleted whole, never mixed, never lost."""

import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import some
from tests.doors import by_words
from tests.integration.conftest import Open

from chatmem import ChatContextBuilder, MemoryService
from chatmem.analysis.summary import ExtractiveSummarizer, SummaryText
from chatmem.errors import InvalidInputError, SessionNotFoundError

SECRET = "鸢尾花quokkaledger"


def everything_on_disk(data: Path) -> bytes:
    return b"".join(one.read_bytes() for one in sorted(data.rglob("*")) if one.is_file())


def test_a_deleted_session_leaves_no_byte(reopen: Open, data: Path) -> None:
    memory = reopen()
    memory.save_conversation_turn(f"My project is called {SECRET}", f"{SECRET}, noted", "s1")
    memory.save_conversation_turn("I prefer short answers", "Sure", "s2")
    fact = memory.append_memory(f"Works on {SECRET}", session_id="s1")
    memory.update(fact.id, content=f"Works on {SECRET} daily")
    memory.wait_until_idle()
    assert SECRET.encode() in everything_on_disk(data)

    assert memory.sessions.delete("s1") == 2

    assert memory.search_memories(SECRET).hits == ()
    assert [one.session_id for one in memory.sessions.list().items] == ["s2"]
    memory.wait_until_idle()
    memory.close()
    assert SECRET.encode() not in everything_on_disk(data)


def test_what_was_forgotten_leaves_summary_and_working_memory(memory: MemoryService) -> None:
    memory.save_conversation_turn("Book a flight to Zanzibar for 3 people", "Done", "s1")
    memory.save_conversation_turn("And a good book about gardening please", "Sure", "s1")
    memory.wait_until_idle()
    working = some(memory.working_memory("s1"))
    assert working.context_variables["destination"] == "Zanzibar"

    memory.forget(memory.search_memories("Zanzibar").hits[0].memory.id)

    summary = some(memory.sessions.summary("s1"))
    working = some(memory.working_memory("s1"))
    assert "Zanzibar" not in summary.title + summary.snippet
    assert "Zanzibar" not in str(working)
    assert "Zanzibar" not in str(ChatContextBuilder(memory).build_messages("gardening", "s2"))


class ForgetsMeanwhile(ExtractiveSummarizer):
    """Sums up like the rules; while it does, the person forgets a message."""

    name = "slow"

    def __init__(self, memory: MemoryService, word: str) -> None:
        self.memory = memory
        self.word = word

    def summarise(self, messages: Sequence[tuple[str, str]]) -> SummaryText:
        told = super().summarise(messages)
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
