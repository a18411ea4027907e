"""Finding memories: search over everything, and recall for the next message.

Source: S1.5, S2.1.1, S3.2, S3.3, S5.2, S5.3; decisions 3.
"""

from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from chatmem.engine.search.browse import is_wanted, wanted_rows, wants_all
from chatmem.engine.search.ranking import LikeNeededError, Ranking, Wanted, rank
from chatmem.engine.search.relevance import Ranked
from chatmem.engine.sessions import working_memory as working
from chatmem.engine.space import Space
from chatmem.engine.stages import RECALL, staged
from chatmem.model import (
    AtomicMemoryRecord,
    Category,
    Hit,
    MemoryFilter,
    MemoryType,
    Missing,
    Parts,
    SearchResults,
    Standing,
)
from chatmem.retrieval.scoring import keyword_score, score_memory, score_of
from chatmem.storage.values import Owner, Place, RowState
from chatmem.text.clean import clean_text
from chatmem.text.cues import detect_categories
from chatmem.text.segment import extract_keywords

RECALL_POOL = 100
"""Best matches that S3's score puts into order; the rest could not reach the first places."""
QUERY_CHARS = 8_000
"""Of a longer message its beginning and its end are asked for, where the question mostly is: terms
are counted one by one, and a pasted file of 3 MB took minutes."""
_MS = 1000

TimeRange = tuple[datetime | None, datetime | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What recall is asked for: how many, for which session, seen from when, true at what time."""

    limit: int
    session_id: str | None = None
    now: datetime
    as_of: datetime | None = None


@staged(RECALL)
def search(
    space: Space,
    text: str,
    time_range: TimeRange | None,
    limit: int,
    only: MemoryFilter | None = None,
) -> SearchResults:
    """Turns and long-term memories that match, most relevant first; scores are in [0, 1].

    What others share with the owner is found too. `only` is a checked filter: what it does not want
    takes no place. Source: S2.7.1, S5.2.1, S5.3.1, S5.9.
    """
    query = _asked(text)
    if not query:
        return SearchResults((), space.engine.missing())
    wanted = _Search(_bounds(time_range), limit)
    if only is not None and not wants_all(only):
        wanted.ask_for(space, only)
    try:
        ranking = rank(space, query, Wanted(wanted.eligible))
    except LikeNeededError as need:
        return wanted.by_like(space, need)
    return wanted.results(ranking, ranking.ranked[0])


@staged(RECALL)
def recall(space: Space, message: str, wish: Wish) -> SearchResults:
    """Long-term memories that serve the next message, best first, by S3's score.

    What others share with the owner is recalled too. Source: S1.4.2, S1.5.1, S3.2.2, S3.3.
    """
    text = _asked(message)
    if not text:
        return SearchResults((), space.engine.missing())
    wanted = _Recall(wish, detect_categories(text))
    try:
        ranking = rank(space, text, wanted.wanted(space))
    except LikeNeededError as need:
        return wanted.by_like(space, need)
    return wanted.results(ranking, ranking.ranked[0])


@staged(RECALL)
def recall_and_search(
    space: Space,
    message: str,
    wish: Wish,
    search_limit: int,
    without_session: str | None = None,
) -> tuple[SearchResults, SearchResults]:
    """What `recall` and `search` find for one message, for little more than the price of one.

    Turns of the session `without_session` are not searched: they stand in the prompt already.
    """
    text = _asked(message)
    if not text:
        nothing = SearchResults((), space.engine.missing())
        return nothing, nothing
    recalled = _Recall(wish, detect_categories(text))
    searched = _Search(_bounds(None), search_limit, without_session)
    searched.leave_out(space)
    try:
        ranking = rank(space, text, recalled.wanted(space), Wanted(searched.eligible))
    except LikeNeededError as need:
        return recalled.by_like(space, need), searched.by_like(space, need)
    return (
        recalled.results(ranking, ranking.ranked[0]),
        searched.results(ranking, ranking.ranked[1]),
    )


class _Search:
    """Which rows a search may find, and its results."""

    def __init__(
        self, bounds: tuple[int, int], limit: int, without_session: str | None = None
    ) -> None:
        self._low, self._high = bounds
        self._limit = limit
        self._without = without_session
        self._session = -1
        self._only: MemoryFilter | None = None
        self._own_rows: NDArray[np.int64] | None = None
        self._own_count = 0

    def ask_for(self, space: Space, only: MemoryFilter) -> None:
        """Find what the filter wants, and nothing else.

        Own rows are looked up before the ranking; those of others, and rows that are newer than
        the look-up, are compared when they are read.
        """
        self._only = only
        with space.store.snapshot():
            self._own_rows = np.array(wanted_rows(space, only), np.int64)
            self._own_count = space.engine.corpora.get(space.store, space.owner).own

    def leave_out(self, space: Space) -> None:
        """Look up the session whose turns are not wanted."""
        if self._without is not None:
            self._session = space.store.lexical.session(space.owner, self._without)

    def eligible(self, facts: NDArray[np.void]) -> NDArray[np.bool_]:
        inside: NDArray[np.bool_] = (facts["state"] & RowState.SUPERSEDED) == 0
        if self._own_rows is not None:
            inside = np.ones(len(facts), np.bool_)
            inside[: self._own_count] = False
            inside[self._own_rows] = True
        inside &= (facts["time"] >= self._low) & (facts["time"] <= self._high)
        if self._session >= 0:
            inside &= facts["session"] != self._session
        return inside

    def results(self, ranking: Ranking, ranked: Ranked) -> SearchResults:
        hits: list[Hit] = []
        first, step = 0, self._limit
        while first < len(ranked.rows) and len(hits) < self._limit:
            rows = ranked.rows[first : first + step].tolist()
            found = ranking.reach.records(rows)
            for place, row in enumerate(rows, first):
                if row in found and (self._only is None or is_wanted(found[row], self._only)):
                    parts = _parts(ranked, place)
                    hits.append(Hit(found[row], float(ranked.relevance[place]), parts))
            if self._only is None:
                break  # whatever was not found is gone; the next best do not take its place
            first, step = first + step, max(step, _LIKE_ROWS)
        return SearchResults(tuple(hits[: self._limit]), ranking.missing)

    def by_like(self, space: Space, need: LikeNeededError) -> SearchResults:
        hits = [
            Hit(memory, coverage, Parts(keyword=coverage))
            for memory, coverage in _like(space, need.text, None)
            if self._wants(space.owner, memory)
        ]
        return SearchResults(_best(hits, self._limit), _with(space.engine.missing(), need.missing))

    def _wants(self, owner: Owner, memory: AtomicMemoryRecord) -> bool:
        if not self._low <= round(memory.timestamp.timestamp() * _MS) <= self._high:
            return False
        if not (memory.is_valid if self._only is None else is_wanted(memory, self._only)):
            return False
        own_turn = memory.user_id == owner.user_id and memory.role is not None
        return not (own_turn and self._without is not None and memory.session_id == self._without)


class _Recall:
    """Which rows recall may find, and its results."""

    def __init__(self, wish: Wish, categories: frozenset[Category]) -> None:
        self._wish = wish
        self._categories = categories

    def wanted(self, space: Space) -> Wanted:
        """What to rank, with the topic of the session."""
        topic = None
        if self._wish.session_id is not None:
            topic = working.topic(space, self._wish.session_id, self._wish.now)
        return Wanted(self._eligible, topic or None, self._categories)

    def results(self, ranking: Ranking, ranked: Ranked) -> SearchResults:
        wish = self._wish
        pool = ranked.rows[:RECALL_POOL].tolist()
        found = {row: _parts(ranked, place) for place, row in enumerate(pool)}
        on_topic = dict(zip(pool, ranked.on_topic[:RECALL_POOL].tolist(), strict=True))
        for row in ranked.matching:
            found.setdefault(row, Parts(keyword=0.0))
        scored: list[tuple[float, float, int]] = []
        for row, standing in ranking.reach.standings(sorted(found)).items():
            if _true_at(standing, wish.as_of):
                score = score_of(
                    standing,
                    found[row].keyword or 0.0,
                    self._categories,
                    on_topic=on_topic.get(row, False),
                    now=wish.now,
                )
                scored.append((-score, -standing.timestamp.timestamp(), row))
        best = [row for *_, row in sorted(scored)[: wish.limit]]
        hits = []
        for row, memory in ranking.reach.records(best).items():  # only these are read whole
            score, parts = score_memory(
                memory,
                found[row],
                self._categories,
                on_topic=on_topic.get(row, False),
                now=wish.now,
            )
            hits.append(Hit(memory, score, parts))
        return SearchResults(_best(hits, wish.limit), ranking.missing)

    def by_like(self, space: Space, need: LikeNeededError) -> SearchResults:
        hits = []
        for memory, coverage in _like(space, need.text, "long_term"):
            if _true_at(memory, self._wish.as_of):
                parts = Parts(keyword=coverage)
                score, parts = score_memory(
                    memory, parts, self._categories, on_topic=False, now=self._wish.now
                )
                hits.append(Hit(memory, score, parts))
        return SearchResults(
            _best(hits, self._wish.limit), _with(space.engine.missing(), need.missing)
        )

    def _eligible(self, facts: NDArray[np.void]) -> NDArray[np.bool_]:
        wanted: NDArray[np.bool_] = (facts["state"] & RowState.LONG_TERM) > 0
        if self._wish.as_of is None:
            wanted &= (facts["state"] & RowState.SUPERSEDED) == 0
        return wanted


def _asked(message: str) -> str:
    text = clean_text(message)
    if len(text) <= QUERY_CHARS:
        return text
    return f"{text[: QUERY_CHARS // 2]}\n{text[-QUERY_CHARS // 2 :]}"


def _with(missing: tuple[Missing, ...], one: Missing) -> tuple[Missing, ...]:
    return missing if any(known.what == one.what for known in missing) else (*missing, one)


def _like(
    space: Space, text: str, only: MemoryType | None
) -> list[tuple[AtomicMemoryRecord, float]]:
    """Memories that contain keywords of the message, and the share of them. Source: S3.3.4."""
    keywords = extract_keywords(text) or tuple(text.split())[:8]
    memories = space.store.memories
    held: dict[Place, int] = {}
    for keyword in keywords:
        word = keyword.rstrip("*")
        own = [
            (space.owner.number, row) for row in memories.like(space.owner, word, only, _LIKE_ROWS)
        ]
        for place in own + memories.like_shared(space.owner, word, only, _LIKE_ROWS):
            held[place] = held.get(place, 0) + 1
    found = memories.by_places(space.owner, sorted(held))
    return [(memory, held[place] / len(keywords)) for place, memory in found.items()]


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


def _true_at(memory: AtomicMemoryRecord | Standing, as_of: datetime | None) -> bool:
    if as_of is None:
        return memory.valid_to is None
    begins = memory.valid_from or memory.timestamp
    return begins <= as_of and (memory.valid_to is None or as_of < memory.valid_to)


def _bounds(time_range: TimeRange | None) -> tuple[int, int]:
    low, high = time_range or (None, None)
    limits = np.iinfo(np.int64)
    return (
        round(low.timestamp() * _MS) if low else int(limits.min),
        round(high.timestamp() * _MS) if high else int(limits.max),
    )
