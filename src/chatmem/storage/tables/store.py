"""A whole store on a database that speaks SQL: its tables and indexes, packed and made again."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from chatmem.model import Missing
from chatmem.storage.tables.database import SqlDatabase, read_migrations, to_record
from chatmem.storage.tables.dense import DenseIndex
from chatmem.storage.tables.lexical import LexicalIndex
from chatmem.storage.tables.memories import HistoryTable, MemoryPages, MemoryTable
from chatmem.storage.tables.owners import Owners, pages
from chatmem.storage.tables.packed_index import PackedIndex
from chatmem.storage.tables.people import DocumentTable, PeopleTable, ProfileTable
from chatmem.storage.tables.server import AnswerTable, KeyTable, ReceiptTable, SettingTable
from chatmem.storage.tables.sessions import (
    ConversationTable,
    ExtractionTable,
    JobTable,
    SessionTable,
    SummaryTable,
    WorkingTable,
)
from chatmem.storage.tables.transfer import Transfer
from chatmem.storage.values import Owner, Trace, TraceKind, index_entry

_REINDEX_PAGE = 1_000
PURGE_WAIT_S = 0.25
"""A search ends in less, a backup does not."""


class Store(ABC):
    """Everything that is stored, behind one door; each kind of database opens its own."""

    encrypted = False
    purge_due = False

    def __init__(
        self,
        database: SqlDatabase,
        packed: PackedIndex,
        lexical: LexicalIndex,
        dense: DenseIndex,
        pack_every: int,
    ) -> None:
        """`pack_every` is how many new rows of an owner make a pack."""
        self.database = self._db = database
        self._pack_every = pack_every
        self._packed = packed
        self.owners = Owners(database)
        self.lexical = lexical
        self.dense = dense
        self.memories = MemoryTable(database, self.lexical, self.dense)
        self.pages = MemoryPages(database, self.memories)
        self.conversations = ConversationTable(database)
        self.history = HistoryTable(database)
        self.documents = DocumentTable(database)
        self.working = WorkingTable(database)
        self.sessions = SessionTable(database)
        self.summaries = SummaryTable(database)
        self.jobs = JobTable(database)
        self.extraction = ExtractionTable(database)
        self.keys = KeyTable(database)
        self.receipts = ReceiptTable(database)
        self.answers = AnswerTable(database)
        self.people = PeopleTable(database)
        self.profiles = ProfileTable(database)
        self.settings = SettingTable(database)
        self.transfer = Transfer(database)

    def owner(self, user_id: str) -> Owner:
        """The user's owner number; a new user gets one."""
        return self.owners.owner(user_id)

    def users(self) -> list[str]:
        """Everybody who owns something, the oldest first."""
        return [owner.user_id for owner in self.owners.everybody()]

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing, for this thread's writes."""
        return self._db.transaction()

    def snapshot(self) -> AbstractContextManager[None]:
        """One state for all of this thread's reads."""
        return self._db.snapshot()

    def missing(self) -> tuple[Missing, ...]:
        """What the store cannot do here, and why."""
        return self._db.missing() + self.lexical.missing()

    def erase(self, owner: Owner) -> int:
        """Delete all rows of the owner in every table, inside a transaction; how many."""
        return self.transfer.erase(owner)

    def pack(self, pause: Callable[[], object] = object) -> int:
        """Bring rows that have gathered into the packed index; how many there were.

        `pause` is called where nothing is held that a caller may need.
        """
        done = 0
        found = self._db.rows("packed_index.to_pack", every=self._pack_every)
        for number, user_id, next_row, packed in found:
            end = packed + (next_row - packed) // self._pack_every * self._pack_every
            for first in range(packed, end, self._pack_every):
                with self._db.transaction(), self._db.acting_for(user_id):
                    done += self._pack(Owner(number, user_id), first, first + self._pack_every)
                pause()
        return done

    def reindex(self) -> int:
        """Make terms, codes and packed blocks again from the rows; how many rows.

        Each owner's in a transaction of its own, so that others are served meanwhile.
        """
        count = 0
        for owner in self.owners.everybody():
            with self._db.transaction(), self._db.acting_for(owner.user_id):
                self._packed.clear(owner)
                for page in pages(self._db, "memories.export", owner, _REINDEX_PAGE):
                    for row in page:
                        self.lexical.put(owner, row[0], index_entry(to_record(row).content))
                    count += len(page)
                if self.dense.ready():
                    self.dense.rebuild_codes(owner)
                self._db.run("people.touch")
        return count

    @abstractmethod
    def purge(self, wait_s: float = PURGE_WAIT_S) -> bool:
        """True when what may hold deleted text outside the tables (a write-ahead log) is empty.

        Else, after waiting a moment for readers, `purge_due` is True until a later call succeeds.
        """

    @property
    def own_text(self) -> str:
        """What tables are made with, and say of themselves: nobody has told it."""
        return "\n".join(read_migrations(self._db.package).values())

    def search(self, traces: Sequence[Trace]) -> Mapping[str, set[TraceKind]]:
        """Every column of text or bytes of every table, as TABLE.COLUMN, and what is there."""
        found: dict[str, set[TraceKind]] = {}
        for table, column, data in self._db.rows("server.columns"):
            statement = self._db.statement("server.holding").filled(table=table, data=data)
            rows = self._db.rows(statement, wanted=[one.data.hex() for one in traces])
            found[f"{table}.{column}"] = {
                one.kind for one in traces for (held,) in rows if one.is_in(bytes(held))
            }
        return found

    def facts(self) -> Mapping[str, Any]:
        """Path, versions, sizes: for `stats` and `doctor`."""
        return {
            "database": self._db.name,
            "embedder": self.dense.identity(),
            "waiting_for_vectors": self.dense.queue_length(),
        }

    def check(self) -> list[str]:
        """Damage found by the store's own integrity checks, a sentence each."""
        return self.lexical.check()

    def close(self) -> None:
        """Let go of every connection."""
        self._db.close()

    def _pack(self, owner: Owner, first: int, end: int) -> int:
        """How many rows were packed."""
        if self.owners.extent(owner).packed != first:
            return 0  # another process was faster
        tokens = self.lexical.tokens(owner, np.arange(first, end))
        self._packed.append(owner, first, self.lexical.facts(owner, first, end), tokens)
        self._db.run("packed_index.set_packed", owner, end=end)
        self.dense.pack(owner, first, end)
        return end - first
