"""One PostgreSQL database: a pool of connections, transactions, snapshots, and errors that name it.

A transaction and a snapshot keep a connection until they end, any other statement takes one from
the pool. Transactions run at READ COMMITTED; what a statement locks (tables/database.py) stays
true until it is written, as on SQLite, where writers take turns, and other users are not held up.

The server hears with a statement who it acts for (security.py), what it locks, and that a
transaction begins: in one round trip.
"""

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, LiteralString, TypeAlias

import psycopg
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool, PoolTimeout

from chatmem.model import Missing
from chatmem.storage.postgres.advice import (
    LOCK_WAIT_S,
    WAIT_S,
    display_address,
    explained,
    refuse_unfit,
    refuse_unreadable,
)
from chatmem.storage.postgres.security import EVERYBODY, NOBODY, SET_ACTING, one_user, role_rights
from chatmem.storage.tables.database import (
    NONE,
    OF_OWNER,
    Bindings,
    Given,
    Row,
    SqlDatabase,
    SqlStatement,
    Statement,
    bindable,
    bound,
)
from chatmem.storage.tables.owners import PassedError
from chatmem.storage.values import Owner
from chatmem.storage.visibility import visible

POOL_SIZE = 16
_MARKS = {
    "visible": visible("r.tag = ANY (m.tag_forms)"),
    "with counters": "LEFT JOIN memory_access a ON a.user_id = m.user_id AND a.row_id = m.row_id",
    "like": 'COLLATE "C" ILIKE',
    "owner": "user_id",
    "row": "user_id = :user_id AND row_id = :row_id",
    "of user": "user_id = :user_id AND ",
    "row key": "user_id, row_id",
    "bound row key": ":user_id, :row_id",
    "in texts": "= ANY (ARRAY(SELECT jsonb_array_elements_text(:{}::jsonb)))",
    "in numbers": "= ANY (ARRAY(SELECT jsonb_array_elements_text(:{}::jsonb)::bigint))",
    "joined": "{}.data || excluded.data",
    "next version": "nextval('document_version')",
    "passed": " + coalesce("
    "(SELECT identity::bigint FROM index_identity WHERE what = 'generation'), 0)",
}
_PARAMETER = re.compile(r"(?<![:\w]):([a-z]\w*)")
_LOCK_OWNER: Final = "SELECT 1 FROM owner WHERE user_id = %(name)s FOR NO KEY UPDATE"
_LOCK_CIRCLE: Final = "SELECT 1 FROM circle WHERE circle_id = %(name)s FOR NO KEY UPDATE"
_SNAPSHOT: LiteralString = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

_SETTINGS = f"""
SET lock_timeout = '{LOCK_WAIT_S}s';
SET jit = off;
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
"""
"""Statements are short, and an index that the user leads serves each of them, whatever is bound: to
plan one takes longer than to execute it, and what is known of a table that grows is always old."""
_CACHED_STATEMENTS = 400
_RECONNECT_S = 3.0
"""The pool waits longer before each attempt to reach a server that is away. After so long it begins
anew with the next caller, so that a server that is back is noticed at once."""
_AWAY_WAIT_S = 1.0
"""Callers wait so long where one has waited in vain: they are told soon, and hold up nobody."""

Connection: TypeAlias = psycopg.Connection[Row]
Setup: TypeAlias = Callable[[psycopg.Connection[Any], str], None]
_Ahead: TypeAlias = list[tuple[LiteralString, Bindings]]
"""What the server hears before a statement, in the same round trip."""
_Work: TypeAlias = Callable[[Connection], psycopg.Cursor[Row]]


@dataclass(slots=True)
class _Session:
    """A thread's transaction or snapshot, and its connection."""

    connection: Connection
    writing: bool
    begin: LiteralString
    """What begins it, sent with its first statement; empty from then on."""
    is_lost: bool = False
    """The connection went back to the pool as broken, and no other one has come yet."""
    first: str | None = None
    """The first user that a statement was given: those that follow act for them too."""
    sent: str = NOBODY
    """Who the server was told last that statements act for."""
    locked: set[tuple[str, object]] = field(default_factory=set)
    known: dict[object, list[Row]] = field(default_factory=dict)
    """In a snapshot, answers to what is asked of an owner alone: the same to the same question."""
    assumed: tuple[SqlStatement, Bindings, str] | None = None
    """What `known` has without having been asked: that comes before anything else is."""


class PostgresDatabase(SqlDatabase):
    """A database on a PostgreSQL server."""

    package = __package__
    marks = _MARKS

    def __init__(
        self, address: str, *, pool_size: int = POOL_SIZE, setup: Setup | None = None
    ) -> None:
        """Reach the server, and refuse one that cannot serve; the pool fills as it is used.

        `setup` sees the first connection, as the role that connects, and the database's name.

        Raises:
            DatabaseError: it cannot be reached, is too old, or takes no writes.
        """
        refuse_unreadable(address)
        self.name = display_address(address)
        self._local = threading.local()
        self._is_away = False
        with self.errors():
            with psycopg.connect(address, autocommit=True, connect_timeout=WAIT_S) as first:
                refuse_unfit(first, self.name)
                if setup is not None:
                    setup(first, self.name)
                self.rights = role_rights(first)
                """What row-level security is to the role that connects."""
            self._pool: ConnectionPool[Connection] = ConnectionPool(
                address,
                min_size=1,
                max_size=pool_size,
                timeout=WAIT_S,
                reconnect_timeout=_RECONNECT_S,
                kwargs={"autocommit": True, "connect_timeout": WAIT_S, "prepare_threshold": 2},
                configure=self._configure,
                num_workers=1,
                open=True,
                name="chatmem",
            )

    @property
    def writing(self) -> bool:
        """True inside this thread's open transaction."""
        return self._session is not None and self._session.writing

    @property
    def has_failed(self) -> bool:
        """True in a transaction that has failed: what is undone in it goes with all the rest."""
        session = self._session
        status = session and session.connection.info.transaction_status
        return status == TransactionStatus.INERROR

    def execute(
        self, statement: Statement, bindings: Given = NONE, user_id: str | None = None
    ) -> list[Row]:
        """All rows of one statement that whoever it acts for may see; none of many."""
        statement = _whole(statement)
        session = self._session if len(bindings) <= OF_OWNER else None
        if session is None or session.writing or isinstance(bindings, list):
            return self._run(statement, bindings, user_id)
        asked = (self._acts_for(statement, user_id), statement.text, *bindings.items())
        if asked not in session.known:
            session.known[asked] = self._run(statement, bindings, user_id)
        return list(session.known[asked])

    @contextmanager
    def acting_for(self, user_id: str) -> Iterator[None]:
        """Every statement of this thread inside acts for the user, whomever it names."""
        before = getattr(self._local, "acting", None)
        self._local.acting = one_user(user_id)
        try:
            yield
        finally:
            self._local.acting = before

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything executed by this thread inside is written together, or not at all.

        Raises:
            DatabaseError: the server cannot be written; nothing was changed.
        """
        if self.writing:
            yield
            return
        with self.errors(), self._holding("BEGIN", writing=True) as session:
            try:
                yield
                if not session.begin:
                    session.connection.execute("COMMIT")
            except BaseException:
                _end(session, "ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything read by this thread inside sees one state of the database."""
        if self._session is not None:
            yield
            return
        with self.errors(), self._holding(_SNAPSHOT, writing=False) as session:
            try:
                yield
            finally:
                # It has read only; and a rollback makes psycopg forget what it has prepared.
                _end(session, "COMMIT")

    def assume(self, name: str, owner: Owner, row: Row) -> None:
        """What needs nothing else of the snapshot is done without a word to the server."""
        session = self._session
        if session is not None and session.begin and not session.writing:
            statement, bindings = self.statement(name), bound(owner, NONE)
            who = self._acts_for(statement, owner.user_id)
            session.assumed = statement, bindings, owner.user_id
            session.known[who, statement.text, *bindings.items()] = [row]

    def missing(self) -> tuple[Missing, ...]:
        """What this server does not do for us, and why; one that lacks more is refused."""
        why = self.rights.why_open
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
    def _session(self) -> _Session | None:
        session: _Session | None = getattr(self._local, "session", None)
        return session

    def _acts_for(self, statement: SqlStatement, user_id: str | None) -> str:
        """Who the statement acts for, as `chatmem.acting_for` has it."""
        if statement.acts_for == "for everybody":
            return EVERYBODY
        acting: str | None = getattr(self._local, "acting", None)
        if acting is not None:
            return acting
        session = self._session
        if session is not None:
            session.first = session.first if session.first is not None else user_id
            user_id = session.first
        return NOBODY if user_id is None else one_user(user_id)

    def _run(self, statement: SqlStatement, bindings: Given, user_id: str | None) -> list[Row]:
        """Do it on this thread's connection, or on one from the pool; many times for many."""
        text = translated(statement.text)

        def work(connection: Connection) -> psycopg.Cursor[Row]:
            if isinstance(bindings, Mapping):
                return connection.execute(text, _bindable(bindings), binary=True)
            cursor = connection.cursor()
            cursor.executemany(text, map(_bindable, bindings))
            return cursor

        with self.errors():
            who, session = self._acts_for(statement, user_id), self._session
            if session and session.assumed:
                assumed, session.assumed = session.assumed, None
                if self._run(*assumed) not in session.known.values():
                    session.known.clear()
                    raise PassedError
            ahead: _Ahead = []
            if who != (session.sent if session else NOBODY):
                ahead.append((SET_ACTING, {"who": who}))
            if session is None:
                with self._holding("", writing=False) as alone:
                    return self._begun(alone, ahead, work)
            session.sent = who
            if session.writing:
                ahead += _locks(session, statement, bindings, user_id)
            if session.begin:
                return self._begun(session, ahead, work)
            return _sent(session.connection, ahead, work)

    def _begun(self, session: _Session, ahead: _Ahead, work: _Work) -> list[Row]:
        """Do it as the first of a transaction or a snapshot, or alone.

        On another connection if that one turns out to be lost: nothing was done on it yet, and
        what stands alone only reads.
        """
        if session.begin:
            ahead = [(session.begin, NONE), *ahead]
            session.begin = ""
        try:
            return _sent(session.connection, ahead, work)
        except psycopg.OperationalError:
            if not session.connection.broken:
                raise
        session.is_lost = True
        self._pool.putconn(session.connection)
        self._pool.check()  # the server was restarted: the others are lost, too
        session.connection = self._taken()
        session.is_lost = False
        return _sent(session.connection, ahead, work)

    @contextmanager
    def _holding(self, begin: LiteralString, *, writing: bool) -> Iterator[_Session]:
        """A connection for this thread alone, on which `begin` comes before the first statement."""
        before = self._session
        session = self._local.session = _Session(self._taken(), writing, begin)
        try:
            yield session
        finally:
            self._local.session = before
            if not session.is_lost:
                self._pool.putconn(session.connection)

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
        connection.prepared_max = _CACHED_STATEMENTS
        role = self.rights.role
        connection.execute((_SETTINGS + (f"SET ROLE {role};" if role else "")).encode())


@lru_cache(2_048)
def translated(text: str) -> str:
    """A statement with parameters `:name` as psycopg writes them, `%(name)s`."""
    return _PARAMETER.sub(r"%(\1)s", text.replace("%", "%%"))


def _bindable(bindings: Bindings) -> Bindings:
    return {name: bindable(value) for name, value in bindings.items()}


def _whole(statement: Statement) -> SqlStatement:
    return SqlStatement(statement) if isinstance(statement, str) else statement


def _locks(
    session: _Session, statement: SqlStatement, bindings: Given, user_id: str | None
) -> _Ahead:
    """What holds up other transactions on the same user or circle until this one ends."""
    wanted = [(_LOCK_OWNER, user_id)] if user_id is not None else []
    if statement.locks_circle and isinstance(bindings, Mapping):
        wanted.append((_LOCK_CIRCLE, bindings["circle_id"]))
    new = [lock for lock in wanted if lock not in session.locked]
    session.locked.update(new)
    return [(text, {"name": name}) for text, name in new]


def _sent(connection: Connection, ahead: _Ahead, work: _Work) -> list[Row]:
    """The rows of the work, which is done behind these statements in one round trip."""
    with connection.pipeline() if ahead else nullcontext():
        for statement, bindings in ahead:
            connection.execute(statement, bindings)
        cursor = work(connection)
    result = cursor.pgresult
    return cursor.fetchall() if result is not None and result.nfields else []


def _end(session: _Session, how: LiteralString) -> None:
    connection = session.connection
    if not (session.begin or session.is_lost or connection.broken or connection.closed):
        connection.execute(how)
