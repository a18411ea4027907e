"""Which memories a person wants to see, and in which order."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, TypeAlias, get_args

from chatmem.model.memory import Category, Kind, MemoryType, Source, Visibility

MemoryState: TypeAlias = Literal["valid", "superseded", "all"]
MemorySort: TypeAlias = Literal[
    "timestamp", "create_time", "confidence", "importance", "access_count", "content"
]

MEMORY_STATES: tuple[MemoryState, ...] = get_args(MemoryState)
MEMORY_SORTS: tuple[MemorySort, ...] = get_args(MemorySort)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """What memories must be to be wanted; None asks nothing.

    `text` stands in the content, in Simplified or Traditional Chinese, whatever the case of its
    ASCII letters. `time_from` and `time_to` bound the time when it happened, both included. `as_of`
    asks for what was true at that moment; `state` then says nothing. Times without a zone are
    local.
    """

    text: str | None = None
    memory_type: MemoryType | None = None
    kind: Kind | None = None
    category: Category | None = None
    source: Source | None = None
    session_id: str | None = None
    visibility: Visibility | None = None
    time_from: datetime | None = None
    time_to: datetime | None = None
    state: MemoryState = "valid"
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthDay:
    """How many memories were stored on a day: turns, and long-term ones by their category.

    The day is one of the local calendar. `other` counts long-term memories without a category.
    """

    day: date
    turns: int = 0
    preference: int = 0
    fact: int = 0
    pattern: int = 0
    other: int = 0

    @property
    def long_term(self) -> int:
        """Long-term memories of all categories."""
        return self.preference + self.fact + self.pattern + self.other
