"""Extraction without a model: candidates for memories and lines for the profile, by the reader.

Source: decisions 4; S2.2.2; `next/reader.md`.
"""

from dataclasses import dataclass, replace
from typing import Final

from chatmem.extraction.candidate import LEAST_CONFIDENCE, Candidate, NewMessage, key_of
from chatmem.extraction.orders import MemoryOrder, orders_in
from chatmem.extraction.phrasing import MAX_CONTENT_CHARS, dated, memory_text, names_subject
from chatmem.extraction.reader.labels import SELF, Wish
from chatmem.extraction.reader.meaning import network
from chatmem.extraction.reader.network import networks
from chatmem.extraction.reader.reading import MOST_TOKENS, Statement, read
from chatmem.extraction.reader.tokens import fold, tokens_of
from chatmem.model.memory import NEUTRAL_IMPORTANCE
from chatmem.text.dates import dates_in

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
SINGLE_SLOTS: Final = frozenset(
    {"reply_language", "reply_length", "reply_tone", "reply_format", "address"}
)
"""Of these a profile holds one each: a new line replaces the old one."""
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
        if not any(each.text in one.sentence for each in statements):
            candidate = _ordered(one, message)
            found[candidate.content] = candidate
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
    if len(tokens) > MOST_TOKENS:
        return False  # a long one is mostly a task: its likeliest clauses have been read
    marked = networks().marked(tokens, network().read(folded, tokens.places), whole_if_none=True)
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
    value = statement.value
    if value is not None:
        value = dated(value, statement, today).strip() or None
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
        names_day=any(one.is_day for one in days),
    )


def _ordered(order: MemoryOrder, message: NewMessage) -> Candidate:
    """What an order names, where the reader sees no statement in it."""
    return Candidate(
        content=order.named[:1].upper() + order.named[1:MAX_CONTENT_CHARS],
        confidence=ORDERED_CONFIDENCE,
        importance=ORDERED_IMPORTANCE,
        wish=order.wish,
        said_in=message.number,
        said_at=message.at,
    )


@dataclass(frozen=True, slots=True)
class ProfileStatement:
    """A line for a profile, in the person's own words.

    `slot` is one of `SINGLE_SLOTS`, background or preference.
    """

    text: str
    slot: str


def profile_statements(message: NewMessage) -> tuple[ProfileStatement, ...]:
    """What belongs into the profile of the user who wrote it; mostly nothing.

    The later of two statements for a single-valued slot counts.

    Raises:
        ReaderWeightsError: the reader's weights are missing or damaged.
    """
    lines = filter(None, map(profile_statement, candidates_of(message)))
    found = {one.slot if one.slot in SINGLE_SLOTS else one.text: one for one in lines}
    return tuple(found.values())


def profile_statement(candidate: Candidate) -> ProfileStatement | None:
    """What of it belongs into the profile of the user: who they are, how replies should be."""
    slot = _SLOTS.get(candidate.attribute or "")
    is_own = candidate.subject == SELF and candidate.standing in _LASTING
    is_short = len(candidate.content) <= MAX_LINE_CHARS
    if slot is None or not (is_own and is_short) or candidate.wish == "forget":
        return None
    return ProfileStatement(candidate.content, slot)
