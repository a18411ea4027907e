"""What the engine asks of the place where a user's Markdown documents are stored.

Files (`folder.py`) and database rows (`tables/people.py`) promise the same: a write is
whole or not at all, it never overwrites a version that the writer has not read, and between `lock`
and its end no other writer that uses this port comes in.

Source: decisions 2.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from chatmem.errors import DocumentError


class Stamp(NamedTuple):
    """What a document looks like from outside; a different stamp means: read it again."""

    modified_ns: int
    changed_ns: int
    size: int
    inode: int


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as it was read or written; `etag` is a hash of its bytes."""

    path: str
    text: str
    etag: str
    stamp: Stamp


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
