"""Tokens of rows on PostgreSQL: beside the facts, in the table `memory_index`.

Older rows are packed (tables/packed.py). The newest of an owner are so few that they are read
whole, by the primary key: an index of words over everybody's rows would have to be kept for no
gain.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from chatmem.storage.postgres.database import Database
from chatmem.storage.postgres.statements import statements
from chatmem.storage.tables.full_text import NewEntry
from chatmem.storage.tables.rows import bound, key_range
from chatmem.storage.values import Owner

_SQL = statements("index")


class PostgresFullText:
    """The table `memory_index`."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def enter(self, owner: Owner, rows: Sequence[NewEntry]) -> None:
        """Enter new rows."""
        bindings = [
            bound(owner, row_id=row.key, tokens=" ".join(row.tokens), **row.facts) for row in rows
        ]
        self._db.many(_SQL["insert_row"], bindings)

    def change(
        self, owner: Owner, key: int, facts: Mapping[str, Any], tokens: Sequence[str]
    ) -> None:
        """The row's text is another."""
        bindings = bound(owner, row_id=key, tokens=" ".join(tokens), **facts)
        self._db.execute(_SQL["update_row"], bindings)

    def remove(self, owner: Owner, key: int) -> None:
        """Take the row out."""
        self._db.execute(_SQL["delete_row"], bound(owner, row_id=key))

    def tokens(self, owner: Owner, key: int) -> list[str] | None:
        """The row's tokens in order."""
        found = self._db.one(_SQL["tokens"], bound(owner, row_id=key))
        return str(found[0]).split() if found else []

    def tokens_of(self, owner: Owner, keys: Sequence[int]) -> dict[int, str]:
        """The tokens of these rows, blank separated, by key."""
        bindings = bound(owner, keys=json.dumps(list(keys)))
        return {row[0]: row[1] for row in self._db.execute(_SQL["tokens_of"], bindings)}

    def newest(
        self, owner: Owner, first: int, terms: Sequence[str], prefixes: Sequence[str]
    ) -> list[tuple[int, str]]:
        """Keys and tokens of all rows from `first` on."""
        low, high = key_range(owner, first)
        found = self._db.execute(_SQL["newest"], bound(owner, low=low, high=high))
        return [(row[0], row[1]) for row in found]

    def make(self) -> None:
        """Nothing has to go before every row is changed."""

    def check(self) -> list[str]:
        """Rows that have no tokens, in a sentence."""
        missing = self._db.one(_SQL["count_without_tokens"])
        if missing and missing[0]:
            why = f"{missing[0]} rows are not in the index of words"
            return [f"{self._db.name}: {why}: run `chatmem reindex`"]
        return []
