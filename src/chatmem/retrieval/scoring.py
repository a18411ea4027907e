"""One relevance from the two legs, and S3's score: how well a memory serves the next message.

    relevance = 0.7 * vector + 0.3 * bm25          (S5.3.1; bm25 alone where there are no vectors)

    score = 0.4 * keyword + 0.2 * category + 0.15 * recency + 0.1 * frequency + 0.15 * confidence
    score *= 1.3 if a keyword of the current topic matches

`vector` and `bm25` are absolute, in [0, 1]: what a pair of texts is worth does not depend on the
other hits. The order of hits also weighs the session, links between rows and what narrows the
answer down (`Legs`, `prior_factors`), on a scale of its own.

Source: S3.3.5, S3.3.7, S5.3.1; decisions 3.
"""

import math
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chatmem.model import AtomicMemoryRecord, Category
from chatmem.retrieval.candidates import Candidates, Corpus, Scores
from chatmem.retrieval.query import NamedDate, Query
from chatmem.storage.values import Rows
from chatmem.text.cues import TextFlags

KEYWORD_WEIGHT = 0.4
CATEGORY_WEIGHT = 0.2
RECENCY_WEIGHT = 0.15
FREQUENCY_WEIGHT = 0.1
CONFIDENCE_WEIGHT = 0.15
CATEGORY_BOOST = 1.5
TOPIC_BOOST = 1.3
HALF_LIFE_DAYS = 7.0
FREQUENT_COUNT = 100
"""Accesses that count as always: ln(1 + 100) is the divisor of the frequency."""
_SECONDS_PER_DAY = 86_400.0


def keyword_score(coverage: Scores, bm25: Scores, relevance: Scores) -> Scores:
    """In [0, 1]: coverage * (0.5 + 0.5 * bm25), and at least the relevance.

    `coverage` is the share of the message's keywords that the memory holds; `relevance` is NaN
    where there is no vector.
    """
    return np.fmax(coverage * (0.5 + 0.5 * bm25), relevance)


def recency_score(memory: AtomicMemoryRecord, now: datetime) -> float:
    """In (0, 1]: 2 ** (-days since the last access / 7); never accessed counts from its time."""
    seen = memory.last_accessed or memory.timestamp
    days = max(0.0, (now - seen).total_seconds() / _SECONDS_PER_DAY)
    return float(2.0 ** (-days / HALF_LIFE_DAYS))


def frequency_score(access_count: int) -> float:
    """In [0, 1]: min(1, ln(1 + count) / ln(101))."""
    return min(1.0, math.log1p(max(0, access_count)) / math.log1p(FREQUENT_COUNT))


def score_memory(
    memory: AtomicMemoryRecord,
    keyword: float,
    categories: Collection[Category],
    *,
    on_topic: bool,
    now: datetime,
) -> tuple[float, dict[str, Any]]:
    """The score, in [0.2, 1.43] for a keyword score in [0, 1], and the memory's own part of it.

    That is what `Parts` has beside what the search says, by name.
    """
    category = CATEGORY_BOOST if memory.category in categories else 1.0
    recency = recency_score(memory, now)
    frequency = frequency_score(memory.access_count)
    topic = TOPIC_BOOST if on_topic else 1.0
    score = (
        KEYWORD_WEIGHT * keyword
        + CATEGORY_WEIGHT * category
        + RECENCY_WEIGHT * recency
        + FREQUENCY_WEIGHT * frequency
        + CONFIDENCE_WEIGHT * memory.confidence
    )
    return score * topic, {
        "category": category,
        "recency": recency,
        "frequency": frequency,
        "confidence": memory.confidence,
        "topic": topic,
        "importance": memory.importance,
    }


VECTOR_WEIGHT = 0.7
BM25_WEIGHT = 0.3
"""Fixed by S5.3.1."""

LEVELLING = 0.3
"""How far the best row of a weaker question stays below the strongest's: 0 level, 1 as it is."""
TRUSTED_COVERAGE = 0.2
"""Share of the message's idf that the best row must hold for its words to count in full."""

NAMED_SPEAKER = 0.4
"""The question names who said it."""
NAMED_DATE = 1.0
"""The question names the day, month or year of the session."""
TIME_ASKED = 0.15
"""The question asks when, and the row says a time."""
NUMBER_ASKED = 0.1
"""The question asks how many, and the row says a number."""
ASSISTANT = 0.3
"""Taken off what an assistant said, unless it is asked for: people ask about themselves."""
ONLY_A_QUESTION = 0.15
"""Taken off a row that only asks: a question tells less than a statement."""
SPEAKS_FROM = 0.64
"""The sum of `vector` and `bm25` from which on the best row speaks of the message; fitted, as is
`BEHIND`, on two persons who do not judge it (`bench/answerable.py fit`): a probability of 0.22."""
BEHIND = 0.66
"""How much more another row needs, as a share of what its relevance stays behind the best."""
EXPECTED_FROM = 0.5
"""Where category or topic lead to a row: what few unrelated pairs have."""
LOOKED_AT = 10
"""Rows of which one must speak of the message: the first by order need not be the most relevant."""
_NEAR_DAYS = 7
_NEAR_MATCH = 0.5
"""What happened on a day is often told some days after it."""
_MS_PER_DAY = 86_400_000
_TINY = 1e-9


class Legs(NamedTuple):
    """Scores of the same candidates by words and by meaning; `vector` is None without vectors."""

    bm25: Scores
    vector: Scores | None

    @property
    def mixed(self) -> Scores:
        """0.7 * vector + 0.3 * bm25, or bm25 alone."""
        if self.vector is None:
            return self.bm25
        return VECTOR_WEIGHT * self.vector + BM25_WEIGHT * self.bm25


def raised(vector: Scores, coverage: float) -> Scores:
    """The dense leg, raised towards 1 where words hardly match.

    The best row by words has a bm25 of 1 even if it shares one character. The less of the message
    it holds, the nearer to 1 the best row by meaning comes: an answer in another language is found.
    """
    trust = min(1.0, coverage / TRUSTED_COVERAGE)
    top = float(vector.max(initial=0.0))
    return vector / min(1.0, max(trust + (1 - trust) * top, _TINY))


def join_views(views: Sequence[Legs]) -> Legs:
    """The legs of a message that asks several questions, from the legs of each.

    Each question's scores are stretched until its best row stands out from its median as far as the
    others' do; a row then counts for the question that it serves best.
    """
    if len(views) == 1:
        return views[0]
    mixed = np.array([view.mixed for view in views])
    tops = mixed.max(axis=1, initial=0.0)
    gaps = np.maximum(tops - np.median(mixed, axis=1), _TINY)
    high = max(*tops.tolist(), _TINY)
    factors = (gaps.max() / gaps)[:, None]
    levels = [high * (top / high) ** LEVELLING for top in tops.tolist()]
    shifts = np.array(levels)[:, None] - factors * tops[:, None]
    best = np.argmax(factors * mixed + shifts, axis=0)

    def chosen(legs: Sequence[Scores]) -> Scores:
        stretched = factors * np.array(legs) + shifts
        scores: Scores = np.clip(stretched[best, np.arange(len(best))], 0.0, None)
        return scores

    vectors = [view.vector for view in views if view.vector is not None]
    bm25 = chosen([view.bm25 for view in views])
    return Legs(bm25, chosen(vectors) if len(vectors) == len(views) else None)


def nearness(cosines: Scores, calibration: Sequence[float]) -> Scores:
    """The cosines in [0, 1] as `vector` has them.

    0 is the mean of unrelated pairs with this embedder, 0.5 what 95 % of them stay below, 1 the
    mean of sentences that say the same in other words.
    """
    return np.interp(cosines, calibration, (0.0, 0.5, 1.0))


def speaking(legs: Legs, rows: Rows, expected: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the rows speak of the message; without vectors all do, by their words.

    `expected` has one entry a row: whether the message's category or the topic leads to it.
    """
    if legs.vector is None or not len(rows):
        return np.ones(len(rows), bool)
    relevance = legs.mixed[rows]
    least = SPEAKS_FROM + BEHIND * (relevance.max() - relevance)
    return legs.vector[rows] + legs.bm25[rows] >= np.where(expected, EXPECTED_FROM, least)


def prior_factors(
    corpus: Corpus, candidates: Candidates, query: Query, assistants: frozenset[int]
) -> tuple[Scores, dict[str, NDArray[np.bool_]]]:
    """One factor above 0 a candidate, and which have what the query names: speaker, date.

    `assistants` are the speakers that are no people.
    """
    rows = candidates.rows
    speaker = corpus.speaker[rows]
    links: dict[str, NDArray[np.bool_]] = {}
    last = max(int(speaker.max(initial=-1)), *query.speakers, *assistants, -1)
    by_speaker = np.ones(last + 2)  # that of nobody, who is -1, is the last
    if query.speakers:
        links["speaker"] = np.isin(speaker, list(query.speakers))
        by_speaker[list(query.speakers)] += NAMED_SPEAKER
    if not query.asks_assistant:
        by_speaker[list(assistants)] *= 1 - ASSISTANT
    factor = by_speaker[speaker] * _of_flags(int(query.asks))[corpus.flags[rows]]
    if query.date is not None:
        dated = date_match(corpus.time_ms[rows], query.date)
        links["date"] = dated > 0
        factor *= 1 + NAMED_DATE * dated
    return factor, links


@cache
def _of_flags(asks: int) -> Scores:
    """The factor of each combination of `TextFlags` where an answer contains these."""
    flags, factors = np.arange(256), np.ones(256)
    factors[flags & TextFlags.QUESTION.value > 0] -= ONLY_A_QUESTION
    for flag, gain in ((TextFlags.TIME.value, TIME_ASKED), (TextFlags.NUMBER.value, NUMBER_ASKED)):
        factors[flags & asks & flag > 0] *= 1 + gain
    return factors


def date_match(times_ms: NDArray[np.int64], date: NamedDate) -> NDArray[np.float64]:
    """1 where a time lies in the named date, 0.5 within a week of a named day, else 0."""
    days = (times_ms // _MS_PER_DAY).astype("datetime64[D]")
    years, months = days.astype("datetime64[Y]"), days.astype("datetime64[M]")
    matched = np.ones(len(days), np.float64)
    if date.year:
        matched *= years.astype(np.int64) + 1970 == date.year
    if date.month and date.day:
        named = (years.astype("datetime64[M]") + (date.month - 1)).astype("datetime64[D]")
        apart = np.abs((days - named).astype(np.int64) - (date.day - 1))
        matched *= np.where(apart == 0, 1.0, np.where(apart <= _NEAR_DAYS, _NEAR_MATCH, 0.0))
    elif date.month:
        matched *= months.astype(np.int64) % 12 + 1 == date.month
    return matched


def weighted(legs: Legs, factors: Scores) -> Legs:
    """Both legs times the prior factors."""
    return Legs(legs.bm25 * factors, None if legs.vector is None else legs.vector * factors)


def words_for_missing(legs: Legs, known: NDArray[np.bool_]) -> Legs:
    """Legs in which rows that are not `known` have their words' score in place of a vector's."""
    vector = None if legs.vector is None else np.where(known, legs.vector, legs.bm25)
    return Legs(legs.bm25, vector)
