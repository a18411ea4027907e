"""Ranking the rows that a viewer may see for a message: the store's legs in, relevance out.

All rows are scored while they are few; of many, those that the two legs put first, and their
neighbours. Rows are read as arrays and fetched by id only at the end, by the caller.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chatmem.engine.reach import Reach
from chatmem.engine.relevance import Cosines, Ranked, Relevance, cosines_of
from chatmem.engine.stages import DENSE, EMBED, LEXICAL, stage, staged
from chatmem.engine.state import Engine
from chatmem.errors import LexicalUnavailableError, ProviderError
from chatmem.model import Category, Missing
from chatmem.retrieval.candidates import Candidates, Rows, make_candidates
from chatmem.retrieval.dense import blend
from chatmem.retrieval.lexical import rough_scores
from chatmem.retrieval.query import Query, View, read_query
from chatmem.storage.ports import Owner, Postings, Vectors

SCORE_ALL_UP_TO = 2_048
"""Rows that are all scored; above, candidates are picked."""
LEXICAL_CANDIDATES = 250
DENSE_CANDIDATES = 250
"""Picked by each leg. With 500 each the first ten are those of scoring all of 29,500 rows, with 100
each 98.5 % of them are (docs/scoring.md)."""
CATEGORY_POOL = 20
"""Newest memories of a category that the message expresses, recalled even without a common word."""

Eligible = Callable[[NDArray[np.void]], NDArray[np.bool_]]
"""Says, of all row facts, which rows may be answers."""


class LikeNeededError(Exception):
    """The full-text index cannot serve this query; carries what to tell the user."""

    def __init__(self, text: str, missing: Missing) -> None:
        super().__init__(str(missing))
        self.text = text
        self.missing = missing


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows may answer a message, what its session is about, and the categories it expresses.

    The newest memories of those categories match whatever they say.
    """

    eligible: Eligible
    topic: str | None = None
    categories: frozenset[Category] = frozenset()


@dataclass(frozen=True, slots=True)
class Ranking:
    """One ranking for each thing wanted, and what could not be used.

    Rows are those of `reach`.
    """

    reach: Reach
    ranked: tuple[Ranked, ...]
    missing: tuple[Missing, ...]


def rank(engine: Engine, viewer: Owner, text: str, *wanted: Wanted) -> Ranking:
    """For each thing wanted, the rows that match the message, best first; it is read once for all.

    Raises:
        LikeNeededError: no full-text search; the caller falls back to LIKE (S3.3.4).
    """
    store = engine.store
    speakers = store.lexical.speakers(viewer)
    row_count = len(engine.corpora.get(store, viewer).facts)
    queries = {
        topic: read_query(text, speakers, topic, row_count)
        for topic in dict.fromkeys(one.topic for one in wanted)
    }
    # Before the snapshot: an embedder behind an address may take its time.
    vectors, missing = _query_vectors(engine, next(iter(queries.values())).views)
    with store.snapshot():
        reach = engine.corpora.get(store, viewer)
        size = reach.size
        try:
            scorer = _Scorer(engine, reach, queries, vectors)
            ranked = tuple(scorer.ranked(one) for one in wanted)
        except LexicalUnavailableError as error:
            raise LikeNeededError(text, Missing("full_text", str(error))) from error
    if reach.size > size:
        engine.corpora.make_room()
    return Ranking(reach, ranked, missing)


def _query_vectors(
    engine: Engine, views: Sequence[View]
) -> tuple[list[Vectors], tuple[Missing, ...]]:
    """One vector a view, or none and why."""
    missing = engine.missing()
    if engine.embedder is None or any(one.what == "vectors" for one in missing):
        return [], missing
    live = engine.store.dense.identity()
    if live not in (None, engine.embedder.identity):
        why = f"the index is being made again for {engine.embedder.identity}; keywords until then"
        return [], (*missing, Missing("vectors", why, "renewing"))
    try:
        with stage(EMBED):
            return [
                blend(*(engine.embedder.embed_query(text) for text in view.texts)) for view in views
            ], missing
    except ProviderError as error:
        return [], (*missing, Missing("embedder", f"{error}; keywords only", "failing"))


class _Scorer:
    """One message over one reach; postings, vectors and scores are worked out once and kept."""

    def __init__(
        self,
        engine: Engine,
        reach: Reach,
        queries: Mapping[str | None, Query],
        vectors: Sequence[Vectors],
    ) -> None:
        self._embedder = engine.embedder
        self._reach = reach
        self._queries = queries
        self._vectors = vectors
        self._postings = _read_postings(reach, queries)
        self._pools: dict[bytes, tuple[Candidates, Cosines]] = {}
        self._relevance: dict[tuple[str | None, bytes], Relevance] = {}

    def ranked(self, wanted: Wanted) -> Ranked:
        reach = self._reach
        allowed = wanted.eligible(reach.facts) & reach.live
        matching = reach.of_category(wanted.categories, CATEGORY_POOL)
        if len(reach.facts) <= SCORE_ALL_UP_TO:
            picked = np.arange(len(reach.facts))
        else:
            picked = self._picked(allowed, wanted.topic)
            picked = np.union1d(picked, np.array(matching, np.int64))
        return self._scores(wanted.topic, picked).ranked(allowed, matching)

    def _scores(self, topic: str | None, picked: Rows) -> Relevance:
        """Scores of the picked rows; the same rows are scored once."""
        key = picked.tobytes()
        if key not in self._pools:
            candidates = make_candidates(self._reach.corpus, picked)
            with stage(DENSE):
                cosines = cosines_of(self._reach, candidates, self._vectors)
            self._pools[key] = candidates, cosines
        if (topic, key) not in self._relevance:
            self._relevance[topic, key] = Relevance(
                self._reach,
                self._pools[key][0],
                self._queries[topic],
                self._postings[topic],
                self._pools[key][1],
                self._floor(self._pools[key][1]),
            )
        return self._relevance[topic, key]

    def _floor(self, cosines: Cosines) -> float:
        """The least cosine of a match; an embedder is asked for it only where there are vectors."""
        return self._embedder.floor if self._embedder and len(cosines.by_view) else 1.0

    def _picked(self, allowed: NDArray[np.bool_], topic: str | None) -> Rows:
        """The allowed rows that a leg puts first, or all of them if they are few."""
        reach, rows = self._reach, np.flatnonzero(allowed)
        if len(rows) <= LEXICAL_CANDIDATES + DENSE_CANDIDATES:
            return rows
        weights = self._queries[topic].search_weights
        rough = np.where(allowed, rough_scores(reach.corpus, self._postings[topic], weights), 0.0)
        top = np.flatnonzero(rough)
        if len(top) > LEXICAL_CANDIDATES:
            top = top[np.argpartition(rough[top], -LEXICAL_CANDIDATES)[-LEXICAL_CANDIDATES:]]
        with stage(DENSE):
            near = [reach.nearest(vector, DENSE_CANDIDATES, allowed) for vector in self._vectors]
        if reach.foreign <= SCORE_ALL_UP_TO:  # no codes tell which of them are near
            near.append(rows[rows >= reach.own])
        picked: Rows = np.unique(np.concatenate([top, *near]))
        return picked


@staged(LEXICAL)
def _read_postings(
    reach: Reach, queries: Mapping[str | None, Query]
) -> dict[str | None, list[Postings]]:
    """Each query's postings; the terms of all of them are read at once."""
    terms = tuple(dict.fromkeys(term for query in queries.values() for term in query.terms))
    prefixes = next(iter(queries.values())).prefixes  # the message's; a topic has none
    found = reach.postings(terms, prefixes)
    of_term = dict(zip(terms, found[: len(terms)], strict=True))
    return {
        topic: [*(of_term[term] for term in query.terms), *found[len(terms) :]]
        for topic, query in queries.items()
    }
