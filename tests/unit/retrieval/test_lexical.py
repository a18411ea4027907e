import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.retrieval.corpora import TERMS, Said, corpus_of, postings_of, said

from chatmem.retrieval.candidates import make_candidates
from chatmem.retrieval.legs import (
    K1,
    SESSION_WEIGHT,
    TURN_WEIGHT,
    WINDOW_WEIGHT,
    B,
    bridge_scores,
    count_terms,
    lexical_scores,
    rough_scores,
)

WEIGHTS = np.array([1.0, 0.5, 1.0, 0.3])
_WEIGHTED: list[tuple[str, float]] = list(zip(TERMS, WEIGHTS.tolist(), strict=True))


def _scores(rows: Sequence[Said], wanted: Sequence[int] | None = None) -> dict[int, float]:
    corpus = corpus_of(rows)
    places = np.arange(len(rows)) if wanted is None else np.array(wanted, np.int64)
    candidates = make_candidates(corpus, places)
    counts = count_terms(corpus, candidates, postings_of(rows), {})
    scores = lexical_scores(corpus, candidates, counts, WEIGHTS)
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


@given(st.lists(said, min_size=1, max_size=12))
def test_rough_scores_are_0_where_nothing_matches_and_else_above(rows: list[Said]) -> None:
    rough = rough_scores(corpus_of(rows), postings_of(rows), WEIGHTS)

    for place, row in enumerate(rows):
        if not row.gone and set(row.words) & set(TERMS):
            assert rough[place] > 0
    if not any(set(row.words) & set(TERMS) and not row.gone for row in rows):
        assert not rough.any()


def test_rough_scores_put_rows_of_one_length_in_the_same_order() -> None:
    rows = [
        Said(("tea", "home", "x", "x")),
        Said(("tea", "x", "x", "x")),
        Said(("tea", "tea", "x", "x")),
        Said(("run", "x", "x", "x")),
        Said(("home", "x", "x", "x")),
        Said(("x", "x", "x", "x")),
    ]
    rough = rough_scores(corpus_of(rows), postings_of(rows), WEIGHTS)
    exact = np.array(list(_scores(rows).values()))

    assert np.argsort(-rough, kind="stable").tolist() == np.argsort(-exact, kind="stable").tolist()


def test_rough_scores_lend_to_neighbours() -> None:
    rows = [
        Said(("x",), session=0, speaker=0),
        Said(("tea",), session=0, speaker=1),
        Said(("x",), session=0, speaker=0),
    ]
    before, match, after = rough_scores(corpus_of(rows), postings_of(rows), WEIGHTS)

    assert match > after > before > 0


def test_a_term_without_weight_picks_no_row() -> None:
    rows = [Said(("tea",)), Said(("home",))]
    rough = rough_scores(corpus_of(rows), postings_of(rows), np.array([0.0, 0.0, 1.0, 0.0]))

    assert rough[0] == 0
    assert rough[1] > 0


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
    scores = bridge_scores(corpus, candidates, best, postings_of(LINKED_ROWS, terms))
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
