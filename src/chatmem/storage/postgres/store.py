"""The PostgreSQL store: one database on a server, opened, migrated and checked."""

from collections.abc import Mapping
from typing import Any

from chatmem.storage.postgres.database import POOL_SIZE, PostgresDatabase
from chatmem.storage.postgres.dense import LARGE_ROWS, PostgresDenseIndex, PostgresPackedIndex
from chatmem.storage.postgres.full_text import PostgresFullText
from chatmem.storage.postgres.migrate import migrate, version_of
from chatmem.storage.postgres.transfer import PostgresTransfer
from chatmem.storage.postgres.vacuum import Vacuum
from chatmem.storage.tables.packed_index import PACK_EVERY
from chatmem.storage.tables.store import EntryOf, Store


class PostgresStore(Store):
    """Everything that is kept, in one PostgreSQL database."""

    _db: PostgresDatabase
    _packed: PostgresPackedIndex

    def __init__(
        self,
        address: str,
        *,
        pack_every: int = PACK_EVERY,
        pool_size: int = POOL_SIZE,
        partitions: int = 0,
        large_rows: int = LARGE_ROWS,
    ) -> None:
        """Open the database, and make its tables if they are missing.

        `address` is a `postgresql://` address; `pack_every` is how many new rows of an owner make a
        pack, `partitions` into how many hash partitions tables of users are split when they are
        made, 0 for none; owners with at least `large_rows` packed rows have an HNSW index.

        Raises:
            DatabaseError: it cannot be reached or written, is too old, or has no pgvector.
            SchemaVersionError: written by a newer chatmem.
        """
        database = PostgresDatabase(
            address,
            pool_size=pool_size,
            setup=lambda connection, name: migrate(connection, name, partitions),
        )
        packed = PostgresPackedIndex(database, large_rows)
        super().__init__(database, PostgresFullText(database), pack_every, packed)
        self.database = database
        self._vacuum = Vacuum(address)
        self.transfer = PostgresTransfer(database)

    def reindex(self, entry_of: EntryOf) -> int:
        """Make terms, codes and packed blocks again from the rows; how many rows.

        Each owner's in a transaction of its own: others are served meanwhile.
        """
        count = 0
        for owner in self._owners.everybody():
            with self._db.transaction():
                count += self._reindex(owner, entry_of)
                self._db.run("people.touch")
        return count

    def purge(self) -> None:
        """Let deleted rows leave the tables, soon and in the background (vacuum.py)."""
        self._vacuum.ask()

    def close(self) -> None:
        """Let go of every connection."""
        super().close()
        self._vacuum.close()

    def facts(self) -> Mapping[str, Any]:
        """Address, versions, sizes."""
        server, pgvector = self._db.row("server.versions") or ("", "")
        return {
            "database": self._db.name,
            "database_bytes": int(self._db.value("server.sizes")),
            "backend": f"PostgreSQL {server}, pgvector {pgvector}",
            "schema_version": version_of(self._db),
            "embedder": self.dense.identity(),
            "waiting_for_vectors": self.dense.queue_length(),
        }

    def check(self) -> list[str]:
        """Rows that an index lacks, a sentence each."""
        return self._full_text.check()

    def _dense_index(self) -> PostgresDenseIndex:
        return PostgresDenseIndex(self._db, self._owners, self._packed)
