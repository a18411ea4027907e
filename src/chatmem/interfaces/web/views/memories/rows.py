"""The table of memories: headers that sort, a button in each row; of hits, why they score so."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from nicegui import ui

from chatmem.interfaces.rest.identity import PAGE
from chatmem.interfaces.web.undo import pending_forget
from chatmem.interfaces.web.views.memories.card import kind_of
from chatmem.interfaces.web.visit import Visit, session_address
from chatmem.interfaces.web.widgets import named
from chatmem.interfaces.web.words import words
from chatmem.model import AtomicMemoryRecord, Hit, MemorySort
from chatmem.retrieval import scoring
from chatmem.text.segment import find_marks

PASSAGE_CHARS: Final = 360
_BEFORE_CHARS: Final = 90
_GAP: Final = "…"
Order: TypeAlias = tuple[MemorySort, bool]
"""What a table is sorted by, and whether the other way round: from the last to the first."""
_SORTED_BY: Final[dict[str, MemorySort]] = {
    "content": "content",
    "happened": "timestamp",
    "confidence": "confidence",
    "importance": "importance",
    "used": "access_count",
}


class Rows:
    """The table.

    `sessions` have their titles by id. `on_order` gets the sort of the header that was pressed,
    `on_open` a memory's id.
    """

    def __init__(
        self,
        visit: Visit,
        sessions: Mapping[str, str],
        on_order: Callable[[MemorySort], object],
        on_open: Callable[[str], object],
    ) -> None:
        self._visit = visit
        self._sessions = sessions
        self._table = ui.table(rows=[], columns=[], row_key="id")
        self._table.props("flat separator=horizontal hide-no-data").classes("w-full browse-table")
        named(self._table, words("browse.table"))
        self._table.add_slot("header", _template("header"))
        self._table.add_slot("body", _template("body"))
        self._table.on("order", lambda event: on_order(_SORTED_BY[str(event.args)]))
        self._table.on("open", lambda event: on_open(str(event.args)))

    def show(self, memories: Sequence[AtomicMemoryRecord], order: Order | None = None) -> None:
        """These memories, in the order in which they come."""
        self._show([self._row(one, "") for one in memories], order)

    def show_hits(self, hits: Sequence[Hit], query: str) -> None:
        """These hits, the words of the query marked, with their scores."""
        self._show([self._hit(one, query) for one in hits], None)

    def _show(self, rows: list[dict[str, Any]], order: Order | None) -> None:
        self._table.set_visibility(bool(rows))
        self._table.columns = list(self._columns(order))
        self._table.rows = rows

    def _columns(self, order: Order | None) -> Iterator[dict[str, Any]]:
        for name in ("content", "what", "happened", "importance", "confidence", "used"):
            column = {"name": name, "field": name, "label": words(f"browse.{name}")}
            by = _SORTED_BY.get(name)
            if order is not None and by == order[0]:
                column["sorted"] = "descending" if order[1] else "ascending"
                column["arrow"] = "arrow_downward" if order[1] else "arrow_upward"
            elif order is not None and by is not None:
                column |= {"sorted": "none", "arrow": "unfold_more"}
            yield column

    def _row(self, memory: AtomicMemoryRecord, query: str) -> dict[str, Any]:
        what, happened = kind_of(memory), words.day(memory.timestamp)
        state = ""
        if pending_forget(self._visit, memory.id) is not None:
            state, happened = "browse-held", words("browse.held")
        elif not memory.is_valid:
            state = "browse-past"
        is_own = memory.user_id == self._visit.memory.user_id
        return {
            "id": memory.id,
            "passage": list(passage_of(memory.content, query)),
            "what": what,
            "tone": memory.category or memory.memory_type,
            "happened": happened,
            "moment": words.moment(memory.timestamp),
            "importance": str(memory.importance),
            "confidence": f"{memory.confidence:.0%}",
            "used": f"{memory.access_count:,}",
            "meta": f"{what} · {happened}",
            "state": state,
            "owner": "" if is_own else words("browse.of_owner", user=memory.user_id),
        }

    def _hit(self, hit: Hit, query: str) -> dict[str, Any]:
        """A row with the session and the score besides."""
        memory = hit.memory
        row = self._row(memory, query)
        facts = [words(f"card.kind_{memory.kind}")] if memory.kind else []
        if memory.role is None:
            facts.append(words(f"card.source_{memory.source}"))
        session = None
        if memory.session_id and memory.user_id == self._visit.memory.user_id:
            title = self._sessions.get(memory.session_id, memory.session_id)
            session = {
                "label": words("search.in_session", session=title),
                "address": f"{PAGE}{session_address(memory.session_id)}",
            }
        return row | {
            "state": f"browse-hit {row['state']}",
            "facts": " · ".join(facts),
            "session": session,
            "score": score_of(hit),
        }


@cache
def _template(slot: str) -> str:
    """The table's own Vue template for a slot, `header` or `body`."""
    return Path(__file__).with_name(f"rows_{slot}.html").read_text("utf-8")


def passage_of(text: str, query: str) -> Iterator[tuple[str, bool]]:
    """About `PASSAGE_CHARS` of the text in parts, each with whether the query matches it."""
    marks = find_marks(text, query) if query else []
    begin, end = 0, len(text)
    if len(text) > PASSAGE_CHARS:
        first = marks[0][0] if marks else 0
        begin = max(0, min(first - _BEFORE_CHARS, len(text) - PASSAGE_CHARS))
        end = begin + PASSAGE_CHARS
    if begin > 0:
        yield _GAP, False
    place = begin
    for left, right in (*marks, (end, end)):
        left, right = min(max(left, begin), end), min(right, end)
        if left > place:
            yield text[place:left], False
        if right > left:
            yield text[left:right], True
        place = max(place, right)
    if end < len(text):
        yield _GAP, False


_LEAST_FULL: Final = 0.005
_RECALL: Final = {
    "keyword": (scoring.KEYWORD_WEIGHT, 1.0),
    "category": (scoring.CATEGORY_WEIGHT, scoring.CATEGORY_BOOST),
    "recency": (scoring.RECENCY_WEIGHT, 1.0),
    "frequency": (scoring.FREQUENCY_WEIGHT, 1.0),
    "confidence": (scoring.CONFIDENCE_WEIGHT, 1.0),
}
"""Of a memory that is recalled: the weight of each part, and the most that the part can be."""


class Share(NamedTuple):
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


def score_of(hit: Hit) -> dict[str, Any]:
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
