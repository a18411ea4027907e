"""Everything that is known of one memory, read at once."""

from dataclasses import dataclass

from chatmem.engine.service import MemoryService
from chatmem.errors import MemoryNotFoundError
from chatmem.model import AtomicMemoryRecord, Circle, HistoryEntry
from chatmem.storage.ports import StoredMessage


@dataclass(frozen=True, slots=True)
class Known:
    """A memory, its past, its messages, and who else sees it; of another user's, itself alone.

    `successor` is what took its place, None where nothing did, or where it is gone.
    """

    memory: AtomicMemoryRecord
    is_own: bool
    history: tuple[HistoryEntry, ...] = ()
    origin: tuple[StoredMessage, ...] = ()
    viewers: tuple[str, ...] = ()
    circles: tuple[Circle, ...] = ()
    successor: AtomicMemoryRecord | None = None


def read_all(service: MemoryService, memory_id: str) -> Known:
    """The memory with all that belongs to it.

    Raises:
        MemoryNotFoundError: there is none that this user may see.
    """
    memory = service.get(memory_id)
    if memory.user_id != service.user_id:
        return Known(memory, is_own=False)
    return Known(
        memory,
        is_own=True,
        history=tuple(service.history(memory.id)),
        origin=tuple(service.origin(memory.id)),
        viewers=tuple(service.viewers(memory.id)),
        circles=tuple(service.people.circles()),
        successor=_successor(service, memory),
    )


def _successor(service: MemoryService, memory: AtomicMemoryRecord) -> AtomicMemoryRecord | None:
    if memory.superseded_by is None:
        return None
    try:
        return service.get(memory.superseded_by)
    except MemoryNotFoundError:
        return None
