"""The lexical leg: packed postings for the older rows, the tokens themselves for the newer ones.

The newest rows of an owner are so few that their tokens are read whole, by the primary key: an
index of words over everybody's rows would have to be kept up for no gain.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from chatmem.model import Missing
from chatmem.storage.tables.database import Bindings, Row, SqlDatabase
from chatmem.storage.tables.owners import Owners, key_range, row_id, row_of
from chatmem.storage.tables.packed_index import PackedIndex
from chatmem.storage.values import ROW_DTYPE, IndexEntry, Owner, Postings, Rows, begins

CACHED_COUNTS = 1_024
"""Rows whose counts of tokens are cached, some 4 KiB each: the newest of four busy owners."""


class LexicalIndex:
    """The lexical leg: who contains which term, and what ranking knows of the rows.

    The facts of rows and their tokens stand in the table `memory_index`.
    """

    def __init__(self, database: SqlDatabase, packed: PackedIndex) -> None:
        self._db = database
        self._facts = {
            among: database.statement("index.rows").filled(
                among=database.statement(f"index.among_{among}").text
            )
            for among in ("range", "keys")
        }
        self._owners = Owners(database)
        self._packed = packed

    def postings(
        self, owner: Owner, terms: Sequence[str], prefixes: Sequence[str]
    ) -> list[Postings]:
        """One entry a term, then one a prefix (all its words together)."""
        if not terms and not prefixes:
            return []
        packed_rows = self._owners.extent(owner).packed
        newest = self._of_newest(owner, packed_rows, terms, prefixes)
        if not packed_rows:
            return newest
        older = self._packed.postings(owner, terms)
        older += [self._packed.prefix_postings(owner, prefix) for prefix in prefixes]
        return [
            Postings(np.append(a.rows, b.rows), np.append(a.counts, b.counts))
            for a, b in zip(older, newest, strict=True)
        ]

    def enter(self, owner: Owner, rows: Sequence[Bindings]) -> None:
        """Enter new rows, which are not packed yet: the columns of `memory_index` by name."""
        self._db.many("index.insert_row", owner, rows)

    def change(self, owner: Owner, row: int, entry: IndexEntry) -> None:
        """The row's text is about to be another; `refresh` follows once the row is written."""
        self._leave_packed(owner, row)
        self.put(owner, row_id(owner, row), entry)
        if self._is_packed(owner, row):
            self._packed.put_tokens(owner, row, Counter(entry.tokens))

    def put(self, owner: Owner, key: int, entry: IndexEntry) -> None:
        """Write the row's tokens, `length` and `flags` over those that stand there."""
        facts = {"length": entry.length, "flags": entry.flags}
        self._db.run("index.update_row", owner, row_id=key, tokens=" ".join(entry.tokens), **facts)

    def remove(self, owner: Owner, row: int) -> None:
        """Take the row's facts and tokens out; `refresh` follows once the row is gone."""
        self._leave_packed(owner, row)
        self._db.run("index.delete_row", owner, row_id=row_id(owner, row))

    def refresh(self, owner: Owner, row: int) -> None:
        """The row was written or deleted: its packed facts are made again."""
        if self._is_packed(owner, row):
            self._packed.put_row(owner, row, self.facts(owner, row, row + 1))

    def tokens(self, owner: Owner, rows: Rows) -> list[list[str]]:
        """The index terms of each of these rows, ascending, as often as they occur."""
        keys = [row_id(owner, row) for row in rows.tolist()]
        found: dict[int, str] = dict(self._tokens_of(owner, keys))
        return [found.get(key, "").split() for key in keys]

    def rows(self, owner: Owner) -> NDArray[np.void]:
        """`ROW_DTYPE`, one entry a row from 0 on; deleted rows have state 0."""
        extent = self._owners.extent(owner)
        newest = self.facts(owner, extent.packed, extent.rows)
        return np.concatenate([self._packed.rows(owner), newest]) if extent.packed else newest

    def facts(self, owner: Owner, first: int, end: int) -> NDArray[np.void]:
        """The facts of rows first..end-1, as the tables have them."""
        facts = np.zeros(end - first, ROW_DTYPE)
        facts["session"] = facts["previous"] = facts["speaker"] = -1
        low, high = row_id(owner, first), row_id(owner, end) - 1
        found = self._db.rows(self._facts["range"], owner, low=low, high=high)
        if found:
            offsets = np.array([row_of(row[0]) for row in found]) - first
            facts[offsets] = np.array([row[1:] for row in found], ROW_DTYPE)
        return facts

    def facts_of(self, owner: Owner, rows: Rows) -> NDArray[np.void]:
        """The same of these rows, ascending; of the owner's other rows nothing is read."""
        keys = [row_id(owner, row) for row in rows.tolist()]
        found = self._db.rows(self._facts["keys"], owner, keys=keys)
        facts = np.zeros(len(keys), ROW_DTYPE)
        had = np.array([row_of(row[0]) for row in found], np.int64)
        facts[np.searchsorted(rows, had)] = np.array([row[1:] for row in found], ROW_DTYPE)
        return facts

    def missing(self) -> tuple[Missing, ...]:
        """What is used in place of full text, and why; empty where all is well."""
        return ()

    def check(self) -> list[str]:
        """What is wrong, a sentence each."""
        missing = self._db.value("index.count_without_tokens")
        why = f"{missing} rows are not in the index of words: run `chatmem reindex`"
        return [f"{self._db.name}: {why}"] if missing else []

    def _tokens_of(self, owner: Owner, keys: Sequence[int]) -> list[Row]:
        """Key and tokens, blank separated, of each of these rows."""
        return self._db.rows("index.tokens_of", owner, keys=keys)

    def _newest(
        self, owner: Owner, first: int, terms: Sequence[str], prefixes: Sequence[str]
    ) -> list[Row]:
        """Keys and tokens of rows from `first` on; at least of those that hold a term or prefix."""
        return self._db.rows("index.newest", owner, **key_range(owner, first))

    def _leave_packed(self, owner: Owner, row: int) -> None:
        """Take the row's tokens out of the packed index."""
        if self._is_packed(owner, row):
            (before,) = self.tokens(owner, np.array([row]))
            self._packed.put_tokens(owner, row, dict.fromkeys(before, 0))

    def _is_packed(self, owner: Owner, row: int) -> bool:
        return row < self._owners.extent(owner).packed

    def _of_newest(
        self, owner: Owner, first: int, terms: Sequence[str], prefixes: Sequence[str]
    ) -> list[Postings]:
        """Postings of the rows from `first` on, which are few but for the time of an import."""
        of_term: dict[str, list[tuple[int, int]]] = {term: [] for term in terms}
        of_prefix: dict[str, list[tuple[int, int]]] = {prefix: [] for prefix in prefixes}
        rows = self._newest(owner, first, terms, prefixes)
        counted = _cached_counts if len(rows) <= CACHED_COUNTS else _counts
        for key, tokens in rows:
            row, held = row_of(key), counted(tokens)
            for term in held.keys() & of_term.keys():
                of_term[term].append((row, held[term]))
            for prefix, found in of_prefix.items():
                count = sum(count for term, count in held.items() if begins(term, prefix))
                if count:
                    found.append((row, count))
        every = [*(of_term[term] for term in terms), *(of_prefix[prefix] for prefix in prefixes)]
        return [Postings(*np.array(one, np.int64).reshape(-1, 2).T) for one in every]


def _counts(tokens: str) -> Mapping[str, int]:
    """How often each token occurs."""
    return Counter(tokens.split())


_cached_counts = lru_cache(maxsize=CACHED_COUNTS)(_counts)
"""The same, remembered: the newest rows are asked again and again."""
