"""A user's Markdown documents as rows, and who notices that another process has changed them.

The lock is a transaction that has locked the user's row in `owner`: between `lock` and its end a
document and the memories in it are written together, or not at all. Other users are not held up.

Source: decisions 2.
"""

import logging
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
from psycopg.pq import TransactionStatus

from chatmem.errors import InvalidInputError
from chatmem.storage.documents.folder import encoded, etag_of
from chatmem.storage.documents.places import MAIN, SKELETONS, require_document
from chatmem.storage.documents.ports import DocumentChangedError, Stamp, StoredDocument
from chatmem.storage.postgres.advice import WAIT_S, display_address, explained
from chatmem.storage.postgres.database import PostgresDatabase
from chatmem.storage.tables.database import Row

CHANNEL = "chatmem_document"
_LOOK_S = 0.2
"""How long the listener waits for news before it looks whether it is to stop."""
_PAUSE_S = 2.0
"""Before it tries to reach a server that it has lost again."""
_log = logging.getLogger(__name__)


class DocumentRows:
    """The documents of one user as rows of `document_text`. Implements `DocumentStore`."""

    def __init__(self, database: PostgresDatabase, user_id: str) -> None:
        self._db = database
        self._user_id = user_id

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keeps other writers of this user out, in every process; may be nested in a thread."""
        with self._db.transaction():
            self._rows("lock")
            yield

    def initialise(self, *, skeleton: bool = True) -> None:
        """Writes an empty MEMORY.md if there is none. Source: S5.1.3."""
        if not skeleton or self.stamp(MAIN) is not None:
            return
        with self.lock():
            if self.stamp(MAIN) is None:
                self.write(MAIN, SKELETONS[MAIN])

    def stamps(self) -> Mapping[str, Stamp]:
        """Every document there is, by its path."""
        return {path: _stamp(version, size) for path, version, size in self._rows("stamps")}

    def stamp(self, path: str) -> Stamp | None:
        """One document's entry of `stamps`, or None when there is none."""
        found = self._rows("stamp", path)
        return _stamp(*found[0]) if found else None

    def read(self, path: str) -> StoredDocument | None:
        """The document, or None when there is none."""
        found = self._rows("read", path)
        if not found:
            return None
        content, etag, version, size = found[0]
        return StoredDocument(path, content, etag, _stamp(version, size))

    def write(self, path: str, text: str, over: StoredDocument | None = None) -> StoredDocument:
        """Stores the text; inside `lock`, together with all else that is written there.

        Raises:
            DocumentChangedError: the document is no longer what `over` says.
            InvalidInputError: text that a row cannot carry.
        """
        data = encoded(path, text)
        if "\0" in text:
            raise InvalidInputError(f"{path}: the text holds a NUL character; clean it")
        etag = etag_of(data)
        if self._is_lost():
            return StoredDocument(path, text, etag, _stamp(0, len(data)))
        with self.lock():
            if over is not None and self.stamp(path) != over.stamp:
                raise DocumentChangedError(
                    f"{self._user_id}'s {path} was changed by somebody else; read it again"
                )
            ((version,),) = self._rows("write", path, content=text, etag=etag)
        return StoredDocument(path, text, etag, _stamp(version, len(data)))

    def remove(self, path: str) -> None:
        """Removes the document; one that is not there is no error."""
        if self._is_lost():
            return
        with self.lock():
            self._rows("remove", path)

    def _is_lost(self) -> bool:
        """True in a transaction that has failed: what is undone in it goes with all the rest."""
        if not self._db.writing:
            return False
        return self._db.connection.info.transaction_status == TransactionStatus.INERROR

    def _rows(self, name: str, path: str | None = None, **bindings: object) -> list[Row]:
        if path is not None:
            require_document(path)
        named = {"user_id": self._user_id, "path": path, **bindings}
        return self._db.execute(self._db.statement(f"document_rows.{name}"), named, self._user_id)


class DocumentRowPlaces:
    """The documents of all users of a database. Implements `DocumentPlaces`.

    One connection hears of every changed document and calls who waits for its user. Nobody says
    anything to a connection that is lost: when there is one again, everybody is called.
    """

    def __init__(self, address: str, database: PostgresDatabase) -> None:
        self._address = address
        self._database = database
        self._lock = threading.Lock()
        self._calls: dict[str, Callable[[], None]] = {}
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self.why = "it has not been started"
        """Why nobody hears of changes; empty while they are heard."""

    def of(self, user_id: str) -> DocumentRows:
        """The user's documents."""
        return DocumentRows(self._database, user_id)

    def watcher(self, user_id: str, on_change: Callable[[], None]) -> "DocumentWatch":
        """Who calls when another process has written the user's documents."""
        return DocumentWatch(self, user_id, on_change)

    def close(self) -> None:
        """End the listening; a call that is running finishes."""
        self._stopped.set()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(WAIT_S)

    def add(self, user_id: str, call: Callable[[], None]) -> None:
        """Call this whenever a document of the user has changed; the first one starts it."""
        with self._lock:
            self._calls[user_id] = call
            if self._thread is None and not self._stopped.is_set():
                self._thread = threading.Thread(
                    target=self._run, name="chatmem-listener", daemon=True
                )
                self._thread.start()

    def discard(self, user_id: str) -> None:
        """Nobody waits for this user any more."""
        with self._lock:
            self._calls.pop(user_id, None)

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._listen()
            except psycopg.Error as error:
                reason = explained(display_address(self._address), error)
                self.why = (
                    f"listening for edits failed: {reason}; it is tried again, and meanwhile edits "
                    "are found by the next search"
                )
                _log.warning("%s", self.why)
                self._stopped.wait(_PAUSE_S)
        self.why = "it was stopped"

    def _listen(self) -> None:
        with psycopg.connect(
            self._address,
            autocommit=True,
            connect_timeout=WAIT_S,
            # Who only listens would not notice for hours that the other end has gone.
            keepalives_idle=20,
            keepalives_interval=10,
            keepalives_count=3,
        ) as connection:
            connection.execute(f"LISTEN {CHANNEL}".encode())
            self.why = ""
            with self._lock:
                waiting = list(self._calls)
            self._notify(waiting)
            while not self._stopped.is_set():
                self._notify({one.payload for one in connection.notifies(timeout=_LOOK_S)})

    def _notify(self, changed: Collection[str]) -> None:
        for user_id in changed:
            with self._lock:
                call = self._calls.get(user_id)
            if call is None or self._stopped.is_set():
                continue
            try:
                call()
            except Exception as error:  # noqa: BLE001 - one user's trouble must not end the rest
                _log.warning("an edit of %s is not folded in yet: %s", user_id, error)


@dataclass(frozen=True, slots=True)
class DocumentWatch:
    """One user's share of what is heard. Implements `Watching`."""

    places: DocumentRowPlaces
    user_id: str
    on_change: Callable[[], None]

    @property
    def why(self) -> str:
        """Why changes are not noticed; empty while they are."""
        return self.places.why

    def start(self) -> None:
        """Calls from now on."""
        self.places.add(self.user_id, self.on_change)

    def stop(self) -> None:
        """Calls no more."""
        self.places.discard(self.user_id)


def _stamp(version: int, size: int) -> Stamp:
    return Stamp(modified_ns=version, changed_ns=0, size=size, inode=0)
