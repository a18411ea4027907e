"""One SQLite file: connections, transactions, what it can do, and errors that name it.

WAL with one writer per process (a lock here, SQLite's own between processes) and one reader a
thread. `synchronous = NORMAL`: a commit survives the death of the process at once, and of the
machine from the next checkpoint on.
"""

import json
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import apsw

from chatmem.errors import DatabaseError
from chatmem.model import Missing
from chatmem.storage.sqlite.cipher import clear_unused, opened
from chatmem.storage.sqlite.migrate import NEWEST
from chatmem.storage.tables.database import (
    NONE,
    OF_OWNER,
    Given,
    Row,
    SqlDatabase,
    Statement,
    T,
    bindable,
    refuse_newer,
)
from chatmem.storage.values import Together, index_entry
from chatmem.storage.visibility import visible
from chatmem.text.normalise import tag_form

BUSY_TIMEOUT_MS = 10_000
CACHE_KIB = 8_192
LOG_PAGES = 32_000
"""128 MiB of log: a commit brings it into the file where the background never could."""
CACHED_STATEMENTS = 256
_MARKS = {
    "visible": visible("tag_matches(m.tags, r.tag)"),
    "with counters": "LEFT JOIN memory_access a USING (row_id)",
    "like": "LIKE",
    "owner": "owner",
    "row": "row_id = :row_id",
    "of user": "",
    "row key": "row_id",
    "bound row key": ":row_id",
    "in texts": "IN (SELECT value FROM json_each(:{}))",
    "in numbers": "IN (SELECT value FROM json_each(:{}))",
    "joined": "CAST({}.data || excluded.data AS BLOB)",
    "next version": "random()",
    "passed": "",
}
_OFF = "switched off"

_MAKE_ANEW = (
    "move it away, keep it, and restore a backup; without one `chatmem reindex` makes it anew from "
    "the Markdown files, unless it was encrypted; conversations are in the database only"
)
_ADVICE: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.NotADBError, f"is not a SQLite database, or its first page is damaged: {_MAKE_ANEW}"),
    (apsw.CorruptError, f"is damaged: {_MAKE_ANEW}"),
    (
        apsw.FullError,
        "could not grow, the disk is full: free some space and try again; nothing was changed",
    ),
    (apsw.ReadOnlyError, "cannot be written: check the permissions of the file and its folder"),
    (
        apsw.CantOpenError,
        "cannot be opened: check that the path is a file in a folder you can write",
    ),
    (
        apsw.BusyError,
        f"is locked by another process for more than {BUSY_TIMEOUT_MS // 1000} s: try "
        "again, or end that process",
    ),
    (apsw.IOError, "could not be read or written: check the disk"),
)


class _OfThread(threading.local):
    writing = False
    reader: apsw.Connection | None = None
    known: dict[tuple[object, ...], list[Row]] | None = None
    """In a snapshot, answers to what is asked of an owner alone: the same to the same question."""


class SqliteDatabase(SqlDatabase):
    """A SQLite file, its connections and its capabilities."""

    package = __package__
    marks = _MARKS

    def __init__(
        self, path: Path, *, key: str | None = None, extensions: bool = True, full_text: bool = True
    ) -> None:
        """Open the file, or make it; with a key of 64 hexadecimal digits it is encrypted.

        Raises:
            DatabaseError: no database, damaged, not writable.
            SchemaVersionError: written by a newer chatmem; nothing was changed.
        """
        self.path = path
        self.name = str(path)
        self.full_text_damage: str | None = None
        self.key = key
        self._extensions = extensions
        self._write_lock = threading.RLock()
        self._shared = Together[Callable[[], Any], Any](lambda: self._write_lock)
        self._local = _OfThread()
        # A reader whose thread has ended is let go, and closes itself.
        self._all: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._closed = False
        self.no_vectors = None if extensions else _OFF
        with self.errors():
            self.writer = self._connect()
            """The connection of the open transaction."""
            self._file = self._file_now()
            modules = [row[0] for row in self.writer.execute("PRAGMA module_list")]
            built = None if "fts5" in modules else "this SQLite was built without it"
            self.no_full_text = built if full_text else _OFF

    @property
    def writing(self) -> bool:
        """True inside this thread's open transaction."""
        return self._local.writing

    def execute(
        self, statement: Statement, bindings: Given = NONE, user_id: str | None = None
    ) -> list[Row]:
        """All rows of one statement, read through this thread's connection; none of many."""
        text = statement if isinstance(statement, str) else statement.text
        if isinstance(bindings, list):
            with self.errors():
                self._connection().executemany(text, bindings)
            return []
        known = None if self.writing or len(bindings) > OF_OWNER else self._local.known
        asked = (text, *bindings.values()) if known is not None else ()
        if known and asked in known:
            return list(known[asked])
        try:  # not `errors`: this is called a dozen times a turn
            found = self._connection().execute(text, bindings).fetchall()
        except apsw.Error as error:
            raise self._explained(error) from error
        if known is not None:
            known[asked] = found
        return found

    @contextmanager
    def acting_for(self, user_id: str) -> Iterator[None]:
        """Nothing: whoever reads the file can read all of it."""
        yield

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything executed by this thread inside is written together, or not at all.

        Raises:
            DatabaseError: the file cannot be written, or another stands in its place; nothing was
                changed.
        """
        local = self._local
        with self._write_lock, self.errors():
            if local.writing:
                yield
                return
            self._open_only()
            self._in_place_only()
            try:
                self.writer.execute("BEGIN IMMEDIATE")
                local.writing = True
                yield
                self.writer.execute("COMMIT")
                self._in_place_only()  # else nobody will ever find what was written
            except BaseException as error:
                if self.writer.in_transaction:
                    self.writer.execute("ROLLBACK")
                if _is_of_full_text(error):  # FTS5 writes when it commits, and finds damage then
                    self.full_text_damage = str(error)
                raise
            finally:
                local.writing = False

    def together(self, work: Callable[[], T]) -> T:
        """What the work gives, in one transaction with that of all who wait for the writer now."""
        found: T = work() if self.writing else self._shared(work, self._all_of)
        return found

    def _all_of(self, works: Sequence[Callable[[], Any]]) -> list[Any]:
        with self.transaction():
            return [work() for work in works]

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything read by this thread inside sees one state of the database."""
        connection = self._connection()
        if connection.in_transaction:
            yield
            return
        with self.errors():
            connection.execute("BEGIN")
            self._local.known = {}
            try:
                yield
            finally:
                self._local.known = None
                connection.execute("COMMIT")

    def integrity(self) -> list[str]:
        """What SQLite's own check says: "ok", or a sentence for each damage.

        On a connection of its own: FTS5 compares with what a connection has read before, and takes
        another connection's writes for damage.
        """
        with self.errors(), closing(self._connect()) as connection:
            return [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Inside, no other process is waited for: what is locked is an error."""
        with self._write_lock, self.errors():
            self.writer.set_busy_timeout(0)
            try:
                yield
            finally:
                self.writer.set_busy_timeout(BUSY_TIMEOUT_MS)

    def checkpoint(self) -> bool:
        """True when the log is in the file, and empty; False while others read an older state."""
        with self.at_once():
            ((busy, _, _),) = self.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return not busy

    def clear_unused(self) -> bool:
        """True when pages of a plain file keep nothing beside their rows; False as `checkpoint`.

        A write behind it makes all connections, of other processes too, read their pages anew.
        """
        page, log = 0, f"{self.name}-wal"
        while self.checkpoint():
            with self.at_once(), self.transaction():
                if os.path.exists(log) and os.path.getsize(log):
                    break  # somebody has written meanwhile
                page = clear_unused(self.path, page)
                self.writer.release_memory()
                for step in ("unmark", "mark") if page else ("unmark", "mark", "unmark"):
                    self.run(f"index.{step}_purge")  # each time a write
            if not page:
                return self.checkpoint()
        return False

    def missing(self) -> tuple[Missing, ...]:
        """What this database cannot do here, and why."""
        why = f"sqlite-vec: {self.no_vectors}; keywords only"
        return () if self.no_vectors is None else (Missing("vectors", why),)

    def close(self) -> None:
        """Close every connection; a second call does nothing.

        Other threads that are reading are interrupted, and told that it is closed.
        """
        if self._closed:
            return
        with self._write_lock:  # what is being written is written to its end
            self._closed = True
            for connection in list(self._all):
                _close(connection)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn SQLite's errors into ours, with the file's name and what to do."""
        try:
            yield
        except apsw.Error as error:
            raise self._explained(error) from error

    def _explained(self, error: apsw.Error) -> DatabaseError:
        if self._closed:
            return DatabaseError(f"{self.path} is closed: open the memory again")
        return DatabaseError(f"{self.path} {_advice(error)} ({error})")

    def _open_only(self) -> None:
        if self._closed:
            raise self._explained(apsw.ConnectionClosedError())

    def _file_now(self) -> tuple[int, int] | None:
        """Which file stands at the path now; None for no file."""
        with suppress(FileNotFoundError):
            status = os.stat(self.name)
            return status.st_dev, status.st_ino
        return None

    def _in_place_only(self) -> None:
        if self._file_now() != self._file:
            raise DatabaseError(
                f"{self.path} was removed or replaced while it was open, nothing is written to it: "
                "close the memory, put the right file there, and open it again"
            )

    def _connection(self) -> apsw.Connection:
        self._open_only()
        local = self._local
        if local.writing:
            return self.writer
        if local.reader is None:
            local.reader = self._connect()
        return local.reader

    def _connect(self) -> apsw.Connection:
        connection = opened(self.path, self.key, CACHED_STATEMENTS)
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        # Else a statement is planned again for each value that is bound, ten times its own cost.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        if not self._all:  # before anything is written
            refuse_newer(self.path, connection.pragma("user_version"), NEWEST)
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}").fetchall()
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        connection.execute("PRAGMA secure_delete = ON").fetchall()
        connection.execute("PRAGMA temp_store = MEMORY")
        if self._extensions:
            self.no_vectors = _load_vec(connection)
        connection.convert_binding = lambda _cursor, _number, value: bindable(value)
        connection.create_scalar_function("tag_matches", _tag_matches, 2, deterministic=True)
        for name, of in _OF_ENTRY.items():
            connection.create_scalar_function(name, of, 1, deterministic=True)
        self._all.add(connection)
        return connection


def _tag_matches(*values: object) -> bool:
    """True when the JSON list `tags` holds the tag, in whatever form it is written."""
    tags, tag = values
    return tag_form(str(tag)) in _tag_forms(str(tags))


@lru_cache(4_096)
def _tag_forms(tags: str) -> frozenset[str]:
    return frozenset(tag_form(str(one)) for one in json.loads(tags))


_OF_ENTRY: dict[str, Callable[..., str | int]] = {
    "index_terms": lambda content: " ".join(index_entry(content).tokens),
    "index_length": lambda content: index_entry(content).length,
    "index_flags": lambda content: index_entry(content).flags,
}
"""What the index keeps of a content."""


def _close(connection: apsw.Connection) -> None:
    """Close a connection that another thread may be using: it is interrupted, then it lets go."""
    until = time.monotonic() + 2
    while True:
        try:
            connection.close()
            return
        except apsw.ThreadingViolationError:
            if time.monotonic() > until:
                return  # closes itself when its thread has done with it
            with suppress(apsw.Error):
                connection.interrupt()
            time.sleep(0.001)


def _load_vec(connection: apsw.Connection) -> str | None:
    """Load sqlite-vec and call one of its functions: loading alone proves nothing."""
    try:
        connection.enable_load_extension(True)
        package: Any = find_spec("sqlite_vec")  # imported, it would load a second SQLite
        connection.load_extension(str(Path(package.origin).with_name("vec0")))
        connection.execute("SELECT vec_version()").fetchone()
    except Exception as error:  # noqa: BLE001 - whatever a damaged package raises
        return f"could not be loaded ({error}); install the package sqlite-vec again"
    finally:
        connection.enable_load_extension(False)
    return None


def _is_of_full_text(error: BaseException) -> bool:
    return isinstance(error, apsw.CorruptError) and "fts5" in str(error)


def _advice(error: apsw.Error) -> str:
    if _is_of_full_text(error):
        return (
            "has a damaged full-text index, nothing was changed: try again, and run "
            "`chatmem reindex` to find by keyword as before"
        )
    for kind, advice in _ADVICE:
        if isinstance(error, kind):
            return advice
    return "answered with an error"
