"""The SQLite store: one file, opened, migrated and checked."""

import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from chatmem.errors import DatabaseError
from chatmem.model import Missing
from chatmem.storage.documents.folder import flush_folder, wipe
from chatmem.storage.sqlite.database import SqliteDatabase
from chatmem.storage.sqlite.migrate import migrate
from chatmem.storage.tables.database import Bindings, Row, to_record
from chatmem.storage.tables.dense import DenseIndex
from chatmem.storage.tables.lexical import LexicalIndex
from chatmem.storage.tables.owners import key_range, row_id
from chatmem.storage.tables.packed_index import PACK_EVERY, PackedIndex
from chatmem.storage.tables.store import Store
from chatmem.storage.values import WHOLE, IndexEntry, Owner

_REINDEX = "run `chatmem reindex`"
MOST_READ = 512
"""Twice the rows that gather before they are packed."""
NEW, OLD = ".new", ".old"
"""Endings of the file that is to take the database's place, and of the one whose place it took."""
_PARTS = (NEW, *(f"{NEW}-{part}" for part in ("wal", "shm", "journal")), OLD)


class SqliteStore(Store):
    """Everything that is kept, in one SQLite file."""

    _db: SqliteDatabase
    lexical: "SqliteLexicalIndex"

    def __init__(
        self,
        path: Path,
        *,
        key: str | None = None,
        extensions: bool = True,
        full_text: bool = True,
        pack_every: int = PACK_EVERY,
    ) -> None:
        """Open the file, or make it; with a key of 64 hexadecimal digits it is encrypted.

        Without `extensions` there is no vector search, without `full_text` no FTS5, as on a SQLite
        that has neither; `pack_every` is how many new rows of an owner make a pack.

        Raises:
            DatabaseError: no database, damaged, not writable.
            SchemaVersionError: written by a newer chatmem.
        """
        self.path = path
        database = SqliteDatabase(path, key=key, extensions=extensions, full_text=full_text)
        self.database = database
        packed = PackedIndex(database)
        dense = DenseIndex(database, packed)
        lexical = SqliteLexicalIndex(database, packed)
        super().__init__(database, packed, lexical, dense, pack_every)
        try:
            self._prepare()
        except BaseException:
            self._db.close()
            raise

    def reindex(self) -> int:
        """Make terms, codes and packed blocks again from the rows, all in one transaction."""
        with self._db.transaction():
            self.lexical.make()
            self.dense.clear_codes()
            return super().reindex()

    def purge(self) -> None:
        """Empty the write-ahead log, which may still hold deleted text."""
        self._db.checkpoint()

    def copy(self, key: str | None) -> "SqliteStore":
        """A copy beside this file, encrypted with the key, or plain without one.

        From here on the file is this thread's alone. What a killed copy has left is wiped.

        Raises:
            DatabaseError: somebody else has the file open, or the disk is full.
        """
        for part in _PARTS:  # of nobody who is at work: this has the file open
            wipe(self._beside(part))
        path = self._beside(NEW)
        self._db.copy_to(path, key)
        shutil.copymode(self.path, path)
        copied = SqliteStore(path, key=key)
        if key is None:
            with copied.transaction():
                copied.database.run("documents.clear_text")
        return copied

    def give_way(self) -> None:
        """Put the copy, which is closed, in this file's place, whole or not at all.

        The old file is wiped: who has waited to open it finds no database, and writes nothing.
        """
        path, new, old = self.path.resolve(), self._beside(NEW), self._beside(OLD)
        if self._beside(f"{NEW}-wal").exists():
            raise DatabaseError(f"{new} was not closed to its end: try again")
        with new.open("r+b") as copied:
            os.fsync(copied.fileno())
        with suppress(OSError):  # some file systems have no second names
            os.link(path, old)
        if os.name == "nt":
            self.close()  # no open file can be replaced there
        os.replace(new, path)
        flush_folder(path.parent)
        wipe(old)
        self.close()

    def _beside(self, ending: str) -> Path:
        path = self.path.resolve()
        return path.with_name(path.name + ending)

    def facts(self) -> Mapping[str, Any]:
        """Path, versions, sizes."""
        return {
            **super().facts(),
            "database_bytes": sum(
                part.stat().st_size
                for part in (self.path, self.path.with_name(self.path.name + "-wal"))
                if part.exists()
            ),
            "backend": f"SQLite {apsw.sqlite_lib_version()}",
            "schema_version": self._db.execute("PRAGMA user_version")[0][0],
        }

    def check(self) -> list[str]:
        """Damage found by SQLite's and FTS5's own integrity checks, a sentence each."""
        try:
            found = [f"{self.path}: {one}" for one in self._db.integrity() if one != "ok"]
        except DatabaseError as error:
            found = [str(error)]
        return found + super().check()

    def _prepare(self) -> None:
        """Migrate and complete the indexes in one transaction."""
        with self._db.transaction():
            upgraded = migrate(self._db.writer, self.path)
            has_rows = bool(self._db.value("index.has_rows"))
            self.lexical.prepare(has_rows=has_rows and not upgraded)
            if not upgraded:
                return
            for row in self._db.rows("index.unindexed"):
                record = to_record(row)
                owner = self.owners.owner(record.user_id)
                # A turn's speaker is its role, as far as older versions know.
                self.memories.enter(owner, [(row[0], record, record.role)])


class SqliteLexicalIndex(LexicalIndex):
    """The table `memory_fts`: the tokens of every row, and which rows hold a term.

    Where it is damaged, or rows were written while FTS5 was missing, a mark in `index_identity`
    says so: writing goes on, tokens are made again from what the rows say, `LIKE` finds a term in
    them, and `chatmem reindex` makes the table again.
    """

    _db: SqliteDatabase

    def prepare(self, *, has_rows: bool) -> None:
        """Make the table where it is missing; rows that it should hold already leave a mark."""
        if self._db.no_full_text or self._db.row("index.has_full_text"):
            return
        self.make()
        if has_rows:
            self._mark("it was missing and has been made empty")

    def make(self) -> None:
        """Make the table anew and empty, without a mark."""
        if self._db.no_full_text:
            return
        for step in ("drop", "create", "secure", "unmark"):
            self._db.run(f"index.{step}_full_text")
        self._db.full_text_damage = None

    def enter(self, owner: Owner, rows: Sequence[Bindings]) -> None:
        """Enter new rows, each with its columns by name."""
        super().enter(owner, rows)
        for row in rows:
            self._write("insert_tokens", owner, row_id=row["row_id"], tokens=row["tokens"])

    def put(self, owner: Owner, key: int, entry: IndexEntry) -> None:
        """Write the row's tokens, `length` and `flags` over those that stand there."""
        self._write("delete_tokens", owner, row_id=key)
        self._write("insert_tokens", owner, row_id=key, tokens=" ".join(entry.tokens))
        super().put(owner, key, entry)

    def remove(self, owner: Owner, row: int) -> None:
        """Take the row out, its tokens from every page of the file."""
        super().remove(owner, row)
        self._write("delete_tokens", owner, row_id=row_id(owner, row))

    def missing(self) -> tuple[Missing, ...]:
        """Why `LIKE` is used; empty where FTS5 serves."""
        if why := self._db.no_full_text:
            return (Missing("full_text", f"FTS5: {why}; LIKE is used instead"),)
        if why := self._marked():
            return (Missing("full_text", f"FTS5: {why}; LIKE is used instead: {_REINDEX}"),)
        return ()

    def check(self) -> list[str]:
        """What is wrong with the table, a sentence each."""
        if self._db.no_full_text:
            return []
        why = self._marked()
        if why is None:
            with self._db.transaction():
                if self._tried("check_full_text") is None:
                    why = self._db.full_text_damage
                elif missing := self._db.value("index.count_without_tokens"):
                    why = f"{missing} rows are not in it"
        if why is None:
            return []
        return [f"{self._db.path}: the full-text index cannot be used ({why}): {_REINDEX}"]

    def _tokens_of(self, owner: Owner, keys: Sequence[int]) -> list[Row]:
        found = None if self.missing() else self._tried("tokens_of", owner, keys=keys)
        return self._db.rows("index.contents_of", owner, keys=keys) if found is None else found

    def _newest(
        self, owner: Owner, first: int, terms: Sequence[str], prefixes: Sequence[str]
    ) -> list[Row]:
        """Keys and tokens of the rows from `first` on; of very many, only those that match.

        To read some hundred rows whole takes a quarter of what FTS5 takes to match them.
        """
        between = key_range(owner, first)
        found = None
        if not self.missing():
            found = self._tried("newest", owner, **between, limit=MOST_READ + 1)
        if found is not None and len(found) > MOST_READ:
            beginnings = [f'"{one}" * OR "{WHOLE}{one}" *' for one in prefixes]
            query = " OR ".join([*(f'"{term}"' for term in terms), *beginnings])
            found = self._tried("match", owner, **between, query=query)
        if found is None:
            found = self._db.rows("index.like", owner, **between, asked=[*terms, *prefixes])
        return found

    def _write(self, name: str, owner: Owner, **bindings: object) -> None:
        """Do it, or leave a mark that the table lacks it."""
        why = self._db.full_text_damage
        if self._db.no_full_text:
            why = "rows were written while FTS5 was missing"
        if why is None and self._tried(name, owner, **bindings) is None:
            why = self._db.full_text_damage
        if why is not None:
            self._mark(why)

    def _tried(self, name: str, owner: Owner | None = None, **bindings: object) -> list[Row] | None:
        """The statement's rows; None where FTS5 rejects a query, or the table is damaged."""
        try:
            return self._db.rows(f"index.{name}", owner, **bindings)
        except DatabaseError as error:
            cause = error.__cause__
            if not isinstance(cause, apsw.SQLError | apsw.CorruptError):
                raise
            if name != "match" or isinstance(cause, apsw.CorruptError):
                self._db.full_text_damage = str(cause)
            return None

    def _mark(self, why: str) -> None:
        self._db.run("index.mark_full_text", why=why)

    def _marked(self) -> str | None:
        marked: str | None = self._db.value("index.full_text_mark")
        return marked if marked is not None else self._db.full_text_damage
