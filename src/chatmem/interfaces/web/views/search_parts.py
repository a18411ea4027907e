"""Why a hit scored as it did: the shares that its parts have in the score, as a labelled bar."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from nicegui import ui

from chatmem.interfaces.web.views.section import named
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

_LEAST_SHOWN: Final = 0.005
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


def score_bar(words: Words, hit: Hit) -> None:
    """The bar, with a legend below; a screen reader hears it as a sentence."""
    shares = shares_of(hit)
    full = max(sum(share.most for share in shares), hit.score, _LEAST_SHOWN)
    told = [
        words(
            "search.part_of",
            part=words(f"search.part_{share.name}"),
            amount=f"{share.amount:.2f}",
            most=f"{share.most:.2f}",
        )
        for share in shares
    ]
    said = words("search.score_said", score=f"{hit.score:.2f}", parts="; ".join(told))
    with ui.element("div").classes("score w-full"):
        with ui.element("div").classes("score-line"):
            ui.label(f"{hit.score:.2f}").classes("score-number").props("aria-hidden=true")
            with named(ui.element("div"), said).classes("score-bar").props("role=img"):
                for share in shares:
                    width = 100 * share.amount / full
                    part = ui.element("div").classes(f"score-part score-{share.name}")
                    part.style(f"width: {width:.1f}%")
        with ui.element("div").classes("score-legend").props("aria-hidden=true"):
            for share, text in zip(shares, told, strict=True):
                with ui.element("div").classes("score-label"):
                    ui.element("span").classes(f"score-dot score-{share.name}")
                    label = words(f"search.part_{share.name}")
                    ui.label(f"{label} {share.amount:.2f}")
                    ui.tooltip(f"{text}. {words(f'search.why_{share.name}')}")
