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
from chatmem.storage.tables.database import NONE, SqlStatement, Table
from chatmem.storage.tables.owners import key_range
from chatmem.storage.values import MovedRow, Owner

_PAGE_ROWS: Final = 1_000
_OF_USER: Final[Mapping[str, str]] = {
    "user_id": "t.user_id = :user_id",
    "owner": "t.owner = :owner",
    "row_id": "t.row_id BETWEEN :low AND :high",
    "rowid": "t.rowid BETWEEN :low AND :high",
}
"""What finds the rows of a user by a column; the first of these that a table has counts."""
_SHARED: Final = {
    "circle": "t.circle_id IN (SELECT circle_id FROM membership WHERE user_id = :user_id)",
    "role_rule": "1 = 1",
    "setting": "1 = 0",
}
"""Tables of several users, or of none, that are part of a place; what one of them has of these."""
_MADE_ANEW: Final[Mapping[str, Mapping[str, str]]] = {
    "document": dict.fromkeys(("modified_ns", "changed_ns", "size", "inode"), "0"),
    "memory_index": dict.fromkeys(("length", "flags"), "0"),
}
"""Of a table, what belongs to the place where it lies, or is made of contents there."""

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
    "memory_index": ("row_id", "session previous speaker"),
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
"""By table the columns of its key, and the others; tables that others refer to come first.

Left out is what is made again (full text, packed blocks, codes, an index in the making), answers to
idempotent requests, who leases a job, and documents themselves.
"""


class Transfer(Table):
    """Rows of every table that is not derived, in an order and with columns that all stores share.

    The first columns of a row are its key. Reading goes on behind a key; rows that are there are
    left as they are.
    """

    def is_empty(self) -> bool:
        """True where nobody has stored anything yet."""
        return bool(self._db.value("transfer.is_empty"))

    def begin(self) -> None:
        """A move begins: what a new store has from the start goes."""
        for table in TABLES:
            self._db.run(self._filled("delete", table, None))

    def finish(self) -> None:
        """The move is over: numbers go on behind those that were moved, and caches are stale."""
        self._db.run("transfer.pass_versions", passed=time.time_ns() // 1_000_000)
        for name in self._db.statements("transfer"):
            if name.startswith("go_on_"):
                self._db.run(f"transfer.{name}")

    def count(self, table: str, owner: Owner | None = None) -> int:
        """How many rows there are of everybody, or of one owner."""
        return int(self._db.value(self._filled("count", table, owner), **_bound(owner)))

    def pages(self, table: str, owner: Owner | None = None) -> Iterator[list[MovedRow]]:
        """The rows in the order of their keys, some at a time.

        Of one owner where one is given: those of the user, and the circles that the user is in.
        """
        names = TABLES[table][0].split()
        key = ", ".join(map(self._column, names))
        among, bindings = self._among(table, owner), dict(_bound(owner))
        while True:
            statement = self._db.statement("transfer.page").filled(
                columns=", ".join(map(self._column, _columns(table))),
                source=self._source(table),
                among=among,
                key=key,
            )
            page = self._db.rows(statement, **bindings, limit=_PAGE_ROWS)
            if not page:
                return
            yield page
            among = f"{self._among(table, owner)} AND ({key}) > (:{', :'.join(names)})"
            bindings |= zip(names, page[-1], strict=False)

    def checksum(self, table: str, owner: Owner | None = None) -> str:
        """SHA-256 of the rows, in hexadecimal digits."""
        found = hashlib.sha256()
        for page in self.pages(table, owner):
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
            self._db.run(self._filled("delete", table, owner), **_bound(owner))
        self._db.run("people.touch")
        return sum(counts.values())

    def put(self, table: str, rows: Sequence[MovedRow]) -> None:
        """Add those that are not there; inside a transaction."""
        names = _columns(table)
        given = [dict(zip(names, row, strict=True)) for row in rows]
        values = {name: f":{name}" for name in names}
        self._insert(table, {**values, **_MADE_ANEW.get(table, {})}, given)

    def _among(self, table: str, owner: Owner | None) -> str:
        return "1 = 1" if owner is None else {**_SHARED, **self.owned()}[table]

    def _filled(self, name: str, table: str, owner: Owner | None) -> SqlStatement:
        statement = self._db.statement(f"transfer.{name}")
        return statement.filled(table=table, among=self._among(table, owner))

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
