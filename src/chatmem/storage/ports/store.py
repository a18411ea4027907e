"""The port that stands for a whole store."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from chatmem.model import AtomicMemoryRecord, Missing
from chatmem.storage.ports.browsing import BrowsingTable
from chatmem.storage.ports.documents import DocumentTable, ProfileTable, SettingTable
from chatmem.storage.ports.indexes import DenseIndex, LexicalIndex
from chatmem.storage.ports.memories import HistoryTable, MemoryTable
from chatmem.storage.ports.moving import Moving
from chatmem.storage.ports.people import PeopleTable
from chatmem.storage.ports.serving import AnswerTable, KeyTable, ReceiptTable
from chatmem.storage.ports.sessions import (
    ConversationTable,
    ExtractionTable,
    JobTable,
    SessionTable,
    SummaryTable,
    WorkingTable,
)
from chatmem.storage.ports.values import Owner
from chatmem.text.entry import IndexEntry


class Store(Protocol):
    """Everything that is kept, behind one door."""

    @property
    def memories(self) -> MemoryTable:
        """Memories, with everything that is derived from a row."""

    @property
    def browsing(self) -> BrowsingTable:
        """Memories as a person looks through them."""

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
    def sessions(self) -> SessionTable:
        """Sessions as they are listed."""

    @property
    def summaries(self) -> SummaryTable:
        """Summaries of sessions."""

    @property
    def jobs(self) -> JobTable:
        """What the background has to do."""

    @property
    def extraction(self) -> ExtractionTable:
        """How far sessions were read for memories."""

    @property
    def keys(self) -> KeyTable:
        """Keys of a server."""

    @property
    def receipts(self) -> ReceiptTable:
        """What went into prompts."""

    @property
    def answers(self) -> AnswerTable:
        """Answers to writes that carried an idempotency key."""

    @property
    def people(self) -> PeopleTable:
        """Households, groups, roles."""

    @property
    def profiles(self) -> ProfileTable:
        """Profiles as they were last read."""

    @property
    def settings(self) -> SettingTable:
        """Settings kept with the data."""

    @property
    def lexical(self) -> LexicalIndex:
        """The lexical leg."""

    @property
    def dense(self) -> DenseIndex:
        """The dense leg."""

    @property
    def moving(self) -> Moving:
        """Everything, table by table, on its way to another store."""

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
