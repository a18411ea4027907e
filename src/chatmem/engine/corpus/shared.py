"""Rows that one other user shares with a viewer: their facts, words and vectors, kept in memory.

A query then costs no statement for each user who shares something.
"""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

import numpy as np

from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner, Postings, Rows, SharedRows, Vectors

KEPT_VECTORS = 2_048
"""Of more rows only the candidates' vectors are read, anew for each query."""
_BYTES_A_TERM = 160
_BYTES_A_POSTING = 16
_NOBODY = -1
_LAST_CHARACTER = "\U0010ffff"


class SharedBlock:
    """One owner's rows that a viewer may see, counted from 0 on.

    Where they come from is left out: who else speaks in that conversation, and what was said before
    and after, is not shared. So nothing of a private row is ever read together with them.
    """

    def __init__(self, store: Store, shared: SharedRows) -> None:
        self.shared = shared
        self._store = store
        self.facts = store.lexical.facts_of(shared.owner, shared.rows)
        for name in ("session", "previous", "speaker"):
            self.facts[name] = _NOBODY
        self._words: Words | None = None
        self._vectors: tuple[Rows, Vectors] | None = None

    def __len__(self) -> int:
        return len(self.shared.rows)

    @property
    def owner(self) -> Owner:
        """Whose rows these are."""
        return self.shared.owner

    @property
    def size(self) -> int:
        """About how many bytes are kept."""
        words = self._words.size if self._words else 0
        return self.facts.nbytes + words + (self._vectors[1].nbytes if self._vectors else 0)

    def is_still(self, shared: SharedRows) -> bool:
        """True when what was read here is what would be read now."""
        return self.shared.version == shared.version and np.array_equal(
            self.shared.rows, shared.rows
        )

    def words(self) -> "Words":
        """Which of the rows hold which term, counted from 0 on.

        Raises:
            LexicalUnavailableError: the full-text index cannot tell the rows' words.
        """
        if self._words is None:
            self._words = Words(self._store.lexical.tokens(self.owner, self.shared.rows))
        return self._words

    def vectors(self, places: Rows) -> tuple[Rows, Vectors]:
        """Those of the places (ascending) that have a vector, and the vectors, (n, dimension)."""
        if len(self) > KEPT_VECTORS:
            return self._read(places)
        if self._vectors is None:
            self._vectors = self._read(np.arange(len(self)))
        had, vectors = self._vectors
        if len(places) == len(self):
            return had, vectors
        asked = np.isin(had, places, assume_unique=True)
        return had[asked], vectors[asked]

    def _read(self, places: Rows) -> tuple[Rows, Vectors]:
        rows, vectors = self._store.dense.vectors(self.owner, self.shared.rows[places])
        return np.searchsorted(self.shared.rows, rows), vectors


class Words:
    """Which places hold which term: the terms in order, and their postings one after the other."""

    def __init__(self, tokens: Sequence[Sequence[str]]) -> None:
        held: dict[str, tuple[array[int], array[int]]] = {}
        for place, words in enumerate(tokens):
            for term, count in Counter(words).items():
                places, counts = held.setdefault(term, (array("q"), array("q")))
                places.append(place)
                counts.append(count)
        self._terms = sorted(held)
        self._number = {term: number for number, term in enumerate(self._terms)}
        self._starts = np.cumsum([0, *(len(held[term][0]) for term in self._terms)]).tolist()
        self._places = _joined([held[term][0] for term in self._terms])
        self._counts = _joined([held[term][1] for term in self._terms])

    @property
    def size(self) -> int:
        """About how many bytes they take."""
        return _BYTES_A_TERM * len(self._terms) + _BYTES_A_POSTING * len(self._places)

    def postings(self, term: str) -> Postings | None:
        """The places with the term, None where there is none."""
        number = self._number.get(term)
        return None if number is None else self._between(number, number + 1)

    def prefix_postings(self, prefix: str) -> Postings:
        """Places with any word that begins so; counts of a place's words are added."""
        first = bisect_left(self._terms, prefix)
        end = bisect_left(self._terms, prefix + _LAST_CHARACTER, first)
        both = self._between(first, end)
        places, inverse = np.unique(both.rows, return_inverse=True)
        return Postings(places, np.bincount(inverse, both.counts, len(places)).astype(np.int64))

    def _between(self, first: int, end: int) -> Postings:
        low, high = self._starts[first], self._starts[end]
        return Postings(self._places[low:high], self._counts[low:high])


def _joined(parts: Sequence["array[int]"]) -> Rows:
    if not parts:
        return np.empty(0, np.int64)
    return np.concatenate([np.array(part, np.int64) for part in parts])
