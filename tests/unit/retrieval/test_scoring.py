"""The legs joined, what a question adds to them, and a memory's score."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.given import NOON, memory
from tests.unit.retrieval.corpora import Said, corpus_of, everything

from chatmem.model import Category
from chatmem.retrieval import scoring
from chatmem.retrieval.query import NamedDate, read_query
from chatmem.text.cues import TextFlags

unit = st.integers(0, 64).map(lambda part: part / 64)


def _legs(bm25: list[float], vector: list[float] | None = None) -> scoring.Legs:
    return scoring.Legs(np.array(bm25), None if vector is None else np.array(vector))


def test_nearness_is_measured_by_what_unrelated_and_equal_sentences_reach() -> None:
    cosines = np.array([-0.2, 0.1, 0.15, 0.2, 0.5, 0.8, 1.0])

    near = scoring.nearness(cosines, (0.1, 0.2, 0.8)).tolist()

    assert near == pytest.approx([0, 0, 0.25, 0.5, 0.75, 1, 1])


def test_what_stays_behind_the_best_must_say_more_to_speak() -> None:
    legs = scoring.Legs(np.array([0.3, 0.1, 0.5]), np.array([0.7, 0.6, 0.1]))
    rows, nothing = np.array([2, 0, 1]), np.zeros(3, bool)

    # 0.7 + 0.3 stands alone; 0.1 + 0.5 and 0.6 + 0.1 are behind by 0.36 and 0.13.
    assert scoring.speaking(legs, rows, nothing).tolist() == [False, True, False]
    # Of those two alone, 0.6 + 0.1 is the best.
    assert scoring.speaking(legs, rows[[0, 2]], nothing[:2]).tolist() == [False, True]
    assert scoring.speaking(legs, rows, np.array([True, False, False])).tolist() == [
        True,
        True,
        False,
    ]
    by_words = scoring.Legs(legs.bm25, None)
    assert scoring.speaking(by_words, rows, nothing).all()
    assert scoring.speaking(legs, rows[:0], nothing[:0]).tolist() == []


def test_each_question_brings_its_best_row_to_the_top() -> None:
    tea = _legs([0.9, 0.0, 0.1, 0.0, 0.1], [0.8, 0.1, 0.2, 0.1, 0.1])
    dog = _legs([0.0, 0.3, 0.1, 0.0, 0.0], [0.1, 0.3, 0.1, 0.1, 0.1])

    joined = scoring.join_views([tea, dog]).mixed

    assert sorted(np.argsort(-joined)[:2].tolist()) == [0, 1]
    assert joined[0] >= joined[1] > joined[2:].max()


def test_views_without_vectors_are_joined_by_words() -> None:
    joined = scoring.join_views([_legs([0.9, 0.1, 0.0]), _legs([0.0, 0.1, 0.6])])

    assert joined.vector is None
    assert sorted(np.argsort(-joined.bm25)[:2].tolist()) == [0, 2]


@given(st.lists(st.lists(st.tuples(unit, unit), min_size=3, max_size=3), min_size=2, max_size=3))
def test_joined_legs_are_finite_and_not_negative(views: list[list[tuple[float, float]]]) -> None:
    joined = scoring.join_views(
        [_legs([p[0] for p in view], [p[1] for p in view]) for view in views]
    )

    assert joined.vector is not None
    for leg in (joined.bm25, joined.vector):
        assert np.isfinite(leg).all()
        assert (leg >= 0).all()


MAY = int(datetime(2023, 5, 8, tzinfo=UTC).timestamp() * 1000)
ROWS = [
    Said(("a",), 0, 0),
    Said(("b",), 0, 1),
    Said(("c",), flags=int(TextFlags.TIME)),
    Said(("d",), flags=int(TextFlags.NUMBER)),
    Said(("e",), flags=int(TextFlags.QUESTION)),
    Said(("f",), time_ms=MAY),
]
SPEAKERS = ((0, "Ann", "ann"), (1, "assistant", "assist"), (2, "Bo", "bo"))

QUIET = [1.0, 1 - scoring.ASSISTANT, 1.0, 1.0, 1 - scoring.ONLY_A_QUESTION, 1.0]


@pytest.mark.parametrize(
    ("question", "changed"),
    [
        ("tea", {}),
        ("What does Ann drink?", {0: 1 + scoring.NAMED_SPEAKER}),
        ("What do Ann and Bo drink?", {}),
        ("When was it?", {2: 1 + scoring.TIME_ASKED}),
        ("How many are there?", {3: 1 + scoring.NUMBER_ASKED}),
        ("What did you recommend?", {1: 1.0}),
        ("你推荐了什么？", {1: 1.0}),
        ("What happened in May 2023?", {5: 1 + scoring.NAMED_DATE}),
    ],
)
def test_each_prior_touches_the_rows_it_is_about(question: str, changed: dict[int, float]) -> None:
    corpus, query = corpus_of(ROWS), read_query(question, SPEAKERS)
    expected = [changed.get(place, factor) for place, factor in enumerate(QUIET)]

    factors, _ = scoring.prior_factors(corpus, everything(corpus), query, frozenset({1}))

    assert factors.tolist() == pytest.approx(expected)


def _match(date: NamedDate, *days: str) -> list[float]:
    times = [datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() * 1000 for day in days]
    return [float(one) for one in scoring.date_match(np.array(times, np.int64), date)]


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


NOW = NOON
MEMORY = memory("m", "喜欢喝茶", memory_type="long_term", category="preference", confidence=0.8)
share = st.floats(0, 1)


def _score(
    keyword: float = 0.0,
    *,
    days: float = 0.0,
    count: int = 0,
    confidence: float = 0.8,
    category: bool = False,
    topic: bool = False,
) -> float:
    last = NOW - timedelta(days=days)
    scored = replace(MEMORY, last_accessed=last, access_count=count, confidence=confidence)
    categories: set[Category] = {"preference" if category else "fact"}
    return scoring.score_memory(scored, keyword, categories, on_topic=topic, now=NOW)[0]


PARTS = st.fixed_dictionaries(
    {
        "keyword": share,
        "days": st.floats(-3, 4000),
        "count": st.integers(-1, 10_000),
        "confidence": share,
        "category": st.booleans(),
        "topic": st.booleans(),
    }
)


@given(PARTS)
def test_every_score_lies_between_them_and_grows_with_each_part(parts: dict[str, Any]) -> None:
    here = _score(**parts)

    assert 0.2 <= here <= 1.43 + 1e-9
    for more in (
        {"keyword": min(1.0, parts["keyword"] + 0.1)},
        {"days": parts["days"] / 2},
        {"count": parts["count"] + 1},
        {"confidence": min(1.0, parts["confidence"] + 0.1)},
        {"category": True},
        {"topic": True},
    ):
        assert _score(**parts | more) >= here


@pytest.mark.parametrize(
    ("coverage", "bm25", "relevance", "score"),
    [
        (1.0, 1.0, np.nan, 1.0),
        (0.5, 0.5, np.nan, 0.375),
        (0.5, 0.0, np.nan, 0.25),
        (0.0, 1.0, np.nan, 0.0),
        (0.5, 0.5, 0.9, 0.9),
        (1.0, 1.0, 0.1, 1.0),
    ],
)
def test_the_keyword_score_is_coverage_lifted_by_rank(
    coverage: float, bm25: float, relevance: float, score: float
) -> None:
    found = scoring.keyword_score(*map(np.array, (coverage, bm25, relevance)))
    assert found == pytest.approx(score)


def test_a_memory_without_a_category_is_never_of_the_category_asked() -> None:
    bare = replace(MEMORY, category=None)

    own = scoring.score_memory(bare, 0.0, {"fact"}, on_topic=False, now=NOW)[1]

    assert own["category"] == 1.0
