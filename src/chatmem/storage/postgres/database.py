"""One PostgreSQL database: a pool of connections, transactions, snapshots, and errors that name it.

A statement outside a transaction takes a connection from the pool and gives it back; a transaction
and a snapshot keep theirs until they end. Transactions run at READ COMMITTED, and the first
statement inside that names a user (or a circle) locks that user's row in `owner` (or the circle's):
whoever else writes for the same user waits, so what was read inside is still true when it is
written, as on SQLite, where writers take turns. Other users are not held up.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg_pool import ConnectionPool

from chatmem.errors import DatabaseError
from chatmem.model import Missing
from chatmem.storage.postgres.advice import LOCK_WAIT_S, OLDEST, WAIT_S, explained, shown
from chatmem.storage.postgres.statements import statements, translated
from chatmem.storage.tables.database import Bindings, Row

POOL_SIZE = 16
NONE: Bindings = {}
_LOCKS = {
    "user_id": translated("SELECT 1 FROM owner WHERE user_id = :name FOR NO KEY UPDATE"),
    "viewer": translated("SELECT 1 FROM owner WHERE user_id = :name FOR NO KEY UPDATE"),
    "circle_id": translated("SELECT 1 FROM circle WHERE circle_id = :name FOR NO KEY UPDATE"),
}
"""What a binding's name stands for, and the statement that locks it."""
_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

_SETTINGS = f"""
SET lock_timeout = '{LOCK_WAIT_S}s';
SET jit = off;
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
SET hnsw.iterative_scan = relaxed_order;
SET hnsw.ef_search = 500;
"""
"""Statements are short, and an index that the user leads serves each of them, whatever is bound: to
plan one takes longer than to execute it, and what is known of a table that grows is always old."""
_KEPT_STATEMENTS = 400

Connection = psycopg.Connection[Row]
_Found = TypeVar("_Found")


class Database:
    """A database on a PostgreSQL server."""

    def __init__(self, address: str, *, pool_size: int = POOL_SIZE) -> None:
        """Reach the server, and refuse one that cannot serve; the pool fills as it is used.

        Raises:
            DatabaseError: it cannot be reached, is too old, or takes no writes.
        """
        self.name = shown(address)
        self.rolled_back = 0
        self.no_vectors: str | None = None
        self._local = threading.local()
        with self.errors():
            with psycopg.connect(address, autocommit=True, connect_timeout=WAIT_S) as first:
                self._refuse_unfit(first)
            self._pool: ConnectionPool[Connection] = ConnectionPool(
                address,
                min_size=1,
                max_size=pool_size,
                timeout=WAIT_S,
                kwargs={
                    "autocommit": True,
                    "connect_timeout": WAIT_S,
                    "prepare_threshold": 2,
                },
                configure=_configure,
                num_workers=1,
                open=True,
                name="chatmem",
            )

    @property
    def writing(self) -> bool:
        """True inside this thread's open transaction."""
        return bool(getattr(self._local, "writing", False))

    @property
    def connection(self) -> Connection:
        """The connection of the open transaction or snapshot."""
        connection: Connection = self._local.connection
        return connection

    def statements(self, name: str) -> Mapping[str, str]:
        """The statements of `<name>.sql`, as PostgreSQL understands them."""
        return statements(name)

    def execute(self, sql: str, bindings: Bindings = NONE) -> list[Row]:
        """All rows of one statement; none of one that gives no rows."""
        known: dict[object, list[Row]] | None = getattr(self._local, "known", None)
        if known is None:
            return self._run(lambda connection: _fetched(connection, sql, bindings), bindings)
        asked = (sql, *bindings.items())
        if asked not in known:  # a snapshot gives the same answer to the same question
            known[asked] = self._run(
                lambda connection: _fetched(connection, sql, bindings), bindings
            )
        return list(known[asked])

    def one(self, sql: str, bindings: Bindings = NONE) -> Row | None:
        """The first row of one statement, or None."""
        found = self.execute(sql, bindings)
        return found[0] if found else None

    def many(self, sql: str, bindings: Sequence[Bindings]) -> None:
        """One statement for each of many bindings, inside the open transaction."""
        if not bindings:
            return

        def run(connection: Connection) -> None:
            with connection.cursor() as cursor:
                cursor.executemany(sql, bindings)

        self._run(run, bindings[0])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything executed by this thread inside is written together, or not at all.

        Raises:
            DatabaseError: the server cannot be written; nothing was changed.
        """
        if self.writing:
            with self.errors():
                yield
            return
        with self.errors(), self._held("BEGIN") as connection:
            known = getattr(self._local, "known", None)
            self._local.writing, self._local.locked, self._local.known = True, set(), None
            try:
                yield
                connection.execute("COMMIT")
            except BaseException:
                self.rolled_back += 1
                _roll_back(connection)
                raise
            finally:
                self._local.writing, self._local.known = False, known

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything read by this thread inside sees one state of the database."""
        if getattr(self._local, "connection", None) is not None:
            yield
            return
        with self.errors(), self._held(_SNAPSHOT) as connection:
            self._local.known = {}
            try:
                yield
            finally:
                self._local.known = None
                _roll_back(connection)  # it has read only

    def missing(self) -> tuple[Missing, ...]:
        """Nothing: a server that lacks something is refused."""
        return ()

    def close(self) -> None:
        """Close every connection; a second call does nothing."""
        self._pool.close()

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn psycopg's errors into ours, with the server's name and what to do."""
        try:
            yield
        except psycopg.Error as error:
            raise explained(self.name, error) from error

    def _run(self, work: Callable[[Connection], _Found], bindings: Bindings) -> _Found:
        """Do it on this thread's connection, or on one from the pool."""
        with self.errors():
            held: Connection | None = getattr(self._local, "connection", None)
            if held is None:
                return self._pooled(work)
            if self.writing:
                self._lock(held, bindings)
            return work(held)

    def _lock(self, connection: Connection, bindings: Bindings) -> None:
        """Let no other transaction read and write what the bindings name, until this one ends."""
        locked: set[tuple[str, object]] = self._local.locked
        for kind, statement in _LOCKS.items():
            name = bindings.get(kind)
            if name is not None and (statement, name) not in locked:
                connection.execute(statement, {"name": name})
                locked.add((statement, name))

    def _pooled(self, work: Callable[[Connection], _Found]) -> _Found:
        """Do it on a connection from the pool, once more if that one turns out to be lost.

        Outside transactions nothing is written, so doing it twice is harmless.
        """
        connection = self._pool.getconn()
        try:
            return work(connection)
        except psycopg.OperationalError:
            if not connection.broken:
                raise
        finally:
            self._pool.putconn(connection)
        self._pool.check()  # the server was restarted: the others are lost, too
        with self._pool.connection() as another:
            return work(another)

    @contextmanager
    def _held(self, begin: str) -> Iterator[Connection]:
        """A connection for this thread alone, on which `begin` was executed."""
        connection = self._pool.getconn()
        try:
            try:
                connection.execute(begin)
            except psycopg.OperationalError:
                if not connection.broken:
                    raise
                self._pool.putconn(connection)
                self._pool.check()
                connection = self._pool.getconn()
                connection.execute(begin)
            before = getattr(self._local, "connection", None)
            self._local.connection = connection
            try:
                yield connection
            finally:
                self._local.connection = before
        finally:
            self._pool.putconn(connection)

    def _refuse_unfit(self, connection: Connection) -> None:
        if connection.info.server_version < OLDEST * 10_000:
            version = connection.info.server_version // 10_000
            raise DatabaseError(
                f"{self.name} is PostgreSQL {version}, chatmem needs {OLDEST} or newer: upgrade "
                "the server; nothing was changed"
            )
        found = connection.execute("SHOW transaction_read_only").fetchone()
        if found is not None and found[0] == "on":
            raise DatabaseError(
                f"{self.name} takes no writes (a replica, or a server set to read only): name the "
                "primary in the address, or several hosts with target_session_attrs=read-write"
            )


def _configure(connection: psycopg.Connection[Any]) -> None:
    """Settings of a new connection."""
    connection.prepared_max = _KEPT_STATEMENTS
    connection.execute(_SETTINGS.encode())


def _fetched(connection: Connection, sql: str, bindings: Bindings) -> list[Row]:
    cursor = connection.execute(sql, bindings, binary=True)
    return cursor.fetchall() if cursor.description is not None else []


def _roll_back(connection: Connection) -> None:
    if not connection.broken and not connection.closed:
        connection.execute("ROLLBACK")
