"""The PostgreSQL store: one database on a server, and what its tables do otherwise."""

import json
import logging
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

import psycopg

from chatmem.storage.postgres.advice import LOCK_WAIT_S, WAIT_S, display_address, explained
from chatmem.storage.postgres.database import PostgresDatabase
from chatmem.storage.postgres.dense import PostgresDenseIndex
from chatmem.storage.postgres.migrate import migrate
from chatmem.storage.tables.lexical import LexicalIndex
from chatmem.storage.tables.packed_index import PACK_EVERY, PackedIndex
from chatmem.storage.tables.store import PURGE_WAIT_S, Store
from chatmem.storage.tables.transfer import TABLES, Transfer
from chatmem.text.normalise import tag_form

_TAG_FORMS = "ARRAY(SELECT jsonb_array_elements_text(:tag_forms::jsonb))"
_NUMBERS = {"owner": ":owner::bigint", "row_id": ":row_id::bigint >> 32"}
"""The owner's number in a row that is moved, by the column that has it."""
_TABLES = """
SELECT oid::regclass::text FROM pg_class
WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace
"""
"""All of them: hardly one holds no words of people, or what is made of them; partitions are done
with their table."""
CALM_S = 2.0
"""After a deletion: mostly another one follows."""
LEAST_APART_S = 30.0
SHARE = 10
"""A round that took a second is followed by none for ten."""
LONGEST_S = 6 * 3600.0
LAST_S = 5.0
"""For one table of the round at the end of a process."""
_VACUUM_SETTINGS = f"SET lock_timeout = '{LOCK_WAIT_S}s'; SET vacuum_cost_delay = '2ms'"
"""As slow as the server's own rounds."""
_log = logging.getLogger(__name__)


class PostgresStore(Store):
    """Everything that is kept, in one PostgreSQL database."""

    _db: PostgresDatabase
    database: PostgresDatabase

    def __init__(self, address: str, *, pack_every: int = PACK_EVERY) -> None:
        """Open the database, and make its tables if they are missing.

        `address` is a `postgresql://` address.

        Raises:
            DatabaseError: it cannot be reached or written, is too old, or has no pgvector.
            SchemaVersionError: written by a newer chatmem.
        """
        database = PostgresDatabase(address, setup=migrate)
        packed = PackedIndex(database)
        dense = PostgresDenseIndex(database, packed)
        lexical = LexicalIndex(database, packed)
        super().__init__(database, packed, lexical, dense, pack_every)
        self._vacuum = Vacuum(address)
        self.transfer = PostgresTransfer(database)

    def purge(self, wait_s: float = PURGE_WAIT_S) -> bool:
        """True: no statement reads deleted rows, and VACUUM frees them soon, in the background."""
        self._vacuum.ask()
        return True

    def close(self) -> None:
        """Let go of every connection."""
        super().close()
        self._vacuum.close()

    def facts(self) -> Mapping[str, Any]:
        """Address, versions, sizes."""
        server, pgvector = self._db.row("server.versions") or ("", "")
        return {
            **super().facts(),
            "database_bytes": int(self._db.value("server.sizes")),
            "backend": f"PostgreSQL {server}, pgvector {pgvector}",
            "schema_version": self._db.value("server.schema_version"),
        }


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
            values = {**values, "tag_forms": _TAG_FORMS}
            rows = [
                {**row, "tag_forms": [tag_form(tag) for tag in json.loads(row["tags"])]}
                for row in rows
            ]
        super()._insert(table, values, rows, **of_owner)


class Vacuum:
    """What was deleted leaves the tables soon, and not when the server would come by.

    A deleted row stays in its page until VACUUM frees it, and the server's own rounds go by how
    many rows are dead: one forgotten memory among a million would wait for weeks. A deletion asks
    for a round in a background thread; several share one. What stays in logs, replicas and backups
    is said in docs/scale.md.
    """

    def __init__(self, address: str, *, calm_s: float = CALM_S) -> None:
        self._address = address
        self._calm_s = calm_s
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._wanted = False
        self._not_before = 0.0
        self.rounds = 0
        """How many have ended."""

    def ask(self) -> None:
        """See that a round begins after this call, soon."""
        with self._lock:
            self._wanted = True
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(
                    target=self._run, name="chatmem-vacuum", daemon=True
                )
                self._thread.start()

    def close(self) -> None:
        """End, with a last round where one is still wanted: a command deletes, and is over."""
        self._stop.set()
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()
        if self._wanted:
            self._wanted = False
            self._round(LAST_S)

    def _run(self) -> None:
        while not self._stop.wait(max(self._calm_s, self._not_before - time.monotonic())):
            with self._lock:
                if not self._wanted:
                    self._thread = None
                    return
                self._wanted = False
            began = time.monotonic()
            self._round(LONGEST_S)
            took = time.monotonic() - began
            self._not_before = time.monotonic() + max(LEAST_APART_S, SHARE * took)

    def _round(self, longest_s: float) -> None:
        """VACUUM, as the role that connects; what it may not do it says, and is left undone."""
        settings = f"{_VACUUM_SETTINGS}; SET statement_timeout = '{longest_s:.0f}s'"
        try:
            with psycopg.connect(
                self._address, autocommit=True, connect_timeout=WAIT_S
            ) as connection:
                connection.execute(settings.encode())
                for (table,) in connection.execute(_TABLES.encode()).fetchall():
                    if self._stop.is_set() and longest_s > LAST_S:
                        self._wanted = True  # the last one, when this closes
                        return
                    connection.execute(f"VACUUM {table}".encode())
        except psycopg.Error as error:
            why = explained(display_address(self._address), error)
            _log.warning("deleted rows are not vacuumed yet: %s", why)
        else:
            self.rounds += 1
