"""Everything that is known of one memory, read at once."""

from dataclasses import dataclass

from chatmem.engine.remember.lifecycle import in_doubt_with
from chatmem.engine.service import MemoryService
from chatmem.errors import MemoryNotFoundError
from chatmem.model import AtomicMemoryRecord, Circle, HistoryEntry
from chatmem.storage.values import StoredMessage


@dataclass(frozen=True, slots=True)
class Known:
    """A memory, its past, its messages, and who else sees it; of another user's, itself alone.

    `successor` is what took its place, None where nothing did, or where it is gone. `doubted` is
    the valid one that may be about the same: extraction was not sure.
    """

    memory: AtomicMemoryRecord
    is_own: bool
    history: tuple[HistoryEntry, ...] = ()
    origin: tuple[StoredMessage, ...] = ()
    viewers: tuple[str, ...] = ()
    circles: tuple[Circle, ...] = ()
    successor: AtomicMemoryRecord | None = None
    doubted: AtomicMemoryRecord | None = None


def read_all(service: MemoryService, memory_id: str) -> Known:
    """The memory with all that belongs to it.

    Raises:
        MemoryNotFoundError: there is none that this user may see.
    """
    memory = service.get(memory_id)
    if memory.user_id != service.user_id:
        return Known(memory, is_own=False)
    history = tuple(service.history(memory.id))
    doubted = _found(service, in_doubt_with(memory, history)) if memory.is_valid else None
    return Known(
        memory,
        is_own=True,
        history=history,
        origin=tuple(service.origin(memory.id)),
        viewers=tuple(service.viewers(memory.id)),
        circles=tuple(service.people.circles()),
        successor=_found(service, memory.superseded_by),
        doubted=doubted if doubted is not None and doubted.is_valid else None,
    )


def _found(service: MemoryService, memory_id: str | None) -> AtomicMemoryRecord | None:
    if memory_id is None:
        return None
    try:
        return service.get(memory_id)
    except MemoryNotFoundError:
        return None
