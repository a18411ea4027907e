"""What the engine asks of the place where a user's Markdown documents are stored, and a watcher.

Files (`folder.py`) and database rows (`tables/people.py`) promise the same: a write is
whole or not at all, it never overwrites a version that the writer has not read, and between `lock`
and its end no other writer that uses this port comes in.

Source: decisions 2; S5.2.2; lessons.md (a watcher that dies silently or eats descriptors).
"""

import hashlib
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from math import inf
from typing import NamedTuple, Protocol, TypeAlias

from chatmem.errors import DocumentError, InvalidInputError, StorageError

DEBOUNCE_S = 1.5
_LOOK_S = 0.5
_ETAG_CHARS = 32
# A file that is written all the time is reported after so many debounce times.
_PATIENCE = 4


class Stamp(NamedTuple):
    """What a document looks like from outside; a different stamp means: read it again."""

    modified_ns: int
    changed_ns: int
    size: int
    inode: int


class StoredDocument(NamedTuple):
    """A document as it was read or written; `etag` is a hash of its bytes."""

    path: str
    text: str
    etag: str
    stamp: Stamp


def encoded(path: str, text: str) -> bytes:
    """The text in UTF-8.

    Raises:
        InvalidInputError: text that UTF-8 cannot carry.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError(f"{path}: the text holds a lone surrogate; clean it") from error


def etag_of(data: bytes) -> str:
    """A hash of a document's bytes: 32 hexadecimal digits of SHA-256."""
    return hashlib.sha256(data).hexdigest()[:_ETAG_CHARS]


class DocumentChangedError(DocumentError):
    """Somebody else wrote the document since it was read: read it again, then repeat the edit."""


class DocumentBusyError(DocumentError):
    """Another writer has kept the documents' lock for longer than anybody waits."""


class DocumentStore(Protocol):
    """The documents of one user; paths are relative, as in `places`.

    What cannot be read, stored or locked is a DocumentError, and stays as it was.
    """

    def lock(self) -> AbstractContextManager[None]:
        """Keeps other writers out, in this process and in others; may be nested in a thread."""

    def initialise(self, *, skeleton: bool = True) -> None:
        """Creates what is missing. Source: S5.1.3."""

    def stamps(self) -> Mapping[str, Stamp]:
        """Every document there is, without reading any."""

    def stamp(self, path: str) -> Stamp | None:
        """The stamp of one document, or None when there is none."""

    def copies(self) -> Mapping[str, Collection[str]]:
        """What stands beside the documents and nothing reads, and the ids of memories in it."""

    def read(self, path: str, known: StoredDocument | None = None) -> StoredDocument | None:
        """The document, or None when there is none; what is `known` if it looks as it did then."""

    def write(self, path: str, text: str, over: StoredDocument | None = None) -> StoredDocument:
        """Stores the text durably and whole; `over` is the version that the text was made from.

        Raises:
            DocumentChangedError: `over` is given and is no longer what is stored.
        """

    def remove(self, path: str) -> None:
        """Removes the document; one that is not there is no error."""

    def erase(self) -> None:
        """Removes everything there is of this user: documents, and what was left beside them."""


DocumentsOf: TypeAlias = Callable[[str], DocumentStore]
"""The documents of the user with this id, which need not exist yet."""


class DocumentWatcher:
    """Calls `on_change` after documents have changed, when none has for `debounce_s`.

    A convenience that nothing depends on: a search looks at all stamps itself. This looks at the
    same ones, so it sees what a search would see, also behind links, and takes nothing of the
    system: no thread, no descriptor.
    """

    def __init__(
        self,
        folder: DocumentStore,
        on_change: Callable[[], None],
        debounce_s: float = DEBOUNCE_S,
    ) -> None:
        self._folder = folder
        self._on_change = on_change
        self._debounce_s = debounce_s
        self._seen: Mapping[str, Stamp] = {}
        self._looked_s = -inf
        self._first_s = self._last_s = inf  # when the changes were seen that are not reported yet
        self.why = ""
        """Why changes are not noticed, as a sentence for a person; empty while they are."""

    def look(self) -> None:
        """Look at all stamps, at most every half second; to be called again and again."""
        now_s = time.monotonic()
        if now_s - self._looked_s < min(_LOOK_S, self._debounce_s):
            return
        self._looked_s = now_s
        try:
            stamps = self._folder.stamps()
        except StorageError as error:
            self.why = f"{error}; edits are found by the next search"
            return
        self.why = ""
        if stamps != self._seen:
            self._seen, self._last_s = stamps, now_s
            self._first_s = min(self._first_s, now_s)
        is_quiet = now_s - self._last_s >= self._debounce_s
        if is_quiet or now_s - self._first_s >= _PATIENCE * self._debounce_s:
            self._first_s = self._last_s = inf
            self._on_change()
