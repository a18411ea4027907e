"""Profiles as they were last read,."""

from chatmem.model import ProfileDocument
from chatmem.model.time import to_text, utc_now
from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.rows import bound
from chatmem.storage.values import Owner


class ProfileTable:
    """USER.md and HOUSEHOLD.md as they were last read: the table `user_profile`. Source: S2.2."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("profiles")

    def get(self, owner: Owner, path: str) -> ProfileDocument | None:
        """The cached document, or None."""
        found = self._db.one(self._sql["get"], bound(owner, path=path))
        return ProfileDocument(found[0] or "", found[1]) if found else None

    def put(self, owner: Owner, path: str, document: ProfileDocument) -> None:
        """Insert or replace; no older version stays."""
        with self._db.transaction():
            self._db.execute(self._sql["delete"], bound(owner, path=path))
            # When the cache was made, and no fact about the user: the clock of this machine.
            self._db.execute(
                self._sql["insert"],
                bound(
                    owner,
                    path=path,
                    content=document.content,
                    etag=document.etag,
                    at=to_text(utc_now()),
                ),
            )
