"""Sessions, the turns and messages that are saved in them, and the work that waits for them.

Source: S1.2, S1.3, S2.3, S2.4, S3.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from chatmem.model.memory import JsonValue

ImportFormat: TypeAlias = Literal[
    "chatgpt", "openai", "locomo", "json", "jsonl", "mem0", "markdown"
]
"""What a file of conversations or memories can be in; `engine/importing/` reads them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A conversation as it is listed.

    `title` is the one a person gave, else the summary's, else None; `ended_at` is None while it is
    running. Times are in UTC.
    """

    session_id: str
    title: str | None
    snippet: str | None
    message_count: int
    created_at: datetime
    updated_at: datetime
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSummary:
    """What a session was about, in its own language. Source: S2.3.

    `message_count` is how many messages it was made from, `made_by` is `rules` or the model's name.
    """

    session_id: str
    title: str
    snippet: str
    created_at: datetime
    updated_at: datetime
    message_count: int = 0
    made_by: str = "rules"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingMemory:
    """The state of a running session; gone after 30 idle minutes. Source: S3.1.

    `turn_count` is 1 with the first message. `last_emotion` is one of `EMOTIONS`, or None before
    the first analysis.
    """

    session_id: str
    current_topic: str | None = None
    context_variables: Mapping[str, JsonValue] = field(default_factory=dict)
    turn_count: int = 1
    last_emotion: str | None = None
    created_at: datetime
    updated_at: datetime


EMOTIONS = ("neutral", "happy", "sad", "angry", "anxious", "surprised")
"""What an analysis may find in a message."""

Role: TypeAlias = Literal["user", "assistant", "system", "tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message to be saved.

    `speaker` is a name where the source has one (an imported chat between people); `source_id` is
    the message's id in its source, by which an import recognises what it has already brought in.
    """

    role: Role
    content: str
    session_id: str
    timestamp: datetime
    app_type: str = "chat"
    speaker: str | None = None
    source_id: str | None = None


@dataclass(frozen=True, slots=True)
class SavedMessage:
    """The memory that a message became; `duplicate` when an equal one stood there already."""

    id: str
    role: str
    duplicate: bool


@dataclass(frozen=True, slots=True)
class SavedTurn:
    """The two messages of a turn, as they were saved. Source: S1.2, S1.3."""

    user: SavedMessage
    assistant: SavedMessage

    @property
    def ids(self) -> tuple[str, str]:
        """Ids of the user's and the assistant's memory."""
        return (self.user.id, self.assistant.id)

    @property
    def duplicates(self) -> tuple[str, ...]:
        """Ids of those that were already there."""
        return tuple(saved.id for saved in (self.user, self.assistant) if saved.duplicate)


JobState: TypeAlias = Literal["waiting", "running", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobReport:
    """A job in the table: done ones leave it.

    `state` is `failed` for a job that was given up after `attempts` attempts; `error` is what went
    wrong last, None where nothing did. `due_at` is when it is tried (again).
    """

    number: int
    kind: str
    session_id: str
    state: JobState
    due_at: datetime
    attempts: int
    error: str | None
