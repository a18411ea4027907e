"""Forgetting: final, everywhere.

Source: S3.4.3, S3.4.4; interfaces ("forget is final").
"""

from datetime import datetime

from chatmem.engine.documents.changes import Change
from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.remember.lifecycle import find_own
from chatmem.engine.sessions.summary import renew_without_model
from chatmem.engine.sessions.working_memory import forget_words
from chatmem.engine.state import Engine
from chatmem.model import AtomicMemoryRecord
from chatmem.storage.values import Owner


def forget_memory(
    engine: Engine, documents: MemoryDocuments, owner: Owner, memory_id: str, now: datetime
) -> None:
    """Delete it for good: bullet, row, terms, vector, counters, history. Source: S3.4.3.

    A turn's message leaves its conversation too, and what its session's summary and working memory
    may have of it. What stays is a hash, so that it is not extracted again.

    Raises:
        MemoryNotFoundError: no such memory.
        NotOwnerError: another user shares it.
    """

    def write() -> AtomicMemoryRecord:
        before = find_own(engine, owner, memory_id)
        documents.apply([Change("forget", before, None, "forgotten", now)])
        return before

    gone = documents.edit(write)
    if gone.role is not None and gone.session_id is not None:
        with engine.store.transaction():
            renew_without_model(engine, owner, gone.session_id, now)
            forget_words(engine, owner, gone.session_id, gone.content)
    engine.store.purge()


def forget_all_memories(
    engine: Engine, documents: MemoryDocuments, owner: Owner, now: datetime
) -> int:
    """How many long-term memories were deleted for good; turns stay. Source: S3.4.4."""

    def write() -> int:
        memories = engine.store.memories
        gone = [record for record in memories.export(owner) if record.memory_type == "long_term"]
        documents.apply([Change("forget", one, None, "all forgotten", now) for one in gone])
        return len(gone)

    count = documents.edit(write)
    engine.store.purge()
    return count
