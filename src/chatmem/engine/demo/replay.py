"""Replays the demo's conversation into a memory and asks it the demo's questions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chatmem.engine.demo.conversation import (
    ASKED_AT,
    QUESTIONS,
    TURNS,
    Asked,
    Fact,
    Turn,
)
from chatmem.model import AtomicMemoryRecord, SearchResults

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService

FOUND = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """A question and what was found for it, best first."""

    asked: Asked
    found: SearchResults


@dataclass(frozen=True, slots=True)
class Replay:
    """What the memory kept, what it found, and what it would recall for a prompt."""

    turns: Sequence[Turn]
    remembered: Sequence[AtomicMemoryRecord]
    answers: Sequence[Answer]
    recalled_for: str
    recalled: SearchResults


def play(
    memory: "MemoryService", progress: Callable[[int, int], None] | None = None
) -> list[AtomicMemoryRecord]:
    """Saves every turn, and what was asked to be remembered, which comes back.

    `progress` hears (done, total) turns.
    """
    remembered = []
    for done, turn in enumerate(TURNS, start=1):
        memory.save_conversation_turn(turn.user, turn.assistant, turn.session, now=turn.at)
        if isinstance(turn.request, Fact):
            fact = turn.request
            remembered.append(
                memory.append_memory(
                    fact.text,
                    fact.category,
                    importance=fact.importance,
                    session_id=turn.session,
                    now=turn.at,
                )
            )
        elif turn.request is not None:
            remembered.append(memory.append_daily_log(turn.request.text, now=turn.at))
        if progress is not None:
            progress(done, len(TURNS))
    return remembered


def replay(memory: "MemoryService") -> Replay:
    """Plays the conversation, then asks the questions."""
    remembered = play(memory)
    memory.wait_until_indexed()
    answers = [
        Answer(asked, memory.search_memories(asked.text, limit=FOUND)) for asked in QUESTIONS
    ]
    message = QUESTIONS[0].text
    recalled = memory.get_relevant_memories(message, FOUND, now=ASKED_AT)
    return Replay(TURNS, remembered, answers, message, recalled)
