"""The SQLite store: one file, its tables and indexes, opened, migrated and checked."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw

from chatmem.errors import DatabaseError
from chatmem.model import AtomicMemoryRecord, Missing
from chatmem.storage.ports import Owner
from chatmem.storage.sqlite.conversations import SqliteConversationTable
from chatmem.storage.sqlite.database import Database
from chatmem.storage.sqlite.dense import SqliteDenseIndex
from chatmem.storage.sqlite.documents import SqliteDocumentTable
from chatmem.storage.sqlite.extraction import SqliteExtractionTable
from chatmem.storage.sqlite.full_text import FullText
from chatmem.storage.sqlite.history import SqliteHistoryTable
from chatmem.storage.sqlite.jobs import SqliteJobTable
from chatmem.storage.sqlite.legacy import register_functions
from chatmem.storage.sqlite.lexical import SqliteLexicalIndex
from chatmem.storage.sqlite.memories import SqliteMemoryTable
from chatmem.storage.sqlite.migrate import migrate, refuse_newer, version_of
from chatmem.storage.sqlite.owners import Owners
from chatmem.storage.sqlite.packed import PACK_EVERY, PackedIndex
from chatmem.storage.sqlite.people import SqlitePeopleTable, register_visibility
from chatmem.storage.sqlite.profiles import SqliteProfileTable
from chatmem.storage.sqlite.rows import row_id, to_record
from chatmem.storage.sqlite.serving import (
    SqliteAnswerTable,
    SqliteKeyTable,
    SqliteReceiptTable,
)
from chatmem.storage.sqlite.sessions import SqliteSessionTable
from chatmem.storage.sqlite.settings_kept import SqliteSettingTable
from chatmem.storage.sqlite.statements import statements
from chatmem.storage.sqlite.summaries import SqliteSummaryTable
from chatmem.storage.sqlite.working import SqliteWorkingTable
from chatmem.text.entry import IndexEntry

_INDEX = statements("index")
_PACKED = statements("packed")
_PEOPLE = statements("people")
_MOST_PACKED = 2_048
"""Rows packed in one transaction when many have gathered: a tenth of a second."""
_REINDEX_PAGE = 1_000

EntryOf = Callable[[AtomicMemoryRecord], IndexEntry]


class SqliteStore:
    """Everything that is kept, in one SQLite file."""

    def __init__(
        self,
        path: Path,
        entry_of: EntryOf,
        *,
        extensions: bool = True,
        full_text: bool = True,
        pack_every: int = PACK_EVERY,
    ) -> None:
        """Open the file, or make it.

        Without `extensions` there is no vector search, without `full_text` no FTS5, as on a SQLite
        that has neither; `pack_every` is how many new rows of an owner make a pack.

        Raises:
            DatabaseError: no database, damaged, not writable.
            SchemaVersionError: written by a newer chatmem.
        """
        self.path = path
        self._pack_every = pack_every
        self._db = Database(
            path,
            extensions=extensions,
            full_text=full_text,
            inspect=lambda connection: refuse_newer(connection, path),
            setup=_register,
        )
        self._owners = Owners(self._db)
        self._packed = PackedIndex(self._db)
        self._full_text = FullText(self._db)
        self.lexical = SqliteLexicalIndex(self._db, self._owners, self._packed, self._full_text)
        self.dense = SqliteDenseIndex(self._db, self._owners, self._packed)
        self.memories = SqliteMemoryTable(
            self._db, self._owners, self._packed, self._full_text, self.lexical, self.dense
        )
        self.conversations = SqliteConversationTable(self._db)
        self.history = SqliteHistoryTable(self._db)
        self.documents = SqliteDocumentTable(self._db)
        self.working = SqliteWorkingTable(self._db)
        self.sessions = SqliteSessionTable(self._db, self._owners)
        self.summaries = SqliteSummaryTable(self._db)
        self.jobs = SqliteJobTable(self._db)
        self.extraction = SqliteExtractionTable(self._db)
        self.keys = SqliteKeyTable(self._db)
        self.receipts = SqliteReceiptTable(self._db)
        self.answers = SqliteAnswerTable(self._db)
        self.people = SqlitePeopleTable(self._db)
        self.profiles = SqliteProfileTable(self._db)
        self.settings = SqliteSettingTable(self._db)
        try:
            self._prepare(entry_of)
        except BaseException:
            self._db.close()
            raise

    def owner(self, user_id: str) -> Owner:
        """The user's owner number; a new user gets one."""
        return self._owners.owner(user_id)

    def users(self) -> list[str]:
        """Everybody who owns something, the oldest first."""
        return self._owners.users()

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing, for this thread's writes."""
        return self._db.transaction()

    def snapshot(self) -> AbstractContextManager[None]:
        """One state for all of this thread's reads."""
        return self._db.snapshot()

    def missing(self) -> tuple[Missing, ...]:
        """What the store cannot do here, and why."""
        return self._db.missing()

    def pack(self) -> int:
        """Bring rows that have gathered into the packed index; how many there were."""
        if self._db.no_full_text:
            return 0
        done = 0
        found = self._db.execute(_PACKED["to_pack"], (self._pack_every,))
        for number, user_id, next_row, packed in found:
            end = packed + (next_row - packed) // self._pack_every * self._pack_every
            step = max(self._pack_every, _MOST_PACKED // self._pack_every * self._pack_every)
            for first in range(packed, end, step):
                with self._db.transaction():
                    done += self._pack(Owner(number, user_id), first, min(first + step, end))
        return done

    def reindex(self, entry_of: EntryOf) -> int:
        """Make terms, codes and packed blocks again from the rows; how many rows."""
        count = 0
        with self._db.transaction():
            self._packed.clear()
            self._full_text.make()
            last = -1
            while page := self._db.execute(_INDEX["everything"], (last, _REINDEX_PAGE)):
                for row in page:
                    self._enter_again(row[0], entry_of(to_record(row)))
                count, last = count + len(page), page[-1][0]
            if self.dense.ready():
                self.dense.rebuild_codes()
            self._db.execute(_PEOPLE["touch"])
        return count

    def purge(self) -> None:
        """Empty the write-ahead log, which may still hold deleted text."""
        self._db.checkpoint()

    def facts(self) -> Mapping[str, Any]:
        """Path, versions, sizes."""
        return {
            "database": str(self.path),
            "database_bytes": sum(
                part.stat().st_size
                for part in (self.path, self.path.with_name(self.path.name + "-wal"))
                if part.exists()
            ),
            "sqlite": apsw.sqlite_lib_version(),
            "schema_version": int((self._db.one("PRAGMA user_version") or (0,))[0]),
            "embedder": self.dense.identity(),
            "waiting_for_vectors": self.dense.queue_length(),
        }

    def check(self) -> list[str]:
        """Damage found by SQLite's and FTS5's own integrity checks, a sentence each."""
        try:
            found = [f"{self.path}: {one}" for one in self._db.integrity() if one != "ok"]
        except DatabaseError as error:
            found = [str(error)]
        found += self._full_text.check()
        return found

    def close(self) -> None:
        """Let go of every connection."""
        self._db.close()

    def _prepare(self, entry_of: EntryOf) -> None:
        """Migrate and complete the indexes in one transaction."""
        with self._db.transaction():
            connection = self._db.writer
            before = version_of(connection)
            migrate(connection, self.path)
            upgraded = before != version_of(connection)
            has_rows = bool((self._db.one(_INDEX["has_rows"]) or (0,))[0])
            self._full_text.prepare(has_rows=has_rows and not upgraded)
            if not upgraded:
                return
            for row in self._db.execute(_INDEX["unindexed"]):
                record = to_record(row)
                owner = self._owners.owner(record.user_id)
                # A turn's speaker is its role, as far as older versions know.
                entry = replace(entry_of(record), speaker=record.role)
                self.memories.enter(owner, row[0], record, entry)

    def _enter_again(self, key: int, entry: IndexEntry) -> None:
        self._full_text.put(key, entry.tokens)
        changed = {"row_id": key, "length": len(entry.tokens), "flags": entry.flags}
        self._db.execute(_INDEX["update_row"], changed)

    def _pack(self, owner: Owner, first: int, end: int) -> int:
        """How many rows were packed: all, or none where their tokens cannot be read."""
        if self._owners.extent(owner)[1] != first:
            return 0  # another process was faster
        tokens = []
        for row in range(first, end):
            found = self._full_text.tokens(row_id(owner, row))
            if found is None:
                return 0
            tokens.append((row, found))
        self._packed.append(owner, first, self.lexical.facts(owner, first, end), tokens)
        self._db.execute(_PACKED["set_packed"], (end, owner.number))
        self.dense.pack(owner, first, end)
        return end - first


def _register(connection: apsw.Connection) -> None:
    register_functions(connection)
    register_visibility(connection)
