"""Ranking an owner's rows for a message: the store's legs in, relevance out.

All of an owner's rows are scored while they are few; of many, those that the two legs put first
and their neighbours. Rows are read as arrays and fetched by id only at the end, by the caller.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chatmem.engine.state import Engine
from chatmem.errors import LexicalUnavailableError, ProviderError
from chatmem.model import Missing
from chatmem.retrieval.bridge import BRIDGE_WEIGHT, LINKED, MAX_TERMS, bridge_scores
from chatmem.retrieval.candidates import (
    Candidates,
    Corpus,
    Rows,
    Scores,
    at,
    make_candidates,
    make_corpus,
)
from chatmem.retrieval.dense import blend, dense_scores, window_norms
from chatmem.retrieval.fusion import Legs, finish, join_views, weighted
from chatmem.retrieval.lexical import (
    TermCounts,
    count_terms,
    lexical_scores,
    rough_scores,
    unit_max,
)
from chatmem.retrieval.priors import prior_factors
from chatmem.retrieval.query import ROLES, Query, View, read_query
from chatmem.storage.ports import Owner, RowState, Vectors
from chatmem.text.segment import query_tokens

SCORE_ALL_UP_TO = 2_048
"""Rows of an owner that are all scored; above, candidates are picked."""
LEXICAL_CANDIDATES = 400
DENSE_CANDIDATES = 400
"""Sign codes put .98 of the true ten nearest among the first 400 of 100,000 (docs/adr/0003)."""

Eligible = Callable[[NDArray[np.void]], NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Matching rows, best first, with the scores of each; `vector` is NaN where it has none.

    `coverage` is the share of the message's keywords that a row holds, `on_topic` whether it holds
    one of the topic's.
    """

    rows: Rows
    relevance: Scores
    bm25: Scores
    vector: Scores
    coverage: Scores
    on_topic: NDArray[np.bool_]
    missing: tuple[Missing, ...]


class LikeNeededError(Exception):
    """The full-text index cannot serve this query; carries what to tell the user."""

    def __init__(self, query: Query, missing: Missing) -> None:
        super().__init__(str(missing))
        self.query = query
        self.missing = missing


def rank(
    engine: Engine, owner: Owner, text: str, eligible: Eligible, topic: str | None = None
) -> Ranked:
    """The owner's rows that match the message, best first.

    `eligible` says, of all row facts, which rows may be answers.

    Raises:
        LikeNeededError: no full-text search; the caller falls back to LIKE (S3.3.4).
    """
    store = engine.store
    with store.snapshot():
        facts = store.lexical.rows(owner)
        query = read_query(text, store.lexical.speakers(owner), topic, len(facts))
        vectors, missing = _query_vectors(engine, query.views)
        live = (facts["state"] & RowState.LIVE) > 0
        corpus = make_corpus(facts, eligible(facts) & live, live)
        try:
            found = store.lexical.postings(owner, query.terms, query.prefixes)
        except LexicalUnavailableError as error:
            raise LikeNeededError(query, Missing("full_text", str(error))) from error
        postings = [(entry.rows, entry.counts) for entry in found]
        candidates = _candidates(engine, owner, corpus, query, postings, vectors)
        scored = _Scoring(engine, owner, corpus, query, candidates)
        return scored.ranked(count_terms(corpus, candidates, postings), vectors, missing)


def _query_vectors(
    engine: Engine, views: Sequence[View]
) -> tuple[list[Vectors], tuple[Missing, ...]]:
    """One vector a view, or none and why."""
    missing = engine.missing()
    if engine.embedder is None or any(one.what == "vectors" for one in missing):
        return [], missing
    try:
        return [
            blend(*(engine.embedder.embed_query(text) for text in view.texts)) for view in views
        ], missing
    except ProviderError as error:
        return [], (*missing, Missing("embedder", f"{error}; keywords only"))


def _candidates(
    engine: Engine,
    owner: Owner,
    corpus: Corpus,
    query: Query,
    postings: Sequence[tuple[Rows, NDArray[np.int64]]],
    vectors: Sequence[Vectors],
) -> Candidates:
    allowed = np.flatnonzero(corpus.eligible)
    if len(corpus) <= SCORE_ALL_UP_TO:
        return make_candidates(corpus, np.arange(len(corpus)))
    if len(allowed) <= SCORE_ALL_UP_TO:
        return make_candidates(corpus, allowed)
    weights = np.maximum(query.weights, _topic_weights(query))
    rough = np.where(corpus.eligible, rough_scores(corpus, postings, weights), 0.0)
    top = np.argpartition(rough, -LEXICAL_CANDIDATES)[-LEXICAL_CANDIDATES:]
    near = [
        engine.store.dense.candidates(owner, vector, DENSE_CANDIDATES, corpus.eligible)
        for vector in vectors
    ]
    return make_candidates(corpus, np.unique(np.concatenate([top[rough[top] > 0], *near])))


class _Scoring:
    """Scores of one query's candidates."""

    def __init__(
        self, engine: Engine, owner: Owner, corpus: Corpus, query: Query, candidates: Candidates
    ) -> None:
        self._engine = engine
        self._owner = owner
        self._corpus = corpus
        self._query = query
        self._candidates = candidates

    def ranked(
        self, counts: TermCounts, vectors: Sequence[Vectors], missing: tuple[Missing, ...]
    ) -> Ranked:
        """Everything put together: legs, parts, priors, and what matched at all."""
        query, rows = self._query, self._candidates.rows
        cosines, norms, has_vector = self._cosines(vectors)
        factors = prior_factors(self._corpus, self._candidates, query, self._assistants())
        matched = self._matched(counts)
        if len(cosines) and self._engine.embedder is not None:
            matched |= cosines.max(axis=0) >= self._engine.embedder.floor
        views = []
        linked = np.zeros(len(rows), bool)
        for place, view in enumerate(query.views):
            cosine = cosines[place] if len(cosines) else None
            legs, bridge = self._legs(counts, view, cosine, norms, factors * matched)
            views.append(weighted(legs, factors))
            linked |= bridge >= LINKED
        matched |= linked
        legs = finish(join_views(views))
        chosen = np.flatnonzero(matched & self._corpus.eligible[rows])
        order = chosen[np.argsort(-legs.mixed[chosen], kind="stable")]
        vector = np.full(len(rows), np.nan) if legs.vector is None else legs.vector
        return Ranked(
            rows=rows[order],
            relevance=legs.mixed[order],
            bm25=legs.bm25[order],
            vector=np.where(has_vector, vector, np.nan)[order],
            coverage=_coverage(query, counts)[order],
            on_topic=np.any(counts.in_rows[list(query.topic)] > 0, axis=0)[order],
            missing=missing,
        )

    def _matched(self, counts: TermCounts) -> NDArray[np.bool_]:
        """Rows that hold a term of the message which is no stop word, or stand next to one."""
        telling = self._query.content | (_topic_weights(self._query) > 0)
        matched: Scores = np.any(counts.in_rows[telling] > 0, axis=0).astype(np.float64)
        beside = at(matched, self._candidates.previous) + at(matched, self._candidates.following)
        both: NDArray[np.bool_] = np.asarray((matched + beside) > 0)
        return both

    def _cosines(
        self, vectors: Sequence[Vectors]
    ) -> tuple[NDArray[np.float64], Scores, NDArray[np.bool_]]:
        """Cosines, (views, candidates), the lengths of the windows, and who has a vector."""
        count = len(self._candidates)
        had, matrix = np.empty(0, np.int64), np.empty((0, 0), np.float32)
        if vectors and count:
            had, matrix = self._engine.store.dense.vectors(self._owner, self._candidates.rows)
        has_vector = np.isin(self._candidates.rows, had)
        if not len(had) or matrix.shape[1] != len(vectors[0]):
            return np.empty((0, count)), np.ones(count), np.zeros(count, bool)
        full = np.zeros((count, matrix.shape[1]), np.float32)
        full[has_vector] = matrix
        cosines = (np.stack(vectors) @ full.T).astype(np.float64)
        return cosines, window_norms(full, self._candidates), has_vector

    def _legs(
        self,
        counts: TermCounts,
        view: View,
        cosines: Scores | None,
        norms: Scores,
        factors: Scores,
    ) -> tuple[Legs, Scores]:
        """Both legs of one reading, and the bridge that is in the lexical one."""
        weights = self._query.weights * view.mask
        bm25 = unit_max(lexical_scores(self._corpus, self._candidates, counts, weights))
        vector = None
        if cosines is not None:
            vector = dense_scores(self._corpus, self._candidates, cosines, norms)
        bridge = self._bridge(weighted(Legs(bm25, vector), factors))
        return Legs(bm25 + BRIDGE_WEIGHT * bridge, vector), bridge

    def _bridge(self, legs: Legs) -> Scores:
        """What else speaks of the thing that the best hit speaks of, among rows without session."""
        solo = self._corpus.solo[self._candidates.rows]
        mixed = legs.mixed * self._corpus.eligible[self._candidates.rows]
        if not solo.any() or not mixed.any():
            return np.zeros(len(mixed))
        top = int(np.argmax(mixed))
        if not solo[top]:
            return np.zeros(len(mixed))
        row = int(self._candidates.rows[top])
        best = self._engine.store.memories.by_rows(self._owner, [row])
        if row not in best:
            return np.zeros(len(mixed))
        # As a question would ask for it: the index also holds pairs of characters of no meaning.
        terms = query_tokens(best[row].content, frozenset(), frozenset()).terms
        known = self._query.known_terms
        new = [term for term in terms if len(term) > 1 and term not in known][:MAX_TERMS]
        lexical = self._engine.store.lexical
        found = lexical.postings(self._owner, new, ())
        postings = [(entry.rows, entry.counts) for entry in found]
        return bridge_scores(self._corpus, self._candidates, top, postings)

    def _assistants(self) -> frozenset[int]:
        speakers = self._engine.store.lexical.speakers(self._owner)
        return frozenset(number for number, name, _ in speakers if name in ROLES and name != "user")


def _topic_weights(query: Query) -> Scores:
    weights = np.zeros(len(query.weights))
    weights[list(query.topic)] = 1.0
    return weights


def _coverage(query: Query, counts: TermCounts) -> Scores:
    """The share of the message's keywords whose terms a row holds; 0 for a message without any."""
    if not query.keywords:
        return np.zeros(counts.in_rows.shape[1])
    held = [(counts.in_rows[list(places)] > 0).all(axis=0) for places in query.keywords]
    share: Scores = np.mean(held, axis=0)
    return share
