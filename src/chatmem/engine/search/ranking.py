"""From a message to the rows that match it, best first: query, candidates, relevance.

`rank` is the way from top to bottom. Few rows are all scored; of many, those that the two legs,
words and vectors, put first, and their neighbours. Rows are numbers here; the caller reads the
memories that it returns.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chatmem.engine.corpus import ViewerCorpus
from chatmem.engine.space import Space
from chatmem.engine.state import DENSE, EMBED, LEXICAL, Engine, stage
from chatmem.errors import ProviderError
from chatmem.model import Category, Missing, Parts
from chatmem.providers.embedding import Calibration, Embedder, embeddable
from chatmem.retrieval.candidates import Candidates, Scores, make_candidates
from chatmem.retrieval.legs import (
    BRIDGE_WEIGHT,
    LINKED,
    MAX_TERMS,
    Cosines,
    TermCounts,
    best_coverage,
    best_windows,
    blend,
    bridge_scores,
    cosines_of,
    count_terms,
    dense_scores,
    held_share,
    keyword_coverage,
    lexical_scores,
    rough_scores,
    session_scores,
    summed,
    unit_max,
    window_cosines,
)
from chatmem.retrieval.query import Query, View, read_query
from chatmem.retrieval.scoring import (
    Legs,
    join_views,
    keyword_score,
    nearness,
    prior_factors,
    raised,
    speaking,
    weighted,
    words_for_missing,
)
from chatmem.storage.tables.owners import State
from chatmem.storage.values import Occurrences, Rows, Vector
from chatmem.text.segment import query_tokens

SCORE_ALL_UP_TO = 2_048
"""Rows that are all scored; above, candidates are picked."""
LEXICAL_CANDIDATES = 250
DENSE_CANDIDATES = 250
"""Picked by each leg. With 500 each the first ten are those of scoring all of 29,500 rows, with 100
each 98.5 % of them are."""
CATEGORY_POOL = 20
"""Newest memories of a category that the message expresses, recalled even without a common word."""


class CandidateRequest(NamedTuple):
    """Which rows may be found (a mask of the corpus), and what widens the query.

    That is the session's topic, and the newest memories of the categories that the message
    expresses: they match whatever they say.
    """

    eligible: Callable[[ViewerCorpus], NDArray[np.bool_]]
    topic: str | None = None
    categories: frozenset[Category] = frozenset()


class RankedRows(NamedTuple):
    """Matching rows, best first, with the scores of each; `cosine` is NaN where it has no vector.

    `order` is what they are ordered by, over that of the best; `links` tells of each link which
    rows it has raised. `keyword` is the keyword score, in [0, 1], `on_topic` whether a word of the
    topic is in it, `speaks` whether it speaks of the message.
    """

    rows: Rows
    relevance: Scores
    bm25: Scores
    vector: Scores
    cosine: Scores
    order: Scores
    links: Mapping[str, NDArray[np.bool_]]
    keyword: Scores
    on_topic: NDArray[np.bool_]
    speaks: NDArray[np.bool_]
    names_speaker: bool

    def parts(self, ranks: Sequence[int]) -> list[Parts]:
        """What the search says of these rows: of each its scores, and what links it."""
        scores = (self.keyword, self.bm25, self.relevance, self.order, self.vector, self.cosine)
        places = np.array(ranks, np.int64)
        told = zip(ranks, *(one[places].tolist() for one in scores), strict=True)
        return [
            Parts(
                keyword=keyword,
                bm25=bm25,
                vector=None if math.isnan(cosine) else vector,
                relevance=relevance,
                cosine=None if math.isnan(cosine) else cosine,
                order=order,
                links=tuple(name for name, rows in self.links.items() if rows[rank]),
            )
            for rank, keyword, bm25, relevance, order, vector, cosine in told
        ]


class Ranking(NamedTuple):
    """The ranked rows of each request, rows of `corpus`, and what could not be used."""

    corpus: ViewerCorpus
    ranked: tuple[RankedRows, ...]
    missing: tuple[Missing, ...]


def rank(space: Space, state: State, text: str, *requests: CandidateRequest) -> Ranking:
    """For each request the rows that match the message; it is read and embedded once for all."""
    engine, store, viewer = space.engine, space.store, space.owner
    corpus = engine.corpora.of(store, viewer, state.extent)
    topic = next(filter(None, (one.topic for one in requests)), None)  # they have the same, or none
    query = read_query(text, corpus.speakers, topic, len(corpus))
    # Before the snapshot: an embedder behind an address may take its time.
    vectors, failing = _query_vectors(engine, state.embedder, query.views)
    if vectors and state.waits:  # a row of the viewer's own has no vector, but perhaps soon
        background = engine.callers if engine.in_background else None
        if not (background and background.let_work(lambda: not store.owners.state(viewer).waits)):
            why = "your newest rows have none yet and are found by words; try again in a moment"
            failing = (*failing, Missing("vectors", why, "waiting"))
        state = store.owners.state(viewer)

    def ranked() -> Ranking:
        corpus = engine.corpora.of(store, viewer)
        with stage(LEXICAL):
            found = corpus.occurrences(query.terms, query.prefixes)
        selections = [
            _Selection(
                query if one.topic else query.without_topic,
                found,
                one.eligible(corpus) & corpus.live,
                corpus.of_category(one.categories, CATEGORY_POOL),
                category_tells="fact" not in one.categories,
            )
            for one in requests
        ]
        _pick_rows(corpus, selections, vectors)
        scored = _score(corpus, selections, vectors, engine.embedder)
        engine.corpora.put(viewer.number, 0, corpus)  # it may have grown
        return Ranking(corpus, scored, engine.missing() + failing)

    return store.owners.as_of(state, viewer, ranked)


@dataclass(slots=True, eq=False)
class _Selection:
    """The rows of one request: which may be found, which match by category, which to score."""

    query: Query
    found: Occurrences
    eligible: NDArray[np.bool_]
    of_category: list[int]
    category_tells: bool  # most memories are facts: that one is says nothing of it
    rows: Rows = field(default_factory=lambda: np.empty(0, np.int64))


def _query_vectors(
    engine: Engine, live: str | None, views: Sequence[View]
) -> tuple[list[Vector], tuple[Missing, ...]]:
    """One vector a view, or none, and why where an embedder is there."""
    if engine.embedder is None or not engine.store.dense.works:
        return [], ()
    if live not in (None, engine.embedder.identity):
        why = f"the index is being made again for {engine.embedder.identity}; keywords until then"
        return [], (Missing("vectors", why, "renewing"),)
    try:
        with stage(EMBED):
            texts = [embeddable(text) for view in views for text in view.texts]
            found = engine.query_vectors.of(texts)
        pairs = zip(found[::2], found[1::2], strict=True)
        return [blend(*pair) for pair in pairs], ()
    except ProviderError as error:
        return [], (Missing("embedder", f"{error}; keywords only", "failing"),)


def _pick_rows(
    corpus: ViewerCorpus, selections: Sequence[_Selection], vectors: Sequence[Vector]
) -> None:
    """Set the rows to score: all while they are few, else the eligible that a leg puts first."""
    if len(corpus) <= SCORE_ALL_UP_TO:
        for one in selections:
            one.rows = np.arange(len(corpus))
        return
    picked = [one.eligible.copy() for one in selections]
    most = LEXICAL_CANDIDATES + DENSE_CANDIDATES
    many = [place for place, one in enumerate(picked) if np.count_nonzero(one) > most]
    if many:
        with stage(DENSE):
            masks = [selections[place].eligible for place in many]
            near = [corpus.nearest(vector, DENSE_CANDIDATES, masks) for vector in vectors]
        rough: dict[Query, Scores] = {}
        for number, place in enumerate(many):
            one, rows = selections[place], picked[place]
            if one.query not in rough:
                rough[one.query] = rough_scores(corpus.arrays, one.found, one.query.search_weights)
            # Of what others share no codes tell which are near: it is scored while it is little.
            rows[: None if len(corpus) - corpus.own > SCORE_ALL_UP_TO else corpus.own] = False
            words = best_windows(corpus.arrays, rough[one.query], one.eligible, LEXICAL_CANDIDATES)
            for found in (words, *(each[number] for each in near)):
                rows[found] = True
    for one, rows in zip(selections, picked, strict=True):
        rows[one.of_category] = True
        one.rows = np.flatnonzero(rows)


def _score(
    corpus: ViewerCorpus,
    selections: Sequence[_Selection],
    vectors: Sequence[Vector],
    embedder: Embedder | None,
) -> tuple[RankedRows, ...]:
    """The ranked rows of each selection; cosines are read for all, the same rows scored once."""
    wanted = np.zeros(len(corpus), bool)
    for one in selections:
        wanted[one.rows] = True
    pool = make_candidates(corpus.arrays, np.flatnonzero(wanted))
    with stage(DENSE):
        found = corpus.vectors(pool) if vectors and len(pool) else None
        cosines = cosines_of(vectors, found, len(pool))
    calibration = embedder.calibration if embedder and len(cosines.by_view) else None
    # Those of the message; a topic weighs nothing.
    message = selections[0].query
    weights = [message.weights * view.mask for view in message.views]
    sessions = session_scores(corpus.arrays, selections[0].found, weights)
    scored: dict[bytes, _Relevance] = {}
    ranked = []
    for one in selections:
        key = one.rows.tobytes()
        if key not in scored:
            is_part = len(one.rows) < len(pool.core)
            some = make_candidates(corpus.arrays, one.rows) if is_part else pool
            counts = count_terms(corpus.arrays, some, one.found)
            near = cosines.of(pool, some)
            scored[key] = _Relevance(corpus, some, message, counts, sessions, near, calibration)
        ranked.append(scored[key].ranked(one))
    return tuple(ranked)


@dataclass(eq=False)
class _Relevance:
    """Relevance of one query's candidates: both legs, bridge, priors, and what matched at all.

    What depends on neither topic nor eligible rows is computed once, for every `ranked`.
    """

    corpus: ViewerCorpus
    candidates: Candidates
    query: Query
    counts: TermCounts
    sessions: Sequence[Scores]
    cosines: Cosines
    calibration: Calibration | None

    def __post_init__(self) -> None:
        arrays, assistants = self.corpus.arrays, self.corpus.assistants
        self._factors, self._links = prior_factors(arrays, self.candidates, self.query, assistants)
        self._solo = arrays.solo[self.candidates.rows]
        self._cosine = self.cosines.by_view.max(axis=0, initial=-1.0)
        self._windows = [
            window_cosines(self.candidates, one, self.cosines.norms) for one in self.cosines.by_view
        ]
        self._absolute = self._shown()
        self._views = [self._legs(view, number) for number, view in enumerate(self.query.views)]

    def ranked(self, one: _Selection) -> RankedRows:
        """The eligible candidates that match, or are of the category, best first."""
        candidates, query, counts = self.candidates, one.query, self.counts
        rows, known = candidates.rows, self.cosines.known
        is_eligible = np.zeros(len(rows), bool)
        is_eligible[candidates.core] = one.eligible[rows[candidates.core]]
        of_category = np.zeros(len(rows), bool)
        of_category[candidates.places[one.of_category]] = True
        matched = self._matched(query) | of_category
        views, linked = [], np.zeros(len(rows), bool)
        for view, legs in zip(query.views, self._views, strict=True):
            bridge = self._bridge(query, legs, matched & is_eligible)
            if bridge.any():
                telling = query.content & (view.mask > 0)
                if not counts.in_rows[telling, int(np.argmax(bridge))].all():
                    linked |= bridge >= LINKED  # the best hit leaves something open
                bridged = Legs(legs.bm25 + BRIDGE_WEIGHT * bridge, legs.vector)
                legs = words_for_missing(bridged, known)
            views.append(weighted(legs, self._factors))
        mixed = join_views(views).mixed
        chosen = np.flatnonzero((matched | linked) & is_eligible)
        order = chosen[np.argsort(-mixed[chosen], kind="stable")]
        shown = self._absolute
        links = self._links | {"bridge": linked, "session": ~self._solo}
        relevance, has_vector = shown.mixed[order], known[order]
        meant = np.where(has_vector, relevance, np.nan)
        coverage = keyword_coverage(query.keywords, counts)[order]
        on_topic = np.logical_or.reduce(counts.in_rows[list(query.topic)] > 0, axis=0)
        expected = on_topic | of_category & one.category_tells
        return RankedRows(
            rows=rows[order],
            relevance=relevance,
            bm25=shown.bm25[order],
            vector=(shown.bm25 if shown.vector is None else shown.vector)[order],
            cosine=np.where(has_vector, self._cosine[order], np.nan),
            order=unit_max(np.maximum(mixed[order], 0.0)),
            links={name: those[order] for name, those in links.items()},
            keyword=keyword_score(coverage, shown.bm25[order], meant),
            on_topic=on_topic[order],
            speaks=speaking(shown, order, expected[order]) | ~has_vector,
            names_speaker=query.names_speaker,
        )

    def _matched(self, query: Query) -> NDArray[np.bool_]:
        """Rows that hold a telling term, stand next to one that does, or mean something near."""
        telling = query.content.astype(np.float64)
        telling[list(query.topic)] = 1.0
        matched = summed(telling, self.counts.window_share) > 0
        if self.calibration is not None:
            matched |= self._cosine >= self.calibration.floor
        return matched

    def _shown(self) -> Legs:
        """Both legs absolute, of several questions the one that the row serves best."""
        corpus, counts, query = self.corpus.arrays, self.counts, self.query
        words = [held_share(corpus, counts, query.weights * view.mask) for view in query.views]
        if self.calibration is None:
            return Legs(reduce(np.maximum, words), None)
        has_words = self.corpus.has_words[self.candidates.rows]
        near = [  # a row without a word is near to any nonsense
            nearness(np.maximum(*pair), self.calibration) * has_words
            for pair in zip(self.cosines.by_view, self._windows, strict=True)
        ]
        legs = Legs(reduce(np.maximum, words), reduce(np.maximum, near))
        return words_for_missing(legs, self.cosines.known)

    def _legs(self, view: View, number: int) -> Legs:
        corpus, counts, cosines = self.corpus.arrays, self.counts, self.cosines
        weights = self.query.weights * view.mask
        session = self.sessions[number]
        bm25 = unit_max(lexical_scores(corpus, self.candidates, counts, weights, session))
        if not len(cosines.by_view):
            return Legs(bm25, None)
        vector = dense_scores(corpus, self.candidates, self._windows[number])
        vector = raised(vector, best_coverage(corpus, counts, weights))
        return words_for_missing(Legs(bm25, vector), cosines.known)

    def _bridge(self, query: Query, legs: Legs, among: NDArray[np.bool_]) -> Scores:
        """What else speaks of the thing that the best hit speaks of, among rows without session."""
        rows = self.candidates.rows
        none = np.zeros(len(rows))
        if not self._solo.any():
            return none
        mixed = weighted(legs, self._factors * among).mixed
        top = int(np.argmax(mixed))
        best = self.corpus.records([int(rows[top])]) if self._solo[top] and mixed[top] else {}
        if not best:
            return none
        # As a question would ask for it: the index also holds pairs of characters of no meaning.
        content = best[int(rows[top])].content
        terms = query_tokens(content, with_stop_words=True).terms
        known = query.known_terms
        new = [term for term in terms if len(term) > 1 and term not in known][:MAX_TERMS]
        found = self.corpus.occurrences(new, ())
        return bridge_scores(self.corpus.arrays, self.candidates, top, found)
