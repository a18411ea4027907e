"""The log of what happened to a memory."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from chatmem.model.memory import AtomicMemoryRecord

Action: TypeAlias = Literal["add", "edit", "promote", "supersede", "rotate", "evict", "restore"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """One change: `before` is None for the first, `after` is the memory as the change left it."""

    memory_id: str
    at: datetime
    action: Action
    reason: str
    before: AtomicMemoryRecord | None
    after: AtomicMemoryRecord
