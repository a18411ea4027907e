from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.retrieval.corpora import Said, corpus_of, everything

from chatmem.retrieval.fusion import (
    ASSISTANT,
    NAMED_DATE,
    NAMED_SPEAKER,
    NUMBER_ASKED,
    ONLY_A_QUESTION,
    TIME_ASKED,
    Legs,
    date_match,
    finish,
    join_views,
    prior_factors,
    weighted,
)
from chatmem.retrieval.query import NamedDate, read_query
from chatmem.text.cues import TextFlags

unit = st.integers(0, 64).map(lambda part: part / 64)


def _legs(bm25: list[float], vector: list[float] | None = None) -> Legs:
    return Legs(np.array(bm25), None if vector is None else np.array(vector))


@pytest.mark.scenario("S5.3.1")
def test_the_legs_meet_by_seven_to_three() -> None:
    assert _legs([1.0, 0.5], [0.5, 1.0]).mixed.tolist() == pytest.approx([0.65, 0.85])


@pytest.mark.scenario("S5.3.2")
def test_without_vectors_the_words_alone_count() -> None:
    assert _legs([1.0, 0.5]).mixed.tolist() == [1.0, 0.5]


@given(st.lists(st.tuples(unit, unit), min_size=1, max_size=8))
def test_finished_legs_are_in_0_to_1_and_keep_their_order(pairs: list[tuple[float, float]]) -> None:
    legs = _legs([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    done = finish(legs)

    assert done.vector is not None
    assert ((done.bm25 >= 0) & (done.bm25 <= 1) & (done.vector >= 0) & (done.vector <= 1)).all()
    assert (np.diff(done.bm25[np.argsort(legs.bm25, kind="stable")]) >= 0).all()
    if legs.bm25.any():
        assert done.bm25.max() == 1.0


def test_finishing_keeps_the_proportion_of_the_legs() -> None:
    done = finish(_legs([2.0, 1.0], [1.0, 0.5]))

    assert done.bm25.tolist() == [1.0, 0.5]
    assert done.vector is not None
    assert done.vector.tolist() == [0.5, 0.25]


def test_finishing_nothing_divides_by_nothing() -> None:
    done = finish(_legs([0.0, 0.0], [0.4, 0.0]))

    assert done.bm25.tolist() == [0.0, 0.0]
    assert done.vector is not None
    assert done.vector.tolist() == [0.4, 0.0]
    assert finish(_legs([], [])).mixed.tolist() == []


def test_one_view_is_taken_as_it_is() -> None:
    view = _legs([0.3, 0.2], [0.1, 0.0])

    assert join_views([view]) is view


def test_each_question_brings_its_best_row_to_the_top() -> None:
    tea = _legs([0.9, 0.0, 0.1, 0.0, 0.1], [0.8, 0.1, 0.2, 0.1, 0.1])
    dog = _legs([0.0, 0.3, 0.1, 0.0, 0.0], [0.1, 0.3, 0.1, 0.1, 0.1])

    joined = join_views([tea, dog]).mixed

    assert sorted(np.argsort(-joined)[:2].tolist()) == [0, 1]
    assert joined[0] >= joined[1] > joined[2:].max()


def test_views_without_vectors_are_joined_by_words() -> None:
    joined = join_views([_legs([0.9, 0.1, 0.0]), _legs([0.0, 0.1, 0.6])])

    assert joined.vector is None
    assert sorted(np.argsort(-joined.bm25)[:2].tolist()) == [0, 2]


@given(st.lists(st.lists(st.tuples(unit, unit), min_size=3, max_size=3), min_size=2, max_size=3))
def test_joined_legs_are_finite_and_not_negative(views: list[list[tuple[float, float]]]) -> None:
    joined = join_views([_legs([p[0] for p in view], [p[1] for p in view]) for view in views])

    assert joined.vector is not None
    for leg in (joined.bm25, joined.vector):
        assert np.isfinite(leg).all()
        assert (leg >= 0).all()


def test_factors_weigh_both_legs() -> None:
    done = weighted(_legs([1.0, 0.5], [0.5, 1.0]), np.array([2.0, 0.0]))

    assert done.bm25.tolist() == [2.0, 0.0]
    assert done.vector is not None
    assert done.vector.tolist() == [1.0, 0.0]
    assert weighted(_legs([1.0]), np.array([3.0])).vector is None


MAY = int(datetime(2023, 5, 8, tzinfo=UTC).timestamp() * 1000)
ROWS = [
    Said(("a",), 0, 0),
    Said(("b",), 0, 1),
    Said(("c",), flags=int(TextFlags.TIME)),
    Said(("d",), flags=int(TextFlags.NUMBER)),
    Said(("e",), flags=int(TextFlags.QUESTION)),
    Said(("f",), time_ms=MAY),
]
SPEAKERS = [(0, "Ann", "ann"), (1, "assistant", "assist"), (2, "Bo", "bo")]


def _factors(question: str) -> list[float]:
    corpus = corpus_of(ROWS)
    query = read_query(question, SPEAKERS)
    factors = prior_factors(corpus, everything(corpus), query, frozenset({1}))
    return [float(factor) for factor in factors]


QUIET = [1.0, 1 - ASSISTANT, 1.0, 1.0, 1 - ONLY_A_QUESTION, 1.0]


@pytest.mark.parametrize(
    ("question", "changed"),
    [
        ("tea", {}),
        ("What does Ann drink?", {0: 1 + NAMED_SPEAKER}),
        ("What do Ann and Bo drink?", {}),
        ("When was it?", {2: 1 + TIME_ASKED}),
        ("How many are there?", {3: 1 + NUMBER_ASKED}),
        ("What did you recommend?", {1: 1.0}),
        ("你推荐了什么？", {1: 1.0}),
        ("What happened in May 2023?", {5: 1 + NAMED_DATE}),
    ],
)
def test_each_prior_touches_the_rows_it_is_about(question: str, changed: dict[int, float]) -> None:
    expected = [changed.get(place, factor) for place, factor in enumerate(QUIET)]

    assert _factors(question) == pytest.approx(expected)


def test_factors_are_above_0_for_every_question() -> None:
    for question in ("", "?", "When did Ann tell you how many? 2023年5月", "你说过几个"):
        assert np.all(np.array(_factors(question)) > 0)


def _match(date: NamedDate, *days: str) -> list[float]:
    times = [datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() * 1000 for day in days]
    return [float(one) for one in date_match(np.array(times, np.int64), date)]


def test_a_year_and_a_month_match_all_their_days() -> None:
    days = ("2023-05-01T00:00:00.001", "2023-05-31T23:59:59", "2023-06-01", "2024-05-08")

    assert _match(NamedDate(2023, None, None), *days) == [1, 1, 1, 0]
    assert _match(NamedDate(2023, 5, None), *days) == [1, 1, 0, 0]
    assert _match(NamedDate(None, 5, None), *days) == [1, 1, 0, 1]


def test_a_day_matches_itself_and_half_the_week_around_it() -> None:
    days = ("2023-05-08", "2023-05-15", "2023-05-01", "2023-05-16", "2024-05-08", "2023-11-08")

    assert _match(NamedDate(2023, 5, 8), *days) == [1, 0.5, 0.5, 0, 0, 0]
    assert _match(NamedDate(None, 5, 8), *days) == [1, 0.5, 0.5, 0, 1, 0]


def test_times_before_1970_have_their_day() -> None:
    assert _match(NamedDate(1969, 12, 31), "1969-12-31T12:00:00", "1970-01-01") == [1, 0]
