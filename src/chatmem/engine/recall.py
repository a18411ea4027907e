"""Finding memories: search over everything, and recall for the next message.

Source: S1.5, S2.1.1, S3.2, S3.3, S5.2, S5.3; decisions 3.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from chatmem.engine.ranking import Asked, LikeNeededError, rank
from chatmem.engine.relevance import Ranked
from chatmem.engine.state import Engine
from chatmem.model import AtomicMemoryRecord, Hit, MemoryType, Missing, Parts, SearchResults
from chatmem.retrieval.query import Query
from chatmem.retrieval.scoring import keyword_score, score_memory
from chatmem.storage.ports import Owner, RowState
from chatmem.text.clean import clean_text
from chatmem.text.cues import detect_categories
from chatmem.text.keywords import extract_keywords

RECALL_POOL = 100
"""Best matches that S3's score puts into order; the rest could not reach the first places."""
CATEGORY_POOL = 20
"""Newest memories of a category that the message expresses, recalled even without a common word."""
QUERY_CHARS = 8_000
"""Of a longer message its beginning and its end are asked for, where the question mostly is: terms
are counted one by one, and a pasted file of 3 MB took minutes."""
_MS = 1000

TimeRange = tuple[datetime | None, datetime | None]


def search(
    engine: Engine, owner: Owner, text: str, time_range: TimeRange | None, limit: int
) -> SearchResults:
    """Turns and long-term memories that match, most relevant first; scores are in [0, 1].

    Source: S2.7.1, S5.2.1, S5.3.1.
    """
    query = _asked(text)
    if not query:
        return SearchResults((), engine.missing())
    low, high = _bounds(time_range)

    def eligible(facts: NDArray[np.void]) -> NDArray[np.bool_]:
        valid = (facts["state"] & RowState.SUPERSEDED) == 0
        inside: NDArray[np.bool_] = valid & (facts["time"] >= low) & (facts["time"] <= high)
        return inside

    try:
        ranked = rank(engine, owner, Asked(query), eligible)
    except LikeNeededError as need:
        return _like_search(engine, owner, need, lambda one: _inside(one, low, high), limit)
    places = range(min(limit, len(ranked.rows)))
    found = engine.store.memories.by_rows(owner, [int(ranked.rows[place]) for place in places])
    hits = []
    for place in places:
        memory = found.get(int(ranked.rows[place]))
        if memory is not None:
            parts = _parts(ranked, place)
            hits.append(Hit(memory, float(ranked.relevance[place]), parts))
    return SearchResults(tuple(hits), ranked.missing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What recall is asked for: how many, for which session, seen from when, true at what time."""

    limit: int
    session_id: str | None = None
    now: datetime
    as_of: datetime | None = None


def recall(engine: Engine, owner: Owner, message: str, wish: Wish) -> SearchResults:
    """Long-term memories that serve the next message, best first, by S3's score.

    Source: S1.4.2, S1.5.1, S3.2.2, S3.3.
    """
    text = _asked(message)
    topic = None
    if wish.session_id is not None:
        topic = engine.store.working.topic(owner, wish.session_id)
    if not text:
        return SearchResults((), engine.missing())

    def eligible(facts: NDArray[np.void]) -> NDArray[np.bool_]:
        wanted = (facts["state"] & RowState.LONG_TERM) > 0
        if wish.as_of is None:
            wanted &= (facts["state"] & RowState.SUPERSEDED) == 0
        chosen: NDArray[np.bool_] = wanted
        return chosen

    categories = detect_categories(text)
    of_category = engine.store.memories.of_category(owner, sorted(categories), CATEGORY_POOL)
    asked = Asked(text, topic, frozenset(of_category))
    try:
        ranked = rank(engine, owner, asked, eligible)
    except LikeNeededError as need:
        return _like_recall(engine, owner, need, wish)
    pool = [int(row) for row in ranked.rows[:RECALL_POOL]]
    found = engine.store.memories.by_rows(owner, sorted({*pool, *of_category}))
    place_of = {row: place for place, row in enumerate(pool)}
    hits = []
    for row, memory in found.items():
        if not _true_at(memory, wish.as_of):
            continue
        place = place_of.get(row)
        parts = _parts(ranked, place) if place is not None else Parts(keyword=0.0)
        on_topic = place is not None and bool(ranked.on_topic[place])
        score, parts = score_memory(memory, parts, categories, on_topic=on_topic, now=wish.now)
        hits.append(Hit(memory, score, parts))
    return SearchResults(_best(hits, wish.limit), ranked.missing)


def _asked(message: str) -> str:
    text = clean_text(message)
    if len(text) <= QUERY_CHARS:
        return text
    return f"{text[: QUERY_CHARS // 2]}\n{text[-QUERY_CHARS // 2 :]}"


def _like_search(
    engine: Engine,
    owner: Owner,
    need: LikeNeededError,
    wanted: Callable[[AtomicMemoryRecord], bool],
    limit: int,
) -> SearchResults:
    found = _like(engine, owner, need.query, None)
    hits = [
        Hit(memory, coverage, Parts(keyword=coverage))
        for memory, coverage in found
        if memory.is_valid and wanted(memory)
    ]
    return SearchResults(_best(hits, limit), _with(engine.missing(), need.missing))


def _like_recall(engine: Engine, owner: Owner, need: LikeNeededError, wish: Wish) -> SearchResults:
    categories = detect_categories(need.query.text)
    hits = []
    for memory, coverage in _like(engine, owner, need.query, "long_term"):
        if _true_at(memory, wish.as_of):
            score, parts = score_memory(
                memory, Parts(keyword=coverage), categories, on_topic=False, now=wish.now
            )
            hits.append(Hit(memory, score, parts))
    return SearchResults(_best(hits, wish.limit), _with(engine.missing(), need.missing))


def _with(missing: tuple[Missing, ...], one: Missing) -> tuple[Missing, ...]:
    return missing if any(known.what == one.what for known in missing) else (*missing, one)


def _like(
    engine: Engine, owner: Owner, query: Query, only: MemoryType | None
) -> list[tuple[AtomicMemoryRecord, float]]:
    """Memories that contain keywords of the message, and the share of them. Source: S3.3.4."""
    keywords = extract_keywords(query.text) or tuple(query.text.split())[:8]
    held: dict[int, int] = {}
    for keyword in keywords:
        for row in engine.store.memories.like(owner, keyword.rstrip("*"), only, _LIKE_ROWS):
            held[row] = held.get(row, 0) + 1
    found = engine.store.memories.by_rows(owner, sorted(held))
    return [(memory, held[row] / len(keywords)) for row, memory in found.items()]


_LIKE_ROWS = 1_000


def _parts(ranked: Ranked, place: int) -> Parts:
    vector = float(ranked.vector[place])
    bm25 = float(ranked.bm25[place])
    relevance = float(ranked.relevance[place])
    has_vector = not np.isnan(vector)
    return Parts(
        keyword=keyword_score(
            float(ranked.coverage[place]), bm25, relevance if has_vector else None
        ),
        bm25=bm25,
        vector=vector if has_vector else None,
        relevance=relevance,
    )


def _best(hits: list[Hit], limit: int) -> tuple[Hit, ...]:
    """The best, and of equal ones the newest first."""
    ordered = sorted(hits, key=lambda hit: (-hit.score, -hit.memory.timestamp.timestamp()))
    return tuple(ordered[:limit])


def _true_at(memory: AtomicMemoryRecord, as_of: datetime | None) -> bool:
    if as_of is None:
        return memory.is_valid
    begins = memory.valid_from or memory.timestamp
    return begins <= as_of and (memory.valid_to is None or as_of < memory.valid_to)


def _bounds(time_range: TimeRange | None) -> tuple[int, int]:
    low, high = time_range or (None, None)
    limits = np.iinfo(np.int64)
    return (
        round(low.timestamp() * _MS) if low else int(limits.min),
        round(high.timestamp() * _MS) if high else int(limits.max),
    )


def _inside(memory: AtomicMemoryRecord, low: int, high: int) -> bool:
    return low <= round(memory.timestamp.timestamp() * _MS) <= high
