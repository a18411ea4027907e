"""The PostgreSQL store: one database on a server, and what its tables do otherwise."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from chatmem.storage.postgres.database import POOL_SIZE, PostgresDatabase
from chatmem.storage.postgres.dense import LARGE_ROWS, PostgresDenseIndex, PostgresPackedIndex
from chatmem.storage.postgres.migrate import migrate
from chatmem.storage.postgres.vacuum import Vacuum
from chatmem.storage.tables.lexical import NewEntry
from chatmem.storage.tables.packed_index import PACK_EVERY
from chatmem.storage.tables.rows import key_range
from chatmem.storage.tables.store import EntryOf, Store
from chatmem.storage.tables.transfer import TABLES, Transfer
from chatmem.storage.values import Owner
from chatmem.text.normalise import tag_form
from chatmem.text.segment import IndexEntry

_NUMBERS = {"owner": ":owner::bigint", "row_id": ":row_id::bigint >> 32"}
"""The owner's number in a row that is moved, by the column that has it."""


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
            "schema_version": self._db.value("server.schema_version"),
            "embedder": self.dense.identity(),
            "waiting_for_vectors": self.dense.queue_length(),
        }

    def check(self) -> list[str]:
        """Rows that an index lacks, a sentence each."""
        return self._full_text.check()

    def _dense_index(self) -> PostgresDenseIndex:
        return PostgresDenseIndex(self._db, self._owners, self._packed)


class PostgresFullText:
    """Tokens of rows beside their facts, in the table `memory_index`.

    Older rows are packed. The newest of an owner are so few that they are read whole, by the
    primary key: an index of words over everybody's rows would have to be kept up for no gain.
    """

    def __init__(self, database: PostgresDatabase) -> None:
        self._db = database

    def enter(self, owner: Owner, rows: Sequence[NewEntry]) -> None:
        """Enter new rows."""
        bindings = (
            {"row_id": row.key, "tokens": " ".join(row.tokens), **row.facts} for row in rows
        )
        self._db.many("index.insert_row", owner, bindings)

    def change(self, owner: Owner, key: int, entry: IndexEntry) -> None:
        """The row's text is another."""
        facts = {"length": len(entry.tokens), "flags": entry.flags}
        self._db.run("index.update_row", owner, row_id=key, tokens=" ".join(entry.tokens), **facts)

    def remove(self, owner: Owner, key: int) -> None:
        """Take the row out."""
        self._db.run("index.delete_row", owner, row_id=key)

    def tokens_of(self, owner: Owner, keys: Sequence[int]) -> dict[int, str]:
        """The tokens of these rows, blank separated, by key."""
        return dict(self._db.rows("index.tokens_of", owner, keys=json.dumps(list(keys))))

    def newest(
        self, owner: Owner, first: int, terms: Sequence[str], prefixes: Sequence[str]
    ) -> list[tuple[int, str]]:
        """Keys and tokens of all rows from `first` on."""
        found = self._db.rows("index.newest", owner, **key_range(owner, first))
        return [(key, tokens) for key, tokens in found]

    def make(self) -> None:
        """Nothing has to go before every row is changed."""

    def check(self) -> list[str]:
        """Rows that have no tokens, in a sentence."""
        missing = self._db.value("index.count_without_tokens")
        if missing:
            why = f"{missing} rows are not in the index of words"
            return [f"{self._db.name}: {why}: run `chatmem reindex`"]
        return []


class PostgresTransfer(Transfer):
    """All rows of a PostgreSQL database, where the user leads every table."""

    def _source(self, table: str) -> str:
        by_number = "owner" in TABLES[table][0].split()
        return f"{table} t JOIN owner o ON o.user_id = t.user_id" if by_number else f"{table} t"

    def _column(self, name: str) -> str:
        return "o.number" if name == "owner" else f"t.{name}"

    def _insert(
        self, table: str, values: Mapping[str, str], rows: Sequence[dict[str, Any]], **of_owner: str
    ) -> None:
        numbers = [number for name, number in _NUMBERS.items() if name in values]
        if "user_id" not in values and numbers:
            columns = {name: value for name, value in values.items() if name != "owner"}
            values = columns | {"user_id": "o.user_id"}
            of_owner = {"number": numbers[0]}
        if table == "memory_index":  # empty until the index is made again
            values = {**values, "tokens": "''"}
        if table == "atomic_memory":
            values = {**values, "tag_forms": ":tag_forms"}
            rows = [
                {**row, "tag_forms": [tag_form(tag) for tag in json.loads(row["tags"])]}
                for row in rows
            ]
        super()._insert(table, values, rows, **of_owner)
