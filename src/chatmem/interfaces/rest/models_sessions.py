"""Sessions over the wire: turns, events, prompts and their receipts.

Source: S3.1, S3.5.2; interfaces.md (`/api/sessions`, Event data, Receipt).
"""

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import ConfigDict, Field, JsonValue

from chatmem.interfaces.rest.models import MEMORY_ID, Answer, Body, Moment
from chatmem.model import SavedMessage, SavedTurn

SESSION_ID = "6f1b0e7c6a2d4d0c8f0e4b1f2a3c4d5e"


class WorkingState(Answer):
    """What a running session is about."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "session_id": SESSION_ID,
                    "current_topic": "moving to Berlin",
                    "context_variables": {"city": "Berlin"},
                    "turn_count": 3,
                    "last_emotion": "neutral",
                    "created_at": "2026-11-21T09:30:00.000Z",
                    "updated_at": "2026-11-21T09:34:10.000Z",
                }
            ]
        }
    )

    session_id: str
    current_topic: str | None
    context_variables: dict[str, JsonValue]
    turn_count: int
    last_emotion: str | None
    created_at: Moment
    updated_at: Moment


class NewSession(Answer):
    """A session that has begun."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"session_id": SESSION_ID}]})

    session_id: str


class ListedSession(Answer):
    """A session as it is listed; `ended_at` is null while it runs."""

    session_id: str
    title: str | None
    snippet: str | None
    message_count: int
    created_at: Moment
    updated_at: Moment
    ended_at: Moment | None


class SessionPage(Answer):
    """A page of sessions, the one that was active last first."""

    items: list[ListedSession]
    total: int = Field(ge=0)
    limit: int
    offset: int


class SaidMessage(Answer):
    """A message as it was said; `memory_id` is the memory with its words."""

    id: int
    session_id: str
    role: str
    content: str
    create_time: Moment
    is_collected: bool
    memory_id: str | None
    speaker: str | None


class MessagePage(Answer):
    """A page of a session's messages, oldest first."""

    items: list[SaidMessage]
    total: int = Field(ge=0)
    limit: int
    offset: int


class Turn(Body):
    """What a user said and what was answered."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"user": "I live in Berlin", "assistant": "How do you like it there?"}]
        }
    )

    user: str = Field(min_length=1)
    assistant: str = Field(min_length=1)
    app_type: str = Field("chat", pattern=r"^[A-Za-z0-9_.:-]{1,64}$")


class SavedRow(Answer):
    """The memory that a message became; `duplicate` when an equal one stood there already."""

    id: str
    role: str
    duplicate: bool


class SavedTurnAnswer(Answer):
    """The two rows of a turn, by id, and which of them were there already."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "session_id": SESSION_ID,
                    "ids": [MEMORY_ID, "01jd6y8c2m4pm"],
                    "duplicates": [],
                    "user": {"id": MEMORY_ID, "role": "user", "duplicate": False},
                    "assistant": {"id": "01jd6y8c2m4pm", "role": "assistant", "duplicate": False},
                }
            ]
        }
    )

    session_id: str
    ids: list[str] = Field(description="The user's row, then the assistant's.")
    duplicates: list[str] = Field(description="Ids of those that were there already.")
    user: SavedRow
    assistant: SavedRow

    @classmethod
    def of(cls, saved: SavedTurn, session_id: str) -> Self:
        """The turn as a client gets it."""
        return cls(
            session_id=session_id,
            ids=list(saved.ids),
            duplicates=list(saved.duplicates),
            user=_row(saved.user),
            assistant=_row(saved.assistant),
        )


class Event(Body):
    """Something that happened in a conversation; unknown fields are ignored, unknown types not."""

    model_config = ConfigDict(
        extra="ignore",
        json_schema_extra={
            "examples": [
                {"type": "usage", "data": {"currentTokens": 96000, "tokenLimit": 128000}},
                {"type": "turn_end"},
            ]
        },
    )

    type: str = Field(
        description="message, usage, compaction_start, compaction_end, turn_end, tool_result, "
        "context_cleared; or another host's name of one of these."
    )
    data: dict[str, Any] | None = None
    id: str | int | None = Field(
        None, description="An event whose id was handled before has no effect."
    )


class EventAnswer(Answer):
    """What followed from an event."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "usage",
                    "session_id": SESSION_ID,
                    "is_duplicate": False,
                    "asked_for": ["flush"],
                    "memory_ids": [],
                }
            ]
        }
    )

    type: str
    session_id: str
    is_duplicate: bool
    asked_for: list[str] = Field(description="Kinds of background work that it asked for.")
    memory_ids: list[str] = Field(description="Memories that it wrote.")


class RagText(Body):
    """A document of the application's own."""

    content: str = Field(min_length=1)
    title: str | None = None
    source: str | None = None


class ContextWishes(Body):
    """What a prompt is asked for."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"message": "Where do I live?", "format": "messages"},
                {"message": "我住在哪里？", "rag": ["柏林是德国的首都。"], "format": "text"},
            ]
        }
    )

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
    language: Literal["zh", "en"] | None = None

    def wishes(self) -> dict[str, Any]:
        """What was given beside the message and the format."""
        return self.model_dump(exclude={"message", "format"}, exclude_unset=True, exclude_none=True)


class ReceiptSection(Answer):
    """A part of the prompt: its tokens, and the ids of the memories in it."""

    name: str
    tokens: int
    items: list[str]


class LeftOut(Answer):
    """Something that is not in the prompt, or only in part, and the reason."""

    id: str
    reason: str


class ReceiptAnswer(Answer):
    """What went into a prompt, by section, and what was left out and why."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "b3c1f0a2d4e5",
                    "sections": [
                        {"name": "main", "tokens": 42, "items": [MEMORY_ID]},
                        {"name": "message", "tokens": 6, "items": []},
                    ],
                    "left_out": [],
                    "total_tokens": 48,
                }
            ]
        }
    )

    id: str
    sections: list[ReceiptSection]
    left_out: list[LeftOut]
    total_tokens: int


class PromptMessage(Answer):
    """A message for a chat model."""

    role: str
    content: str


class PromptMessages(Answer):
    """The prompt as messages, and its receipt."""

    messages: list[PromptMessage]
    receipt: ReceiptAnswer


class PromptText(Answer):
    """The prompt as one text, and its receipt."""

    text: str
    receipt: ReceiptAnswer


PromptAnswer: TypeAlias = Annotated[
    PromptMessages | PromptText, Field(description="As the format that was asked for.")
]


def _row(saved: SavedMessage) -> SavedRow:
    return SavedRow.model_validate(saved)
