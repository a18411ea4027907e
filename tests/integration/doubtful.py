"""A memory that extraction was not sure of, written as it writes one; and what merges such ones."""

from datetime import datetime

from chatmem import AtomicMemoryRecord, MemoryService
from chatmem.engine.remember.extract import changes_of
from chatmem.engine.remember.nearness import EXTRACTED
from chatmem.engine.remember.retention import consolidate
from chatmem.engine.state import new_id
from chatmem.extraction.settle import Verdict
from chatmem.storage.documents.places import MAIN


def doubt(
    memory: MemoryService, content: str, about: AtomicMemoryRecord, at: datetime
) -> AtomicMemoryRecord:
    """The memory, said at that time, that may be about what `about` is about."""
    record = AtomicMemoryRecord(
        id=new_id(),
        user_id=memory.user_id,
        timestamp=at,
        create_time=at,
        content=content,
        tags=("work",),
        session_id="s1",
        app_type=EXTRACTED,
        memory_type="long_term",
        kind="semantic",
        category="fact",
        source="inferred",
        document=MAIN,
    )
    verdict = Verdict("maybe", (about,), f"maybe about {about.id}")
    changes = changes_of(verdict, record, at, "extracted from session s1 by reader")
    memory._space.documents.edit(lambda: memory._space.documents.apply(changes))
    return memory.get(record.id)


def merged(memory: MemoryService, now: datetime) -> int:
    """How many memories the background makes one of two of."""
    return consolidate(memory._space, now)
