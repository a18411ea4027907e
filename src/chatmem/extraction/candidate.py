"""What an extractor reads, and what it proposes to remember.

Source: decisions 4; S3.2 (category, key, value, confidence, source), S5.4.3.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from chatmem.extraction.reader.labels import (
    ATTRIBUTES_BY_KEY,
    NO_ATTRIBUTE,
    SELF,
    Standing,
    Wish,
)
from chatmem.extraction.reader.reading import Statement
from chatmem.extraction.reader.relation import Bearing
from chatmem.model import Category, Kind, Source
from chatmem.model.memory import NEUTRAL_IMPORTANCE, JsonValue
from chatmem.text.normalise import normalise

LEAST_CONFIDENCE = 0.7
"""Anything less certain is dropped. Source: decisions 4."""
_LONGEST_KEY_VALUE = 40
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
    """A message to extract from.

    `number` is its row in `conversation`; `question` what the assistant asked before it, where the
    message answers that; `group` is True where several people talk.
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
    "住在柏林"), with absolute dates; with the wish `forget`, what shall be forgotten. `key` is that
    of `key_of`, `confidence` in [0, 1]. `said_in` and `said_at` are the message's number and time,
    `statement` what the reader read there; `attribute`, `subject` and `standing` are of
    `reader/labels.py`. `bears_on`, of a model, is a known memory's id and how this bears on it.
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
    """A memory that new messages may be about, as a model gets it."""

    id: str
    content: str


def key_of(attribute: str, subject: str, value: str | None) -> str | None:
    """What a memory is about: `home`, `wife:occupation`, `allergy:花生`; None for nothing certain.

    Of a person and an attribute with one value at a time the key is the same whatever the value.
    """
    if attribute == NO_ATTRIBUTE:
        return None
    parts = [attribute] if subject == SELF else [subject, attribute]
    if not ATTRIBUTES_BY_KEY[attribute].single:
        value = normalise(value or "")
        if not value or len(value) > _LONGEST_KEY_VALUE:
            return None
        parts.append(value)
    return ":".join(parts)


def own_part(content: str) -> str:
    """A person's message without what was put into it: fenced data, prompt sections, tool calls.

    Else what comes from memory would be remembered again. Source: decisions 4.
    """
    if "<" in content:
        content = _INJECTED.sub("\n", content)
    if "[" in content:
        content = _USER_MARK.sub("", _SECTION.sub("\n", content))
    if "[[" in content or "```" in content:
        content = _CALL.sub("\n", content)
    return content.strip()
