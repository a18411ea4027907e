"""Sessions: what is listed of them, their summaries, and the state of a running one.

Source: S2.3, S2.4, S3.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from chatmem.model.memory import JsonValue


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
