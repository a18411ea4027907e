"""Forgetting: final, everywhere.

Source: S3.4.3, S3.4.4; interfaces ("forget is final").
"""

from collections.abc import Iterable
from datetime import datetime

from chatmem.engine.documents.sync import Change
from chatmem.engine.remember.lifecycle import find_own
from chatmem.engine.sessions.working_memory import forget_words, renew_without_model
from chatmem.engine.space import Space, SpacePart
from chatmem.model import AtomicMemoryRecord
from chatmem.model.time import moment_or_now


class MemoryEraser(SpacePart):
    """Deletes memories for good: bullet, row, terms, vector, counters, history.

    What stays is a hash, so that a memory is not extracted again.
    """

    def forget(self, memory_id: str, *, now: datetime | None = None) -> None:
        """Delete a memory for good, everywhere. Source: S3.4.3.

        A turn's message leaves its conversation too, and the summary and working memory of its
        session are made without it.
        """
        moment = moment_or_now(now)

        def write() -> AtomicMemoryRecord:
            before = find_own(self._space, memory_id)
            erase(self._space, [before], "forgotten", moment)
            return before

        gone = self._documents.edit(write)
        if gone.role is not None and gone.session_id is not None:
            remove_words(self._space, gone.session_id, gone.content, moment)
        self._store.purge()

    def forget_all(self, *, now: datetime | None = None) -> int:
        """How many long-term memories were deleted for good; turns stay. Source: S3.4.4."""

        def write() -> int:
            records = self._store.memories.export(self._owner)
            gone = [record for record in records if record.memory_type == "long_term"]
            erase(self._space, gone, "all forgotten", moment_or_now(now))
            return len(gone)

        count = self._documents.edit(write)
        self._store.purge()
        return count


def erase(space: Space, records: Iterable[AtomicMemoryRecord], why: str, now: datetime) -> None:
    """Delete the memories, inside `MemoryDocuments.edit`."""
    space.documents.apply([Change("forget", one, None, why, now) for one in records])


def remove_words(space: Space, session_id: str, content: str, now: datetime) -> None:
    """Take a deleted message's words out of its session's summary and working memory."""
    with space.store.transaction():
        renew_without_model(space, session_id, now)
        forget_words(space, session_id, content)
