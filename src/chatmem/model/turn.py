"""Messages of a conversation, and what saving a turn tells the caller.

Source: S1.2, S1.3, S2.4.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

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
