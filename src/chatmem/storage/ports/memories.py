"""The port of memories, and of what happened to them."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Protocol

from chatmem.model import AtomicMemoryRecord, Category, HistoryEntry, MemoryType, Standing
from chatmem.storage.ports.values import Owner, Place
from chatmem.text.entry import IndexEntry


class MemoryTable(Protocol):
    """Memories, their full-text entries and what ranking knows of them."""

    def insert(self, owner: Owner, record: AtomicMemoryRecord, entry: IndexEntry) -> int:
        """The new memory's row; it is searchable by keyword at once and waits for its vector."""

    def insert_all(self, owner: Owner, new: Sequence[tuple[AtomicMemoryRecord, IndexEntry]]) -> int:
        """The first row of the new memories; the others follow in their order."""

    def update(
        self, owner: Owner, record: AtomicMemoryRecord, entry: IndexEntry | None = None
    ) -> None:
        """Write the record over its row; an `entry` replaces terms and vector too."""

    def delete(self, owner: Owner, memory_id: str) -> bool:
        """True when it was there: row, terms, vector, counters and history are gone."""

    def get(self, owner: Owner, memory_id: str) -> AtomicMemoryRecord | None:
        """The owner's memory, or None."""

    def seen(self, viewer: Owner, memory_id: str) -> AtomicMemoryRecord | None:
        """The memory, whoever owns it, if the viewer may see it; else None."""

    def row_of(self, owner: Owner, memory_id: str) -> int | None:
        """The row of the owner's memory, or None."""

    def by_rows(self, owner: Owner, rows: Sequence[int]) -> dict[int, AtomicMemoryRecord]:
        """The owner's memories of these rows, by row."""

    def by_places(self, viewer: Owner, places: Sequence[Place]) -> dict[Place, AtomicMemoryRecord]:
        """The memories at these places, by place and in their order, that the viewer may see."""

    def standings(self, viewer: Owner, places: Sequence[Place]) -> dict[Place, Standing]:
        """What counts beside their words of the memories that `by_places` gives."""

    def page(
        self, owner: Owner, memory_type: MemoryType | None, limit: int, offset: int
    ) -> list[AtomicMemoryRecord]:
        """Memories, newest first."""

    def count(self, owner: Owner, memory_type: MemoryType | None) -> int:
        """How many there are."""

    def export(self, owner: Owner) -> Iterator[AtomicMemoryRecord]:
        """Every memory, in the order of its row, read in pages."""

    def of_document(self, owner: Owner, path: str) -> list[AtomicMemoryRecord]:
        """The memories that a Markdown file holds."""

    def of_session(self, owner: Owner, session_id: str) -> list[AtomicMemoryRecord]:
        """The session's turns, and the memories that came from it."""

    def documented(self, owner: Owner) -> list[tuple[str, str, Category | None]]:
        """Document, id and category of every memory that a Markdown file holds, oldest first."""

    def foreign_ids(self, owner: Owner, memory_ids: Sequence[str]) -> set[str]:
        """Those of the ids that belong to other users."""

    def live_count(self, owner: Owner) -> int:
        """How many valid long-term memories there are."""

    def weakest(self, owner: Owner, limit: int) -> list[AtomicMemoryRecord]:
        """Valid long-term memories, the lowest confidence first, then the oldest access."""

    def of_key(self, owner: Owner, key: str) -> list[AtomicMemoryRecord]:
        """The valid long-term memories with this key."""

    def of_category(self, owner: Owner, categories: Sequence[Category], limit: int) -> list[int]:
        """The owner's rows of the newest valid long-term memories of these categories."""

    def same_start(
        self, owner: Owner, session_id: str, role: str, content: str
    ) -> list[tuple[str, str]]:
        """Id and content of the turns of a session and role whose first 50 characters agree."""

    def like(
        self, owner: Owner, word: str, memory_type: MemoryType | None, limit: int
    ) -> list[int]:
        """The owner's rows whose content contains the word, newest first, by `LIKE`."""

    def like_shared(
        self, viewer: Owner, word: str, memory_type: MemoryType | None, limit: int
    ) -> list[Place]:
        """The same of what others share with the viewer."""

    def count_access(self, viewer: Owner, memory_ids: Sequence[str], at: datetime) -> None:
        """Count one access of each that the viewer may see."""


class HistoryTable(Protocol):
    """What happened to memories, and the hashes of what was forgotten."""

    def add(self, owner: Owner, entry: HistoryEntry) -> None:
        """Append an entry."""

    def of_memory(self, owner: Owner, memory_id: str) -> list[HistoryEntry]:
        """The memory's entries, oldest first."""

    def bury(self, owner: Owner, content: str, at: datetime) -> None:
        """Remember, as a hash only, that this content, or this source id, was forgotten."""

    def is_buried(self, owner: Owner, content: str) -> bool:
        """True when this very content was forgotten by the owner."""

    def any_buried(self, owner: Owner) -> bool:
        """True when the owner has forgotten anything."""

    def unbury(self, owner: Owner, content: str) -> None:
        """The person says it again: it is no longer unwanted."""
