"""The one kind of row: an atomic memory.

Source: decisions 1; S1 (memory_type), S2.1, S3.2 (category, key, value), S4.3.2.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias, get_args

MemoryType: TypeAlias = Literal["short_term", "long_term"]
Kind: TypeAlias = Literal["semantic", "episodic"]
Category: TypeAlias = Literal["preference", "fact", "pattern"]
Source: TypeAlias = Literal["user_stated", "inferred", "system"]
Visibility: TypeAlias = Literal["private", "household", "group", "public"]
JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | Mapping[str, JsonValue] | None"

MEMORY_TYPES: tuple[MemoryType, ...] = get_args(MemoryType)
KINDS: tuple[Kind, ...] = get_args(Kind)
CATEGORIES: tuple[Category, ...] = get_args(Category)
SOURCES: tuple[Source, ...] = get_args(Source)
VISIBILITIES: tuple[Visibility, ...] = get_args(Visibility)

NEUTRAL_IMPORTANCE = 3
DEFAULT_CONFIDENCE = 0.9
"""Also the least of what the user has stated. Source: S3.2.1."""


def sure(confidence: float, source: Source) -> float:
    """The confidence, in [0, 1], of what comes from this source."""
    return max(confidence, DEFAULT_CONFIDENCE) if source == "user_stated" else confidence


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomicMemoryRecord:
    """One memory of one owner, with the column names of the database.

    Times are aware and in UTC. `timestamp` is when it happened, `create_time` when it was stored.
    `confidence` is in [0, 1], `importance` in 1..5 with 3 neutral. `valid_to` and `superseded_by`
    are set once a newer memory took its place. `document` is the path of the Markdown file that
    holds it, relative to the memory folder, or None for a conversation turn.
    """

    id: str
    user_id: str
    timestamp: datetime
    create_time: datetime
    content: str
    tags: tuple[str, ...] = ()
    session_id: str | None = None
    app_type: str | None = None
    role: str | None = None
    memory_type: MemoryType = "short_term"
    kind: Kind | None = None
    category: Category | None = None
    key: str | None = None
    value: JsonValue = None
    confidence: float = DEFAULT_CONFIDENCE
    source: Source = "user_stated"
    importance: int = NEUTRAL_IMPORTANCE
    visibility: Visibility = "private"
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_by: str | None = None
    document: str | None = None
    last_accessed: datetime | None = field(default=None, compare=False)
    access_count: int = field(default=0, compare=False)

    @property
    def is_valid(self) -> bool:
        """True while nothing has taken this memory's place."""
        return self.valid_to is None


Action: TypeAlias = Literal["add", "edit", "promote", "supersede", "rotate", "evict", "restore"]


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change: `before` is None for the first, `after` is the memory as the change left it."""

    memory_id: str
    at: datetime
    action: Action
    reason: str
    before: AtomicMemoryRecord | None
    after: AtomicMemoryRecord


OwnerType: TypeAlias = Literal["user", "household"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWrite:
    """What to write; it is settled against what is known, as what is extracted.

    `source` None is `user_stated` from a confidence of 0.9 on, `inferred` below and where a tool
    writes; what is said to be `user_stated` has at least 0.9. What is `episodic` stands in the log
    of its day.

    `owner_type` `household` shares it with the user's household; `owner_id`, where it is given, has
    to be the user, or a household of theirs. `visibility` None follows from the owner.
    """

    content: str
    category: Category = "fact"
    kind: Kind = "semantic"
    key: str | None = None
    value: JsonValue = None
    importance: int = NEUTRAL_IMPORTANCE
    confidence: float = DEFAULT_CONFIDENCE
    visibility: Visibility | None = None
    source: Source | None = None
    tags: tuple[str, ...] = ()
    session_id: str | None = None
    owner_type: OwnerType = "user"
    owner_id: str | None = None


@dataclass(frozen=True, slots=True)
class ToolExecutionResult:
    """The result of one tool call. Source: S4.3.2.

    `content` is what the model reads, anything that JSON can carry. `memory_writes` are what
    `MemoryService.apply_writes` takes. `failed` is True where the call did not do its work; the
    content says why.
    """

    content: JsonValue
    memory_writes: Sequence[MemoryWrite | Mapping[str, Any]] = ()
    failed: bool = False


def true_at(memory: AtomicMemoryRecord, as_of: datetime | None) -> bool:
    """True when the memory was true at the moment, or is true where that is None."""
    if as_of is None:
        return memory.valid_to is None
    begins = memory.valid_from or memory.timestamp
    return begins <= as_of and (memory.valid_to is None or as_of < memory.valid_to)
