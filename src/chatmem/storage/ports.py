"""What the engine asks of a store. `sqlite/` answers it on one file, `postgres/` on a server.

Rows are counted up from 0 within their owner; arrays of rows hold these numbers. Everything that
writes is called inside `Store.transaction()`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import IntFlag
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatmem.model import (
    AtomicMemoryRecord,
    Category,
    HistoryEntry,
    MemoryType,
    Message,
    Missing,
)
from chatmem.storage.documents.ports import Stamp
from chatmem.text.entry import IndexEntry

Rows: TypeAlias = NDArray[np.int64]
Vector: TypeAlias = NDArray[np.float32]
Vectors: TypeAlias = NDArray[np.float32]

ROW_DTYPE = np.dtype(
    [
        ("length", "<u2"),
        ("session", "<i4"),
        ("previous", "<i4"),
        ("speaker", "<i2"),
        ("flags", "u1"),
        ("state", "u1"),
        ("time", "<i8"),
    ]
)
"""What ranking knows of a row: tokens, session number, the row before it in its session (-1: none),
speaker number (-1: none), `TextFlags`, `RowState`, and the time in milliseconds since 1970."""


class RowState(IntFlag):
    """Where a row stands; 0 is a deleted one."""

    LIVE = 1
    LONG_TERM = 2
    SUPERSEDED = 4
    SHARED = 8


@dataclass(frozen=True, slots=True)
class Owner:
    """A user, and the number that leads the user's row ids."""

    number: int
    user_id: str


@dataclass(frozen=True, slots=True)
class Postings:
    """The rows that hold a term, ascending, and how often each does."""

    rows: Rows
    counts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A Markdown file as it was when it was last folded in; `held` says why a change was not."""

    path: str
    etag: str
    stamp: Stamp
    held: str | None = None


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A row of `conversation`. Source: S2.4."""

    id: int
    session_id: str
    role: str
    content: str
    create_time: datetime
    is_collected: bool
    memory_id: str | None


class MemoryTable(Protocol):
    """Memories, their full-text entries and what ranking knows of them."""

    def insert(self, owner: Owner, record: AtomicMemoryRecord, entry: IndexEntry) -> int:
        """The new memory's row; it is searchable by keyword at once and waits for its vector."""

    def update(
        self, owner: Owner, record: AtomicMemoryRecord, entry: IndexEntry | None = None
    ) -> None:
        """Write the record over its row; an `entry` replaces terms and vector too."""

    def delete(self, owner: Owner, memory_id: str) -> bool:
        """True when it was there: row, terms, vector, counters and history are gone."""

    def get(self, owner: Owner, memory_id: str) -> AtomicMemoryRecord | None:
        """The memory, or None."""

    def row_of(self, owner: Owner, memory_id: str) -> int | None:
        """The memory's row, or None."""

    def by_rows(self, owner: Owner, rows: Sequence[int]) -> dict[int, AtomicMemoryRecord]:
        """The memories of these rows, by row."""

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
        """Rows of the newest valid long-term memories of these categories."""

    def same_start(
        self, owner: Owner, session_id: str, role: str, content: str
    ) -> list[tuple[str, str]]:
        """Id and content of the turns of a session and role whose first 50 characters agree."""

    def like(
        self, owner: Owner, word: str, memory_type: MemoryType | None, limit: int
    ) -> list[int]:
        """Rows whose content contains the word, newest first, by `LIKE`."""

    def count_access(self, owner: Owner, memory_ids: Sequence[str], at: datetime) -> None:
        """Count one access of each."""


class ConversationTable(Protocol):
    """Every message as it was said."""

    def insert(self, owner: Owner, message: Message, memory_id: str) -> None:
        """Keep the message; `memory_id` is the memory with the same words."""

    def by_source(self, owner: Owner, source_id: str) -> str | None:
        """The memory of a message that an import has brought in before."""

    def sources_of(self, owner: Owner, memory_id: str) -> list[str]:
        """The source ids of the messages that hold the memory's words."""

    def of_session(self, owner: Owner, session_id: str) -> list[StoredMessage]:
        """The session's messages, oldest first."""

    def counts(self, owner: Owner) -> tuple[int, int]:
        """How many messages and how many sessions there are."""


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

    def unbury(self, owner: Owner, content: str) -> None:
        """The person says it again: it is no longer unwanted."""


class DocumentTable(Protocol):
    """The state in which each Markdown file was last folded in."""

    def known(self, owner: Owner) -> Mapping[str, KnownDocument]:
        """By path."""

    def put(self, owner: Owner, document: KnownDocument) -> None:
        """Insert or replace."""

    def delete(self, owner: Owner, path: str) -> None:
        """Forget about the file."""


class WorkingTable(Protocol):
    """What a running session is about. Source: S3.1."""

    def topic(self, owner: Owner, session_id: str) -> str | None:
        """The session's current topic, or None."""

    def set_topic(self, owner: Owner, session_id: str, topic: str | None, at: datetime) -> None:
        """Note what the session is about."""


class LexicalIndex(Protocol):
    """The lexical leg: who contains which term."""

    def postings(
        self, owner: Owner, terms: Sequence[str], prefixes: Sequence[str]
    ) -> list[Postings]:
        """One entry a term, then one a prefix (all its words together).

        Raises:
            LexicalUnavailableError: the full-text index is missing or rejected the query.
        """

    def rows(self, owner: Owner) -> NDArray[np.void]:
        """`ROW_DTYPE`, one entry a row from 0 on; deleted rows have state 0."""

    def version(self, owner: Owner) -> int:
        """Counts every change of the owner's rows: what was read at another version is stale."""

    def speakers(self, owner: Owner) -> list[tuple[int, str, str]]:
        """Number, name and index terms of everybody who speaks in the owner's conversations."""


class DenseIndex(Protocol):
    """The dense leg: vectors of one embedder, and who is near a query's."""

    def candidates(
        self, owner: Owner, query: Vectors, limit: int, eligible: NDArray[np.bool_]
    ) -> Rows:
        """Of the rows marked in `eligible`, those with the nearest codes, unordered.

        At most `limit` of the packed and as many of the newest rows.
        """

    def vectors(self, owner: Owner, rows: Rows) -> tuple[Rows, Vectors]:
        """Those of the rows that have a vector, ascending, and the vectors, (n, dimension)."""

    def identity(self) -> str | None:
        """The embedder of the live index, None before the first."""

    def use(self, identity: str, dimension: int) -> bool:
        """True when the live index is of this embedder; else a new one is begun beside it."""

    def queued(self, limit: int) -> list[tuple[int, str]]:
        """Row ids that wait for a vector, and their texts."""

    def queue_length(self) -> int:
        """How many rows wait."""

    def cached(self, hashes: Sequence[int]) -> dict[int, Vector]:
        """Vectors of texts that were embedded before, by the text's hash."""

    def put(
        self, queued: Sequence[tuple[int, str]], hashes: Sequence[int], vectors: Vectors
    ) -> None:
        """Write the vectors of the queued rows whose text is still the same; off the queue."""

    def finish(self) -> bool:
        """True when a new index beside the live one was complete and has taken its place."""


class Store(Protocol):
    """Everything that is kept, behind one door."""

    @property
    def memories(self) -> MemoryTable:
        """Memories, with everything that is derived from a row."""

    @property
    def conversations(self) -> ConversationTable:
        """Messages as they were said."""

    @property
    def history(self) -> HistoryTable:
        """What happened to memories."""

    @property
    def documents(self) -> DocumentTable:
        """How the Markdown files were last seen."""

    @property
    def working(self) -> WorkingTable:
        """What running sessions are about."""

    @property
    def lexical(self) -> LexicalIndex:
        """The lexical leg."""

    @property
    def dense(self) -> DenseIndex:
        """The dense leg."""

    def owner(self, user_id: str) -> Owner:
        """The user's owner number; a new user gets one."""

    def users(self) -> list[str]:
        """Everybody who owns something, the oldest first."""

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing, for this thread's writes."""

    def snapshot(self) -> AbstractContextManager[None]:
        """One state for all of this thread's reads."""

    def missing(self) -> tuple[Missing, ...]:
        """What the store cannot do here, and why."""

    def pack(self) -> int:
        """Bring rows that have gathered into the packed index; how many there were."""

    def reindex(self, entry_of: Callable[[AtomicMemoryRecord], IndexEntry]) -> int:
        """Make terms, codes and packed blocks again from the rows; how many rows."""

    def purge(self) -> None:
        """Empty what may still hold deleted text outside the tables (a write-ahead log)."""

    def facts(self) -> Mapping[str, Any]:
        """Path, versions, sizes: for `stats` and `doctor`."""

    def check(self) -> list[str]:
        """Damage found by the store's own integrity checks, a sentence each."""

    def close(self) -> None:
        """Let go of every connection."""
