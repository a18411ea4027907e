"""What moving a PostgreSQL database has of its own: the user leads every table."""

import json
from collections.abc import Sequence
from typing import Any

from chatmem.storage.postgres.database import Database
from chatmem.storage.postgres.statements import translated
from chatmem.storage.tables.database import Bindings
from chatmem.storage.tables.moving import TABLES, Moving, Place
from chatmem.storage.values import MovedRow
from chatmem.text.normalise import tag_form

_DERIVED = {"memory_index": ("tokens", "''")}
"""Columns that must not be empty, and what stands there until the index is made again."""


class PostgresMoving(Moving):
    """The tables of one PostgreSQL database, with the rows of all users."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._database = database

    def count(self, table: str) -> int:
        """How many rows there are to move."""
        with self._database.whole_store():
            return super().count(table)

    def last(self, table: str) -> MovedRow | None:
        """The key of the last row."""
        with self._database.whole_store():
            return super().last(table)

    def page(self, table: str, after: MovedRow | None, limit: int) -> list[MovedRow]:
        """Rows behind the key."""
        with self._database.whole_store():
            return super().page(table, after, limit)

    def put(self, table: str, rows: Sequence[MovedRow]) -> None:
        """Add those that are not there."""
        with self._database.whole_store():
            super().put(table, rows)

    def _place(self, table: str) -> Place:
        moved = TABLES[table]
        if moved.owned != "number":
            return super()._place(table)
        names = {"owner": "o.number"}
        return Place(
            f"{table} t JOIN owner o ON o.user_id = t.user_id",
            tuple(names.get(name, f"t.{name}") for name in moved.key),
            tuple(names.get(name, f"t.{name}") for name in moved.columns),
        )

    def _insertion(
        self, table: str, columns: tuple[str, ...], rows: list[dict[str, Any]]
    ) -> tuple[str, list[Bindings]]:
        moved = TABLES[table]
        names, values = list(columns), [f":value{place}" for place in range(len(columns))]
        bindings: list[Bindings] = list(rows)
        if table == "atomic_memory":
            names.append("tag_forms")
            values.append(":tag_forms")
            place = columns.index("tags")
            bindings = [
                {**row, "tag_forms": [tag_form(tag) for tag in json.loads(row[f"value{place}"])]}
                for row in rows
            ]
        if table in _DERIVED:
            name, value = _DERIVED[table]
            names.append(name)
            values.append(value)
        if moved.owned == "column":
            source = f"VALUES ({', '.join(values)})"
        else:
            # The first column says whose a row is: its key, or its owner's number.
            number = ":value0::bigint >> 32" if moved.owned == "row" else ":value0::bigint"
            if moved.owned == "number":
                names[0], values[0] = "user_id", "o.user_id"
            else:
                names.append("user_id")
                values.append("o.user_id")
            source = f"SELECT {', '.join(values)} FROM owner o WHERE o.number = {number}"
        statement = f"INSERT INTO {table} ({', '.join(names)}) {source} ON CONFLICT DO NOTHING"
        return self._written(statement), bindings

    def _written(self, statement: str) -> str:
        return translated(statement)
