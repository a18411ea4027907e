from datetime import UTC, datetime

import numpy as np
import pytest
from tests.unit.retrieval.corpora import Said, corpus_of, everything

from chatmem.retrieval.priors import (
    ASSISTANT,
    NAMED_DATE,
    NAMED_SPEAKER,
    NUMBER_ASKED,
    ONLY_A_QUESTION,
    TIME_ASKED,
    prior_factors,
)
from chatmem.retrieval.query import read_query
from chatmem.text.cues import TextFlags

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
