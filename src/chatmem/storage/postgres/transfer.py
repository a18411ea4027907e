"""What moving a PostgreSQL database has of its own: the user leads every table."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from chatmem.storage.tables.transfer import TABLES, Transfer
from chatmem.text.tags import tag_form

_NUMBERS = {"row": ":row_id::bigint >> 32", "number": ":owner::bigint"}
"""The owner's number in a row that is moved, by how the row says whose it is."""


class PostgresTransfer(Transfer):
    """The tables of one PostgreSQL database, with the rows of all users."""

    def _source(self, table: str) -> str:
        by_number = TABLES[table].owned == "number"
        return f"{table} t JOIN owner o ON o.user_id = t.user_id" if by_number else f"{table} t"

    def _column(self, table: str, name: str) -> str:
        by_number = TABLES[table].owned == "number" and name == "owner"
        return "o.number" if by_number else f"t.{name}"

    def _insert(
        self,
        table: str,
        values: Mapping[str, str],
        rows: Sequence[dict[str, Any]],
        **of_owner: str,
    ) -> None:
        owned = TABLES[table].owned
        if owned != "column":
            columns = {name: value for name, value in values.items() if name != "owner"}
            values = columns | {"user_id": "o.user_id"}
            of_owner = {"number": _NUMBERS[owned]}
        if table == "memory_index":  # empty until the index is made again
            values = {**values, "tokens": "''"}
        if table == "atomic_memory":
            values = {**values, "tag_forms": ":tag_forms"}
            rows = [
                {**row, "tag_forms": [tag_form(tag) for tag in json.loads(row["tags"])]}
                for row in rows
            ]
        super()._insert(table, values, rows, **of_owner)
