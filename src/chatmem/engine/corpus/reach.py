"""Everything that a viewer's search reads: own rows first, then what others share, as one corpus.

Ranking reads rows, words and vectors through this and through nothing else. So frequencies, means
and best scores are taken over exactly what the viewer may see, and what somebody else keeps private
can influence nothing, not even a score.

Source: decisions 6.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chatmem.engine.corpus.shared import SharedBlock
from chatmem.model import AtomicMemoryRecord, Category, Standing
from chatmem.retrieval.candidates import Candidates, Scores, make_corpus
from chatmem.retrieval.dense import window_norms
from chatmem.retrieval.query import ROLES
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner, Postings, Rows, RowState, Vectors

_BYTES_A_ROW = 64


@dataclass(frozen=True, slots=True)
class CandidateVectors:
    """Vectors of candidates: who has one, the vectors (zeros otherwise), the windows' lengths."""

    known: NDArray[np.bool_]
    vectors: Vectors
    norms: Scores


class Reach:
    """One state of what a viewer may see.

    Rows 0..own-1 are the viewer's own, with the store's numbers; those of others follow, block by
    block. `facts` and `corpus` describe all of them.
    """

    def __init__(
        self, store: Store, viewer: Owner, own: NDArray[np.void], shared: Sequence[SharedBlock]
    ) -> None:
        self._store = store
        self.viewer = viewer
        self.own = len(own)
        self.own_facts = own
        self.shared = tuple(shared)
        self._firsts = np.cumsum([self.own, *(len(block) for block in shared)])[:-1].tolist()
        self.facts = np.concatenate([own, *(one.facts for one in shared)]) if shared else own
        self.live: NDArray[np.bool_] = (self.facts["state"] & RowState.LIVE) > 0
        self.corpus = make_corpus(self.facts, self.live)
        self._everything: CandidateVectors | None = None
        self._speakers: tuple[tuple[int, str, str], ...] | None = None

    @property
    def foreign(self) -> int:
        """How many rows of others there are."""
        return len(self.facts) - self.own

    @property
    def size(self) -> int:
        """About how many bytes are kept."""
        vectors = self._everything.vectors.nbytes if self._everything else 0
        return _BYTES_A_ROW * len(self.facts) + vectors + sum(one.size for one in self.shared)

    def postings(self, terms: Sequence[str], prefixes: Sequence[str]) -> list[Postings]:
        """One entry a term, then one a prefix.

        Raises:
            LexicalUnavailableError: the full-text index is missing or rejected the query.
        """
        found = self._store.lexical.postings(self.viewer, terms, prefixes)
        if not self.shared:
            return found
        words = [
            (first, block.words()) for first, block in zip(self._firsts, self.shared, strict=True)
        ]
        behind: list[list[tuple[int, Postings | None]]] = [
            [(first, one.postings(term)) for first, one in words] for term in terms
        ]
        behind += [
            [(first, one.prefix_postings(prefix)) for first, one in words] for prefix in prefixes
        ]
        return [_joined(own, parts) for own, parts in zip(found, behind, strict=True)]

    def vectors(self, candidates: Candidates) -> CandidateVectors | None:
        """The candidates' vectors, None where nobody has one; kept if they are all there are."""
        if len(candidates) < len(self.corpus):
            return self._vectors(candidates)
        if self._everything is None:
            self._everything = self._vectors(candidates)
        return self._everything

    def nearest(
        self, vector: Vectors, limit: int, eligible: Sequence[NDArray[np.bool_]]
    ) -> list[Rows]:
        """For each of the marks, the own rows so marked whose codes are nearest, unordered."""
        marks = [one[: self.own] for one in eligible]
        return self._store.dense.candidates_of_each(self.viewer, vector, limit, marks)

    def speakers(self) -> Sequence[tuple[int, str, str]]:
        """Number, name and index terms of everybody who speaks in the viewer's conversations."""
        if self._speakers is None:
            self._speakers = tuple(self._store.lexical.speakers(self.viewer))
        return self._speakers

    def assistants(self) -> frozenset[int]:
        """Speakers of the own rows that are no people."""
        return frozenset(
            number for number, name, _ in self.speakers() if name in ROLES and name != "user"
        )

    def of_category(self, categories: Collection[Category], limit: int) -> list[int]:
        """The newest valid long-term memories of these categories."""
        if not categories:
            return []
        found = self._store.memories.of_category(self.viewer, sorted(categories), limit)
        if not self.shared:
            return found
        for first, block in zip(self._firsts, self.shared, strict=True):
            state = block.facts["state"]
            valid = ((state & RowState.LONG_TERM) > 0) & ((state & RowState.SUPERSEDED) == 0)
            of_them = np.array([one in categories for one in block.shared.categories], bool)
            found += (np.flatnonzero(valid & of_them) + first).tolist()
        return sorted(found, key=lambda row: -int(self.facts["time"][row]))[:limit]

    def records(self, rows: Sequence[int]) -> dict[int, AtomicMemoryRecord]:
        """The memories of these rows, by row; those that the viewer may (still) see."""
        places = {self._place(row): row for row in rows}
        found = self._store.memories.by_places(self.viewer, list(places))
        return {places[place]: record for place, record in found.items()}

    def standings(self, rows: Sequence[int]) -> dict[int, Standing]:
        """What counts beside their words of the memories of these rows, as `records` gives them."""
        places = {self._place(row): row for row in rows}
        found = self._store.memories.standings(self.viewer, list(places))
        return {places[place]: standing for place, standing in found.items()}

    def _place(self, row: int) -> tuple[int, int]:
        """Owner number and row of the owner."""
        if row < self.own:
            return self.viewer.number, row
        block = int(np.searchsorted(self._firsts, row, side="right")) - 1
        shared = self.shared[block].shared
        return shared.owner.number, int(shared.rows[row - self._firsts[block]])

    def _vectors(self, candidates: Candidates) -> CandidateVectors | None:
        rows = candidates.rows
        own = rows[: int(np.searchsorted(rows, self.own))] if self.shared else rows
        had, vectors = self._store.dense.vectors(self.viewer, own, keep=True)
        if len(own) < len(rows):
            had, vectors = self._with_shared(rows, had, vectors)
        if not len(had):
            return None
        known: NDArray[np.bool_] = np.isin(rows, had, assume_unique=True)
        if not known.all():
            full = np.zeros((len(candidates), vectors.shape[1]), np.float32)
            full[known] = vectors
            vectors = full
        return CandidateVectors(known, vectors, window_norms(vectors, candidates))

    def _with_shared(self, rows: Rows, had: Rows, vectors: Vectors) -> tuple[Rows, Vectors]:
        parts = [(had, vectors)] if len(had) else []
        for first, block in zip(self._firsts, self.shared, strict=True):
            low, high = np.searchsorted(rows, [first, first + len(block)])
            if low < high:
                places, found = block.vectors(rows[low:high] - first)
                if len(places):
                    parts.append((places + first, found))
        if not parts:
            return np.empty(0, np.int64), np.empty((0, 0), np.float32)
        return np.concatenate([one for one, _ in parts]), np.concatenate([one for _, one in parts])


def _joined(own: Postings, parts: Sequence[tuple[int, Postings | None]]) -> Postings:
    """The own postings and, behind them, those of each block, moved to where it begins."""
    there = [(first, one) for first, one in parts if one is not None]
    return Postings(
        np.concatenate([own.rows, *(one.rows + first for first, one in there)]),
        np.concatenate([own.counts, *(one.counts for _, one in there)]),
    )
