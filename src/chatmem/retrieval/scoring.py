"""S3's score, literally: how well a memory serves the next message.

    score = 0.4 * keyword + 0.2 * category + 0.15 * recency + 0.1 * frequency + 0.15 * confidence
    score *= 1.3 if a keyword of the current topic matches

Source: S3.3.5, S3.3.7; decisions 3.
"""

import math
from collections.abc import Collection
from datetime import datetime
from typing import TypeAlias

from chatmem.model import AtomicMemoryRecord, Category, Parts, ScoreInputs

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

Scored: TypeAlias = AtomicMemoryRecord | ScoreInputs
"""What is scored: a memory, or as much of it as the score asks for."""


def keyword_score(coverage: float, bm25: float, relevance: float | None) -> float:
    """In [0, 1]: coverage * (0.5 + 0.5 * bm25), and at least the relevance where vectors count.

    `coverage` is the share of the message's keywords that the memory holds.
    """
    words = coverage * (0.5 + 0.5 * bm25)
    return max(words, relevance) if relevance is not None else words


def recency_score(memory: Scored, now: datetime) -> float:
    """In (0, 1]: 2 ** (-days since the last access / 7); never accessed counts from its time."""
    seen = memory.last_accessed or memory.timestamp
    days = max(0.0, (now - seen).total_seconds() / _SECONDS_PER_DAY)
    return float(2.0 ** (-days / HALF_LIFE_DAYS))


def frequency_score(access_count: int) -> float:
    """In [0, 1]: min(1, ln(1 + count) / ln(101))."""
    return min(1.0, math.log1p(max(0, access_count)) / math.log1p(FREQUENT_COUNT))


def score_memory(
    memory: Scored,
    found: Parts,
    categories: Collection[Category],
    *,
    on_topic: bool,
    now: datetime,
) -> tuple[float, Parts]:
    """The score, in [0.2, 1.43] for a keyword score in [0, 1], and every part of it.

    `found` carries what the search says: keyword, bm25, vector, relevance.
    """
    category = CATEGORY_BOOST if memory.category in categories else 1.0
    recency = recency_score(memory, now)
    frequency = frequency_score(memory.access_count)
    topic = TOPIC_BOOST if on_topic else 1.0
    score = (
        KEYWORD_WEIGHT * (found.keyword or 0.0)
        + CATEGORY_WEIGHT * category
        + RECENCY_WEIGHT * recency
        + FREQUENCY_WEIGHT * frequency
        + CONFIDENCE_WEIGHT * memory.confidence
    )
    parts = Parts(
        keyword=found.keyword,
        bm25=found.bm25,
        vector=found.vector,
        relevance=found.relevance,
        category=category,
        recency=recency,
        frequency=frequency,
        confidence=memory.confidence,
        topic=topic,
        importance=memory.importance,
    )
    return score * topic, parts
