"""The dense leg: cosine of the entry with its neighbours, and of the best of its session.

A window's vector is a sum of its turns' vectors, so its cosine follows from the turns' cosines and
the window's length, and only turns are embedded.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chatmem.retrieval.candidates import Candidates, Corpus, Scores
from chatmem.retrieval.lexical import FOLLOWING_WEIGHT, PREVIOUS_WEIGHT, with_neighbours
from chatmem.storage.values import Vector, Vectors

SESSION_SHARE = 0.5
"""How much of the score a row's session lends it, through its best row."""
SCALE = 1.4
"""Useful cosines end near 0.7; anything from 1.2 to 1.5 is within a point."""


@dataclass(frozen=True, slots=True)
class CandidateVectors:
    """Vectors of candidates: who has one, the vectors (zeros otherwise), the windows' lengths."""

    known: NDArray[np.bool_]
    vectors: Vectors
    norms: Scores


@dataclass(frozen=True, slots=True)
class Cosines:
    """Cosines of single rows, (views, candidates), lengths of the windows, who has a vector."""

    by_view: NDArray[np.float64]
    norms: Scores
    known: NDArray[np.bool_]

    def of(self, pool: Candidates, some: Candidates) -> "Cosines":
        """Those of some of the candidates of `pool`, whose cosines these are."""
        if some is pool:
            return self
        places = np.searchsorted(pool.rows, some.rows)
        norms = np.zeros(len(some))  # a neighbour's own window may reach past what is here
        norms[some.core] = self.norms[places[some.core]]
        return Cosines(self.by_view[:, places], norms, self.known[places])


def cosines_of(views: Sequence[Vector], found: CandidateVectors | None, count: int) -> Cosines:
    """How near each of `count` candidates is to each view's vector; no views without vectors."""
    if found is None or found.vectors.shape[1] != len(views[0]):
        return Cosines(np.empty((0, count)), np.ones(count), np.zeros(count, bool))
    cosines = (np.stack(views) @ found.vectors.T).astype(np.float64)
    return Cosines(cosines, found.norms, found.known)


def blend(statement: Vector, question: Vector) -> Vector:
    """The vector to look up: the mean of statement and question (either alone loses 2 points)."""
    mean: Vector = ((statement + question) / 2).astype(np.float32)
    return mean


def window_norms(vectors: Vectors, candidates: Candidates) -> Scores:
    """The length of each candidate's window vector, 0 for those that are only neighbours.

    `vectors` has one row a candidate; rows without a vector are zeros.
    """
    core = candidates.core
    window = vectors[core]
    for places, weight in (
        (candidates.previous[core], PREVIOUS_WEIGHT),
        (candidates.following[core], FOLLOWING_WEIGHT),
    ):
        there = np.flatnonzero(places >= 0)
        window[there] += np.float32(weight) * vectors[places[there]]
    norms = np.zeros(len(candidates))
    norms[core] = np.sqrt(np.einsum("ij,ij->i", window, window))
    return norms


def dense_scores(corpus: Corpus, candidates: Candidates, cosines: Scores, norms: Scores) -> Scores:
    """One score a candidate, at most SCALE: half its window's cosine, half its session's best.

    `cosines` are those of the single rows, `norms` the lengths of the window vectors.
    """
    window = with_neighbours(cosines, candidates)
    window = np.divide(window, norms, out=np.zeros_like(window), where=norms > 0)
    sessions = corpus.session[candidates.rows]
    _, place = np.unique(sessions, return_inverse=True)
    best = np.full(place.max(initial=-1) + 1, -1.0)
    np.maximum.at(best, place, window)
    mixed = (1 - SESSION_SHARE) * window + SESSION_SHARE * best[place]
    scores: Scores = SCALE * np.clip(mixed, 0.0, 1.0)
    return scores
