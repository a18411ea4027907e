"""A memory on real files that goes by keywords alone."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.contract.given import memory as memory_of
from tests.doors import by_words, chatmem, clock, data, http, own_folder, server

from chatmem import AtomicMemoryRecord, MemoryService
from chatmem.engine.remember.settling import changes_of
from chatmem.engine.state import new_id
from chatmem.extraction.settle import EXTRACTED, Verdict
from chatmem.storage.documents.places import MAIN

__all__ = ["chatmem", "clock", "data", "http", "own_folder", "server"]
Open = Callable[..., MemoryService]
AT_ONCE: dict[str, Any] = {"extract_interval_seconds": 0.0, "min_new_messages": 1}
"""Settings of `[memory]` by which every message is read when it comes."""


@pytest.fixture
def main(data: Path) -> Path:
    """MEMORY.md of the default user."""
    return data / "prompts" / "memory" / "MEMORY.md"


@pytest.fixture
def reopen(data: Path) -> Iterator[Open]:
    """Opens the memory, as often as it is called; settings of `[memory]` as arguments."""
    opened: list[MemoryService] = []

    def open_again(**memory: Any) -> MemoryService:  # noqa: ANN401
        opened.append(by_words(data, **{"scan_interval_seconds": 0.0, **memory}))
        return opened[-1]

    yield open_again
    for one in opened:
        one.close()


@pytest.fixture
def memory(reopen: Open) -> MemoryService:
    """Looks for outside edits before every call."""
    return reopen()


@pytest.fixture
def attentive(reopen: Open) -> MemoryService:
    """Reads every message when it comes."""
    return reopen(**AT_ONCE)


def transcript(memory: MemoryService, session_id: str = "s1") -> list[tuple[str, str]]:
    """What is kept of a session: roles and texts; a session without a message is none."""
    known = {one.session_id for one in memory.sessions.list().items if one.message_count}
    if session_id not in known:
        return []
    return [(one.role, one.content) for one in memory.sessions.messages(session_id)]


def home(memory: MemoryService, **roles: str) -> str:
    """A household of the memory's user and of these, who have joined; its id."""
    circle_id = memory.people.create_household("Home").circle_id
    for user, role in roles.items():
        memory.people.invite(circle_id, user, role)
        memory.for_user(user).people.join(circle_id)
    return circle_id


def told(memory: MemoryService, *messages: str, at_once: bool = False) -> list[AtomicMemoryRecord]:
    """The user's long-term memories after these messages, a day between them."""
    at = datetime.now(UTC) - timedelta(days=9)
    for message in messages:
        at += timedelta(days=1)
        memory.save_conversation_turn(message, "OK", "s1", now=at)
        if not at_once:
            memory.wait_until_idle(now=at)
    memory.wait_until_idle(now=at)
    return list(memory.list_memories(limit=1_000, state="all").items)


def doubt(
    memory: MemoryService, content: str, about: AtomicMemoryRecord, at: datetime
) -> AtomicMemoryRecord:
    """A memory that extraction was not sure of, as it writes one: maybe about another, then."""
    """The memory, said at that time, that may be about what `about` is about."""
    record = memory_of(
        new_id(), content, memory.user_id, timestamp=at, tags=("work",), session_id="s1",
        app_type=EXTRACTED, memory_type="long_term", kind="semantic", category="fact",
        source="inferred", document=MAIN,
    )  # fmt: skip
    verdict = Verdict("maybe", (about,), f"maybe about {about.id}")
    changes = changes_of(verdict, record, at, "extracted from session s1 by reader")
    memory._space.documents.edit(lambda: memory._space.documents.apply(changes))
    return memory.get(record.id)
