"""What an extractor reads and proposes, and the one without a model: the reader, and orders.

Candidates are what may become memories, or lines of the profile. An order is a command, which has
to work each time, whatever it names ("remember that box 7 holds apples"): the reader tells most,
and words at the beginning or the end of a sentence say whether to remember or to forget.

Source: decisions 4; S2.2.2; S3.2 (category, key, value, confidence, source), S5.4.3.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Final, NamedTuple

from chatmem.extraction.phrasing import MAX_CONTENT_CHARS, dated, memory_text, names_subject
from chatmem.extraction.reader.labels import (
    ATTRIBUTES_BY_KEY,
    NO_ATTRIBUTE,
    SELF,
    Bearing,
    Standing,
    Wish,
)
from chatmem.extraction.reader.network import networks
from chatmem.extraction.reader.reading import MOST_TOKENS, Statement, read
from chatmem.extraction.reader.tokens import fold, tokens_of
from chatmem.model import Category, Kind, Source
from chatmem.model.memory import NEUTRAL_IMPORTANCE, JsonValue
from chatmem.text.dates import dates_in
from chatmem.text.languages import expression, language_by_script
from chatmem.text.normalise import normalise
from chatmem.text.own_words import own_words
from chatmem.text.segment import sentences

LEAST_CONFIDENCE = 0.7
"""Anything less certain is dropped. Source: decisions 4."""
_LONGEST_KEY_VALUE = 40
_OVER = frozenset({"ended", "denied"})
# What prompts fence: memories, documents, working instructions that a client sends back to us.
_INJECTED = expression(
    r"<((?:memory|document|system-reminder|system|tool_result)(?:-\d+)?)\b[^>\n]*>.*?(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_SECTION = expression(
    r"^\[(?:SYSTEM|MEMORY|RAG|TOOL INSTR)\][^\n]*\n.*?(?=^\[USER\]|\Z)", re.DOTALL | re.MULTILINE
)
_CALL = expression(r"\[\[ABP_TOOL:.*?(?:\[\[END_ABP_TOOL\]\]|\Z)|```abp\b.*?(?:```|\Z)", re.DOTALL)
_USER_MARK = expression(r"^\[USER\][^\S\n]*\n?", re.MULTILINE)


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
    `is_written` is True for what was written down by itself, in no message.
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
    is_written: bool = False

    @property
    def is_over(self) -> bool:
        """True for what says that something has ended, or never was."""
        return self.standing in _OVER


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
    """A person's own words in a message: no fenced data, prompt sections, tool calls, quotations.

    Else what comes from memory would be remembered again, and what others wrote as the person's
    own (`text/own_words.py`). Source: decisions 4.
    """
    if "<" in content:
        content = _INJECTED.sub("\n", content)
    if "[" in content:
        content = _USER_MARK.sub("", _SECTION.sub("\n", content))
    if "[[" in content or "```" in content:
        content = _CALL.sub("\n", content)
    return own_words(content)


_compiled = cache(re.compile)
_LONGEST_ORDER_CHARS: Final = 300
"""A longer sentence is no order; the patterns are not made for more."""
_EDGES: Final = " \t\n.。!！~～,，;；:："


class MemoryOrder(NamedTuple):
    """An order in a message: the sentence that gives it, and what is to be remembered of it."""

    wish: Wish
    sentence: str
    named: str = ""


def orders_in(message: str) -> Iterator[MemoryOrder]:
    """The orders to memory that a message gives, in order; mostly none."""
    before = ""
    for sentence in sentences(message):
        plain = fold(sentence[:_LONGEST_ORDER_CHARS]).lower()
        if len(plain) == len(sentence):
            orders = language_by_script(plain).clauses
            if _compiled(orders.forget).match(plain):
                yield MemoryOrder("forget", sentence)
            elif match := _compiled(orders.remembered).search(plain):
                # `Remember that` alone is an order to keep what was said before.
                named = sentence[: match.start()].strip(_EDGES) or before
                yield MemoryOrder("remember", sentence, named)
            elif match := _compiled(orders.remember).match(plain):
                yield MemoryOrder("remember", sentence, sentence[match.end() :].strip(_EDGES))
        before = sentence.strip(_EDGES)


ORDERED_CONFIDENCE: Final = 0.95
ORDERED_IMPORTANCE: Final = 4
DANGER: Final = frozenset({"allergy", "condition", "medication"})
"""Attributes that matter more than others."""
DANGER_IMPORTANCE: Final = 4
HAPPENS: Final = frozenset({"event", "plan"})
"""Attributes of what may happen on a day of its own."""
LEAST_EXPECTED_TOKENS: Final = 0.4
"""From so many tokens on that are expected to state something a model is asked: about 96 of 100
labelled messages that hold something, 26 of those that hold nothing."""
MAX_LINE_CHARS: Final = 120
_SLOTS: Final = {
    "reply.language": "reply_language",
    "reply.length": "reply_length",
    "reply.tone": "reply_tone",
    "reply.format": "reply_format",
    "reply.address": "address",
    "reply.other": "preference",
    **dict.fromkeys(
        ("name", "nickname", "origin", "identity", "language", "home", "employer", "occupation",
         "school", "study"),
        "background",
    ),
    **dict.fromkeys(("taste", "like", "hobby", "diet"), "preference"),
}  # fmt: skip
_LASTING: Final = frozenset({"holds", "began", "corrected"})


def candidates_of(message: NewMessage) -> list[Candidate]:
    """What is worth keeping of one message: what it states for good, or orders to remember.

    Raises:
        ReaderWeightsError: the reader's weights are missing or damaged.
    """
    statements = read(message.content, message.question, group=message.group)
    orders = list(orders_in(message.content))
    found: dict[str, Candidate] = {}
    for each in statements:
        wish = next((one.wish for one in orders if each.text in one.sentence), each.order)
        if names_subject(each) and (each.standing != "once" or wish is not None):
            candidate = _candidate(each, message, wish)
            found[candidate.content] = candidate
    for one in orders:
        if one.named and not any(each.text in one.sentence for each in statements):
            content = one.named[:1].upper() + one.named[1:MAX_CONTENT_CHARS]
            candidate = Candidate(content=content)
            found[content] = finished(candidate, message, ordered=True, names_day=False)
    return list(found.values())


def may_state_something(message: NewMessage) -> bool:
    """False for a message that need not be shown to a model: the reader sees nothing in it.

    Raises:
        ReaderWeightsError: the reader's weights are missing or damaged.
    """
    if read(message.content, message.question, group=message.group):
        return True
    asked = f"{message.question}\n" if message.question else ""
    folded = fold(asked + message.content)
    tokens = tokens_of(folded, len(asked), group=message.group)
    if not 0 < len(tokens) <= MOST_TOKENS:
        return False  # a long one is mostly a task: its likeliest clauses have been read
    (marked,) = networks().marked(networks().look([(folded, tokens)]), whole_if_none=True)
    expected = sum(one.marked * (one.end - one.start) for one in marked)
    return expected >= LEAST_EXPECTED_TOKENS


def finished(
    candidate: Candidate, message: NewMessage, *, ordered: bool, names_day: bool
) -> Candidate:
    """With its message, and what follows from its attribute; what has ended has no value any more.

    What was ordered is sure and important; an importance of 0 is the attribute's usual one.
    """
    confidence, importance = candidate.confidence, candidate.importance
    if ordered:
        confidence, importance = ORDERED_CONFIDENCE, ORDERED_IMPORTANCE
    usual = DANGER_IMPORTANCE if candidate.attribute in DANGER else NEUTRAL_IMPORTANCE
    return replace(
        candidate,
        kind="episodic" if names_day and candidate.attribute in HAPPENS else "semantic",
        value=None if candidate.is_over else candidate.value,
        confidence=confidence,
        importance=importance or usual,
        said_in=message.number,
        said_at=message.at,
    )


def _candidate(statement: Statement, message: NewMessage, wish: Wish | None) -> Candidate:
    today = message.at.date()
    value = dated(statement.value or "", statement, today).strip() or None
    candidate = Candidate(
        content=memory_text(statement, today),
        category=statement.category,
        key=key_of(statement.attribute, statement.subject, value),
        value=value,
        confidence=max(LEAST_CONFIDENCE, round(statement.sure, 2)),
        importance=0,
        wish=wish or "remember",
        statement=statement,
        attribute=statement.attribute,
        subject=statement.subject,
        standing=statement.standing,
    )
    days = dates_in(fold(statement.text).lower(), today)
    return finished(
        candidate,
        message,
        ordered=wish == "remember",
        names_day=any(one.unit == "day" for one in days),
    )


def profile_slot(candidate: Candidate) -> str | None:
    """Where it belongs in the profile of the user: who they are, how replies should be.

    A slot that has one value, background or preference; None for what does not belong there.
    """
    slot = _SLOTS.get(candidate.attribute or "")
    is_own = candidate.subject == SELF and candidate.standing in _LASTING
    is_short = len(candidate.content) <= MAX_LINE_CHARS
    return slot if is_own and is_short and candidate.wish != "forget" else None
