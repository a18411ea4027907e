"""Search results and numbers over the wire.

Source: S5.8.2; interfaces.md (`/api/memory/search`, "Parts of a hit").
"""

from typing import Self

from pydantic import ConfigDict, Field

from chatmem.interfaces.rest.models import MEMORY_ID, Answer, MissingCapability, Moment
from chatmem.model import Hit, Kind, MemoryType


class HitParts(Answer):
    """Why a memory scored as it did; null for what does not apply."""

    keyword: float | None
    bm25: float | None
    vector: float | None
    relevance: float | None
    category: float | None
    recency: float | None
    frequency: float | None
    confidence: float | None
    topic: float | None
    importance: int | None


class SearchHit(Answer):
    """A memory that matched."""

    id: str
    content: str
    score: float = Field(ge=0, description="Relevance, 1 at most.")
    parts: HitParts
    memory_type: MemoryType
    kind: Kind | None
    session_id: str | None
    timestamp: Moment

    @classmethod
    def of(cls, hit: Hit) -> Self:
        """The hit as a client gets it."""
        memory = hit.memory
        return cls(
            id=memory.id,
            content=memory.content,
            score=hit.score,
            parts=HitParts.model_validate(hit.parts),
            memory_type=memory.memory_type,
            kind=memory.kind,
            session_id=memory.session_id,
            timestamp=memory.timestamp,
        )


class SearchAnswer(Answer):
    """What matched, best first, and what could not be used to find it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "results": [
                        {
                            "id": MEMORY_ID,
                            "content": "Lives in Berlin",
                            "score": 0.91,
                            "parts": {
                                "keyword": 1.0,
                                "bm25": 1.0,
                                "vector": 0.87,
                                "relevance": 0.91,
                                "category": None,
                                "recency": None,
                                "frequency": None,
                                "confidence": None,
                                "topic": None,
                                "importance": None,
                            },
                            "memory_type": "long_term",
                            "kind": "semantic",
                            "session_id": None,
                            "timestamp": "2026-11-21T09:30:00.000Z",
                        }
                    ],
                    "missing": [],
                }
            ]
        }
    )

    results: list[SearchHit]
    missing: list[MissingCapability]


class StatsAnswer(Answer):
    """Counts of this user, and how the place is."""

    user_id: str
    sessions: int
    messages: int
    short_term: int
    long_term: int
    waiting_for_vectors: int = Field(description="Memories of the whole place without a vector.")
    waiting_jobs: int = Field(description="Background work of the whole place.")
    database_bytes: int
    schema_version: int
    embedder: str | None
    missing: list[MissingCapability]
