"""What a search takes and gives: filters, hits and pages, and what could not be used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Generic, Literal, TypeAlias, TypeVar, get_args, overload

from chatmem.model.memory import AtomicMemoryRecord, Category, Kind, MemoryType, Source, Visibility


@dataclass(frozen=True, slots=True)
class Missing:
    """Something a result or a check could not use.

    `what` is a stable word (`vectors`, `full_text`, `embedder`, `document`), `why` a sentence for a
    person that says what happened and what to do about it. `code` is a stable word for the usual
    reasons: `off` by a setting, `renewing` until an index is made again, `waiting` for the vectors
    of the newest rows, `failing` just now.
    """

    what: str
    why: str
    code: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"


_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Page(Generic[_Item]):
    """Some items, and how many there are in all."""

    items: tuple[_Item, ...]
    total: int
    limit: int
    offset: int


MemoryState: TypeAlias = Literal["valid", "superseded", "all"]
MemorySort: TypeAlias = Literal[
    "timestamp", "create_time", "confidence", "importance", "access_count", "content"
]

MEMORY_STATES: tuple[MemoryState, ...] = get_args(MemoryState)
MEMORY_SORTS: tuple[MemorySort, ...] = get_args(MemorySort)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """What memories must be to be wanted; None asks nothing.

    `text` stands in the content, in Simplified or Traditional Chinese, whatever the case of its
    ASCII letters. `time_from` and `time_to` bound the time when it happened, both included. `as_of`
    asks for what was true at that moment; `state` then says nothing. Times without a zone are
    local.
    """

    text: str | None = None
    memory_type: MemoryType | None = None
    kind: Kind | None = None
    category: Category | None = None
    source: Source | None = None
    session_id: str | None = None
    visibility: Visibility | None = None
    time_from: datetime | None = None
    time_to: datetime | None = None
    state: MemoryState = "valid"
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthDay:
    """How many memories were stored on a day: turns, and long-term ones by their category.

    The day is one of the local calendar. `by_category` has the categories that occur, and counts
    those without one under None.
    """

    day: date
    turns: int
    by_category: Mapping[Category | None, int]

    @property
    def long_term(self) -> int:
        """Long-term memories of all categories."""
        return sum(self.by_category.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Why a hit scored as it did; each part is None where it does not apply.

    `keyword, bm25, vector, relevance, recency, frequency, confidence` are in [0, 1] and absolute:
    the same pair of texts has the same `vector` in every query. `cosine` is the raw one, in [-1,
    1]. `category` is 1.0 or 1.5 and `topic` 1.0 or 1.3, as factors; `importance` is 1..5. What the
    order of a search's hits weighs besides relevance is named in `links` (speaker, date, session,
    bridge); `order`, in [0, 1], is the sum of all, over that of the best hit.
    Source: interfaces.md, "Parts of a hit"; decisions 3.
    """

    keyword: float | None = None
    bm25: float | None = None
    vector: float | None = None
    relevance: float | None = None
    category: float | None = None
    recency: float | None = None
    frequency: float | None = None
    confidence: float | None = None
    topic: float | None = None
    importance: int | None = None
    cosine: float | None = None
    order: float | None = None
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that matched, its score (higher is better) and the parts of the score."""

    memory: AtomicMemoryRecord
    score: float
    parts: Parts


@dataclass(frozen=True, slots=True)
class SearchResults(Sequence[Hit]):
    """Hits, best first, and what the search could not use.

    Where no memory speaks of the message there are no hits; `nearest` are those that come nearest.
    """

    hits: tuple[Hit, ...] = ()
    missing: tuple[Missing, ...] = ()
    nearest: tuple[Hit, ...] = ()

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    def __len__(self) -> int:
        return len(self.hits)
