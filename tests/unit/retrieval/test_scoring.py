import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.model import AtomicMemoryRecord, Parts
from chatmem.retrieval.scoring import (
    frequency_score,
    keyword_score,
    recency_score,
    score_memory,
)

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
MEMORY = AtomicMemoryRecord(
    id="m",
    user_id="mei",
    timestamp=NOW,
    create_time=NOW,
    content="喜欢喝茶",
    memory_type="long_term",
    category="preference",
    confidence=0.8,
)
unit = st.floats(0, 1)


def _score(
    keyword: float = 0.0,
    *,
    days: float = 0.0,
    count: int = 0,
    confidence: float = 0.8,
    category: bool = False,
    topic: bool = False,
) -> float:
    memory = replace(
        MEMORY,
        last_accessed=NOW - timedelta(days=days),
        access_count=count,
        confidence=confidence,
    )
    categories = {"preference"} if category else {"fact"}
    return score_memory(memory, Parts(keyword=keyword), categories, on_topic=topic, now=NOW)[0]  # type: ignore[arg-type]


@pytest.mark.scenario("S3.3.5")
def test_the_score_is_the_sum_of_the_specification() -> None:
    memory = replace(MEMORY, last_accessed=NOW - timedelta(days=7), access_count=9)
    found = Parts(keyword=0.5, bm25=0.25, vector=0.75, relevance=0.6)

    score, parts = score_memory(memory, found, {"preference"}, on_topic=False, now=NOW)

    # 0.4 * 0.5 + 0.2 * 1.5 + 0.15 * 2 ** -1 + 0.1 * ln 10 / ln 101 + 0.15 * 0.8
    assert score == pytest.approx(0.2 + 0.3 + 0.075 + 0.049_892_2 + 0.12)
    assert parts == Parts(
        keyword=0.5,
        bm25=0.25,
        vector=0.75,
        relevance=0.6,
        category=1.5,
        recency=0.5,
        frequency=math.log(10) / math.log(101),
        confidence=0.8,
        topic=1.0,
        importance=3,
    )


@pytest.mark.scenario("S3.3.7")
def test_the_topic_multiplies_the_whole_sum() -> None:
    assert _score(0.5, topic=True) == pytest.approx(1.3 * _score(0.5))


@pytest.mark.scenario("S3.3.2")
def test_a_category_that_is_expressed_adds_a_tenth() -> None:
    assert _score(category=True) - _score() == pytest.approx(0.2 * 0.5)


def test_the_least_and_the_most_are_those_of_the_decision() -> None:
    least = _score(days=70_000, confidence=0.0)
    most = _score(1.0, count=100, confidence=1.0, category=True, topic=True)

    assert least == pytest.approx(0.2)
    assert most == pytest.approx(1.43)


@given(
    keyword=unit,
    days=st.floats(0, 4000),
    count=st.integers(0, 10_000),
    confidence=unit,
    category=st.booleans(),
    topic=st.booleans(),
)
def test_every_score_lies_between_them_and_grows_with_each_part(
    keyword: float, days: float, count: int, confidence: float, category: bool, topic: bool
) -> None:
    def score(**changed: float | bool) -> float:
        given_parts = {
            "keyword": keyword,
            "days": days,
            "count": count,
            "confidence": confidence,
            "category": category,
            "topic": topic,
        }
        return _score(**{**given_parts, **changed})  # type: ignore[arg-type]

    here = score()
    assert 0.2 <= here <= 1.43 + 1e-9
    assert score(keyword=min(1.0, keyword + 0.1)) >= here
    assert score(days=days / 2) >= here
    assert score(count=count + 1) >= here
    assert score(confidence=min(1.0, confidence + 0.1)) >= here
    assert score(category=True) >= here
    assert score(topic=True) >= here


@pytest.mark.parametrize(
    ("coverage", "bm25", "relevance", "score"),
    [
        (1.0, 1.0, None, 1.0),
        (0.5, 0.5, None, 0.375),
        (0.5, 0.0, None, 0.25),
        (0.0, 1.0, None, 0.0),
        (0.5, 0.5, 0.9, 0.9),
        (1.0, 1.0, 0.1, 1.0),
    ],
)
def test_the_keyword_score_is_coverage_lifted_by_rank(
    coverage: float, bm25: float, relevance: float | None, score: float
) -> None:
    assert keyword_score(coverage, bm25, relevance) == pytest.approx(score)


@pytest.mark.parametrize(
    ("days", "score"), [(0, 1.0), (3.5, 2**-0.5), (7, 0.5), (14, 0.25), (-3, 1.0), (70, 2**-10)]
)
def test_recency_halves_every_week(days: float, score: float) -> None:
    memory = replace(MEMORY, last_accessed=NOW - timedelta(days=days))

    assert recency_score(memory, NOW) == pytest.approx(score)


def test_a_memory_never_read_counts_from_when_it_happened() -> None:
    memory = replace(MEMORY, timestamp=NOW - timedelta(days=7))

    assert recency_score(memory, NOW) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("count", "score"),
    [(0, 0.0), (1, math.log(2) / math.log(101)), (100, 1.0), (5000, 1.0), (-1, 0.0)],
)
def test_frequency_grows_with_the_logarithm(count: int, score: float) -> None:
    assert frequency_score(count) == pytest.approx(score)


def test_a_memory_without_a_category_is_never_of_the_category_asked() -> None:
    memory = replace(MEMORY, category=None)

    parts = score_memory(memory, Parts(), {"fact"}, on_topic=False, now=NOW)[1]

    assert parts.category == 1.0
