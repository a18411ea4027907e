"""Forgetting: final, everywhere.

Source: S3.4.3, S3.4.4; interfaces ("forget is final").
"""

from datetime import datetime

from chatmem.engine.documents.changes import Change
from chatmem.engine.remember.lifecycle import find_own
from chatmem.engine.sessions.summary import renew_without_model
from chatmem.engine.sessions.working_memory import forget_words
from chatmem.engine.space import Space
from chatmem.model import AtomicMemoryRecord


def forget_memory(space: Space, memory_id: str, now: datetime) -> None:
    """Delete it for good: bullet, row, terms, vector, counters, history. Source: S3.4.3.

    A turn's message leaves its conversation too, and what its session's summary and working memory
    may have of it. What stays is a hash, so that it is not extracted again.

    Raises:
        MemoryNotFoundError: no such memory.
        NotOwnerError: another user shares it.
    """

    def write() -> AtomicMemoryRecord:
        before = find_own(space, memory_id)
        space.documents.apply([Change("forget", before, None, "forgotten", now)])
        return before

    gone = space.documents.edit(write)
    if gone.role is not None and gone.session_id is not None:
        with space.store.transaction():
            renew_without_model(space, gone.session_id, now)
            forget_words(space, gone.session_id, gone.content)
    space.store.purge()


def forget_all_memories(space: Space, now: datetime) -> int:
    """How many long-term memories were deleted for good; turns stay. Source: S3.4.4."""

    def write() -> int:
        memories = space.store.memories
        gone = [
            record for record in memories.export(space.owner) if record.memory_type == "long_term"
        ]
        space.documents.apply([Change("forget", one, None, "all forgotten", now) for one in gone])
        return len(gone)

    count = space.documents.edit(write)
    space.store.purge()
    return count
