"""The SQLite store: one file, opened, migrated and checked."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw

from chatmem.errors import DatabaseError
from chatmem.storage.sqlite.database import SqliteDatabase
from chatmem.storage.sqlite.full_text import SqliteFullText
from chatmem.storage.sqlite.migrate import migrate, refuse_newer, register_functions
from chatmem.storage.tables.packed_index import PACK_EVERY
from chatmem.storage.tables.rows import to_record
from chatmem.storage.tables.store import EntryOf, Store


class SqliteStore(Store):
    """Everything that is kept, in one SQLite file."""

    _db: SqliteDatabase
    _full_text: SqliteFullText

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
        database = SqliteDatabase(
            path,
            extensions=extensions,
            full_text=full_text,
            inspect=lambda connection: refuse_newer(connection, path),
            setup=register_functions,
        )
        super().__init__(database, SqliteFullText(database), pack_every)
        try:
            self._prepare(entry_of)
        except BaseException:
            self._db.close()
            raise

    def pack(self) -> int:
        """Bring rows that have gathered into the packed index; how many there were."""
        return 0 if self._db.no_full_text else super().pack()

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
            "backend": f"SQLite {apsw.sqlite_lib_version()}",
            "schema_version": self._db.execute("PRAGMA user_version")[0][0],
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

    def _prepare(self, entry_of: EntryOf) -> None:
        """Migrate and complete the indexes in one transaction."""
        with self._db.transaction():
            upgraded = migrate(self._db.writer, self.path)
            has_rows = bool(self._db.value("index.has_rows"))
            self._full_text.prepare(has_rows=has_rows and not upgraded)
            if not upgraded:
                return
            for row in self._db.rows("index.unindexed"):
                record = to_record(row)
                owner = self._owners.owner(record.user_id)
                # A turn's speaker is its role, as far as older versions know.
                entry = replace(entry_of(record), speaker=record.role)
                self.memories.enter(owner, [(row[0], record, entry)])
