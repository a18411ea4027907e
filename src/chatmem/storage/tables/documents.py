"""The state of the Markdown files,."""

from collections.abc import Mapping

from chatmem.storage.documents.ports import Stamp
from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.rows import bound
from chatmem.storage.values import KnownDocument, Owner


class DocumentTable:
    """The state in which each Markdown file was last folded in: the table `document`."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("documents")

    def known(self, owner: Owner) -> Mapping[str, KnownDocument]:
        """By path."""
        found = self._db.execute(self._sql["all"], bound(owner))
        return {row[0]: KnownDocument(row[0], row[1], Stamp(*row[2:6]), row[6]) for row in found}

    def put(self, owner: Owner, document: KnownDocument) -> None:
        """Insert or replace."""
        self._db.execute(
            self._sql["put"],
            bound(
                owner,
                path=document.path,
                etag=document.etag,
                held=document.held,
                **document.stamp._asdict(),
            ),
        )

    def delete(self, owner: Owner, path: str) -> None:
        """Forget about the file."""
        self._db.execute(self._sql["delete"], bound(owner, path=path))
