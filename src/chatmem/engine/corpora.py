"""The arrays that ranking reads of each owner, kept until a row of the owner changes."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from chatmem.retrieval.candidates import Candidates, Corpus, Rows, Scores, make_corpus
from chatmem.retrieval.dense import window_norms
from chatmem.storage.ports import DenseIndex, Owner, RowState, Store, Vectors

KEPT_BYTES = 64 << 20
"""Room for 30 owners of 1,000 rows with their vectors, or for a million rows without."""
_BYTES_A_ROW = 64


@dataclass(frozen=True, slots=True)
class CandidateVectors:
    """Vectors of candidates: who has one, the vectors (zeros otherwise), the windows' lengths."""

    known: NDArray[np.bool_]
    vectors: Vectors
    norms: Scores


@dataclass(slots=True)
class _Kept:
    version: int
    facts: NDArray[np.void]
    corpus: Corpus
    everything: CandidateVectors | None = None

    @property
    def size(self) -> int:
        vectors = self.everything.vectors.nbytes if self.everything else 0
        return _BYTES_A_ROW * len(self.facts) + vectors


class Corpora:
    """Row facts, corpus and, of small owners, vectors; the least lately searched go first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[int, _Kept] = OrderedDict()

    def get(self, store: Store, owner: Owner) -> tuple[NDArray[np.void], Corpus]:
        """The owner's row facts, and the corpus they make, as the open snapshot has them."""
        kept = self._current(store, owner)
        return kept.facts, kept.corpus

    def vectors(
        self, store: Store, owner: Owner, candidates: Candidates
    ) -> CandidateVectors | None:
        """The candidates' vectors, None where nobody has one; kept if they are all there are."""
        kept = self._current(store, owner)
        if len(candidates) < len(kept.corpus):
            return read_vectors(store.dense, owner, candidates)
        if kept.everything is None:
            kept.everything = read_vectors(store.dense, owner, candidates)
            self._make_room()
        return kept.everything

    def _current(self, store: Store, owner: Owner) -> _Kept:
        version = store.lexical.version(owner)
        with self._lock:
            kept = self._kept.get(owner.number)
            if kept is not None and kept.version == version:
                self._kept.move_to_end(owner.number)
                return kept
        facts = store.lexical.rows(owner)
        corpus = make_corpus(facts, (facts["state"] & RowState.LIVE) > 0)
        kept = _Kept(version, facts, corpus)
        with self._lock:
            self._kept[owner.number] = kept
            self._kept.move_to_end(owner.number)
        self._make_room()
        return kept

    def _make_room(self) -> None:
        with self._lock:
            size = sum(kept.size for kept in self._kept.values())
            while len(self._kept) > 1 and size > KEPT_BYTES:
                size -= self._kept.popitem(last=False)[1].size


def read_vectors(
    dense: DenseIndex, owner: Owner, candidates: Candidates
) -> CandidateVectors | None:
    """The vectors of these candidates, None where nobody has one."""
    had, vectors = dense.vectors(owner, candidates.rows)
    if not len(had):
        return None
    known = _is_in(candidates.rows, had)
    if not known.all():
        full = np.zeros((len(candidates), vectors.shape[1]), np.float32)
        full[known] = vectors
        vectors = full
    return CandidateVectors(known, vectors, window_norms(vectors, candidates))


def _is_in(rows: Rows, had: Rows) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = np.isin(rows, had, assume_unique=True)
    return found
