"""The state of the Markdown files, on SQLite."""

from collections.abc import Mapping
from dataclasses import asdict

from chatmem.storage.ports import KnownDocument, Owner
from chatmem.storage.sqlite.database import Database
from chatmem.storage.sqlite.statements import statements

_SQL = statements("documents")


class SqliteDocumentTable:
    """The table `document`."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def known(self, owner: Owner) -> Mapping[str, KnownDocument]:
        """By path."""
        found = self._db.execute(_SQL["all"], (owner.user_id,))
        return {row[0]: KnownDocument(*row) for row in found}

    def put(self, owner: Owner, document: KnownDocument) -> None:
        """Insert or replace."""
        self._db.execute(_SQL["put"], {"user_id": owner.user_id, **asdict(document)})

    def delete(self, owner: Owner, path: str) -> None:
        """Forget about the file."""
        self._db.execute(_SQL["delete"], (owner.user_id, path))
