"""All rows of a database, read and written table by table: how a memory moves to another place.

What the dialects name differently is who a row belongs to: on SQLite a row's key has its owner's
number, on PostgreSQL the owner leads as `user_id`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from chatmem.storage.tables.database import Table
from chatmem.storage.values import MovedRow

Owned: TypeAlias = Literal["column", "row", "number"]
"""How a row of both dialects says whose it is: by a column that both have, by its key's upper
half, or by its owner's number, for which PostgreSQL has the name."""
_MARK: Final = "moving from"


@dataclass(frozen=True, slots=True)
class MovedTable:
    """A table: the columns of its key, the rest, and how it says whose a row is."""

    key: tuple[str, ...]
    rest: tuple[str, ...] = ()
    owned: Owned = "column"

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are moved, the key first."""
        return self.key + self.rest


def _moved(key: str, rest: str = "", owned: Owned = "column") -> MovedTable:
    return MovedTable(tuple(key.split()), tuple(rest.split()), owned)


TABLES: Final[Mapping[str, MovedTable]] = {
    "owner": _moved("number", "user_id next_row"),
    "atomic_memory": _moved(
        "row_id",
        "id user_id timestamp create_time content tags session_id app_type role memory_type kind "
        "category key value confidence source importance visibility valid_from valid_to "
        "superseded_by document",
    ),
    "memory_access": _moved("row_id", "last_accessed access_count", "row"),
    "memory_history": _moved("number", "user_id memory_id at action reason before after"),
    "tombstone": _moved("user_id content_hash", "at"),
    "conversation": _moved(
        "id",
        "user_id session_id role content create_time is_collected app_type speaker source_id "
        "memory_id",
    ),
    "session_summary": _moved(
        "id", "user_id session_id title snippet created_at updated_at message_count made_by"
    ),
    "user_profile": _moved("id", "user_id content updated_at document etag"),
    "working_memory": _moved(
        "user_id session_id",
        "current_topic context_variables turn_count last_emotion created_at updated_at "
        "open_message analysed pending",
    ),
    "session": _moved(
        "owner session_id", "number last_row created_at updated_at title ended_at", "number"
    ),
    "speaker": _moved("owner name", "number terms", "number"),
    "memory_index": _moved("row_id", "length session previous speaker flags", "row"),
    "memory_vector": _moved("row_id", "text_hash vector", "row"),
    "vector_queue": _moved("row_id", "", "row"),
    "job": _moved("number", "user_id kind session_id due_at attempts asked error given_up_at"),
    "extraction": _moved("user_id session_id", "extracted_to extracted_at flush"),
    "handled_event": _moved("user_id session_id event_id", "at"),
    "receipt": _moved("user_id id", "session_id created_at body"),
    "api_key": _moved("id", "hash user_id is_admin created_at revoked_at"),
    "circle": _moved("circle_id", "kind name head created_at"),
    "membership": _moved("user_id circle_id", "role joined_at"),
    "invitation": _moved("user_id circle_id", "role invited_at"),
    "role_rule": _moved("role effect tag"),
    "setting": _moved("name", "value"),
}
"""Left out is what is made again: full text, packed blocks, codes, an index in the making; answers
to idempotent requests; who leases a job; and the documents' states, which belong to the files."""


class Transfer(Table):
    """Rows of every table that is not derived, in an order and with columns that all stores share.

    The first columns of a row are its key. Reading goes on behind a key, and rows that are there
    are left as they are: a move that was interrupted goes on where it stopped.
    """

    @property
    def tables(self) -> Sequence[str]:
        """The tables to move, those that others refer to first."""
        return tuple(TABLES)

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
        return row[: len(TABLES[table].key)]

    def last(self, table: str) -> MovedRow | None:
        """The key of the last row, None where there is none."""
        key = [self._column(table, name) for name in TABLES[table].key]
        down = ", ".join(f"{column} DESC" for column in key)
        statement = self._db.statement("transfer.last")
        return self._db.row(
            statement.filled(key=", ".join(key), source=self._source(table), down=down)
        )

    def page(self, table: str, after: MovedRow | None, limit: int) -> list[MovedRow]:
        """At most `limit` rows behind the key, in the order of their keys."""
        moved = TABLES[table]
        key = ", ".join(self._column(table, name) for name in moved.key)
        behind = f"WHERE ({key}) > ({', '.join(f':{name}' for name in moved.key)})"
        statement = self._db.statement("transfer.page").filled(
            columns=", ".join(self._column(table, name) for name in moved.columns),
            source=self._source(table),
            behind="" if after is None else behind,
            key=key,
        )
        bindings = {} if after is None else dict(zip(moved.key, after, strict=True))
        return self._db.rows(statement, **bindings, limit=limit)

    def put(self, table: str, rows: Sequence[MovedRow]) -> None:
        """Add those that are not there; inside a transaction."""
        columns = TABLES[table].columns
        given = [dict(zip(columns, row, strict=True)) for row in rows]
        self._insert(table, {name: f":{name}" for name in columns}, given)

    def _source(self, table: str) -> str:
        """What the table's rows are read from."""
        return f"{table} t"

    def _column(self, table: str, name: str) -> str:
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
