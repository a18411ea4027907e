"""What an extractor proposes to remember, and what it reads.

Source: decisions 4; S3.2 (category, key, value, confidence, source), S5.4.3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from chatmem.extraction.reader.labels import SELF, Standing, Wish
from chatmem.extraction.reader.reading import Statement
from chatmem.extraction.reader.relation import Bearing
from chatmem.model import Category, Kind, Source
from chatmem.model.memory import NEUTRAL_IMPORTANCE, JsonValue

LEAST_CONFIDENCE = 0.7
"""What an extractor is less sure of is dropped. Source: decisions 4."""
_OVER = frozenset({"ended", "denied"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message as extraction reads it; `number` is its row in `conversation`.

    `question` is what the assistant asked before it, where the message answers it; `group` is True
    where several people talk.
    """

    role: str
    content: str
    at: datetime
    number: int = 0
    question: str = ""
    group: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One thing to remember, or to forget.

    `content` is a short sentence in the writer's language that stands by itself ("Lives in Berlin",
    "住在柏林"); dates in it are absolute. `key` names what has one value at a time (`home`,
    `taste:coffee`): another `value` under the same key takes the old one's place. `confidence` is
    in [0, 1]. With the wish `forget`, `content` is what shall be forgotten, as it was said.
    `said_in` and `said_at` are the message's number and time; `statement` is what was read there,
    where the reader has read it. `attribute`, `subject` and `standing` are of the vocabularies of
    `reader/labels.py`. `bears_on` is the id of a known memory and how this bears on it, where a
    model has said so.
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
    statement: Statement | None = None
    attribute: str | None = None
    subject: str = SELF
    standing: Standing = "holds"
    bears_on: tuple[str, Bearing] | None = None

    @property
    def is_over(self) -> bool:
        """True for what says that something has ended, or never was."""
        return self.standing in _OVER


@dataclass(frozen=True, slots=True)
class Known:
    """A memory that new messages may be about: what a model is shown of it."""

    id: str
    content: str


class Extractor(Protocol):
    """Reads new messages of one session, oldest first."""

    @property
    def name(self) -> str:
        """`reader`, or the model's name."""
        ...

    def extract(self, messages: Sequence[Said], known: Sequence[Known] = ()) -> list[Candidate]:
        """What is worth keeping, in the order in which it was said.

        Args:
            messages: new ones, without what is no source of memories.
            known: valid memories that are near to them, the nearest first.

        Raises:
            ProviderError: a model was asked and failed.
        """
        ...
