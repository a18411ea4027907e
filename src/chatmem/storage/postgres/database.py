"""One PostgreSQL database: a pool of connections, transactions, snapshots, and errors that name it.

A statement outside a transaction takes a connection from the pool and gives it back; a transaction
and a snapshot keep theirs until they end. Transactions run at READ COMMITTED, and the first
statement inside that names a user (or a circle) locks that user's row in `owner` (or the circle's):
whoever else writes for the same user waits, so what was read inside is still true when it is
written, as on SQLite, where writers take turns. Other users are not held up.

The server hears with a statement who it acts for (security.py), what it locks, and that a
transaction begins: in one round trip.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, LiteralString, TypeAlias, TypeVar

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from chatmem.errors import DatabaseError
from chatmem.model import Missing
from chatmem.storage.postgres.advice import (
    LOCK_WAIT_S,
    OLDEST,
    WAIT_S,
    explained,
    refuse_unreadable,
    shown,
)
from chatmem.storage.postgres.security import (
    EVERYBODY,
    NOBODY,
    SET_ACTING,
    Standing,
    named,
    one_user,
    standing,
    whole_store_statements,
)
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
_SNAPSHOT: LiteralString = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

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
_RECONNECT_S = 3.0
"""The pool waits longer before each attempt to reach a server that is away. After so long it begins
anew with the next caller, so that a server that is back is noticed at once."""
_AWAY_WAIT_S = 1.0
"""Callers wait so long where one has waited in vain: they are told soon, and hold up nobody."""

Connection: TypeAlias = psycopg.Connection[Row]
Setup: TypeAlias = Callable[[psycopg.Connection[Any], str], None]
_Statement: TypeAlias = tuple[str, Bindings]
_Found = TypeVar("_Found")
_Result = TypeVar("_Result")


@dataclass(slots=True)
class _Held:
    """A connection that a thread keeps for a transaction or a snapshot."""

    connection: Connection
    writing: bool
    begin: LiteralString
    """What begins it, sent with its first statement; empty from then on."""
    is_lost: bool = False
    """The connection went back to the pool as broken, and no other one has come yet."""
    first: str | None = None
    """Who the first statement that named a user acted for: so do those that follow."""
    sent: str = NOBODY
    """Who the server was told last that statements act for."""
    locked: set[tuple[str, object]] = field(default_factory=set)
    known: dict[object, list[Row]] = field(default_factory=dict)
    """Answers of a snapshot: the same to the same question."""


class Database:
    """A database on a PostgreSQL server."""

    def __init__(
        self, address: str, *, pool_size: int = POOL_SIZE, setup: Setup | None = None
    ) -> None:
        """Reach the server, and refuse one that cannot serve; the pool fills as it is used.

        `setup` sees the first connection, as the role that connects, and the database's name.

        Raises:
            DatabaseError: it cannot be reached, is too old, or takes no writes.
        """
        refuse_unreadable(address)
        self.name = shown(address)
        self.rolled_back = 0
        self.no_vectors: str | None = None
        self._local = threading.local()
        self._is_away = False
        with self.errors():
            with psycopg.connect(address, autocommit=True, connect_timeout=WAIT_S) as first:
                self._refuse_unfit(first)
                if setup is not None:
                    setup(first, self.name)
                self._standing = standing(first)
            self._pool: ConnectionPool[Connection] = ConnectionPool(
                address,
                min_size=1,
                max_size=pool_size,
                timeout=WAIT_S,
                reconnect_timeout=_RECONNECT_S,
                kwargs={
                    "autocommit": True,
                    "connect_timeout": WAIT_S,
                    "prepare_threshold": 2,
                },
                configure=self._configure,
                num_workers=1,
                open=True,
                name="chatmem",
            )

    @property
    def writing(self) -> bool:
        """True inside this thread's open transaction."""
        return self._held is not None and self._held.writing

    @property
    def connection(self) -> Connection:
        """The connection of the open transaction or snapshot."""
        held = self._held
        assert held is not None
        if held.begin:
            held.connection.execute(held.begin)
            held.begin = ""
        return held.connection

    @property
    def standing(self) -> Standing:
        """How the role that connects stands to row-level security."""
        return self._standing

    def statements(self, name: str) -> Mapping[str, str]:
        """The statements of `<name>.sql`, as PostgreSQL understands them."""
        return statements(name)

    def execute(self, sql: str, bindings: Bindings = NONE) -> list[Row]:
        """All rows of one statement that whoever it acts for may see; none of one without rows."""
        held = self._held
        if held is None or held.writing:
            return self._run(sql, bindings, lambda one: _executed(one, sql, bindings), _rows_of)
        asked = (self._acts_for(sql, bindings), sql, *bindings.items())
        if asked not in held.known:
            held.known[asked] = self._run(
                sql, bindings, lambda one: _executed(one, sql, bindings), _rows_of
            )
        return list(held.known[asked])

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

        self._run(sql, bindings[0], run, lambda _: None)

    @contextmanager
    def acting_for(self, user_id: str) -> Iterator[None]:
        """Every statement of this thread inside acts for the user, whomever it names."""
        with self._acting(one_user(user_id)):
            yield

    @contextmanager
    def whole_store(self) -> Iterator[None]:
        """Every statement of this thread inside sees the rows of all users."""
        with self._acting(EVERYBODY):
            yield

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
        with self.errors(), self._holding("BEGIN", writing=True) as held:
            try:
                yield
                if not held.begin:
                    held.connection.execute("COMMIT")
            except BaseException:
                self.rolled_back += 1
                _end(held, "ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything read by this thread inside sees one state of the database."""
        if self._held is not None:
            yield
            return
        with self.errors(), self._holding(_SNAPSHOT, writing=False) as held:
            try:
                yield
            finally:
                # It has read only; and a rollback makes psycopg forget what it has prepared.
                _end(held, "COMMIT")

    def missing(self) -> tuple[Missing, ...]:
        """What this server does not do for us, and why; one that lacks more is refused."""
        why = self._standing.why_open
        return (Missing("row_security", why),) if why else ()

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

    @property
    def _held(self) -> _Held | None:
        held: _Held | None = getattr(self._local, "held", None)
        return held

    @contextmanager
    def _acting(self, who: str) -> Iterator[None]:
        before = getattr(self._local, "acting", None)
        self._local.acting = who
        try:
            yield
        finally:
            self._local.acting = before

    def _acts_for(self, sql: str, bindings: Bindings) -> str:
        """Who the statement acts for: what says so stands before what the statement names."""
        if sql in whole_store_statements():
            return EVERYBODY
        acting: str | None = getattr(self._local, "acting", None)
        held = self._held
        if acting is None and held is not None:
            if held.first is None:
                held.first = named(bindings)
            acting = held.first
        elif acting is None:
            acting = named(bindings)
        return NOBODY if acting is None else acting

    def _run(
        self,
        sql: str,
        bindings: Bindings,
        work: Callable[[Connection], _Found],
        result: Callable[[_Found], _Result],
    ) -> _Result:
        """Do it on this thread's connection, or on one from the pool."""
        with self.errors():
            who, held = self._acts_for(sql, bindings), self._held
            if held is None:
                ahead = _acting_for(who) if who != NOBODY else []
                return self._pooled(lambda connection: result(_sent(connection, ahead, work)))
            ahead = _acting_for(who) if who != held.sent else []
            held.sent = who
            if held.writing:
                ahead += _locks(held, bindings)
            if held.begin:
                return result(self._begun(held, ahead, work))
            return result(_sent(held.connection, ahead, work))

    def _begun(
        self, held: _Held, ahead: list[_Statement], work: Callable[[Connection], _Found]
    ) -> _Found:
        """Do it as the first of a transaction or a snapshot.

        On another connection if that one turns out to be lost: nothing was done on it yet.
        """
        ahead = [(held.begin, NONE), *ahead]
        held.begin = ""
        try:
            return _sent(held.connection, ahead, work)
        except psycopg.OperationalError:
            if not held.connection.broken:
                raise
        held.is_lost = True
        self._pool.putconn(held.connection)
        self._pool.check()
        held.connection = self._taken()
        held.is_lost = False
        return _sent(held.connection, ahead, work)

    def _pooled(self, work: Callable[[Connection], _Found]) -> _Found:
        """Do it on a connection from the pool, once more if that one turns out to be lost.

        Outside transactions nothing is written, so doing it twice is harmless.
        """
        connection = self._taken()
        try:
            return work(connection)
        except psycopg.OperationalError:
            if not connection.broken:
                raise
        finally:
            self._pool.putconn(connection)
        self._pool.check()  # the server was restarted: the others are lost, too
        connection = self._taken()
        try:
            return work(connection)
        finally:
            self._pool.putconn(connection)

    @contextmanager
    def _holding(self, begin: LiteralString, *, writing: bool) -> Iterator[_Held]:
        """A connection for this thread alone, on which `begin` comes before the first statement."""
        before = self._held
        held = self._local.held = _Held(self._taken(), writing, begin)
        try:
            yield held
        finally:
            self._local.held = before
            if not held.is_lost:
                self._pool.putconn(held.connection)

    def _taken(self) -> Connection:
        """A connection from the pool."""
        try:
            connection = self._pool.getconn(_AWAY_WAIT_S if self._is_away else WAIT_S)
        except PoolTimeout:
            self._is_away = True
            raise
        self._is_away = False
        return connection

    def _configure(self, connection: psycopg.Connection[Any]) -> None:
        """Settings of a new connection, and the role that it takes on."""
        connection.prepared_max = _KEPT_STATEMENTS
        role = self._standing.role
        connection.execute((_SETTINGS + (f"SET ROLE {role};" if role else "")).encode())

    def _refuse_unfit(self, connection: psycopg.Connection[Any]) -> None:
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


def _acting_for(who: str) -> list[_Statement]:
    return [(SET_ACTING, {"who": who})]


def _locks(held: _Held, bindings: Bindings) -> list[_Statement]:
    """What lets no other transaction read and write what the bindings name, until this one ends."""
    found: list[_Statement] = []
    for kind, statement in _LOCKS.items():
        name = bindings.get(kind)
        if name is not None and (statement, name) not in held.locked:
            found.append((statement, {"name": name}))
            held.locked.add((statement, name))
    return found


def _sent(
    connection: Connection, ahead: Sequence[_Statement], work: Callable[[Connection], _Found]
) -> _Found:
    """Do the work behind these statements, in one round trip."""
    if not ahead:
        return work(connection)
    with connection.pipeline():
        for statement, bindings in ahead:
            connection.execute(statement, bindings)
        return work(connection)


def _executed(connection: Connection, sql: str, bindings: Bindings) -> psycopg.Cursor[Row]:
    return connection.execute(sql, bindings, binary=True)


def _rows_of(cursor: psycopg.Cursor[Row]) -> list[Row]:
    return cursor.fetchall() if cursor.description is not None else []


def _end(held: _Held, how: LiteralString) -> None:
    connection = held.connection
    if not (held.begin or held.is_lost or connection.broken or connection.closed):
        connection.execute(how)
