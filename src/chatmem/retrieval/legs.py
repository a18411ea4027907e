"""The two legs of a search: by words (lexical), and by meaning (dense).

Both look at an entry, at its window (the entry with its neighbours) and at its session. Everything
is made of the turns' postings and vectors, so nothing is indexed twice and windows never go stale:

    bm25 = sum over terms of weight * idf * tf * (k1 + 1) / (tf + k1 * norm)
    norm = 1 - b + b * length / mean length

A window's vector is a sum of its turns' vectors, so its cosine follows from theirs and its length.

Source: decisions 3; Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from chatmem.retrieval.candidates import Candidates, Corpus, Scores
from chatmem.retrieval.query import STOP_WEIGHT
from chatmem.storage.values import Occurrences, Rows, Vector

K1 = 0.8
B = 0.75
"""A second mention in a chat message says little: counts saturate early (K1 1.2 loses half a point
recall@5 on LoCoMo)."""

IMAGINED_ROWS = 100
"""Rows without any of the terms that `held_share` adds: in a memory of three, a word is not common
because one of them holds it."""

TURN_WEIGHT = 0.25
WINDOW_WEIGHT = 0.42
SESSION_WEIGHT = 0.33
"""What is meant is often said over several turns; without windows LoCoMo loses 2 points."""

PREVIOUS_WEIGHT = 0.6
FOLLOWING_WEIGHT = 0.3
"""An answer follows its question: the turn before says more of what a turn is about."""
REACH = 1 + PREVIOUS_WEIGHT + FOLLOWING_WEIGHT

BRIDGE_WEIGHT = 1.0
"""Beside the lexical leg's own maximum of 1."""
LINKED = 0.25
"""A row with less of the bridge is no match by it: it shares a common word with the best hit."""
MAX_TERMS = 48
"""Terms of one hit that are followed: bounds the work for long entries."""
_Float = TypeVar("_Float", np.float32, np.float64)


Counts = NDArray[np.float32]


class TermCounts(NamedTuple):
    """How often each query term occurs, (terms, candidates).

    `row_share` and `window_share`, in [0, 1], are what BM25 makes of the counts in rows and in
    their windows, over its most: 1 / (1 + K1) for one mention in a text of mean length. Without
    dialogue they are the same.
    """

    in_rows: Counts
    frequency: Scores
    idf: Scores
    row_share: Counts
    window_share: Counts


def idf(document_frequency: Scores, documents: int) -> Scores:
    """ln(1 + (n - df + 0.5) / (df + 0.5)): positive also for a term in every document."""
    return np.log1p((documents - document_frequency + 0.5) / (document_frequency + 0.5))


def count_terms(corpus: Corpus, candidates: Candidates, found: Occurrences) -> TermCounts:
    """The counts of every query term, from its occurrences in all rows of the corpus."""
    terms, size = found.terms, len(candidates)
    rows, counts = found.rows, found.counts
    places = found.spread(np.arange(terms) * size)
    if size < len(corpus):
        rows = candidates.places.take(rows)
        inside = np.flatnonzero(rows >= 0)
        rows, places, counts = rows.take(inside), places.take(inside), counts.take(inside)
    both = np.zeros((terms + 1, size), np.float32)
    in_rows, length = both[:-1], both[-1]
    in_rows.reshape(-1)[places + rows] = counts
    length[:] = corpus.length[candidates.rows] / corpus.mean_length
    row_share = window_share = _saturated(in_rows, length)
    if not corpus.all_solo:
        windows = with_neighbours(both, candidates)
        window_share = _saturated(windows[:-1], windows[-1] / np.float32(REACH))
    rarity = idf(found.frequency, corpus.live)
    return TermCounts(in_rows, found.frequency, rarity, row_share, window_share)


def session_scores(
    corpus: Corpus, found: Occurrences, weights: Sequence[NDArray[np.float64]]
) -> list[Scores]:
    """For each of the weightings one score a session, in [0, 1]; all 0 without dialogue."""
    terms, sessions = found.terms, len(corpus.session_length)
    if corpus.all_solo:
        return [np.zeros(sessions) for _ in weights]
    places = found.spread(np.arange(terms) * sessions)
    places += corpus.session.take(found.rows)
    counts = _added(places, found.counts, terms * sessions).reshape(terms, sessions)
    held = np.count_nonzero(counts, axis=1).astype(np.float64)
    rarity = idf(held, corpus.session_count)
    shares = _saturated(counts, corpus.session_length / corpus.mean_session_length)
    return [unit_max(one * rarity @ shares) for one in weights]


def rough_scores(corpus: Corpus, found: Occurrences, weights: NDArray[np.float64]) -> Scores:
    """A cheap estimate of the score of each row: the idf of what it holds; and one 0 more."""
    weighty = np.flatnonzero(weights)
    telling = found.among(weighty.tolist())
    counts = telling.counts
    worth = telling.spread(weights[weighty] * idf(telling.frequency, corpus.live))
    return _added(telling.rows, worth * (counts / (counts + K1)), len(corpus) + 1)


def best_windows(corpus: Corpus, rough: Scores, eligible: NDArray[np.bool_], limit: int) -> Rows:
    """The `limit` eligible rows whose windows have most of the rough scores, unordered.

    Picks the candidates of owners with many rows; `lexical_scores` then scores them exactly.
    """
    top = float(rough.max())
    for least in (top / 2, top / 4, top / 16, 0.0):
        if np.count_nonzero(eligible & (rough[:-1] >= least)) >= limit:
            break  # so many rows have it alone: a window with it holds a row with its share
    strong = np.flatnonzero(rough[:-1] > least / REACH)
    near = np.zeros(len(rough), bool)  # a neighbour of -1 is the last, which holds nothing
    for around in (strong, corpus.previous[strong], corpus.following[strong]):
        near[around] = True
    rows = np.flatnonzero(near[:-1] & eligible)
    if len(rows) <= limit:
        return rows
    scores = rough[rows] + PREVIOUS_WEIGHT * rough[corpus.previous[rows]]
    scores += FOLLOWING_WEIGHT * rough[corpus.following[rows]]
    return rows[np.argpartition(scores, -limit)[-limit:]]


def lexical_scores(
    corpus: Corpus,
    candidates: Candidates,
    counts: TermCounts,
    weights: NDArray[np.float64],
    session: Scores,
) -> Scores:
    """One score a candidate, in [0, TURN_WEIGHT + WINDOW_WEIGHT + SESSION_WEIGHT].

    `session` is what `session_scores` gives for these weights.
    """
    rarity = weights * counts.idf
    turn = summed(rarity, counts.row_share)
    if counts.window_share is counts.row_share:
        return unit_max(turn)
    window = summed(rarity, counts.window_share)
    if len(candidates.core) < len(candidates):  # only its windows have all their rows here
        whole = np.zeros(len(candidates))
        whole[candidates.core] = 1.0
        window *= whole
    return (
        TURN_WEIGHT * unit_max(turn)
        + WINDOW_WEIGHT * unit_max(window)
        + SESSION_WEIGHT * session[corpus.session[candidates.rows]]
    )


def held_share(corpus: Corpus, counts: TermCounts, weights: NDArray[np.float64]) -> Scores:
    """What each candidate, or its window, holds of the message, in [0, 1].

    Its BM25 over that of a row that mentions every term in full, also terms that no row has. 0
    without a term in common. A message of stop words alone says as little as they weigh.
    """
    rarity = weights * idf(counts.frequency, corpus.live + IMAGINED_ROWS)
    held = summed(rarity, counts.row_share)
    if counts.window_share is not counts.row_share:
        held = np.maximum(held, summed(rarity, counts.window_share))
    in_full = float(rarity[rarity > 0].sum()) / (K1 + 1)  # a topic adds nothing
    share: Scores = np.minimum(held / max(in_full, _TINY), 1.0)
    heaviest = float(weights.max(initial=0.0))
    return share * heaviest if heaviest <= STOP_WEIGHT else share


def keyword_coverage(keywords: Sequence[tuple[int, ...]], counts: TermCounts) -> Scores:
    """The share of the keywords, places of their terms, that a row holds; 0 without any."""
    share = np.zeros(counts.in_rows.shape[1])
    for places in keywords:
        share += reduce(np.logical_and, [counts.in_rows[place] > 0 for place in places])
    return share / max(len(keywords), 1)


def best_coverage(corpus: Corpus, counts: TermCounts, weights: NDArray[np.float64]) -> float:
    """The largest share of the message's idf that one candidate holds, in [0, 1]."""
    rarity = weights * counts.idf
    total = float(rarity[rarity > 0].sum())
    if total <= 0:
        return 0.0
    return float(summed(rarity, np.minimum(counts.in_rows, 1)).max(initial=0.0)) / total


def bridge_scores(corpus: Corpus, candidates: Candidates, top: int, found: Occurrences) -> Scores:
    """One score in [0, 1] a solo candidate; the best hit itself, at place `top`, has 1.

    `found` are where the best hit's own terms occur.
    """
    worth = idf(found.frequency, corpus.live) * (found.frequency > 1)
    places = candidates.places[found.rows]
    inside = places >= 0
    scores = _added(places[inside], found.spread(worth)[inside], len(candidates))
    scores[top] = 0.0
    scores = unit_max(scores)
    if scores.any():
        scores[top] = 1.0
    return scores * corpus.solo[candidates.rows]


def unit_max(scores: Scores) -> Scores:
    """The scores divided by their maximum; zeros stay zeros."""
    top = scores.max(initial=0.0)
    return scores / top if top > 0 else scores


def with_neighbours(values: NDArray[_Float], candidates: Candidates) -> NDArray[_Float]:
    """The values (..., candidates) of windows: a row's own, and shares of its neighbours'."""
    nothing = np.zeros((*values.shape[:-1], 1), values.dtype)
    padded = np.concatenate((values, nothing), axis=-1)  # a place of -1 is the last
    window = np.take(padded, candidates.previous, axis=-1, mode="wrap")
    window *= values.dtype.type(PREVIOUS_WEIGHT)
    window += values
    following = np.take(padded, candidates.following, axis=-1, mode="wrap")
    following *= values.dtype.type(FOLLOWING_WEIGHT)
    window += following
    return window


def _saturated(counts: NDArray[_Float], relative_length: NDArray[_Float]) -> NDArray[_Float]:
    share = counts + relative_length.dtype.type(K1) * (1 - B + B * relative_length)
    np.divide(counts, share, out=share)
    return share


def summed(weights: Scores, shares: NDArray[Any]) -> Scores:
    """The product of both, without the threads that a linear algebra library starts for it."""
    summed = np.einsum("t,tc->c", weights.astype(np.float32), shares)
    return np.asarray(summed, np.float64)


def _added(places: Rows, values: Scores, size: int) -> Scores:
    """The values at each of `size` places, added up."""
    return np.bincount(places, values, size).astype(np.float64, copy=False)


_TINY = 1e-9
SESSION_SHARE = 0.5
"""How much of the score a row's session lends it, through its best row."""
SCALE = 1.4
"""Useful cosines end near 0.7; anything from 1.2 to 1.5 is within a point."""


class CandidateVectors(NamedTuple):
    """Who of the candidates has a vector, these over `scales` (or zeros), lengths of windows."""

    known: NDArray[np.bool_]
    vectors: NDArray[Any]
    scales: Vector
    norms: Scores


class Cosines(NamedTuple):
    """Cosines of single rows, (views, candidates), lengths of the windows, who has a vector."""

    by_view: NDArray[np.float64]
    norms: Scores
    known: NDArray[np.bool_]

    def of(self, pool: Candidates, some: Candidates) -> "Cosines":
        """Those of some of the candidates of `pool`, whose cosines these are."""
        if some is pool:
            return self
        places = pool.places[some.rows]
        norms = np.zeros(len(some))  # a neighbour's own window may reach past what is here
        norms[some.core] = self.norms[places[some.core]]
        return Cosines(self.by_view[:, places], norms, self.known[places])


def cosines_of(views: Sequence[Vector], found: CandidateVectors | None, count: int) -> Cosines:
    """How near each of `count` candidates is to each view's vector; no views without vectors."""
    if found is None or found.vectors.shape[1] != len(views[0]):
        return Cosines(np.empty((0, count)), np.ones(count), np.zeros(count, bool))
    vectors = found.vectors.astype(np.float32, copy=False)
    # No matrix product: for it a linear algebra library starts threads, which costs more.
    cosines = np.array([np.vecdot(vectors, view) for view in views], np.float64)
    cosines *= found.scales
    return Cosines(cosines, found.norms, found.known)


def blend(statement: Vector, question: Vector) -> Vector:
    """The vector to look up: the mean of statement and question (either alone loses 2 points)."""
    return ((statement + question) / 2).astype(np.float32)


def window_norms(vectors: NDArray[Any], scales: Vector, candidates: Candidates) -> Scores:
    """The length of each candidate's window vector, 0 for those that are only neighbours.

    A candidate's vector is its row of `vectors` times its scale; rows without one are zeros.
    """
    core = candidates.core
    window = vectors[core] * scales[core][:, None]
    for places, weight in (
        (candidates.previous[core], PREVIOUS_WEIGHT),
        (candidates.following[core], FOLLOWING_WEIGHT),
    ):
        shares = np.float32(weight) * scales[places] * (places >= 0)
        window += shares[:, None] * vectors[places]
    norms = np.zeros(len(candidates))
    norms[core] = np.sqrt(np.einsum("ij,ij->i", window, window))
    return norms


def window_cosines(candidates: Candidates, cosines: Scores, norms: Scores) -> Scores:
    """How near each candidate's window is, in [-1, 1].

    `cosines` are those of the single rows, `norms` the lengths of the window vectors.
    """
    return with_neighbours(cosines, candidates) / np.where(norms > 0, norms, np.inf)


def dense_scores(corpus: Corpus, candidates: Candidates, window: Scores) -> Scores:
    """One score a candidate, at most SCALE: half its window's cosine, half its session's best."""
    sessions = corpus.session[candidates.rows]
    best = np.full(len(corpus.session_length), -1.0)
    np.maximum.at(best, sessions, window)
    mixed = (1 - SESSION_SHARE) * window + SESSION_SHARE * best[sessions]
    return SCALE * np.minimum(np.maximum(mixed, 0.0), 1.0)
