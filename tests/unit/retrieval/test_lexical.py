import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.retrieval.corpora import TERMS, Said, corpus_of, everything, occurrences_of, said

from chatmem.retrieval.candidates import make_candidates
from chatmem.retrieval.legs import (
    K1,
    SCALE,
    SESSION_WEIGHT,
    TURN_WEIGHT,
    WINDOW_WEIGHT,
    B,
    bridge_scores,
    count_terms,
    dense_scores,
    lexical_scores,
    session_scores,
    window_cosines,
    window_norms,
)
from chatmem.storage.values import Vectors

WEIGHTS = np.array([1.0, 0.5, 1.0, 0.3])
_WEIGHTED: list[tuple[str, float]] = list(zip(TERMS, WEIGHTS.tolist(), strict=True))


def _scores(rows: Sequence[Said], wanted: Sequence[int] | None = None) -> dict[int, float]:
    corpus = corpus_of(rows)
    places = np.arange(len(rows)) if wanted is None else np.array(wanted, np.int64)
    candidates = make_candidates(corpus, places)
    found = occurrences_of(rows)
    counts = count_terms(corpus, candidates, found)
    (session,) = session_scores(corpus, found, [WEIGHTS])
    scores = lexical_scores(corpus, candidates, counts, WEIGHTS, session)
    return dict(zip(candidates.rows.tolist(), scores.tolist(), strict=True))


class _Naive:
    """The same score, written with loops over whole texts, as one would explain it."""

    def __init__(self, rows: Sequence[Said]) -> None:
        self._rows = rows
        live = [row for row in rows if not row.gone]
        self._speakers: dict[int, set[int]] = {}
        for row in live:
            self._speakers.setdefault(row.session, set()).add(row.speaker)
        self._sessions: dict[object, list[str]] = {}
        for place, row in enumerate(rows):
            if not row.gone:
                self._sessions.setdefault(self._session(place), []).extend(row.words)
        self._live = [row.words for row in live]
        self._mean = sum(len(row.words) for row in live) / max(len(live), 1) or 1.0

    def scores(self) -> list[float]:
        places = range(len(self._rows))
        turn = [self._turn(place) for place in places]
        if all(self._solo(place) for place in places):
            return _over_best(turn)
        window = [self._window(place) for place in places]
        session = {name: self._of_session(words) for name, words in self._sessions.items()}
        best = max(session.values(), default=0.0) or 1.0
        return [
            TURN_WEIGHT * one
            + WINDOW_WEIGHT * two
            + SESSION_WEIGHT * session.get(self._session(place), 0.0) / best
            for place, one, two in zip(places, _over_best(turn), _over_best(window), strict=True)
        ]

    def _solo(self, place: int) -> bool:
        row = self._rows[place]
        return row.gone or row.session < 0 or len(self._speakers[row.session]) < 2

    def _session(self, place: int) -> object:
        return ("solo", place) if self._solo(place) else self._rows[place].session

    def _words(self, place: int) -> tuple[str, ...]:
        return () if self._rows[place].gone else self._rows[place].words

    def _beside(self, place: int, step: int) -> tuple[str, ...]:
        """The words of the turn before or after in the same session; of a deleted one, none."""
        if self._solo(place):
            return ()
        session = self._rows[place].session
        mates = [at for at, row in enumerate(self._rows) if row.session == session]
        other = mates.index(place) + step
        return self._words(mates[other]) if 0 <= other < len(mates) else ()

    def _turn(self, place: int) -> float:
        words = self._words(place)
        return _bm25(words.count, len(words) / self._mean, self._live)

    def _window(self, place: int) -> float:
        parts = [
            (self._words(place), 1.0),
            (self._beside(place, -1), 0.6),
            (self._beside(place, 1), 0.3),
        ]
        length = sum(share * len(words) for words, share in parts) / (1.9 * self._mean)
        return _bm25(
            lambda term: sum(share * words.count(term) for words, share in parts),
            length,
            self._live,
        )

    def _of_session(self, words: list[str]) -> float:
        sessions = list(self._sessions.values())
        mean = sum(map(len, sessions)) / len(sessions)
        return _bm25(words.count, len(words) / mean, sessions)


def _bm25(count_of: Callable[[str], float], length: float, texts: Sequence[Sequence[str]]) -> float:
    """Of a text so many times as long as others, in which terms stand so often; of all texts."""
    total = 0.0
    for term, weight in _WEIGHTED:
        count, holding = count_of(term), sum(term in words for words in texts)
        rarity = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        total += weight * rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * length))
    return total


def _over_best(scores: list[float]) -> list[float]:
    best = max(scores, default=0.0)
    return [score / best for score in scores] if best else scores


@settings(max_examples=300)
@given(st.lists(said, min_size=1, max_size=12))
def test_scores_are_those_of_the_formula(rows: list[Said]) -> None:
    assert list(_scores(rows).values()) == pytest.approx(_Naive(rows).scores())


@settings(max_examples=200)
@given(st.lists(said, min_size=1, max_size=12))
def test_some_of_the_rows_score_as_all_of_them(rows: list[Said]) -> None:
    """As long as the best turn and the best window are among them: they are the measure."""
    scores, naive = _scores(rows), _Naive(rows)
    wanted = sorted({max(range(len(rows)), key=best) for best in (naive._turn, naive._window)})

    some = _scores(rows, wanted)

    assert {row: some[row] for row in wanted} == pytest.approx({row: scores[row] for row in wanted})


LINKED_ROWS = [
    Said(("library", "ann")),
    Said(("ann", "sings")),
    Said(("library", "ann", "bread")),
    Said(("bread",)),
    Said(("ann",), session=0, speaker=0),
    Said(("hi",), session=0, speaker=1),
]


def _linked(best: int, *terms: str, places: Sequence[int] = range(6)) -> list[float]:
    corpus = corpus_of(LINKED_ROWS)
    candidates = make_candidates(corpus, np.array(places))
    scores = bridge_scores(corpus, candidates, best, occurrences_of(LINKED_ROWS, terms))
    return [float(score) for score in scores]


def test_rows_about_the_same_thing_are_linked_to_the_best_hit() -> None:
    scores = _linked(0, "library", "ann")

    assert scores[0] == scores[2] == 1.0
    assert 0 < scores[1] < 1
    assert scores[3] == 0
    assert scores[4] == scores[5] == 0  # a turn has its neighbours instead


def test_what_only_the_best_hit_has_and_rows_that_are_no_candidates_are_not_linked() -> None:
    assert not any(_linked(1, "sings"))
    assert not any(_linked(1))
    assert _linked(0, "library", "ann", places=[0, 3]) == [0.0, 0.0]


@given(st.lists(said, min_size=1, max_size=14), st.data())
def test_candidates_are_wanted_rows_and_neighbours(rows: list[Said], data: st.DataObject) -> None:
    corpus = corpus_of(rows)
    wanted = np.array(
        sorted(data.draw(st.sets(st.integers(0, len(rows) - 1), max_size=len(rows)))), np.int64
    )

    candidates = make_candidates(corpus, wanted)

    assert candidates.rows[candidates.core].tolist() == wanted.tolist()
    assert (np.diff(candidates.rows) > 0).all()
    for own, places in (
        (corpus.previous, candidates.previous),
        (corpus.following, candidates.following),
    ):
        for core in candidates.core.tolist():
            row, place = int(candidates.rows[core]), int(places[core])
            assert (int(candidates.rows[place]) if place >= 0 else -1) == own[row]


QUERY = np.array([1.0, 0.0, 0.0])
ONES = np.ones(20, np.float32)


def _vectors(count: int, seed: int = 3) -> Vectors:
    drawn = np.random.default_rng(seed).normal(size=(count, 3)).astype(np.float32)
    vectors: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return vectors


@given(st.lists(said, min_size=1, max_size=10))
def test_a_windows_cosine_is_that_of_the_sum_of_its_vectors(rows: list[Said]) -> None:
    corpus = corpus_of(rows)
    candidates = everything(corpus)
    vectors = _vectors(len(rows))

    norms = window_norms(vectors, ONES[: len(vectors)], candidates)
    near = window_cosines(candidates, (vectors @ QUERY).astype(np.float64), norms)
    scores = dense_scores(corpus, candidates, near)

    windows = vectors.astype(np.float64)
    for place in range(len(rows)):
        for beside, share in ((corpus.previous, 0.6), (corpus.following, 0.3)):
            if beside[place] >= 0:
                windows[place] += share * vectors[beside[place]].astype(np.float64)
    cosines = windows @ QUERY / np.linalg.norm(windows, axis=1)
    best = [cosines[corpus.session == corpus.session[place]].max() for place in range(len(rows))]
    expected = SCALE * np.clip((cosines + best) / 2, 0, 1)
    assert norms == pytest.approx(np.linalg.norm(windows, axis=1), rel=1e-4)
    assert scores == pytest.approx(expected, abs=1e-4)


@given(st.lists(said, min_size=1, max_size=10), st.integers(0, 9))
def test_a_row_has_one_window_whoever_else_is_a_candidate(rows: list[Said], wanted: int) -> None:
    corpus = corpus_of(rows)
    row = wanted % len(rows)
    vectors = _vectors(len(rows))
    some = make_candidates(corpus, np.array([row]))

    alone = window_norms(vectors[some.rows], ONES[: len(some)], some)

    assert alone[some.core[0]] == pytest.approx(
        window_norms(vectors, ONES[: len(vectors)], everything(corpus))[row], rel=1e-5
    )
    others = np.setdiff1d(np.arange(len(some)), some.core)
    assert not alone[others].any()


def test_a_row_without_a_vector_scores_by_what_stands_beside_it() -> None:
    rows = [Said(("a",), 0, 0), Said(("b",), 0, 1), Said(("c",))]
    corpus = corpus_of(rows)
    vectors = np.array([[1, 0, 0], [0, 0, 0], [0, 0, 0]], np.float32)

    norms = window_norms(vectors, ONES[: len(vectors)], everything(corpus))
    near = window_cosines(everything(corpus), vectors @ QUERY, norms)
    scores = dense_scores(corpus, everything(corpus), near)

    assert norms.tolist() == pytest.approx([1.0, 0.6, 0.0])
    assert scores.tolist() == pytest.approx([SCALE, SCALE, 0.0])
