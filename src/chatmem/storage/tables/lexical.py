"""The lexical leg: packed postings for the older rows, the tokens themselves for the newer ones.

The newest rows of an owner are so few that their tokens are read whole, by the primary key, and
stay in memory by term: an index of words over everybody's rows would have to be kept up for no
gain.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from chatmem.model import Missing
from chatmem.storage.tables.database import Bindings, Row, SqlDatabase
from chatmem.storage.tables.owners import Extent, Owners, key_range, row_id, row_of
from chatmem.storage.tables.packed_index import PackedIndex, VersionCache
from chatmem.storage.values import (
    NO_POSTINGS,
    ROW_DTYPE,
    IndexEntry,
    Occurrences,
    Owner,
    Postings,
    Rows,
    begins,
)

CACHE_BYTES = 32 << 20
"""The terms of 150 busy owners' newest rows."""
_TIMES_TEXT = 8
"""What a row's terms take in memory, over the length of their text."""
_ROW = np.uint32


class TermIndex:
    """Which of some rows hold which term: of few rows, brought up to date one by one."""

    def __init__(self) -> None:
        self.of: int | None = None
        """Of which version of an owner's rows it is."""
        self.lock = Lock()
        """Held by who renews it or looks something up in it."""
        self.size = 0
        """About how many bytes it takes."""
        self._tokens: dict[int, str] = {}
        # A row as often as it holds the term, as bytes: these the garbage collector leaves alone.
        self._rows: dict[str, bytes] = {}
        self._made: dict[str, Postings] = {}  # of terms that were asked for

    def renew(self, tokens: Mapping[int, str]) -> None:
        """Hold exactly these rows: their terms, blank separated, as often as they occur."""
        self._made.clear()
        if any(tokens.get(row) != known for row, known in self._tokens.items()):
            self._tokens, self._rows = {}, {}  # packed meanwhile, most of them
        for row, text in tokens.items():
            if row not in self._tokens:
                self._tokens[row] = text
                held_once = _ROW(row).tobytes()
                for term in text.split():
                    self._rows[term] = self._rows.get(term, b"") + held_once
        self.size = _TIMES_TEXT * sum(map(len, self._tokens.values()))

    def postings(self, terms: Sequence[str], prefixes: Sequence[str]) -> list[Postings]:
        """One entry a term, then one a prefix: of all terms that begin so, added by row."""
        for term in terms:
            if term not in self._made:
                self._made[term] = _postings_of(self._rows.get(term, b""))
        found = [self._made[term] for term in terms]
        for prefix in prefixes:
            held = (rows for term, rows in self._rows.items() if begins(term, prefix))
            found.append(_postings_of(b"".join(held)))
        return found


def _postings_of(held: bytes) -> Postings:
    if not held:
        return NO_POSTINGS
    found = np.array(sorted(Counter(memoryview(held).cast("I")).items()), np.int64)
    return Postings(found[:, 0], found[:, 1].astype(np.float64))


class LexicalIndex:
    """The lexical leg: who contains which term, and what ranking knows of the rows.

    The facts of rows and their tokens stand in the table `memory_index`.
    """

    later_below = 0
    """Texts of fewer characters are read for the index when they are asked for, or packed."""

    def __init__(self, database: SqlDatabase, packed: PackedIndex) -> None:
        self._db = database
        self._owners = Owners(database)
        self._packed = packed
        self._newest_terms = VersionCache[TermIndex](CACHE_BYTES, lambda held: held.size, least=1)

    def occurrences(
        self, owner: Owner, terms: Sequence[str], prefixes: Sequence[str]
    ) -> Occurrences:
        """Where the terms occur, then the prefixes (all words of one together)."""
        if not terms and not prefixes:
            return Occurrences([])
        extent = self._owners.extent(owner)
        newest = self._of_newest(owner, extent, terms, prefixes)
        if not extent.packed:
            return Occurrences(newest)
        older = self._packed.postings(owner, extent.packed_version, terms)
        older += [self._packed.prefix_postings(owner, prefix) for prefix in prefixes]
        return Occurrences(older, newest)

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
            self._packed.put("row", owner, [(row, self.facts(owner, row, row + 1).tobytes())])

    def tokens(self, owner: Owner, rows: Rows) -> list[list[str]]:
        """The index terms of each of these rows, ascending, as often as they occur."""
        keys = [row_id(owner, row) for row in rows.tolist()]
        found: dict[int, str] = dict(self._tokens_of(owner, keys))
        return [found.get(key, "").split() for key in keys]

    def rows(self, owner: Owner) -> NDArray[np.void]:
        """`ROW_DTYPE`, one entry a row from 0 on; deleted rows have state 0."""
        extent = self._owners.extent(owner)
        newest = self.facts(owner, extent.packed, extent.rows)
        if not extent.packed:
            return newest
        both = self._packed.rows(owner, extent.packed_version), newest
        # As bytes: else each field of each row is copied by itself, in thirty times the time.
        return np.concatenate([one.view(np.uint8) for one in both]).view(ROW_DTYPE)

    def facts(self, owner: Owner, first: int, end: int) -> NDArray[np.void]:
        """The facts of rows first..end-1, as the tables have them."""
        low, high = row_id(owner, first), row_id(owner, end) - 1
        return self._facts(owner, np.arange(first, end), "range", low=low, high=high)

    def facts_of(self, owner: Owner, rows: Rows) -> NDArray[np.void]:
        """The same of these rows, ascending; of the owner's other rows nothing is read."""
        return self._facts(owner, rows, "keys", keys=[row_id(owner, row) for row in rows.tolist()])

    def missing(self) -> tuple[Missing, ...]:
        """What is used in place of full text, and why; empty where all is well."""
        return ()

    def check(self) -> list[str]:
        """What is wrong, a sentence each."""
        missing = self._db.value("index.count_without_tokens")
        why = f"{missing} rows are not in the index of words: run `chatmem reindex`"
        return [f"{self._db.name}: {why}"] if missing else []

    def _facts(self, owner: Owner, rows: Rows, among: str, **bound: object) -> NDArray[np.void]:
        """Those of the rows, which are all that are among what is bound; of none all is 0 or -1."""
        part = self._db.statement(f"index.among_{among}").text
        found = self._db.rows(self._db.statement("index.rows").filled(among=part), owner, **bound)
        facts = np.zeros(len(rows), ROW_DTYPE)
        facts["session"] = facts["previous"] = facts["speaker"] = -1
        if found:
            places = np.searchsorted(rows, [row_of(row[0]) for row in found])
            facts[places] = np.array([row[1:] for row in found], ROW_DTYPE)
        return facts

    def _tokens_of(self, owner: Owner, keys: Sequence[int]) -> list[Row]:
        """Key and tokens, blank separated, of each of these rows."""
        return self._db.rows("index.tokens_of", owner, keys=keys)

    def _newest(
        self, owner: Owner, first: int, terms: Sequence[str], prefixes: Sequence[str]
    ) -> tuple[list[Row], bool]:
        """Keys and tokens of rows from `first` on; True if of all, not only of those that match."""
        return self._db.rows("index.newest", owner, **key_range(owner, first)), True

    def _leave_packed(self, owner: Owner, row: int) -> None:
        """Take the row's tokens out of the packed index."""
        if self._is_packed(owner, row):
            (before,) = self.tokens(owner, np.array([row]))
            self._packed.put_tokens(owner, row, dict.fromkeys(before, 0))

    def _is_packed(self, owner: Owner, row: int) -> bool:
        return row < self._owners.extent(owner).packed

    def _of_newest(
        self, owner: Owner, extent: Extent, terms: Sequence[str], prefixes: Sequence[str]
    ) -> list[Postings]:
        """Postings of the rows that are not packed: few but for the time of an import."""
        # What a transaction has written may yet be rolled back.
        held = TermIndex() if self._db.writing else self._newest_terms.made(owner.number, TermIndex)
        with held.lock:
            if held.of == extent.version:
                return held.postings(terms, prefixes)
            found, is_all = self._newest(owner, extent.packed, terms, prefixes)
            if not is_all:  # of no use to the next query
                held = TermIndex()
            held.renew({row_of(key): tokens for key, tokens in found})
            held.of = extent.version if is_all else None
            postings = held.postings(terms, prefixes)
        if is_all and not self._db.writing:
            self._newest_terms.put(owner.number, 0, held)
        return postings
