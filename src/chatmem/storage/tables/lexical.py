"""The lexical leg: packed postings for the older rows, the store's full text for the newer ones.

Full text holds every row and is the source of each row's tokens; only the rows that are not packed
yet are asked of it, by a range of keys.
"""

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chatmem.storage.ports import ROW_DTYPE, Owner, Postings, Rows
from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.full_text import FullText
from chatmem.storage.tables.owners import Owners
from chatmem.storage.tables.packed import PackedIndex
from chatmem.storage.tables.rows import bound, row_id, row_of


class SqlLexicalIndex:
    """Postings of an owner's rows, and what ranking knows of the rows."""

    def __init__(
        self, database: SqlDatabase, owners: Owners, packed: PackedIndex, full_text: FullText
    ) -> None:
        self._db = database
        sql = database.statements("index")
        self._facts = {
            among: sql["rows"].replace("{among}", sql[f"among_{among}"])
            for among in ("range", "keys")
        }
        self._owners = owners
        self._packed = packed
        self._full_text = full_text

    def postings(
        self, owner: Owner, terms: Sequence[str], prefixes: Sequence[str]
    ) -> list[Postings]:
        """One entry a term, then one a prefix.

        Raises:
            LexicalUnavailableError: full text is missing, damaged, or rejected the query.
        """
        if not terms and not prefixes:
            return []
        _, packed_rows = self._owners.extent(owner)
        newest = self._newest(owner, packed_rows, terms, prefixes)
        if not packed_rows:
            return newest
        older = self._packed.postings(owner, terms)
        older += [self._packed.prefix_postings(owner, prefix) for prefix in prefixes]
        return [
            Postings(np.append(a.rows, b.rows), np.append(a.counts, b.counts))
            for a, b in zip(older, newest, strict=True)
        ]

    def tokens(self, owner: Owner, rows: Rows) -> list[list[str]]:
        """The index terms of each of these rows, ascending, as often as they occur.

        Raises:
            LexicalUnavailableError: full text is missing, damaged, or has not all of the rows.
        """
        keys = [row_id(owner, row) for row in rows.tolist()]
        found = self._full_text.tokens_of(owner, keys)
        return [found.get(key, "").split() for key in keys]

    def session(self, owner: Owner, session_id: str) -> int:
        """The session's number in the rows' facts, -1 where the owner has no such session."""
        return self._owners.session(owner, session_id)

    def rows(self, owner: Owner) -> NDArray[np.void]:
        """`ROW_DTYPE`, one entry a row from 0 on; deleted rows have state 0."""
        next_row, packed_rows = self._owners.extent(owner)
        newest = self.facts(owner, packed_rows, next_row)
        return np.concatenate([self._packed.rows(owner), newest]) if packed_rows else newest

    def facts(self, owner: Owner, first: int, end: int) -> NDArray[np.void]:
        """The facts of rows first..end-1, as the tables have them."""
        facts = np.zeros(end - first, ROW_DTYPE)
        facts["session"] = facts["previous"] = facts["speaker"] = -1
        low, high = row_id(owner, first), row_id(owner, end) - 1
        found = self._db.execute(self._facts["range"], bound(owner, low=low, high=high))
        if found:
            places = np.array([row_of(row[0]) for row in found]) - first
            facts[places] = np.array([row[1:] for row in found], ROW_DTYPE)
        return facts

    def facts_of(self, owner: Owner, rows: Rows) -> NDArray[np.void]:
        """The facts of these rows, ascending; of other rows nothing is read."""
        keys = [row_id(owner, row) for row in rows.tolist()]
        found = self._db.execute(self._facts["keys"], bound(owner, keys=json.dumps(keys)))
        facts = np.zeros(len(keys), ROW_DTYPE)
        had = np.array([row_of(row[0]) for row in found], np.int64)
        facts[np.searchsorted(rows, had)] = np.array([row[1:] for row in found], ROW_DTYPE)
        return facts

    def version(self, owner: Owner) -> int:
        """Counts every change of the owner's rows."""
        return self._owners.version(owner)

    def speakers(self, owner: Owner) -> list[tuple[int, str, str]]:
        """Number, name and index terms of each speaker."""
        return self._owners.speakers(owner)

    def _newest(
        self, owner: Owner, first: int, terms: Sequence[str], prefixes: Sequence[str]
    ) -> list[Postings]:
        found = self._full_text.newest(owner, first, terms, prefixes)
        rows = np.array([row_of(key) for key, _ in found], np.int64)
        # Two blanks between tokens, so that neighbours are both counted: " a  a ".
        padded = [f" {tokens} ".replace(" ", "  ") for _, tokens in found]
        needles = [f" {term} " for term in terms] + [f" {prefix}" for prefix in prefixes]
        return [_only(rows, [text.count(needle) for text in padded]) for needle in needles]


def _only(rows: NDArray[np.int64], counts: list[int]) -> Postings:
    array = np.array(counts, np.int64)
    kept = array > 0
    return Postings(rows[kept], array[kept])
