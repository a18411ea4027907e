"""What a client sends: memories, documents, turns, events, wishes for a prompt, settings.

And what routes share: whose memory, which page of a list, which version, in which thread.
Source: S1.2, S3.5.2, S5.8; interfaces.md (Bodies; Event data; Identity; "PUT takes `If-Match`");
RFC 9110, 8.8.3 and 13.1.1.
"""

import re
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, Final, Literal, TypeAlias

from fastapi import Depends, Header, HTTPException, Path, Query, Request
from fastapi.routing import APIRoute
from pydantic import BeforeValidator, Field, JsonValue
from pydantic.alias_generators import to_camel

from chatmem.config import MemorySettings
from chatmem.engine.service import MemoryService
from chatmem.interfaces.rest import wire
from chatmem.interfaces.threads import run_reading, run_writing
from chatmem.model import Category, Kind, Source, Visibility
from chatmem.model.memory import DEFAULT_CONFIDENCE, NEUTRAL_IMPORTANCE
from chatmem.text.languages import LanguageCode

MOST_ITEMS: Final = 1_000
_FAR: Final = 1 << 53
_READING: Final = frozenset({"GET", "HEAD"})
_TAG: Final = re.compile(r'(?:W/)?"([^"]*)"')
_IN_BERLIN: Final = {"content": "Lives in Berlin", "category": "fact"}


class _MemoryColumns(wire.RequestBody):
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


class MemoryDraft(
    _MemoryColumns, json_schema_extra=wire.example(**_IN_BERLIN, key="home", value="Berlin")
):
    """A memory to be written. A key that is known with another value supersedes the old memory."""

    session_id: str | None = None


class MemoryChanges(
    _MemoryColumns, json_schema_extra=wire.partial_example(content="Lives in Hamburg", importance=4)
):
    """Columns of a memory to change: any subset. `null` takes a key or value away."""

    content: str = Field("", min_length=1)


class Successor(wire.RequestBody, json_schema_extra=wire.example(by=wire.MEMORY_ID)):
    """The memory that takes the place of another."""

    by: str = Field(description="Its id.")


class DocumentBody(
    wire.RequestBody,
    json_schema_extra=wire.example(content="# Memory\n\n## Facts\n\n- Lives in Berlin\n"),
):
    """A document as it shall be."""

    content: str


class DailyEntry(wire.RequestBody, json_schema_extra=wire.example(entry="Went to the dentist")):
    """A note for a day's log."""

    entry: str = Field(min_length=1)


class Turn(
    wire.RequestBody,
    json_schema_extra=wire.example(user="I live in Berlin", assistant="How do you like it there?"),
):
    """What a user said and what was answered."""

    user: str = Field(min_length=1)
    assistant: str = Field(min_length=1)
    app_type: str = Field("chat", pattern=r"^[A-Za-z0-9_.:-]{1,64}$")


class Event(
    wire.RequestBody,
    extra="ignore",
    json_schema_extra={
        "examples": [
            {"type": "usage", "data": {"currentTokens": 96000, "tokenLimit": 128000}},
            {"type": "turn_end"},
        ]
    },
):
    """Something that happened in a conversation; unknown fields are ignored, unknown types not."""

    type: str = Field(
        description="message, usage, compaction_start, compaction_end, turn_end, tool_result, "
        "context_cleared; or another host's name of one of these."
    )
    data: dict[str, Any] | None = None
    id: str | int | None = Field(
        None, description="An event whose id was handled before has no effect."
    )


class RagText(wire.RequestBody):
    """A document of the application's own."""

    content: str = Field(min_length=1)
    title: str | None = None
    source: str | None = None


class ContextWishes(
    wire.RequestBody,
    json_schema_extra={
        "examples": [
            {"message": "Where do I live?", "format": "messages"},
            {"message": "我住在哪里？", "rag": ["柏林是德国的首都。"], "format": "text"},
        ]
    },
):
    """What a prompt is asked for."""

    message: str = Field(min_length=1)
    persona: str | None = None
    scenario: str | None = None
    rag: list[str | RagText] = Field(default_factory=list)
    tools: list[dict[str, Any]] = Field(
        default_factory=list,
        description='`{"name", "description", "parameters"}` each, or OpenAI\'s wrapping of it.',
    )
    format: Literal["messages", "text"] = "messages"
    base_system_prompt: str | None = Field(None, description="In place of the persona's own words.")
    skills: list[str] = Field(default_factory=list)
    session_messages: list[dict[str, Any]] | None = Field(
        None, description="Where the application keeps the conversation itself."
    )
    language: LanguageCode | None = None


def _bounded(name: str, kind: Any) -> tuple[Any, None]:  # noqa: ANN401 - a type
    """The setting's type with its bounds, and no default that would count."""
    found = MemorySettings.model_fields[name].metadata
    bounds = [one for one in found if not isinstance(one, BeforeValidator)]
    return Annotated[(kind, Field(), *bounds)], None


@wire.with_fields({name: _bounded(name, kind) for name, kind in wire.SETTINGS.items()})
class ConfigChanges(
    wire.RequestBody,
    alias_generator=to_camel,
    json_schema_extra=wire.partial_example(autoExtract=False, ragTopN=8),
):
    """Settings to store with the data: any subset."""


async def check_operator(request: Request) -> None:
    """Refuse (403) everybody who does not run the server: no admin's key, where there are keys."""
    if not request.state.is_operator:
        raise HTTPException(403, "this concerns everybody on the server: it takes an admin's key")


Current: TypeAlias = MemoryService
"""The memory of the request's user."""
ForOperators: Final = Depends(check_operator)
Limit: TypeAlias = Annotated[int, Query(ge=1, le=MOST_ITEMS, description="How many at most.")]
Offset: TypeAlias = Annotated[int, Query(ge=0, le=_FAR, description="How many to skip.")]
UserName: TypeAlias = Annotated[str, Path(min_length=1, description="A user of this place.")]
IfMatch: TypeAlias = Annotated[
    str | None,
    Header(
        description="The etag of the version that was read, or `*` for any. Without it a profile "
        "is replaced, and what holds memories answers 428."
    ),
]
Forget: TypeAlias = Annotated[
    bool, Query(description="Forget memories that the text lacks, though they are more than three.")
]


def matched_etag(header: str | None, current: str) -> str | None:
    """The etag that `If-Match` asks for, of several the current one; None where any is good.

    Weak etags, and those without quotation marks, count.
    """
    if header is None or header.strip() == "*":
        return None
    tags = _TAG.findall(header) or [header.strip()]
    return current if current in tags else str(tags[0])


class ThreadedRoute(APIRoute):
    """A route whose handler runs in its user's turn; one that may write may wait for a lock."""

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Any],
        **given: Any,  # noqa: ANN401 - FastAPI's, passed on
    ) -> None:
        run = run_writing if set(given.get("methods") or _READING) - _READING else run_reading
        super().__init__(path, _in_turn(endpoint, run), **given)


def _in_turn(handler: Callable[..., Any], run: Callable[..., Any]) -> Callable[..., Any]:
    """The handler as FastAPI sees it: `memory`, as a dependency, would double what it solves."""

    @wraps(handler)
    async def handle(request: Request, **kwargs: Any) -> Any:  # noqa: ANN401
        return await run(handler, memory=request.state.memory, **kwargs)

    takes = signature(handler)
    others = [one for name, one in takes.parameters.items() if name != "memory"]
    others.append(Parameter("request", Parameter.KEYWORD_ONLY, annotation=Request))
    handle.__signature__ = takes.replace(parameters=others)  # type: ignore[attr-defined]
    return handle
