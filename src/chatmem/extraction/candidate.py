"""What an extractor proposes to remember, and what it reads.

Source: decisions 4; S3.2 (category, key, value, confidence, source), S5.4.3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, TypeAlias

from chatmem.model import Category, Kind, Source
from chatmem.model.memory import NEUTRAL_IMPORTANCE, JsonValue

Wish: TypeAlias = Literal["remember", "forget"]
LEAST_CONFIDENCE = 0.7
"""What an extractor is less sure of is dropped. Source: decisions 4."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message as extraction reads it; `number` is its row in `conversation`."""

    role: str
    content: str
    at: datetime
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One thing to remember, or to forget.

    `content` is a short sentence in the writer's language that stands by itself ("Lives in Berlin",
    "住在柏林"); dates in it are absolute. `key` names what has one value at a time (`home`,
    `taste:coffee`): another `value` under the same key takes the old one's place. `confidence` is
    in [0, 1]. With the wish `forget`, `content` is what shall be forgotten, as it was said.
    `said_in` and `said_at` are the message's number and time.
    """

    content: str
    category: Category = "fact"
    kind: Kind = "semantic"
    key: str | None = None
    value: JsonValue = None
    confidence: float = 0.8
    source: Source = "user_stated"
    importance: int = NEUTRAL_IMPORTANCE
    tags: tuple[str, ...] = ()
    wish: Wish = "remember"
    said_in: int = 0
    said_at: datetime | None = None


class Extractor(Protocol):
    """Reads new messages of one session, oldest first."""

    @property
    def name(self) -> str:
        """`rules`, or the model's name."""
        ...

    def extract(self, messages: Sequence[Said]) -> list[Candidate]:
        """What is worth keeping, in the order in which it was said.

        Raises:
            ProviderError: a model was asked and failed.
        """
        ...
