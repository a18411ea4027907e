"""Why a hit scored as it did: the shares that its parts have in the score."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from chatmem.interfaces.web.words import Words
from chatmem.model import Hit
from chatmem.retrieval import scoring

_LEAST_FULL: Final = 0.005
_RECALL: Final = {
    "keyword": (scoring.KEYWORD_WEIGHT, 1.0),
    "category": (scoring.CATEGORY_WEIGHT, scoring.CATEGORY_BOOST),
    "recency": (scoring.RECENCY_WEIGHT, 1.0),
    "frequency": (scoring.FREQUENCY_WEIGHT, 1.0),
    "confidence": (scoring.CONFIDENCE_WEIGHT, 1.0),
}
"""Of a memory that is recalled: the weight of each part, and the most that the part can be."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a part adds to the score, and the most that it could add."""

    name: str
    amount: float
    most: float


def shares_of(hit: Hit) -> list[Share]:
    """The parts of a score, as amounts whose sum it is."""
    parts = hit.parts
    weights: Mapping[str, tuple[float, float]]
    if parts.confidence is not None:
        weights = _RECALL
    elif parts.vector is not None:
        weights = {"vector": (scoring.VECTOR_WEIGHT, 1.0), "bm25": (scoring.BM25_WEIGHT, 1.0)}
    else:
        weights = {"keyword" if parts.bm25 is None else "bm25": (1.0, 1.0)}
    shares = [
        Share(name, weight * (getattr(parts, name) or 0.0), weight * most)
        for name, (weight, most) in weights.items()
    ]
    if parts.topic is not None and parts.topic > 1:  # it multiplies the sum of the others
        most = sum(share.most for share in shares)
        shares.append(
            Share("topic", hit.score - hit.score / parts.topic, (scoring.TOPIC_BOOST - 1) * most)
        )
    return shares


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
        why = words(f"search.why_{share.name}", days=f"{scoring.HALF_LIFE_DAYS:g}")
        parts.append(
            {
                "name": share.name,
                "width": f"{share.amount / full:.1%}",
                "label": f"{name} {amount}",
                "why": f"{sentences[-1]}. {why}",
            }
        )
    number = f"{hit.score:.2f}"
    label = words("search.score_said", score=number, parts="; ".join(sentences))
    return {"number": number, "label": label, "parts": parts}
