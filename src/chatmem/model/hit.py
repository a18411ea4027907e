"""What a search returns: memories, each with a score and the parts that made it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from chatmem.model.capability import Missing
from chatmem.model.memory import AtomicMemoryRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Why a hit scored as it did; each part is None where it does not apply.

    `keyword, bm25, vector, relevance, recency, frequency, confidence` are in [0, 1]; `category` is
    1.0 or 1.5 and `topic` 1.0 or 1.3, as factors; `importance` is 1..5.
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


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that matched, its score (higher is better) and the parts of the score."""

    memory: AtomicMemoryRecord
    score: float
    parts: Parts


@dataclass(frozen=True, slots=True)
class SearchResults(Sequence[Hit]):
    """Hits, best first, and what the search could not use."""

    hits: tuple[Hit, ...] = ()
    missing: tuple[Missing, ...] = ()

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)
