"""Why a hit scored as it did: the shares that its parts have in the score."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from chatmem.interfaces.web.words import Words
from chatmem.model import Hit, Parts
from chatmem.retrieval.fusion import BM25_WEIGHT, VECTOR_WEIGHT
from chatmem.retrieval.scoring import (
    CATEGORY_BOOST,
    CATEGORY_WEIGHT,
    CONFIDENCE_WEIGHT,
    FREQUENCY_WEIGHT,
    KEYWORD_WEIGHT,
    RECENCY_WEIGHT,
    TOPIC_BOOST,
)

_LEAST_FULL: Final = 0.005
_MOST_RECALL: Final = (
    KEYWORD_WEIGHT
    + CATEGORY_WEIGHT * CATEGORY_BOOST
    + RECENCY_WEIGHT
    + FREQUENCY_WEIGHT
    + CONFIDENCE_WEIGHT
)


@dataclass(frozen=True, slots=True)
class Share:
    """What a part adds to the score, and the most that it could add."""

    name: str
    amount: float
    most: float


def shares_of(hit: Hit) -> list[Share]:
    """The parts of a score, as amounts whose sum it is."""
    parts = hit.parts
    if parts.confidence is None:
        return list(_of_search(parts))
    shares = list(_of_recall(parts))
    if parts.topic is not None and parts.topic > 1:
        # What the session is about multiplies the sum of the others.
        gained = hit.score - hit.score / parts.topic
        shares.append(Share("topic", gained, (TOPIC_BOOST - 1) * _MOST_RECALL))
    return shares


def _of_search(parts: Parts) -> Iterator[Share]:
    if parts.vector is not None:
        yield Share("vector", VECTOR_WEIGHT * parts.vector, VECTOR_WEIGHT)
        yield Share("bm25", BM25_WEIGHT * (parts.bm25 or 0.0), BM25_WEIGHT)
    elif parts.bm25 is not None:
        yield Share("bm25", parts.bm25, 1.0)
    else:
        yield Share("keyword", parts.keyword or 0.0, 1.0)


def _of_recall(parts: Parts) -> Iterator[Share]:
    weights = (
        ("keyword", parts.keyword, KEYWORD_WEIGHT, 1.0),
        ("category", parts.category, CATEGORY_WEIGHT, CATEGORY_BOOST),
        ("recency", parts.recency, RECENCY_WEIGHT, 1.0),
        ("frequency", parts.frequency, FREQUENCY_WEIGHT, 1.0),
        ("confidence", parts.confidence, CONFIDENCE_WEIGHT, 1.0),
    )
    for name, value, weight, most in weights:
        yield Share(name, weight * (value or 0.0), weight * most)


def score_of(words: Words, hit: Hit) -> dict[str, Any]:
    """The score as the table shows it: a bar of parts, a legend, and a sentence for both."""
    shares = shares_of(hit)
    full = max(sum(share.most for share in shares), hit.score, _LEAST_FULL)
    parts, sentences = [], []
    for share in shares:
        name, amount = words(f"search.part_{share.name}"), f"{share.amount:.2f}"
        sentences.append(
            words("search.part_of", part=name, amount=amount, most=f"{share.most:.2f}")
        )
        parts.append(
            {
                "name": share.name,
                "width": f"{share.amount / full:.1%}",
                "label": f"{name} {amount}",
                "why": f"{sentences[-1]}. {words(f'search.why_{share.name}')}",
            }
        )
    number = f"{hit.score:.2f}"
    label = words("search.score_said", score=number, parts="; ".join(sentences))
    return {"number": number, "label": label, "parts": parts}
