"""All rows of a database, read and written table by table: how a memory moves to another place.

What the dialects name differently is who a row belongs to: on SQLite a row's key has its owner's
number, on PostgreSQL the owner leads as `user_id`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from chatmem.model import AtomicMemoryRecord
from chatmem.storage.tables.database import Table
from chatmem.storage.values import MovedRow

_MARK: Final = "moving from"

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
}
"""By table the columns of its key, and the others; tables that others refer to come first.

Left out is what is made again (full text, packed blocks, codes, an index in the making), answers to
idempotent requests, who leases a job, and the documents' states, which belong to the files.
"""


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
        """The move is over: numbers go on behind those that were moved."""
        with self._db.transaction():
            for name in self._db.statements("transfer"):
                if name.startswith("go_on_"):
                    self._db.run(f"transfer.{name}")
            self._db.run("transfer.unmark", what=_MARK)

    def count(self, table: str) -> int:
        """How many rows there are to move."""
        return int(self._db.value(self._db.statement("transfer.count").filled(table=table)))

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

    def page(self, table: str, after: MovedRow | None, limit: int) -> list[MovedRow]:
        """At most `limit` rows behind the key, in the order of their keys."""
        names = TABLES[table][0].split()
        key = ", ".join(map(self._column, names))
        behind = f"WHERE ({key}) > ({', '.join(f':{name}' for name in names)})"
        statement = self._db.statement("transfer.page").filled(
            columns=", ".join(map(self._column, _columns(table))),
            source=self._source(table),
            behind="" if after is None else behind,
            key=key,
        )
        bindings = {} if after is None else dict(zip(names, after, strict=True))
        return self._db.rows(statement, **bindings, limit=limit)

    def put(self, table: str, rows: Sequence[MovedRow]) -> None:
        """Add those that are not there; inside a transaction."""
        columns = _columns(table)
        given = [dict(zip(columns, row, strict=True)) for row in rows]
        self._insert(table, {name: f":{name}" for name in columns}, given)

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
