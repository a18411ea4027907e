"""Extraction without a model: what the learned reader finds in a message, told as candidates.

Source: decisions 4; `next/reader.md`.
"""

from dataclasses import replace
from typing import Final

from chatmem.extraction.attributes import key_of
from chatmem.extraction.candidate import LEAST_CONFIDENCE, Candidate, NewMessage
from chatmem.extraction.orders import MemoryOrder, orders_in
from chatmem.extraction.phrasing import MAX_CONTENT_CHARS, dated, memory_text, names_subject
from chatmem.extraction.reader.labels import SELF, Wish
from chatmem.extraction.reader.meaning import network
from chatmem.extraction.reader.network import networks
from chatmem.extraction.reader.reading import MOST_TOKENS, Statement, read
from chatmem.extraction.reader.tokens import fold, tokens_of
from chatmem.model import Kind
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


def candidates_of(message: NewMessage) -> list[Candidate]:
    """What is worth keeping of one message: what it states for good, or orders to remember.

    Raises:
        ReaderWeightsError: what the reader has learned is missing or damaged.
    """
    statements = read(message.content, message.question, group=message.group)
    orders = list(orders_in(message.content))
    found: dict[str, Candidate] = {}
    for each in statements:
        order = next((one.wish for one in orders if each.text in one.sentence), each.order)
        if names_subject(each) and (each.standing != "once" or order is not None):
            candidate = _candidate(each, message, order)
            found[candidate.content] = candidate
    for one in orders:
        if not any(each.text in one.sentence for each in statements):
            candidate = _ordered(one, message)
            found[candidate.content] = candidate
    return list(found.values())


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


def may_state_something(message: NewMessage) -> bool:
    """False for a message that need not be shown to a model: the reader sees nothing in it.

    Raises:
        ReaderWeightsError: what the reader has learned is missing or damaged.
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


def _candidate(statement: Statement, message: NewMessage, wish: Wish | None) -> Candidate:
    today = message.at.date()
    value = statement.value
    if value is not None:
        value = dated(value, statement, today).strip() or None
    subject = None if statement.subject == SELF else statement.subject
    candidate = Candidate(
        content=memory_text(statement, today),
        category=statement.category,
        kind=_kind(statement, message),
        key=key_of(statement.attribute, subject, value),
        value=value,
        confidence=max(LEAST_CONFIDENCE, round(statement.sure, 2)),
        importance=DANGER_IMPORTANCE if statement.attribute in DANGER else 3,
        wish=wish or "remember",
        said_in=message.number,
        said_at=message.at,
        statement=statement,
        attribute=statement.attribute,
        subject=statement.subject,
        standing=statement.standing,
    )
    return finished(candidate, ordered=wish == "remember")


def finished(candidate: Candidate, *, ordered: bool) -> Candidate:
    """Without a value that its key has no more, and sure and important where it was ordered."""
    if candidate.is_over:
        candidate = replace(candidate, value=None)
    if ordered:
        return replace(candidate, confidence=ORDERED_CONFIDENCE, importance=ORDERED_IMPORTANCE)
    return candidate


def _kind(statement: Statement, message: NewMessage) -> Kind:
    """Episodic is what happens on a day that is named."""
    if statement.attribute not in HAPPENS:
        return "semantic"
    days = dates_in(fold(statement.text).lower(), message.at.date())
    return "episodic" if any(one.is_day for one in days) else "semantic"
