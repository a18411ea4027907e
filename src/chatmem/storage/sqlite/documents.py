"""The state of the Markdown files, on SQLite."""

from collections.abc import Mapping

from chatmem.storage.documents.ports import Stamp
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
        return {row[0]: KnownDocument(row[0], row[1], Stamp(*row[2:6]), row[6]) for row in found}

    def put(self, owner: Owner, document: KnownDocument) -> None:
        """Insert or replace."""
        self._db.execute(
            _SQL["put"],
            (owner.user_id, document.path, document.etag, *document.stamp, document.held),
        )

    def delete(self, owner: Owner, path: str) -> None:
        """Forget about the file."""
        self._db.execute(_SQL["delete"], (owner.user_id, path))
