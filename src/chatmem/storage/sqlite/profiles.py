"""Profiles as they were last read, on SQLite."""

from chatmem.model import ProfileDocument
from chatmem.model.time import to_text, utc_now
from chatmem.storage.ports import Owner
from chatmem.storage.sqlite.database import Database
from chatmem.storage.sqlite.statements import statements

_SQL = statements("profiles")


class SqliteProfileTable:
    """The table `user_profile`. Source: S2.2."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, owner: Owner, path: str) -> ProfileDocument | None:
        """The cached document, or None."""
        found = self._db.one(_SQL["get"], (owner.user_id, path))
        return ProfileDocument(found[0] or "", found[1]) if found else None

    def put(self, owner: Owner, path: str, document: ProfileDocument) -> None:
        """Insert or replace; no older version stays."""
        with self._db.transaction():
            self._db.execute(_SQL["delete"], (owner.user_id, path))
            # When the cache was made, and no fact about the user: the clock of this machine.
            self._db.execute(
                _SQL["insert"],
                (owner.user_id, path, document.content, document.etag, to_text(utc_now())),
            )
