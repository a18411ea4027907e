"""The made-up conversation of `chatmem demo`, and its replay, without extraction."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from chatmem.engine.service import MemoryService
from chatmem.model import AtomicMemoryRecord, SearchResults
from chatmem.text.languages.language import toml_of

FOUND = 3


class DemoTurn(NamedTuple):
    """A message, its answer, and what the person asked to remember for good.

    A note has a `text`, and its `category` and `importance`; without them it is for the day's log.
    """

    session: str
    at: datetime
    user: str
    assistant: str
    note: Mapping[str, Any] | None = None


class Replay(NamedTuple):
    """What the memory holds after the conversation, what each question found, what is recalled."""

    remembered: Sequence[AtomicMemoryRecord]
    answers: Mapping[str, SearchResults]
    recalled: SearchResults


ASKED_AT = datetime(2026, 4, 20, 9, tzinfo=UTC)
_DEMO = toml_of("chatmem.lab", "demo")
TURNS = tuple(DemoTurn(**turn) for turn in _DEMO["turns"])
QUESTIONS: Mapping[str, str] = _DEMO["questions"]
"""Questions to the memory, and what each shows."""
RECALLED_FOR = next(iter(QUESTIONS))


def play(
    memory: MemoryService, progress: Callable[[int, int], None] | None = None
) -> list[AtomicMemoryRecord]:
    """Saves every turn and what was asked to be remembered; returns the memories made.

    `progress` is called with (done, total) turns.
    """
    remembered = []
    for done, turn in enumerate(TURNS, start=1):
        memory.save_conversation_turn(turn.user, turn.assistant, turn.session, now=turn.at)
        note = dict(turn.note or {})
        if "category" in note:
            text = note.pop("text")
            record = memory.append_memory(text, session_id=turn.session, now=turn.at, **note)
            remembered.append(record)
        elif note:
            remembered.append(memory.append_daily_log(note["text"], now=turn.at))
        if progress is not None:
            progress(done, len(TURNS))
    return remembered


def replay(memory: MemoryService) -> Replay:
    """Plays the conversation, then asks the questions."""
    remembered = play(memory)
    memory.wait_until_indexed()
    answers = {one: memory.search_memories(one, limit=FOUND) for one in QUESTIONS}
    recalled = memory.get_relevant_memories(RECALLED_FOR, FOUND, now=ASKED_AT)
    return Replay(remembered, answers, recalled)
