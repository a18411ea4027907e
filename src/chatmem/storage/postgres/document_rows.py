"""A user's Markdown documents as rows.

The lock is a transaction that has locked the user's row in `owner`: between `lock` and its end a
document and the memories in it are written together, or not at all. Other users are not held up.

Source: decisions 2.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from chatmem.errors import InvalidInputError
from chatmem.storage.documents.folder import encoded, etag_of
from chatmem.storage.documents.places import MAIN, SKELETONS, require_document
from chatmem.storage.documents.ports import DocumentChangedError, Stamp, StoredDocument
from chatmem.storage.postgres.database import PostgresDatabase
from chatmem.storage.tables.database import Row


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
        if self._db.has_failed:
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
        if self._db.has_failed:
            return
        with self.lock():
            self._rows("remove", path)

    def erase(self) -> None:
        """Nothing: these rows go with all others of the user."""

    def _rows(self, name: str, path: str | None = None, **bindings: object) -> list[Row]:
        if path is not None:
            require_document(path)
        named = {"user_id": self._user_id, "path": path, **bindings}
        return self._db.execute(self._db.statement(f"document_rows.{name}"), named, self._user_id)


def _stamp(version: int, size: int) -> Stamp:
    return Stamp(modified_ns=version, changed_ns=0, size=size, inode=0)
