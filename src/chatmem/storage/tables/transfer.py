"""All rows of a database, or of one user, by table: moved, backed up, exported, deleted.

What the dialects name differently is who a row belongs to: on SQLite a row's key has its owner's
number, on PostgreSQL the owner leads as `user_id`.
"""

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from chatmem.model import AtomicMemoryRecord
from chatmem.storage.tables.database import NONE, Table
from chatmem.storage.tables.owners import key_range
from chatmem.storage.values import MovedRow, Owner

PAGE_ROWS: Final = 1_000
_MARK: Final = "moving from"
_OF_USER: Final[Mapping[str, str]] = {
    "user_id": "t.user_id = :user_id",
    "owner": "t.owner = :owner",
    "row_id": "t.row_id BETWEEN :low AND :high",
    "rowid": "t.rowid BETWEEN :low AND :high",
}
"""What finds the rows of a user by a column; the first of these that a table has counts."""
_SHARED: Final = {
    "circle": "t.circle_id IN (SELECT circle_id FROM membership WHERE user_id = :user_id)",
    "role_rule": "1 = 0",
    "setting": "1 = 0",
}
"""Tables of several users, or of none, that are part of a place; what one of them has of these."""
_UNSEEN: Final = dict.fromkeys(("modified_ns", "changed_ns", "size", "inode"), "0")
"""Of a document's state, what belongs to the place where it lies: there it is looked at anew."""

TABLES: Final[Mapping[str, tuple[str, str]]] = {
    "owner": ("number", "user_id next_row"),
    "atomic_memory": (
        "row_id",
        " ".join(column.name for column in fields(AtomicMemoryRecord) if column.compare),
    ),
    "memory_access": ("row_id", "last_accessed access_count"),
    "memory_history": ("number", "user_id memory_id at action reason before after"),
    "tombstone": ("user_id content_hash", "at"),
    "conversation": (
        "id",
        "user_id session_id role content create_time is_collected app_type speaker source_id "
        "memory_id",
    ),
    "session_summary": (
        "id",
        "user_id session_id title snippet created_at updated_at message_count made_by",
    ),
    "user_profile": ("id", "user_id content updated_at document etag"),
    "working_memory": (
        "user_id session_id",
        "current_topic context_variables turn_count last_emotion created_at updated_at "
        "open_message analysed pending",
    ),
    "session": ("owner session_id", "number last_row created_at updated_at title ended_at"),
    "speaker": ("owner name", "number terms"),
    "memory_index": ("row_id", "length session previous speaker flags"),
    "memory_vector": ("row_id", "text_hash vector"),
    "vector_queue": ("row_id", ""),
    "job": ("number", "user_id kind session_id due_at attempts asked error given_up_at"),
    "extraction": ("user_id session_id", "extracted_to extracted_at flush"),
    "handled_event": ("user_id session_id event_id", "at"),
    "receipt": ("user_id id", "session_id created_at body"),
    "api_key": ("id", "hash user_id is_admin created_at revoked_at"),
    "circle": ("circle_id", "kind name head created_at"),
    "membership": ("user_id circle_id", "role joined_at"),
    "invitation": ("user_id circle_id", "role invited_at"),
    "role_rule": ("role effect tag", ""),
    "setting": ("name", "value"),
    "document": ("user_id path", "etag held"),
}
"""By table the columns of its key, and the others; tables that others refer to come first."""
KEPT: Final = (
    *("atomic_memory", "conversation", "circle", "api_key", "setting"),
    *("memory_fts", "document_text"),
)
"""What `clear` leaves: rows that nobody may lose, what `reindex` makes anew, documents."""
LEFT: Final = (
    *("memory_fts", "memory_code", "memory_near", "packed_posting", "packed_row", "packed_code"),
    *("memory_vector_next", "document_text", "idempotent_answer"),
)
"""Tables with rows of users that are not moved: they are made again, or are the documents
themselves, or stand for requests of that place."""


class Transfer(Table):
    """Rows of every table that is not derived, in an order and with columns that all stores share.

    The first columns of a row are its key. Reading goes on behind a key, and rows that are there
    are left as they are: a move that was interrupted goes on where it stopped.
    """

    def is_empty(self) -> bool:
        """True where nobody has stored anything yet."""
        return bool(self._db.value("transfer.is_empty"))

    def begun(self) -> str | None:
        """Where the move that was begun into this store comes from; None where none was."""
        origin: str | None = self._db.value("transfer.begun", what=_MARK)
        return origin

    def begin(self, origin: str) -> None:
        """A move begins: what a new store has from the start goes, and the origin is noted."""
        with self._db.transaction():
            self._db.run("transfer.no_owners")
            self._db.run("transfer.no_rules")
            self._db.run("transfer.mark", what=_MARK, identity=origin)

    def finish(self) -> None:
        """The move is over: numbers go on behind those that were moved, and caches are stale."""
        with self._db.transaction():
            self._db.run("transfer.pass_versions", passed=time.time_ns() // 1_000_000)
            for name in self._db.statements("transfer"):
                if name.startswith("go_on_"):
                    self._db.run(f"transfer.{name}")
            self._db.run("transfer.unmark", what=_MARK)

    def count(self, table: str, owner: Owner | None = None) -> int:
        """How many rows there are of everybody, or of one owner."""
        statement = self._db.statement("transfer.count").filled(
            table=table, among=f"WHERE {self._among(table, owner)}"
        )
        return int(self._db.value(statement, **_bound(owner)))

    def key(self, table: str, row: MovedRow) -> MovedRow:
        """The key that leads the row."""
        return row[: len(TABLES[table][0].split())]

    def last(self, table: str) -> MovedRow | None:
        """The key of the last row, None where there is none."""
        key = [self._column(name) for name in TABLES[table][0].split()]
        down = ", ".join(f"{column} DESC" for column in key)
        statement = self._db.statement("transfer.last")
        return self._db.row(
            statement.filled(key=", ".join(key), source=self._source(table), down=down)
        )

    def pages(
        self, table: str, size: int, after: MovedRow | None = None, owner: Owner | None = None
    ) -> Iterator[list[MovedRow]]:
        """The rows behind a key, in the order of their keys, `size` at a time.

        Of one owner where one is given: those of the user, and the circles that the user is in.
        """
        names = TABLES[table][0].split()
        key = ", ".join(map(self._column, names))
        behind = f"({key}) > ({', '.join(f':{name}' for name in names)})"
        bindings = dict(_bound(owner))
        while True:
            wanted = [self._among(table, owner), *([behind] if after else [])]
            statement = self._db.statement("transfer.page").filled(
                columns=", ".join(map(self._column, _columns(table))),
                source=self._source(table),
                among=f"WHERE {' AND '.join(wanted)}",
                key=key,
            )
            page = self._db.rows(statement, **bindings, limit=size)
            if not page:
                return
            yield page
            after = self.key(table, page[-1])
            bindings |= zip(names, after, strict=True)

    def checksum(self, table: str, owner: Owner | None = None) -> str:
        """SHA-256 of the rows, in hexadecimal digits."""
        found = hashlib.sha256()
        for page in self.pages(table, PAGE_ROWS, owner=owner):
            for row in page:
                found.update(repr(row).encode())
        return found.hexdigest()

    def owned(self) -> dict[str, str]:
        """By table that has rows of users, the condition for those of one of them.

        Found in the schema, so that no new table is forgotten: by `user_id`, else by the owner's
        number, else by the keys of rows.
        """
        columns = self._db.rows("transfer.columns")
        found: dict[str, str] = {}
        for by, condition in _OF_USER.items():
            for table in (table for table, column in columns if column == by):
                found.setdefault(table, condition)
        return found

    def counts(self, owner: Owner) -> dict[str, int]:
        """By table the rows of the owner, where there are any."""
        counts = {table: self.count(table, owner) for table in self.owned()}
        return {table: count for table, count in counts.items() if count}

    def erase(self, owner: Owner) -> int:
        """Delete all rows of the owner in every table; how many there were.

        Inside a transaction. The owner's number is not given again.
        """
        counts = self.counts(owner)
        self._db.run("owners.retire", number=owner.number)
        for table in counts:
            self._delete(table, owner)
        self._db.run("people.touch")
        return sum(counts.values())

    def clear(self) -> None:
        """Delete all rows but those of `KEPT`, and which embedder they had, in a transaction."""
        for table in {*self.owned(), *_SHARED}.difference(KEPT):
            self._delete(table)
        self._db.run("transfer.no_embedder")
        self._db.run("people.touch")
        self._db.run("settings.touch")

    def put(self, table: str, rows: Sequence[MovedRow]) -> None:
        """Add those that are not there; inside a transaction."""
        names = _columns(table)
        given = [dict(zip(names, row, strict=True)) for row in rows]
        unseen = _UNSEEN if table == "document" else {}
        self._insert(table, {name: f":{name}" for name in names} | unseen, given)

    def _among(self, table: str, owner: Owner | None) -> str:
        return "1 = 1" if owner is None else {**_SHARED, **self.owned()}[table]

    def _delete(self, table: str, owner: Owner | None = None) -> None:
        statement = self._db.statement("transfer.delete").filled(
            table=table, among=f"WHERE {self._among(table, owner)}"
        )
        self._db.run(statement, **_bound(owner))

    def _source(self, table: str) -> str:
        """What the table's rows are read from."""
        return f"{table} t"

    def _column(self, name: str) -> str:
        """A column of these rows; that of the owner's number may stand elsewhere."""
        return f"t.{name}"

    def _insert(
        self, table: str, values: Mapping[str, str], rows: Sequence[dict[str, Any]], **of_owner: str
    ) -> None:
        """Add rows: `values` says of each column what is put into it."""
        name = "transfer.put_of_owner" if of_owner else "transfer.put"
        statement = self._db.statement(name).filled(
            table=table, names=", ".join(values), values=", ".join(values.values()), **of_owner
        )
        self._db.many(statement, None, rows)


def _columns(table: str) -> list[str]:
    """All columns that are moved, the key first."""
    return " ".join(TABLES[table]).split()


def _bound(owner: Owner | None) -> Mapping[str, Any]:
    """What the conditions for an owner name."""
    if owner is None:
        return NONE
    return {"user_id": owner.user_id, "owner": owner.number, **key_range(owner)}
