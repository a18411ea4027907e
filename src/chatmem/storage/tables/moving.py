"""Moving everything from one database to another, table by table.

The statements are made from the lists below, and from nothing that anybody says, since they are the
same few for every table. What the dialects name differently is who a row belongs to: on SQLite a
row's key has its owner's number, on PostgreSQL the owner leads as `user_id`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from chatmem.storage.tables.database import Bindings, SqlDatabase
from chatmem.storage.values import MovedRow

Owned: TypeAlias = Literal["column", "row", "number"]
"""How a row of both dialects says whose it is: by a column that both have, by its key's upper
half, or by its owner's number, for which PostgreSQL has the name."""
_MARK: Final = "moving from"


@dataclass(frozen=True, slots=True)
class Moved:
    """A table: the columns of its key, the rest, and how it says whose a row is."""

    key: tuple[str, ...]
    rest: tuple[str, ...] = ()
    owned: Owned = "column"

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are moved, the key first."""
        return self.key + self.rest


def _moved(key: str, rest: str = "", owned: Owned = "column") -> Moved:
    return Moved(tuple(key.split()), tuple(rest.split()), owned)


TABLES: Final[Mapping[str, Moved]] = {
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


class Moving:
    """Rows of every table that is not derived, in an order and with columns that all stores share.

    The first columns of a row are its key. Reading goes on behind a key, and rows that are there
    are left as they are: a move that was interrupted goes on where it stopped.
    """

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("moving")

    @property
    def tables(self) -> Sequence[str]:
        """The tables to move, those that others refer to first."""
        return tuple(TABLES)

    def is_empty(self) -> bool:
        """True where nobody has kept anything yet."""
        return self._db.one(self._sql["is_empty"]) == (1,)

    def begun(self) -> str | None:
        """Where the move that was begun into this store comes from; None where none was."""
        found = self._db.one(self._sql["begun"], {"what": _MARK})
        return str(found[0]) if found else None

    def begin(self, origin: str) -> None:
        """A move begins: what a new store has from the start goes, and the origin is noted."""
        with self._db.transaction():
            self._db.execute(self._sql["no_owners"])
            self._db.execute(self._sql["no_rules"])
            self._db.execute(self._sql["mark"], {"what": _MARK, "identity": origin})

    def finish(self) -> None:
        """The move is over: numbers go on behind those that were moved."""
        with self._db.transaction():
            for name, statement in self._sql.items():
                if name.startswith("go_on_"):
                    self._db.execute(statement)
            self._db.execute(self._sql["unmark"], {"what": _MARK})

    def count(self, table: str) -> int:
        """How many rows there are to move."""
        found = self._db.one(f"SELECT count(*) FROM {table} t")
        return int(found[0]) if found else 0

    def key(self, table: str, row: MovedRow) -> MovedRow:
        """The key that leads the row."""
        return row[: len(TABLES[table].key)]

    def last(self, table: str) -> MovedRow | None:
        """The key of the last row, None where there is none."""
        place = self._place(table)
        down = ", ".join(f"{column} DESC" for column in place.key)
        return self._db.one(
            f"SELECT {', '.join(place.key)} FROM {place.source} ORDER BY {down} LIMIT 1"
        )

    def page(self, table: str, after: MovedRow | None, limit: int) -> list[MovedRow]:
        """At most `limit` rows behind the key, in the order of their keys."""
        place = self._place(table)
        key = ", ".join(place.key)
        bindings: dict[str, Any] = {"limit": limit}
        behind = ""
        if after is not None:
            bindings |= {f"key{number}": value for number, value in enumerate(after)}
            behind = f"WHERE ({key}) > ({', '.join(_named(place.key, 'key'))})"
        return self._db.execute(
            self._written(
                f"SELECT {', '.join(place.columns)} FROM {place.source} {behind} "
                f"ORDER BY {key} LIMIT :limit"
            ),
            bindings,
        )

    def put(self, table: str, rows: Sequence[MovedRow]) -> None:
        """Add those that are not there; inside a transaction."""
        columns = TABLES[table].columns
        given = [dict(zip(_names(columns), row, strict=True)) for row in rows]
        self._db.many(*self._insertion(table, columns, given))

    def _place(self, table: str) -> "Place":
        """Where the columns are; those of the owner's number may stand elsewhere."""
        moved = TABLES[table]
        return Place(
            f"{table} t",
            tuple(f"t.{name}" for name in moved.key),
            tuple(f"t.{name}" for name in moved.columns),
        )

    def _insertion(
        self, table: str, columns: tuple[str, ...], rows: list[dict[str, Any]]
    ) -> tuple[str, Sequence[Bindings]]:
        """The statement that adds rows, and its bindings."""
        values = ", ".join(_named(columns))
        names = ", ".join(columns)
        statement = f"INSERT INTO {table} ({names}) VALUES ({values}) ON CONFLICT DO NOTHING"
        return self._written(statement), rows

    def _written(self, statement: str) -> str:
        """The statement with parameters as this dialect writes them."""
        return statement


@dataclass(frozen=True, slots=True)
class Place:
    """A table as its columns are read."""

    source: str
    key: tuple[str, ...]
    columns: tuple[str, ...]


def _names(columns: Sequence[str]) -> list[str]:
    """Bindings' names: by place, so that none means a user to the database."""
    return [f"value{number}" for number in range(len(columns))]


def _named(columns: Sequence[str], stem: str = "value") -> list[str]:
    return [f":{stem}{number}" for number in range(len(columns))]
