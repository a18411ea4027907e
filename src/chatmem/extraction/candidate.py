"""What an extractor reads, and what it proposes to remember.

Source: decisions 4; S3.2 (category, key, value, confidence, source), S5.4.3.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from chatmem.extraction.reader.labels import SELF, Standing, Wish
from chatmem.extraction.reader.reading import Statement
from chatmem.extraction.reader.relation import Bearing
from chatmem.model import Category, Kind, Source
from chatmem.model.memory import NEUTRAL_IMPORTANCE, JsonValue

LEAST_CONFIDENCE = 0.7
"""Anything less certain is dropped. Source: decisions 4."""
_OVER = frozenset({"ended", "denied"})
# What prompts fence: memories, documents, working instructions that a client sends back to us.
_INJECTED = re.compile(
    r"<(memory|document|system-reminder|system|tool_result)\b[^>\n]*>.*?(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_SECTION = re.compile(
    r"^\[(?:SYSTEM|MEMORY|RAG|TOOL INSTR)\][^\n]*\n.*?(?=^\[USER\]|\Z)", re.DOTALL | re.MULTILINE
)
_CALL = re.compile(r"\[\[ABP_TOOL:.*?(?:\[\[END_ABP_TOOL\]\]|\Z)|```abp\b.*?(?:```|\Z)", re.DOTALL)
_USER_MARK = re.compile(r"^\[USER\][^\S\n]*\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
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
    "住在柏林"), with absolute dates; with the wish `forget`, what shall be forgotten. `key` names
    what has one value at a time (`home`, `taste:coffee`). `confidence` is in [0, 1]. `said_in` and
    `said_at` are the message's number and time; `statement` is what the reader read there.
    `attribute`, `subject` and `standing` are of the vocabularies of `reader/labels.py`. `bears_on`
    is the id of a known memory and how this bears on it, by a model.
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
class KnownMemory:
    """A memory that new messages may be about: what a model is shown of it."""

    id: str
    content: str


def own_part(content: str) -> str:
    """A person's message without what was put into it: fenced data, prompt sections, tool calls.

    What comes from memory would else be remembered again, and again. Source: decisions 4.
    """
    if "<" in content:
        content = _INJECTED.sub("\n", content)
    if "[" in content:
        content = _USER_MARK.sub("", _SECTION.sub("\n", content))
    if "[[" in content or "```" in content:
        content = _CALL.sub("\n", content)
    return content.strip()
