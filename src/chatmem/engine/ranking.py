"""Ranking an owner's rows for a message: the store's legs in, relevance out.

All of an owner's rows are scored while they are few; of many, those that the two legs put first,
and their neighbours. Rows are read as arrays and fetched by id only at the end, by the caller.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chatmem.engine.relevance import Ranked, Relevance
from chatmem.engine.state import Engine
from chatmem.errors import LexicalUnavailableError, ProviderError
from chatmem.model import Missing
from chatmem.retrieval.candidates import Corpus, Rows, make_candidates
from chatmem.retrieval.dense import blend
from chatmem.retrieval.lexical import rough_scores
from chatmem.retrieval.query import Query, View, read_query
from chatmem.storage.ports import Owner, Postings, RowState, Vectors

SCORE_ALL_UP_TO = 2_048
"""Rows of an owner that are all scored; above, candidates are picked."""
LEXICAL_CANDIDATES = 250
DENSE_CANDIDATES = 250
"""Picked by each leg. With 500 each the first ten are those of scoring all of 29,500 rows, with 100
each 98.5 % of them are (docs/scoring.md)."""

Eligible = Callable[[NDArray[np.void]], NDArray[np.bool_]]


class LikeNeededError(Exception):
    """The full-text index cannot serve this query; carries what to tell the user."""

    def __init__(self, query: Query, missing: Missing) -> None:
        super().__init__(str(missing))
        self.query = query
        self.missing = missing


@dataclass(frozen=True, slots=True)
class Asked:
    """A message, what its session is about, and rows that match whatever they say."""

    text: str
    topic: str | None = None
    matching: frozenset[int] = frozenset()


def rank(engine: Engine, owner: Owner, asked: Asked, eligible: Eligible) -> Ranked:
    """The owner's rows that match the message, best first.

    `eligible` says, of all row facts, which rows may be answers.

    Raises:
        LikeNeededError: no full-text search; the caller falls back to LIKE (S3.3.4).
    """
    store = engine.store
    speakers = store.lexical.speakers(owner)
    query = read_query(asked.text, speakers, asked.topic, len(engine.corpora.get(store, owner)[1]))
    # Before the snapshot: an embedder behind an address may take its time.
    vectors, missing = _query_vectors(engine, query.views)
    with store.snapshot():
        facts, corpus = engine.corpora.get(store, owner)
        try:
            postings = store.lexical.postings(owner, query.terms, query.prefixes)
        except LexicalUnavailableError as error:
            raise LikeNeededError(query, Missing("full_text", str(error))) from error
        allowed = eligible(facts) & ((facts["state"] & RowState.LIVE) > 0)
        if len(corpus) <= SCORE_ALL_UP_TO:
            picked = np.arange(len(corpus))
        else:
            picked = _picked(engine, owner, corpus, allowed, query, (postings, vectors))
            picked = np.union1d(picked, np.array(sorted(asked.matching), np.int64))
        candidates = make_candidates(corpus, picked)
        relevance = Relevance(engine, owner, corpus, candidates, query)
        return relevance.ranked(allowed, asked.matching, postings, vectors, missing)


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
        return [], (*missing, Missing("vectors", why))
    try:
        return [
            blend(*(engine.embedder.embed_query(text) for text in view.texts)) for view in views
        ], missing
    except ProviderError as error:
        return [], (*missing, Missing("embedder", f"{error}; keywords only"))


def _picked(
    engine: Engine,
    owner: Owner,
    corpus: Corpus,
    allowed: NDArray[np.bool_],
    query: Query,
    legs: tuple[Sequence[Postings], Sequence[Vectors]],
) -> Rows:
    """The allowed rows that a leg puts first, or all of them if they are few."""
    rows = np.flatnonzero(allowed)
    if len(rows) <= SCORE_ALL_UP_TO:
        return rows
    postings, vectors = legs
    rough = np.where(allowed, rough_scores(corpus, postings, query.search_weights), 0.0)
    top = np.flatnonzero(rough)
    if len(top) > LEXICAL_CANDIDATES:
        top = top[np.argpartition(rough[top], -LEXICAL_CANDIDATES)[-LEXICAL_CANDIDATES:]]
    near = [
        engine.store.dense.candidates(owner, vector, DENSE_CANDIDATES, allowed)
        for vector in vectors
    ]
    picked: Rows = np.unique(np.concatenate([top, *near]))
    return picked
