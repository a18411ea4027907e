"""What goes over the wire: types that every resource shares, and memories.

Times are UTC in ISO 8601 with a `Z`. A body is taken strictly: the text "5" is no number, `true`
neither, and a name that a body does not have is refused.

Source: interfaces.md (Bodies; "read with every column").
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PlainSerializer,
    WithJsonSchema,
    model_validator,
)

from chatmem.extraction.redact import KINDS, masked_kinds
from chatmem.model import Action, Category, Kind, MemoryType, Source, Visibility
from chatmem.model.memory import DEFAULT_CONFIDENCE, NEUTRAL_IMPORTANCE
from chatmem.model.time import to_text
from chatmem.text.clean import without_surrogates

DEEPEST = 64
"""Levels of JSON within JSON that a body may have."""
MEMORY_ID: Final = "01jd6y8c2m4pk"

Moment: TypeAlias = Annotated[
    datetime,
    PlainSerializer(to_text, return_type=str),
    WithJsonSchema(
        {"type": "string", "format": "date-time", "examples": ["2026-11-21T09:30:00.000Z"]}
    ),
]


def without_default(schema: dict[str, Any]) -> None:
    """Take the default out of a field's schema: a change that is not given changes nothing."""
    schema.pop("default", None)


class Body(BaseModel):
    """What a client sends."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def whole_characters(cls, sent: object) -> object:
        """The body in text that UTF-8 can carry: JSON can name halves of characters."""
        return _whole(sent, DEEPEST)


class Answer(BaseModel):
    """What a client gets."""

    model_config = ConfigDict(from_attributes=True)


class Memory(Answer):
    """A memory, with every column."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": MEMORY_ID,
                    "user_id": "default",
                    "timestamp": "2026-11-21T09:30:00.000Z",
                    "create_time": "2026-11-21T09:30:00.000Z",
                    "content": "Lives in Berlin",
                    "tags": ["home"],
                    "session_id": None,
                    "app_type": None,
                    "role": None,
                    "memory_type": "long_term",
                    "kind": "semantic",
                    "category": "fact",
                    "key": "home",
                    "value": "Berlin",
                    "confidence": 0.9,
                    "source": "user_stated",
                    "importance": 3,
                    "visibility": "private",
                    "valid_from": "2026-11-21T09:30:00.000Z",
                    "valid_to": None,
                    "superseded_by": None,
                    "document": "MEMORY.md",
                    "last_accessed": None,
                    "access_count": 0,
                    "masked": [],
                }
            ]
        }
    )

    id: str
    user_id: str = Field(description="Whose memory it is: others may share theirs.")
    timestamp: Moment = Field(description="When it happened.")
    create_time: Moment = Field(description="When it was stored.")
    content: str
    tags: list[str]
    session_id: str | None
    app_type: str | None
    role: str | None = Field(description="Who said it, of a turn of a conversation.")
    memory_type: MemoryType
    kind: Kind | None
    category: Category | None
    key: str | None = Field(description="What it tells, where that has one value at a time.")
    value: JsonValue
    confidence: float = Field(ge=0, le=1)
    source: Source
    importance: int = Field(ge=1, le=5, description="3 is neutral.")
    visibility: Visibility
    valid_from: Moment | None
    valid_to: Moment | None = Field(description="Since when a newer memory holds in its place.")
    superseded_by: str | None
    document: str | None = Field(description="The Markdown file that holds it; null for a turn.")
    last_accessed: Moment | None
    access_count: int

    masked: list[str] = Field(
        default_factory=lambda written: list(masked_kinds(written["content"])),
        description="Kinds of secrets that were masked in its text when it was written: "
        + ", ".join(KINDS),
    )


class MemoryPage(Answer):
    """A page of memories, newest first."""

    items: list[Memory]
    total: int = Field(ge=0, description="How many there are in all.")
    limit: int
    offset: int


class MemoryDraft(Body):
    """A memory to be written. A key that is known with another value supersedes the old memory."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"content": "Lives in Berlin", "category": "fact", "key": "home", "value": "Berlin"}
            ]
        }
    )

    content: str = Field(min_length=1)
    category: Category = "fact"
    kind: Kind = "semantic"
    key: str | None = None
    value: JsonValue = None
    importance: int = Field(NEUTRAL_IMPORTANCE, ge=1, le=5)
    confidence: float = Field(DEFAULT_CONFIDENCE, ge=0, le=1)
    tags: list[str] = Field(default_factory=list)
    visibility: Visibility = "private"
    source: Source = "user_stated"
    session_id: str | None = None


class MemoryChanges(Body):
    """Columns of a memory to change: any subset. `null` takes a key or value away."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"content": "Lives in Hamburg", "importance": 4}]}
    )

    content: str = Field("", min_length=1, json_schema_extra=without_default)
    category: Category = Field("fact", json_schema_extra=without_default)
    kind: Kind = Field("semantic", json_schema_extra=without_default)
    key: str | None = Field(None, json_schema_extra=without_default)
    value: JsonValue = Field(None, json_schema_extra=without_default)
    importance: int = Field(3, ge=1, le=5, json_schema_extra=without_default)
    confidence: float = Field(0.9, ge=0, le=1, json_schema_extra=without_default)
    tags: list[str] = Field(default_factory=list)
    visibility: Visibility = Field("private", json_schema_extra=without_default)
    source: Source = Field("user_stated", json_schema_extra=without_default)


class Successor(Body):
    """The memory that takes the place of another."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"by": MEMORY_ID}]})

    by: str = Field(description="Its id.")


class Deleted(Answer):
    """A memory is gone for good."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"deleted": True, "id": MEMORY_ID}]})

    deleted: bool = True
    id: str


class DeletedCount(Answer):
    """How many memories are gone for good."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"deleted": 12}]})

    deleted: int = Field(ge=0)


class Step(Answer):
    """One change of a memory; `before` is null for the first."""

    memory_id: str
    at: Moment
    action: Action
    reason: str
    before: Memory | None
    after: Memory


class History(Answer):
    """What happened to a memory, oldest first."""

    items: list[Step]
    total: int = Field(ge=0)


class MissingCapability(Answer):
    """Something that could not be used, and why."""

    what: str = Field(examples=["embedder"])
    why: str = Field(examples=["none is configured; keywords only"])


def _whole(value: object, levels: int) -> object:
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, (list, Mapping)) and not levels:
        raise ValueError(f"takes JSON of at most {DEEPEST} levels")
    if isinstance(value, list):
        return [_whole(one, levels - 1) for one in value]
    if isinstance(value, Mapping):
        return {_whole(name, levels - 1): _whole(one, levels - 1) for name, one in value.items()}
    return value
