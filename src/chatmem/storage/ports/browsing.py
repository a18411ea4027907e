"""The port by which a person looks through memories: filtered, sorted, paged and counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from chatmem.model import AtomicMemoryRecord, Category, MemoryFilter, MemorySort, MemoryType
from chatmem.storage.ports.values import Owner


@dataclass(frozen=True, slots=True)
class Added:
    """How many memories of a type and category were stored within one minute."""

    minute: datetime
    memory_type: MemoryType
    category: Category | None
    count: int


class BrowsingTable(Protocol):
    """An owner's memories as a person looks through them, and what others share with them.

    `texts` are the spellings of the filter's text, three at most; none if it has no text.
    """

    def page(
        self,
        owner: Owner,
        wanted: MemoryFilter,
        texts: Sequence[str],
        order: tuple[MemorySort, bool],
        bounds: tuple[int, int],
    ) -> tuple[list[AtomicMemoryRecord], int]:
        """A page of those wanted, and how many there are in all.

        `order` is what they are sorted by and whether the largest comes first, `bounds` limit and
        offset. Equal ones are in the order of their rows.
        """

    def shared_page(
        self,
        viewer: Owner,
        wanted: MemoryFilter,
        texts: Sequence[str],
        order: tuple[MemorySort, bool],
        bounds: tuple[int, int],
    ) -> tuple[list[AtomicMemoryRecord], int]:
        """The same of what others share with the viewer, whoever they are."""

    def rows(self, owner: Owner, wanted: MemoryFilter, texts: Sequence[str]) -> list[int]:
        """The owner's rows that are wanted, in no order."""

    def added(self, owner: Owner, since: datetime) -> list[Added]:
        """What was stored since then, by minute."""
