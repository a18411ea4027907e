"""All rows of a database, or of one user, by table: moved, backed up, exported, deleted.

What the dialects name differently is who a row belongs to: on SQLite a row's key has its owner's
number, on PostgreSQL the owner leads as `user_id`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from chatmem.model import AtomicMemoryRecord
from chatmem.storage.tables.database import NONE, Table
from chatmem.storage.tables.owners import key_range
from chatmem.storage.values import MovedRow, Owner

_MARK: Final = "moving from"
_OF_USER: Final[Mapping[str, str]] = {
    "user_id": "t.user_id = :user_id",
    "owner": "t.owner = :owner",
    "row_id": "t.row_id BETWEEN :low AND :high",
    "rowid": "t.rowid BETWEEN :low AND :high",
}
"""What finds the rows of a user by a column; the first of these that a table has counts."""
_OF_CIRCLES: Final = "t.circle_id IN (SELECT circle_id FROM membership WHERE user_id = :user_id)"
_SHARED: Final = ("circle", "role_rule", "setting")
"""Tables of several users, or of none, that are part of a place."""
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
INDEXES: Final = ("memory_index", "memory_vector", "vector_queue")
"""Those that say nothing which is not said elsewhere: a person has no use for them."""
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

    def finish(self, passed: int = 0) -> None:
        """The move is over: numbers go on behind those that were moved, and versions at `passed`.

        A version says what was read of an owner's rows, in whatever process.
        """
        with self._db.transaction():
            self._db.run("transfer.pass_versions", passed=passed)
            for name in self._db.statements("transfer"):
                if name.startswith("go_on_"):
                    self._db.run(f"transfer.{name}")
            self._db.run("transfer.unmark", what=_MARK)

    def count(self, table: str) -> int:
        """How many rows there are to move."""
        statement = self._db.statement("transfer.count").filled(table=table, among="")
        return int(self._db.value(statement))

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

    def page(
        self, table: str, after: MovedRow | None, limit: int, owner: Owner | None = None
    ) -> list[MovedRow]:
        """At most `limit` rows behind the key, in the order of their keys.

        Of one owner where one is given: what `owned` finds, and the circles that the owner is in.
        """
        names = TABLES[table][0].split()
        key = ", ".join(map(self._column, names))
        wanted, bindings = [], dict(_bound(owner))
        if owner is not None:
            wanted.append(self.owned().get(table, _OF_CIRCLES))
        if after is not None:
            wanted.append(f"({key}) > ({', '.join(f':{name}' for name in names)})")
            bindings |= zip(names, after, strict=True)
        statement = self._db.statement("transfer.page").filled(
            columns=", ".join(map(self._column, columns(table))),
            source=self._source(table),
            among=f"WHERE {' AND '.join(wanted)}" if wanted else "",
            key=key,
        )
        return self._db.rows(statement, **bindings, limit=limit)

    def pages(
        self, table: str, size: int, after: MovedRow | None = None, owner: Owner | None = None
    ) -> Iterator[list[MovedRow]]:
        """The rows behind a key, `size` at a time; see `page`."""
        while page := self.page(table, after, size, owner):
            yield page
            after = self.key(table, page[-1])

    def owned(self) -> dict[str, str]:
        """By table that has rows of users, the condition for those of one of them.

        Found in the schema, so that no new table is forgotten: by `user_id`, else by the owner's
        number, else by the keys of rows.
        """
        found: dict[str, list[str]] = {}
        for table, column in self._db.rows("transfer.columns"):
            found.setdefault(table, []).append(column)
        by = {table: next((one for one in _OF_USER if one in found[table]), "") for table in found}
        return {table: _OF_USER[column] for table, column in by.items() if column}

    def counts(self, owner: Owner) -> dict[str, int]:
        """By table the rows of the owner, where there are any."""
        counts = {}
        for table, among in self.owned().items():
            statement = self._db.statement("transfer.count")
            statement = statement.filled(table=table, among=f"WHERE {among}")
            counts[table] = int(self._db.value(statement, owner, **key_range(owner)))
        return {table: count for table, count in counts.items() if count}

    def erase(self, owner: Owner) -> int:
        """Delete all rows of the owner in every table; how many there were.

        Inside a transaction. The owner's number is not given again.
        """
        counts, owned = self.counts(owner), self.owned()
        self._db.run("owners.retire", number=owner.number)
        for table in counts:
            statement = self._db.statement("transfer.delete")
            statement = statement.filled(table=table, among=f"WHERE {owned[table]}")
            self._db.run(statement, owner, **key_range(owner))
        self._db.run("people.touch")
        return sum(counts.values())

    def clear(self) -> int:
        """Delete all rows of everybody, and which embedder they had; inside a transaction.

        Comes back: a number above every owner's version, for `finish`.
        """
        passed = int(self._db.value("transfer.version")) + 1
        for table in (*self.owned(), *_SHARED):
            self._db.run(self._db.statement("transfer.delete").filled(table=table, among=""))
        self._db.run("transfer.no_embedder")
        self._db.run("people.touch")
        self._db.run("settings.touch")
        return passed

    def put(self, table: str, rows: Sequence[MovedRow]) -> None:
        """Add those that are not there; inside a transaction."""
        names = columns(table)
        given = [dict(zip(names, row, strict=True)) for row in rows]
        unseen = _UNSEEN if table == "document" else {}
        self._insert(table, {name: f":{name}" for name in names} | unseen, given)

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


def columns(table: str) -> list[str]:
    """All columns that are moved, the key first."""
    return " ".join(TABLES[table]).split()


def _bound(owner: Owner | None) -> Mapping[str, Any]:
    """What the conditions for an owner name."""
    if owner is None:
        return NONE
    return {"user_id": owner.user_id, "owner": owner.number, **key_range(owner)}
