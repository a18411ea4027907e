"""The two legs of a search: by words (lexical), and by meaning (dense).

Both look at an entry, at its window (the entry with its neighbours) and at its session. Everything
is made of the turns' postings and vectors, so nothing is indexed twice and windows never go stale:

    bm25 = sum over terms of weight * idf * tf * (k1 + 1) / (tf + k1 * norm)
    norm = 1 - b + b * length / mean length

A window's vector is a sum of its turns' vectors, so its cosine follows from theirs and its length.

Source: decisions 3; Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chatmem.retrieval.candidates import Candidates, Corpus, Scores, at
from chatmem.retrieval.query import STOP_WEIGHT
from chatmem.storage.values import Postings, Vector, Vectors

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

BRIDGE_WEIGHT = 1.0
"""Beside the lexical leg's own maximum of 1."""
LINKED = 0.25
"""A row with less of the bridge is no match by it: it shares a common word with the best hit."""
MAX_TERMS = 48
"""Terms of one hit that are followed: bounds the work for long entries."""


@dataclass(frozen=True, slots=True)
class TermCounts:
    """How often each query term occurs: (terms, candidates) and (terms, sessions).

    `row_share` and `window_share`, in [0, K1 + 1], are what BM25 makes of the counts in rows and in
    their windows: 1 for one mention in a text of mean length. Without dialogue they are the same.
    """

    in_rows: NDArray[np.float64]
    in_sessions: NDArray[np.float64]
    document_frequency: NDArray[np.float64]
    row_share: NDArray[np.float64]
    window_share: NDArray[np.float64]


def idf(document_frequency: NDArray[np.float64], documents: int) -> NDArray[np.float64]:
    """ln(1 + (n - df + 0.5) / (df + 0.5)): positive also for a term in every document."""
    return np.log1p((documents - document_frequency + 0.5) / (document_frequency + 0.5))


def count_terms(
    corpus: Corpus,
    candidates: Candidates,
    postings: Sequence[Postings],
    by_session: dict[int, Scores],
) -> TermCounts:
    """The counts of every query term, from its postings over all rows of the corpus.

    `by_session` keeps the counts by session for other queries with the same postings, by their id.
    """
    session_count = len(corpus.session_length)
    in_rows = np.zeros((len(postings), len(candidates)))
    in_sessions = np.zeros((len(postings), session_count))
    for number, one in enumerate(postings):
        if id(one) not in by_session:
            sessions = corpus.session[one.rows]
            counted = np.bincount(sessions, one.counts, session_count)
            by_session[id(one)] = counted.astype(np.float64)
        in_sessions[number] = by_session[id(one)]
        if len(one.rows):
            where = np.searchsorted(one.rows, candidates.rows).clip(max=len(one.rows) - 1)
            in_rows[number] = np.where(one.rows[where] == candidates.rows, one.counts[where], 0)
    frequency = np.array([len(one.rows) for one in postings], np.float64)
    length = corpus.length[candidates.rows].astype(np.float64)
    mean = corpus.mean_length
    row_share = window_share = _saturated(in_rows, length / mean)
    if not bool(corpus.solo.all()):
        window_share = _saturated(
            with_neighbours(in_rows, candidates),
            with_neighbours(length, candidates) / ((1 + PREVIOUS_WEIGHT + FOLLOWING_WEIGHT) * mean),
        )
    return TermCounts(in_rows, in_sessions, frequency, row_share, window_share)


def rough_scores(
    corpus: Corpus, postings: Sequence[Postings], weights: NDArray[np.float64]
) -> Scores:
    """A cheap estimate of the window's score for every row: idf of what it and its neighbours hold.

    Picks the candidates of owners with many rows; `lexical_scores` then scores them exactly.
    """
    total = np.zeros(len(corpus))
    frequency = np.array([len(one.rows) for one in postings], np.float64)
    for one, rarity, weight in zip(postings, idf(frequency, corpus.live), weights, strict=True):
        if weight:
            total[one.rows] += weight * rarity * one.counts / (one.counts + K1)
    scores = total.copy()
    matched = np.flatnonzero(total)
    for neighbours, share in (
        (corpus.following, PREVIOUS_WEIGHT),
        (corpus.previous, FOLLOWING_WEIGHT),
    ):
        beside = neighbours[matched]
        there = beside >= 0
        scores[beside[there]] += share * total[matched[there]]
    return scores


def lexical_scores(
    corpus: Corpus, candidates: Candidates, counts: TermCounts, weights: NDArray[np.float64]
) -> Scores:
    """One score a candidate, in [0, TURN_WEIGHT + WINDOW_WEIGHT + SESSION_WEIGHT]."""
    rarity = weights * idf(counts.document_frequency, corpus.live)
    turn: Scores = rarity @ counts.row_share
    if counts.window_share is counts.row_share:
        return unit_max(turn)
    window: Scores = rarity @ counts.window_share
    complete = np.zeros(len(candidates))  # only the windows of the core have all their rows here
    complete[candidates.core] = window[candidates.core]
    sessions = corpus.session_length
    held = (counts.in_sessions > 0).sum(axis=1).astype(np.float64)
    own = weights * idf(held, corpus.session_count)
    session = own @ _saturated(counts.in_sessions, sessions / corpus.mean_session_length)
    return (
        TURN_WEIGHT * unit_max(turn)
        + WINDOW_WEIGHT * unit_max(complete)
        + SESSION_WEIGHT * unit_max(session)[corpus.session[candidates.rows]]
    )


def held_share(corpus: Corpus, counts: TermCounts, weights: NDArray[np.float64]) -> Scores:
    """What each candidate, or its window, holds of the message, in [0, 1].

    Its BM25 over that of a row that mentions every term in full, also terms that no row has. 0
    without a term in common. A message of stop words alone says as little as they weigh.
    """
    rarity = weights * idf(counts.document_frequency, corpus.live + IMAGINED_ROWS)
    held = np.maximum(rarity @ counts.row_share, rarity @ counts.window_share)
    share: Scores = np.clip(held / max(float(rarity.sum()), _TINY), 0.0, 1.0)
    heaviest = float(weights.max(initial=0.0))
    return share * heaviest if heaviest <= STOP_WEIGHT else share


def keyword_coverage(keywords: Sequence[tuple[int, ...]], counts: TermCounts) -> Scores:
    """The share of the keywords, places of their terms, that a row holds; 0 without any."""
    if not keywords:
        return np.zeros(counts.in_rows.shape[1])
    held = [(counts.in_rows[list(places)] > 0).all(axis=0) for places in keywords]
    share: Scores = np.mean(held, axis=0)
    return share


def best_coverage(corpus: Corpus, counts: TermCounts, weights: NDArray[np.float64]) -> float:
    """The largest share of the message's idf that one candidate holds, in [0, 1]."""
    rarity = weights * idf(counts.document_frequency, corpus.live)
    total = float(rarity.sum())
    if total <= 0:
        return 0.0
    return float((rarity @ (counts.in_rows > 0)).max(initial=0.0)) / total


def bridge_scores(
    corpus: Corpus, candidates: Candidates, top: int, postings: Sequence[Postings]
) -> Scores:
    """One score in [0, 1] a solo candidate; the best hit itself, at place `top`, has 1.

    `postings` are those of the best hit's own terms.
    """
    scores = np.zeros(len(candidates))
    for rows in (one.rows for one in postings):
        if len(rows) < 2:
            continue
        place = np.searchsorted(candidates.rows, rows)
        place[place == len(candidates)] = 0
        hit = place[candidates.rows[place] == rows]
        scores[hit] += float(idf(np.array([len(rows)], np.float64), corpus.live)[0])
    scores[top] = 0.0
    scores = unit_max(scores)
    if scores.any():
        scores[top] = 1.0
    return scores * corpus.solo[candidates.rows]


def unit_max(scores: Scores) -> Scores:
    """The scores divided by their maximum; zeros stay zeros."""
    top = scores.max(initial=0.0)
    return scores / top if top > 0 else scores


def with_neighbours(values: NDArray[np.float64], candidates: Candidates) -> NDArray[np.float64]:
    """The values (..., candidates) of windows: a row's own, and shares of its neighbours'."""
    return (
        values
        + PREVIOUS_WEIGHT * at(values, candidates.previous)
        + FOLLOWING_WEIGHT * at(values, candidates.following)
    )


def _saturated(
    counts: NDArray[np.float64], relative_length: NDArray[np.float64]
) -> NDArray[np.float64]:
    share: NDArray[np.float64] = counts * (K1 + 1) / (counts + K1 * (1 - B + B * relative_length))
    return share


_TINY = 1e-9
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


def window_cosines(candidates: Candidates, cosines: Scores, norms: Scores) -> Scores:
    """How near each candidate's window is, in [-1, 1].

    `cosines` are those of the single rows, `norms` the lengths of the window vectors.
    """
    window = with_neighbours(cosines, candidates)
    near: Scores = np.divide(window, norms, out=np.zeros_like(window), where=norms > 0)
    return near


def dense_scores(corpus: Corpus, candidates: Candidates, window: Scores) -> Scores:
    """One score a candidate, at most SCALE: half its window's cosine, half its session's best."""
    sessions = corpus.session[candidates.rows]
    _, place = np.unique(sessions, return_inverse=True)
    best = np.full(place.max(initial=-1) + 1, -1.0)
    np.maximum.at(best, place, window)
    mixed = (1 - SESSION_SHARE) * window + SESSION_SHARE * best[place]
    scores: Scores = SCALE * np.clip(mixed, 0.0, 1.0)
    return scores
