"""Ranking the rows that a viewer may see for a message: the store's legs in, relevance out.

All rows are scored while they are few; of many, those that the two legs put first, and their
neighbours. Rows are read as arrays and fetched by id only at the end, by the caller.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from chatmem.engine.reach import Reach
from chatmem.engine.relevance import Cosines, Ranked, Relevance, cosines_of
from chatmem.engine.stages import DENSE, EMBED, LEXICAL, stage, staged
from chatmem.engine.state import Engine
from chatmem.errors import LexicalUnavailableError, ProviderError
from chatmem.model import Category, Missing
from chatmem.providers.queries import question_vectors
from chatmem.retrieval.candidates import Candidates, Rows, Scores, make_candidates
from chatmem.retrieval.dense import blend
from chatmem.retrieval.lexical import SessionCounts, count_terms, rough_scores
from chatmem.retrieval.query import Query, View, read_query
from chatmem.storage.values import Owner, Postings, Vectors

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
    known = engine.corpora.get(store, viewer)
    queries = {
        topic: read_query(text, known.speakers(), topic, len(known.facts))
        for topic in dict.fromkeys(one.topic for one in wanted)
    }
    # Before the snapshot: an embedder behind an address may take its time.
    vectors, missing = _query_vectors(engine, next(iter(queries.values())).views)
    with store.snapshot():
        reach = engine.corpora.get(store, viewer)
        size = reach.size
        try:
            ranked = _Scorer(engine, reach, queries, vectors).ranked(wanted)
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
            texts = [text for view in views for text in view.texts]
            found = question_vectors(engine.embedder, texts)
            return [blend(*pair) for pair in zip(found[::2], found[1::2], strict=True)], missing
    except ProviderError as error:
        return [], (*missing, Missing("embedder", f"{error}; keywords only", "failing"))


class _Scorer:
    """One message over one reach; postings, vectors and scores are worked out once and kept.

    Each thing wanted has rows of its own to choose from, and scores that depend on which they are;
    what the rows hold and mean is read for all of them together.
    """

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
        self._sessions = SessionCounts(reach.corpus)
        self._relevance: dict[tuple[str | None, bytes], Relevance] = {}

    def ranked(self, wanted: Sequence[Wanted]) -> tuple[Ranked, ...]:
        reach = self._reach
        allowed = [one.eligible(reach.facts) & reach.live for one in wanted]
        matching = [reach.of_category(one.categories, CATEGORY_POOL) for one in wanted]
        if len(reach.facts) <= SCORE_ALL_UP_TO:
            everything = np.arange(len(reach.facts))
            picked = [everything for _ in wanted]
        else:
            picked = [
                np.union1d(rows, np.array(anyway, np.int64))
                for rows, anyway in zip(self._picked(wanted, allowed), matching, strict=True)
            ]
        pool = self._pool(picked)
        return tuple(
            self._scores(one.topic, rows, pool).ranked(may, anyway)
            for one, rows, may, anyway in zip(wanted, picked, allowed, matching, strict=True)
        )

    def _pool(self, picked: Sequence[Rows]) -> tuple[Candidates, Cosines]:
        """All that was picked, and how near it is."""
        candidates = make_candidates(self._reach.corpus, reduce(np.union1d, picked))
        with stage(DENSE):
            return candidates, cosines_of(self._reach, candidates, self._vectors)

    def _scores(
        self, topic: str | None, picked: Rows, pool: tuple[Candidates, Cosines]
    ) -> Relevance:
        """Scores of the picked rows; the same rows are scored once."""
        key = topic, picked.tobytes()
        if key not in self._relevance:
            candidates, cosines = pool
            if len(picked) < len(candidates.core):
                candidates = make_candidates(self._reach.corpus, picked)
                cosines = cosines.of(pool[0], candidates)
            self._relevance[key] = Relevance(
                self._reach,
                candidates,
                self._queries[topic],
                count_terms(self._sessions, candidates, self._postings[topic]),
                cosines,
                self._floor(cosines),
            )
        return self._relevance[key]

    def _floor(self, cosines: Cosines) -> float:
        """The least cosine of a match; an embedder is asked for it only where there are vectors."""
        return self._embedder.floor if self._embedder and len(cosines.by_view) else 1.0

    def _picked(self, wanted: Sequence[Wanted], allowed: Sequence[NDArray[np.bool_]]) -> list[Rows]:
        """For each thing wanted the allowed rows that a leg puts first, or all if they are few."""
        reach = self._reach
        rows = [np.flatnonzero(may) for may in allowed]
        many = [
            place
            for place, found in enumerate(rows)
            if len(found) > LEXICAL_CANDIDATES + DENSE_CANDIDATES
        ]
        if not many:
            return rows
        with stage(DENSE):
            near = [
                reach.nearest(vector, DENSE_CANDIDATES, [allowed[place] for place in many])
                for vector in self._vectors
            ]
        rough = {topic: self._rough(topic) for topic in {wanted[place].topic for place in many}}
        for number, place in enumerate(many):
            parts = [_best(rough[wanted[place].topic], allowed[place])]
            parts += [found[number] for found in near]
            if reach.foreign <= SCORE_ALL_UP_TO:  # no codes tell which of them are near
                parts.append(rows[place][rows[place] >= reach.own])
            rows[place] = np.unique(np.concatenate(parts))
        return rows

    def _rough(self, topic: str | None) -> Scores:
        weights = self._queries[topic].search_weights
        return rough_scores(self._reach.corpus, self._postings[topic], weights)


def _best(rough: Scores, allowed: NDArray[np.bool_]) -> Rows:
    """The allowed rows that words alone put first."""
    scores = np.where(allowed, rough, 0.0)
    top = np.flatnonzero(scores)
    if len(top) > LEXICAL_CANDIDATES:
        top = top[np.argpartition(scores[top], -LEXICAL_CANDIDATES)[-LEXICAL_CANDIDATES:]]
    return top


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
