"""A memory that extraction was not sure of, written as it writes one."""

from datetime import datetime

from tests.contract.given import memory as memory_of

from chatmem import AtomicMemoryRecord, MemoryService
from chatmem.engine.remember.settling import changes_of
from chatmem.engine.state import new_id
from chatmem.extraction.settle import EXTRACTED, Verdict
from chatmem.storage.documents.places import MAIN


def doubt(
    memory: MemoryService, content: str, about: AtomicMemoryRecord, at: datetime
) -> AtomicMemoryRecord:
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
