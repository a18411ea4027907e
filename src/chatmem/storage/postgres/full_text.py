"""Tokens of rows on PostgreSQL: beside the facts, in the table `memory_index`.

Older rows are packed (tables/packed_index.py). The newest of an owner are so few that they are read
whole, by the primary key: an index of words over everybody's rows would have to be kept for no
gain.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from chatmem.storage.postgres.database import PostgresDatabase
from chatmem.storage.tables.lexical import NewEntry
from chatmem.storage.tables.rows import key_range
from chatmem.storage.values import Owner


class PostgresFullText:
    """The table `memory_index`."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._db = database

    def enter(self, owner: Owner, rows: Sequence[NewEntry]) -> None:
        """Enter new rows."""
        bindings = (
            {"row_id": row.key, "tokens": " ".join(row.tokens), **row.facts} for row in rows
        )
        self._db.many("index.insert_row", owner, bindings)

    def change(
        self, owner: Owner, key: int, facts: Mapping[str, Any], tokens: Sequence[str]
    ) -> None:
        """The row's text is another."""
        self._db.run("index.update_row", owner, row_id=key, tokens=" ".join(tokens), **facts)

    def remove(self, owner: Owner, key: int) -> None:
        """Take the row out."""
        self._db.run("index.delete_row", owner, row_id=key)

    def tokens(self, owner: Owner, key: int) -> list[str] | None:
        """The row's tokens in order."""
        return str(self._db.value("index.tokens", owner, row_id=key) or "").split()

    def tokens_of(self, owner: Owner, keys: Sequence[int]) -> dict[int, str]:
        """The tokens of these rows, blank separated, by key."""
        return dict(self._db.rows("index.tokens_of", owner, keys=json.dumps(list(keys))))

    def newest(
        self, owner: Owner, first: int, terms: Sequence[str], prefixes: Sequence[str]
    ) -> list[tuple[int, str]]:
        """Keys and tokens of all rows from `first` on."""
        found = self._db.rows("index.newest", owner, **key_range(owner, first))
        return [(key, tokens) for key, tokens in found]

    def make(self) -> None:
        """Nothing has to go before every row is changed."""

    def check(self) -> list[str]:
        """Rows that have no tokens, in a sentence."""
        missing = self._db.value("index.count_without_tokens")
        if missing:
            why = f"{missing} rows are not in the index of words"
            return [f"{self._db.name}: {why}: run `chatmem reindex`"]
        return []
