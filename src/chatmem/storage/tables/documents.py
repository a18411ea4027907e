"""What was last read of a user's documents: their states, and the profiles' text."""

from collections.abc import Mapping

from chatmem.model import ProfileDocument
from chatmem.model.time import to_text, utc_now
from chatmem.storage.documents.ports import Stamp
from chatmem.storage.tables.database import Table
from chatmem.storage.values import KnownDocument, Owner


class DocumentTable(Table):
    """The state in which each Markdown file was last folded in: the table `document`."""

    def known(self, owner: Owner) -> Mapping[str, KnownDocument]:
        """By path."""
        return {
            path: KnownDocument(path, etag, Stamp(*stamp), held)
            for path, etag, *stamp, held in self._db.rows("documents.all", owner)
        }

    def put(self, owner: Owner, document: KnownDocument) -> None:
        """Insert or replace."""
        named = {"path": document.path, "etag": document.etag, "held": document.held}
        self._db.run("documents.put", owner, **named, **document.stamp._asdict())

    def delete(self, owner: Owner, path: str) -> None:
        """Forget about the file."""
        self._db.run("documents.delete", owner, path=path)


class ProfileTable(Table):
    """USER.md and HOUSEHOLD.md as they were last read: the table `user_profile`. Source: S2.2."""

    def get(self, owner: Owner, path: str) -> ProfileDocument | None:
        """The cached document, or None."""
        found = self._db.row("profiles.get", owner, path=path)
        return ProfileDocument(found[0] or "", found[1]) if found else None

    def put(self, owner: Owner, path: str, document: ProfileDocument) -> None:
        """Insert or replace; no older version stays."""
        # When the cache was made, and no fact about the user: the clock of this machine.
        named = {"content": document.content, "etag": document.etag, "at": to_text(utc_now())}
        with self._db.transaction():
            self._db.run("profiles.delete", owner, path=path)
            self._db.run("profiles.insert", owner, path=path, **named)
