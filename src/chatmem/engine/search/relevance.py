"""Relevance of one query's candidates: both legs, bridge, priors, and what matched at all."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chatmem.engine.corpus.reach import Reach
from chatmem.retrieval.bridge import BRIDGE_WEIGHT, LINKED, MAX_TERMS, bridge_scores
from chatmem.retrieval.candidates import Candidates, Rows, Scores, at
from chatmem.retrieval.dense import dense_scores
from chatmem.retrieval.fusion import Legs, finish, join_views, raised, weighted
from chatmem.retrieval.lexical import (
    TermCounts,
    best_coverage,
    lexical_scores,
    unit_max,
)
from chatmem.retrieval.priors import prior_factors
from chatmem.retrieval.query import Query, View
from chatmem.storage.values import Vectors
from chatmem.text.segment import query_tokens


@dataclass(frozen=True, slots=True)
class Ranked:
    """Matching rows, best first, with the scores of each; `vector` is NaN where it has none.

    `coverage` is the share of the message's keywords that a row holds, `on_topic` whether it holds
    one of the topic's. `matching` are rows that count as a match whatever they say.
    """

    rows: Rows
    relevance: Scores
    bm25: Scores
    vector: Scores
    coverage: Scores
    on_topic: NDArray[np.bool_]
    matching: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cosines:
    """Cosines of single rows, (views, candidates), lengths of the windows, who has a vector."""

    by_view: NDArray[np.float64]
    norms: Scores
    known: NDArray[np.bool_]

    def of(self, pool: Candidates, some: Candidates) -> "Cosines":
        """Those of some of the candidates that these are of."""
        places = np.searchsorted(pool.rows, some.rows)
        norms = np.zeros(len(some))  # a neighbour's own window may reach past what is here
        norms[some.core] = self.norms[places[some.core]]
        return Cosines(self.by_view[:, places], norms, self.known[places])


def cosines_of(reach: Reach, candidates: Candidates, vectors: Sequence[Vectors]) -> Cosines:
    """How near each candidate is to each view's vector; no views where nothing has a vector."""
    count = len(candidates)
    found = reach.vectors(candidates) if vectors and count else None
    if found is None or found.vectors.shape[1] != len(vectors[0]):
        return Cosines(np.empty((0, count)), np.ones(count), np.zeros(count, bool))
    cosines = (np.stack(vectors) @ found.vectors.T).astype(np.float64)
    return Cosines(cosines, found.norms, found.known)


class Relevance:
    """Scores of one query's candidates.

    What does not depend on which rows may answer is worked out once, for every `ranked`.
    """

    def __init__(
        self,
        reach: Reach,
        candidates: Candidates,
        query: Query,
        counts: TermCounts,
        cosines: Cosines,
        floor: float,
    ) -> None:
        """`floor` is the least cosine that makes a row a match."""
        self._reach = reach
        self._corpus = reach.corpus
        self._candidates = candidates
        self._query = query
        self._cosines = cosines
        self._counts = counts
        self._factors = prior_factors(self._corpus, candidates, query, reach.assistants())
        self._by_message = self._matched(floor)
        self._views = [self._legs(view, place) for place, view in enumerate(query.views)]

    def ranked(self, allowed: NDArray[np.bool_], matching: Sequence[int]) -> Ranked:
        """The allowed candidates that match, or are `matching` anyway, best first."""
        query, rows, counts = self._query, self._candidates.rows, self._counts
        may_answer = np.zeros(len(rows), bool)
        may_answer[self._candidates.core] = allowed[rows[self._candidates.core]]
        matched = self._by_message | np.isin(rows, matching) if matching else self._by_message
        views, linked = [], np.zeros(len(rows), bool)
        for view, legs in zip(query.views, self._views, strict=True):
            bridge = self._bridge(weighted(legs, self._factors * (matched & may_answer)))
            if self._leaves_something_open(view, bridge):
                linked |= bridge >= LINKED
            bridged = Legs(legs.bm25 + BRIDGE_WEIGHT * bridge, legs.vector)
            bridged = _words_for_missing(bridged, self._cosines.known)
            views.append(weighted(bridged, self._factors))
        legs = finish(join_views(views))
        chosen = np.flatnonzero((matched | linked) & may_answer)
        order = chosen[np.argsort(-legs.mixed[chosen], kind="stable")]
        vector = np.full(len(rows), np.nan) if legs.vector is None else legs.vector
        return Ranked(
            rows=rows[order],
            relevance=legs.mixed[order],
            bm25=legs.bm25[order],
            vector=np.where(self._cosines.known, vector, np.nan)[order],
            coverage=_coverage(query, counts)[order],
            on_topic=np.any(counts.in_rows[list(query.topic)] > 0, axis=0)[order],
            matching=tuple(matching),
        )

    def _matched(self, floor: float) -> NDArray[np.bool_]:
        """Rows that hold a telling term, stand next to one that does, or mean something near."""
        telling = self._query.content | (self._query.topic_weights > 0)
        held: Scores = np.any(self._counts.in_rows[telling] > 0, axis=0).astype(np.float64)
        beside = at(held, self._candidates.previous) + at(held, self._candidates.following)
        matched: NDArray[np.bool_] = np.asarray(held + beside > 0)
        if len(self._cosines.by_view):
            matched |= self._cosines.by_view.max(axis=0) >= floor
        return matched

    def _legs(self, view: View, place: int) -> Legs:
        counts, cosines = self._counts, self._cosines
        weights = self._query.weights * view.mask
        scores = lexical_scores(self._corpus, self._candidates, counts, weights)
        if not len(cosines.by_view):
            return Legs(unit_max(scores), None)
        vector = dense_scores(self._corpus, self._candidates, cosines.by_view[place], cosines.norms)
        vector = raised(vector, best_coverage(self._corpus, counts, weights))
        bm25 = unit_max(scores)
        return _words_for_missing(Legs(bm25, vector), cosines.known)

    def _bridge(self, legs: Legs) -> Scores:
        """What else speaks of the thing that the best hit speaks of, among rows without session."""
        solo = self._corpus.solo[self._candidates.rows]
        none = np.zeros(len(self._candidates))
        mixed = legs.mixed
        if not solo.any() or not mixed.any():
            return none
        top = int(np.argmax(mixed))
        row = int(self._candidates.rows[top])
        best = self._reach.records([row]) if solo[top] else {}
        if row not in best:
            return none
        # As a question would ask for it: the index also holds pairs of characters of no meaning.
        terms = query_tokens(best[row].content, frozenset(), frozenset()).terms
        known = self._query.known_terms
        new = [term for term in terms if len(term) > 1 and term not in known][:MAX_TERMS]
        found = self._reach.postings(new, ())
        return bridge_scores(self._corpus, self._candidates, top, found)

    def _leaves_something_open(self, view: View, bridge: Scores) -> bool:
        """True if the best hit lacks a telling term: only then do its links lead to an answer."""
        if not bridge.any():
            return False
        telling = self._query.content & (view.mask > 0)
        return not bool((self._counts.in_rows[telling, int(np.argmax(bridge))] > 0).all())


def _words_for_missing(legs: Legs, known: NDArray[np.bool_]) -> Legs:
    """Rows that still wait for their vector are judged by their words alone, on the same scale."""
    if legs.vector is None:
        return legs
    return Legs(legs.bm25, np.where(known, legs.vector, legs.bm25))


def _coverage(query: Query, counts: TermCounts) -> Scores:
    """The share of the message's keywords whose terms a row holds; 0 for a message without any."""
    if not query.keywords:
        return np.zeros(counts.in_rows.shape[1])
    held = [(counts.in_rows[list(places)] > 0).all(axis=0) for places in query.keywords]
    share: Scores = np.mean(held, axis=0)
    return share
