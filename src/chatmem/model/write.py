"""A memory that an application, a tool or a model asks to be written.

Source: S4.3.2; S3.2.1 (memory_update).
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from chatmem.model.memory import (
    DEFAULT_CONFIDENCE,
    NEUTRAL_IMPORTANCE,
    Category,
    JsonValue,
    Kind,
    Source,
    Visibility,
)

OwnerType: TypeAlias = Literal["user", "household"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWrite:
    """What to write; a known `key` with another `value` is superseded.

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
    source: Source = "user_stated"
    tags: tuple[str, ...] = ()
    session_id: str | None = None
    owner_type: OwnerType = "user"
    owner_id: str | None = None
