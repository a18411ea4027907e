"""Finding memories: search over everything, and recall for the next message.

A message is ranked once for all requests (`ranking.rank`); here ranked rows become hits.

Source: S1.5, S2.1.1, S3.2, S3.3, S5.2, S5.3; decisions 3.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatmem.engine.checks import checked_filter, checked_limit, checked_range
from chatmem.engine.corpus import ViewerCorpus
from chatmem.engine.search.ranking import CandidateRequest, RankedRows, rank
from chatmem.engine.space import Space, SpacePart
from chatmem.engine.state import RECALL, stage
from chatmem.model import AtomicMemoryRecord, Category, Hit, MemoryFilter, Parts, SearchResults
from chatmem.model.memory import true_at
from chatmem.model.time import as_utc, moment_or_now
from chatmem.retrieval.scoring import LOOKED_AT, score_memory
from chatmem.storage.tables.owners import State
from chatmem.storage.values import RowState
from chatmem.text.clean import clean_text
from chatmem.text.cues import detect_categories

RECALL_POOL = 100
"""Best matches that S3's score puts into order; the rest could not reach the first places."""
QUERY_CHARS = 8_000
"""Of a longer message its beginning and its end are asked for, where the question mostly is: terms
are counted one by one, and a pasted file of 3 MB took minutes."""
_MS = 1000  # the corpus has milliseconds since 1970
_NO_FILTER = MemoryFilter()
_NO_PARTS = Parts()
# As plain numbers: numpy takes three times as long for those of an enumeration.
_LONG_TERM, _SUPERSEDED = RowState.LONG_TERM.value, RowState.SUPERSEDED.value

Ranks: TypeAlias = Sequence[int]
Records: TypeAlias = Mapping[int, AtomicMemoryRecord]
_Finder: TypeAlias = "_Search | _Recall"
TimeRange: TypeAlias = tuple[datetime | date | str | None, datetime | date | str | None]


class MemorySearch(SpacePart):
    """Finds memories of this user, and what others share with them."""

    def get_relevant_memories(
        self,
        query: str,
        top_n: int | None = None,
        *,
        session_id: str | None = None,
        now: datetime | None = None,
        as_of: datetime | None = None,
        only: MemoryFilter | None = None,
    ) -> SearchResults:
        """Long-term memories for the next message, best first, by S3's score, with parts.

        `top_n` is `memory.rag_top_n` where it is None; `as_of` shows what was true at that time;
        `only` is a filter. Nothing is counted as an access.

        Source: S1.4.2, S1.5.1, S2.1.1, S3.2.2, S3.3.
        """
        state = self._documents.refresh()
        default = self._engine.settings.memory.rag_top_n
        text = _query_text(query)
        request = _Recall(
            default if top_n is None else checked_limit(top_n),
            detect_categories(text),
            session_id,
            moment_or_now(now),
            as_utc(as_of) if as_of else None,
            checked_filter(only) if only is not None else _NO_FILTER,
        )
        return self._found(state, text, request)

    def search_memories(
        self,
        keyword: str,
        time_range: TimeRange | None = None,
        limit: int = 10,
        *,
        only: MemoryFilter | None = None,
    ) -> SearchResults:
        """Everything that matches, turns included, best first; scores are relevances in [0, 1].

        `time_range` bounds the time when it happened: begin and end, as datetimes, dates or ISO
        text, either may be None. `only` is a filter: what it does not want takes no place.
        `Pyth*` finds words that begin so. Source: S2.7.1, S5.2.1, S5.3.1, S5.9.
        """
        state = self._documents.refresh()
        wanted = checked_filter(only) if only is not None else _NO_FILTER
        request = _Search(checked_limit(limit), checked_range(time_range), wanted)
        return self._found(state, _query_text(keyword), request)

    def _found(self, state: State, text: str, request: _Finder) -> SearchResults:
        (results,) = _find(self._space, state, text, request)
        notices = self._documents.notices(held_too=state.held)
        return replace(results, missing=results.missing + notices) if notices else results


def recall_and_search(
    space: Space,
    state: State,
    message: str,
    *,
    session_id: str | None,
    now: datetime,
    search_limit: int,
) -> tuple[SearchResults, SearchResults]:
    """What recall and search find for one message; what is found comes without its parts."""
    text = _query_text(message)
    recall_limit = space.engine.settings.memory.rag_top_n
    recall = _Recall(recall_limit, detect_categories(text), session_id, now)
    recalled, found = _find(space, state, text, recall, _Search(search_limit, with_parts=False))
    return recalled, found


def _find(space: Space, state: State, text: str, *finders: _Finder) -> list[SearchResults]:
    """What each of them finds for the text."""
    with stage(RECALL):
        if not text:
            return [SearchResults((), space.engine.missing()) for _ in finders]
        ranking = rank(space, state, text, *(one.request(space) for one in finders))
        pairs = list(zip(finders, ranking.ranked, strict=True))
        # Each is read once, whoever looks at it; what is gone meanwhile is missing.
        rows = [row for one, ranked in pairs for row in ranked.rows[one.ranks(ranked)].tolist()]
        records = ranking.corpus.records(list(dict.fromkeys(rows)))
        found = []
        for one, ranked in pairs:
            hits = one.hits(ranked, records)
            speaks = ranked.names_speaker or ranked.speaks[:LOOKED_AT].any()
            found.append(
                SearchResults(hits, ranking.missing)
                if speaks or isinstance(one, _Recall)
                else SearchResults((), ranking.missing, nearest=hits)
            )
        return found


class _Search(NamedTuple):
    """Finds all that is within the time range, valid or what the filter wants, by relevance."""

    limit: int
    time_range: tuple[datetime | None, datetime | None] = (None, None)
    only: MemoryFilter = _NO_FILTER
    with_parts: bool = True

    def request(self, space: Space) -> CandidateRequest:
        """Which rows may be found."""
        return CandidateRequest(partial(self._eligible, space))

    def ranks(self, ranked: RankedRows) -> Ranks:
        """Those of the rows to look at."""
        return range(len(ranked.rows))[: self.limit]

    def hits(self, ranked: RankedRows, records: Records) -> tuple[Hit, ...]:
        """The best."""
        ranks = self.ranks(ranked)
        rows, relevance = ranked.rows[ranks].tolist(), ranked.relevance[ranks].tolist()
        parts = ranked.parts(ranks) if self.with_parts else [_NO_PARTS] * len(rows)
        told = zip(rows, relevance, parts, strict=True)
        return tuple(Hit(records[row], score, one) for row, score, one in told if row in records)

    def _eligible(self, space: Space, corpus: ViewerCorpus) -> NDArray[np.bool_]:
        if self.only == _NO_FILTER:
            eligible: NDArray[np.bool_] = (corpus.state & _SUPERSEDED) == 0
        else:
            keys = space.store.pages.keys(space.owner, self.only)
            eligible = np.isin(corpus.keys, keys)
        low, high = self.time_range
        if low is not None:
            eligible = eligible & (corpus.arrays.time_ms >= round(low.timestamp() * _MS))
        if high is not None:
            eligible = eligible & (corpus.arrays.time_ms <= round(high.timestamp() * _MS))
        return eligible


class _Recall(NamedTuple):
    """Finds long-term memories that are true, or were at `as_of`, by S3's score."""

    limit: int
    categories: frozenset[Category]
    session_id: str | None
    now: datetime
    as_of: datetime | None = None
    only: MemoryFilter = _NO_FILTER

    def request(self, space: Space) -> CandidateRequest:
        """Which rows may be recalled, with the topic of the session."""
        topic = None
        if self.session_id is not None:
            # Imported here: a search without a session loads nothing that learns.
            from chatmem.engine.sessions import working_memory as working  # noqa: PLC0415

            topic = working.topic(space, self.session_id, self.now)
        return CandidateRequest(partial(self._eligible, space), topic or None, self.categories)

    def ranks(self, ranked: RankedRows) -> Ranks:
        """The most relevant rows that speak of the message."""
        speaking: list[int] = np.flatnonzero(ranked.speaks[:RECALL_POOL]).tolist()
        return speaking

    def hits(self, ranked: RankedRows, records: Records) -> tuple[Hit, ...]:
        """The best of them by score."""
        ranks, scored = self.ranks(ranked), []
        columns = (one[ranks].tolist() for one in (ranked.rows, ranked.keyword, ranked.on_topic))
        for place, row, words, on_topic in zip(ranks, *columns, strict=True):
            memory = records.get(row)
            if memory is not None and true_at(memory, self.as_of):
                score, own = score_memory(
                    memory, words, self.categories, on_topic=on_topic, now=self.now
                )
                scored.append((-score, -memory.timestamp.timestamp(), row, place, own))
        best = sorted(scored, key=lambda one: one[:3])[: self.limit]
        parts = ranked.parts([place for *_, place, _ in best])
        return tuple(
            Hit(records[row], -low, replace(one, **own))
            for (low, _, row, _, own), one in zip(best, parts, strict=True)
        )

    def _eligible(self, space: Space, corpus: ViewerCorpus) -> NDArray[np.bool_]:
        eligible: NDArray[np.bool_] = (corpus.state & _LONG_TERM) > 0
        if self.as_of is None:
            eligible &= (corpus.state & _SUPERSEDED) == 0
        if self.only != _NO_FILTER:
            keys = space.store.pages.keys(space.owner, self.only)
            eligible &= np.isin(corpus.keys, keys)
        return eligible


def _query_text(message: str) -> str:
    """The message cleaned, of a long one the beginning and the end."""
    text = clean_text(message)
    if len(text) <= QUERY_CHARS:
        return text
    return f"{text[: QUERY_CHARS // 2]}\n{text[-QUERY_CHARS // 2 :]}"
