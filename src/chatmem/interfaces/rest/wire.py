"""What bodies and answers share, and how a model is made from a core class.

Times are UTC in ISO 8601 with a `Z`. Bodies are strict: "5" and `true` are no numbers, and unknown
names are refused. Source: interfaces.md (Bodies; "read with every column").
"""

import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Annotated, Any, Final, Generic, TypeAlias, TypeVar, cast

import pydantic
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from chatmem.config import MemorySettings
from chatmem.model.time import to_text
from chatmem.text.clean import without_surrogates

DEEPEST: Final = 64
"""Levels of JSON within JSON that a body may have."""
MEMORY_ID: Final = "01jd6y8c2m4pk"
SESSION_ID: Final = "6f1b0e7c6a2d4d0c8f0e4b1f2a3c4d5e"
ETAG: Final = "5d41402abc4b2a76b9719d911017c592"
_EXAMPLES: Final[Mapping[str, JsonValue]] = {
    "id": MEMORY_ID,
    "memory_id": MEMORY_ID,
    "user_id": "default",
    "session_id": SESSION_ID,
    "etag": ETAG,
    "date": "2026-11-21",
    "content": "Lives in Berlin",
    "category": "fact",
    "kind": "semantic",
    "key": "home",
    "value": "Berlin",
    "tags": ["home"],
    "confidence": 0.9,
    "importance": 3,
    "document": "MEMORY.md",
    "score": 0.91,
    "bm25": 0.8,
    "vector": 0.87,
    "title": "Moving to Berlin",
    "current_topic": "moving to Berlin",
    "context_variables": {"city": "Berlin"},
    "last_emotion": "neutral",
    "asked_for": ["flush"],
    "tokens": 42,
    "total_tokens": 48,
}
"""Of answers, by the field's name."""

Moment: TypeAlias = Annotated[
    datetime,
    pydantic.PlainSerializer(to_text, return_type=str),
    pydantic.WithJsonSchema(
        {"type": "string", "format": "date-time", "examples": ["2026-11-21T09:30:00.000Z"]}
    ),
]
_SETTING_TYPES: Final = typing.get_type_hints(MemorySettings)
_OPEN_SETTINGS: Final = (
    "enabled auto_extract flush_threshold extract_interval_seconds min_new_messages rag_top_n "
    "enable_agentic_search enable_user_profile atomic_content_max_length session_summary_limit "
    "context_limit retrieval_limit eviction_threshold"
)
SETTINGS: Final = {name: _SETTING_TYPES[name] for name in _OPEN_SETTINGS.split()}
"""Settings of `[memory]` that are read and changed over REST, with their types."""

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")


def example(**values: JsonValue) -> dict[str, JsonValue]:
    """The `json_schema_extra` of a model with one example."""
    return {"examples": [values]}


def partial_example(**values: JsonValue) -> Callable[[dict[str, Any]], None]:
    """As `example`, for changes: what is not given changes nothing, so no field has a default."""

    def extend(schema: dict[str, Any]) -> None:
        schema["examples"] = [values]
        for one in schema["properties"].values():
            one.pop("default", None)

    return extend


class RequestBody(BaseModel):
    """What a client sends."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @pydantic.model_validator(mode="before")
    @classmethod
    def whole_characters(cls, sent: object) -> object:
        """The body in text that UTF-8 can carry: JSON can name halves of characters."""
        return _whole(sent, DEEPEST)


def _with_examples(schema: dict[str, Any]) -> None:
    for name, one in schema["properties"].items():
        if name in _EXAMPLES:
            one.setdefault("examples", [_EXAMPLES[name]])


class ResponseBody(BaseModel):
    """What a client gets; the document has an example of each of its values."""

    model_config = ConfigDict(from_attributes=True, json_schema_extra=_with_examples)


class PageBody(ResponseBody, Generic[T]):
    """Some items of a list, and how many there are in all."""

    items: list[T]
    total: int = Field(ge=0, description="How many there are in all.")
    limit: int
    offset: int


def columns_of(source: type, *, without: Sequence[str] = ()) -> Callable[[type[M]], type[M]]:
    """Give a model the fields of a core dataclass, all required; the model's own fields win."""
    hints = typing.get_type_hints(source)
    columns = [one.name for one in fields(source) if one.name not in without]
    return with_fields({name: (_wire_type(hints[name]), ...) for name in columns})


def with_fields(found: Mapping[str, tuple[Any, Any]]) -> Callable[[type[M]], type[M]]:
    """Give a model these fields, each an annotation and a default, beside its own.

    Its `title`, where it has one, is its name in the OpenAPI document.
    """

    def extend(model: type[M]) -> type[M]:
        own = {name: (one.annotation, one) for name, one in model.model_fields.items()}
        all_fields: dict[str, Any] = {**found, **own}
        extended = pydantic.create_model(
            model.model_config.get("title") or model.__name__,
            __base__=model.__base__,
            __doc__=model.__doc__,
            __module__=model.__module__,
            __cls_kwargs__=dict(model.model_config),
            **all_fields,
        )
        return cast("type[M]", extended)

    return extend


def _wire_type(hint: Any) -> Any:  # noqa: ANN401 - an annotation
    """The annotation as JSON has it: lists in place of tuples, moments as text."""
    if hint is datetime:
        return Moment
    if typing.get_origin(hint) is tuple:
        return list[_wire_type(typing.get_args(hint)[0])]  # type: ignore[misc]
    if typing.get_args(hint)[1:] == (type(None),):
        return _wire_type(typing.get_args(hint)[0]) | None
    return hint


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
