"""What a message states that is worth keeping, and the secrets in it, by the learned reader.

Source: `training/guide.md`; ADR 0010.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chatmem.extraction.reader.labels import (
    ATTRIBUTES,
    CATEGORY_HEADS,
    SECRETS,
    STANDINGS,
    SUBJECTS,
    Secret,
    Standing,
    Wish,
    is_kept,
)
from chatmem.extraction.reader.network import Marked, networks
from chatmem.extraction.reader.tokens import Meaning, Tokens, fold, network, tokens_of
from chatmem.model import Category
from chatmem.text.languages import any_of

MOST_TOKENS: Final = 240
"""Of a longer message the clauses are read that are likeliest to state something."""
MOST_READ_CHARS: Final = 1_200
_MOST_CLAUSES: Final = 64
MOST_CHARS: Final = 20_000
"""A longer one is a document that somebody pasted: it is left unread, and counted."""
SURE: Final = 0.6
"""From this likelihood on a statement is kept; `training/check.py` shows the others."""
SURE_OF_ORDERED: Final = 0.15
"""So much is enough where memory is told to keep it, or to forget it."""
SURELY_ORDERED: Final = 0.9
"""From this likelihood of an order on its words are kept, whatever they are about."""
SURER_TO_FORGET: Final = 4.0
"""So many times likelier than to keep it has it to be that something is to be forgotten."""
EAGER: Final = 1.0
"""So much more, in log odds, speaks for a statement where an order is looked for."""
SURE_OF_ANSWER: Final = 0.5
"""So much where the assistant has asked for it: short answers are marked less surely."""
SURE_OF_YES: Final = 0.35
"""So much where question and short answer are read as one statement, and kept as they were said."""
_LONGEST_YES_CHARS: Final = 12
DENIED: Final = re.compile(any_of(lambda one: one.clauses.denied))
LIKELY_ONCE: Final = 0.4
"""From this likelihood on something is for this once: kept for good it would do harm."""
LEAST_SUSPICION: Final = -5.0
"""Log odds of a clause to hold a secret, from which on the text is looked at closely."""
SURELY_SECRET: Final = 0.7
"""From this likelihood on a token is masked in a message: to mask too much costs less than to miss
one."""
POSSIBLY_SECRET: Final = 0.3
"""From this one on those beside it are, too; and where a word names a secret, all."""
_FEWEST_CHARS: Final = 3
"""Nothing shorter lets anybody in."""
_OVERLAP_TOKENS: Final = 30
_PART_TOKENS: Final = 120
_MOST_PARTS: Final = 2
"""Of a text of more than `MOST_TOKENS` so many parts are looked at for secrets."""
_LETTER: Final = re.compile(r"[^\W\d_]")
"""A bare number states nothing, unless it answers a question."""
_CACHED_TEXTS: Final = 256
_ONCE: Final = STANDINGS.index("once")
_LAST_QUESTION: Final = re.compile(r"(?<![^.!?。！？\n])[^.!?。！？\n]+[?？]\Z")
_LONGEST_QUESTION_CHARS: Final = 201
_LONGEST_ANSWER_CHARS: Final = 80


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of a message that is worth keeping.

    `text` are its words, `value` those in it that answer the attribute; `in_question` where they
    stand in the assistant's question, which the person has answered. `sure` is in [0, 1].
    `attributes`, `subjects` and `standings` are likelihoods in the order of `labels`; `vector` and
    `value_vector` the meanings, (512,) each, normalised.
    """

    text: str
    value: str | None
    in_question: bool
    answers: bool
    attribute: str
    category: Category
    subject: str
    standing: Standing
    order: Wish | None
    sure: float
    attributes: NDArray[np.float32]
    subjects: NDArray[np.float32]
    standings: NDArray[np.float32]
    vector: NDArray[np.float32]
    value_vector: NDArray[np.float32]


def question_before(reply: str, message: str) -> str:
    """The question at the end of a reply that a short message answers; "" for none."""
    if len(message) > _LONGEST_ANSWER_CHARS:
        return ""
    found = _LAST_QUESTION.search(reply.rstrip()[-400:])
    return found[0][-_LONGEST_QUESTION_CHARS:].strip() if found else ""


@lru_cache(maxsize=_CACHED_TEXTS)
def read(message: str, question: str = "", *, group: bool = False) -> tuple[Statement, ...]:
    """What the message states that is worth keeping, in order; mostly nothing.

    Cached: a message is read for its memories and for the profile.

    Args:
        message: the writer's own part of it.
        question: the assistant's, where the message answers one.
        group: several people talk in this chat.

    Raises:
        ReaderWeightsError: the weights are missing or damaged.
    """
    if not message.strip() or len(message) > MOST_CHARS:
        return ()
    text = f"{question}\n{message}" if question else message
    asked = len(text) - len(message)
    tokens = tokens_of(fold(text), asked, group=group)
    if len(tokens) > MOST_TOKENS or len(text) > MOST_READ_CHARS:
        text, asked = _likeliest(text, tokens), 0
        tokens = tokens_of(fold(text), group=group).part(0, MOST_TOKENS)
    meaning = _meaning(fold(text))
    marked = networks().marked(tokens, meaning)
    if found := _worth_keeping(marked, text, tokens, asked):
        return found
    # An order has to work each time, also of things that are nobody's: a second look for it.
    marked = networks().marked(tokens, meaning, eager=EAGER)
    ordered = [one for one in marked if one.heads["order"][1:].sum() >= SURELY_ORDERED]
    found = _worth_keeping(ordered, text, tokens, asked)
    if found or not question or len(message) > _LONGEST_YES_CHARS or message.endswith(("?", "？")):
        return found
    (whole,) = networks().marked(tokens, meaning, whole_if_none=True)[:1]
    line = text.replace("\n", " ")
    one = replace(statement_of(whole, line, tokens, asked), text=line, in_question=False)
    return (one,) if one.sure >= SURE_OF_YES and is_kept(one.subject, one.standing) else ()


def _order_of(shares: NDArray[np.float32]) -> Wish | None:
    """The order that the likelihoods of `ORDERS` speak for."""
    none, remember, forget = map(float, shares)
    if none >= remember + forget:
        return None
    return "forget" if forget >= SURER_TO_FORGET * remember else "remember"


def _worth_keeping(
    marked: list[Marked], text: str, tokens: Tokens, asked: int
) -> tuple[Statement, ...]:
    statements = (statement_of(one, text, tokens, asked) for one in marked)
    return tuple(
        one
        for one in statements
        if one.sure >= _least_sure(one)
        and is_kept(one.subject, one.standing)
        and (one.answers or _LETTER.search(one.text) is not None)
    )


def _least_sure(one: Statement) -> float:
    if one.order is not None:
        return SURE_OF_ORDERED
    return SURE_OF_ANSWER if one.answers else SURE


@lru_cache(maxsize=_CACHED_TEXTS)
def read_memory(content: str) -> Statement | None:
    """What a memory states: all of it where no part of it stands out; None for no words at all.

    Raises:
        ReaderWeightsError: the weights are missing or damaged.
    """
    folded = fold(content)
    tokens = tokens_of(folded).part(0, MOST_TOKENS)
    marked = networks().marked(tokens, _meaning(folded), whole_if_none=True)
    if not marked:
        return None
    return statement_of(max(marked, key=lambda one: one.sure), content, tokens, 0)


@lru_cache(maxsize=4)
def _meaning(folded: str) -> Meaning:
    """What the first `MOST_TOKENS` tokens mean; cached, since who masks a message reads it."""
    return network().read(folded, tokens_of(folded).part(0, MOST_TOKENS).places)


@lru_cache(maxsize=_CACHED_TEXTS)
def secrets_in(text: str, sure: float = SURELY_SECRET) -> tuple[Secret, ...]:
    """The secrets that a text gives away, in order; of a long one the likeliest parts are read.

    Of each a token has to be a secret with the likelihood `sure`, in [0, 1].

    Raises:
        ReaderWeightsError: the weights are missing or damaged.
    """
    folded = fold(text)
    tokens = tokens_of(folded)
    if not len(tokens):
        return ()
    scores = networks().screened(tokens, "secret")
    if scores.max() < LEAST_SUSPICION:
        return ()
    if len(tokens) <= MOST_TOKENS:
        kinds = networks().secrets(tokens, _meaning(folded))
    else:
        kinds = _kinds_in_parts(folded, tokens, np.repeat(scores, np.diff(tokens.edges)))
    return tuple(_secrets_of(kinds[:, 1:], tokens.places.tolist(), sure))


def _kinds_in_parts(
    folded: str, tokens: Tokens, scores: NDArray[np.float32]
) -> NDArray[np.float32]:
    """How likely each token is of no secret, or of each kind; zeros where it was not read."""
    kinds = np.zeros((len(tokens), 1 + len(SECRETS)), np.float32)
    begins = range(0, len(tokens) - _OVERLAP_TOKENS, _PART_TOKENS - _OVERLAP_TOKENS)
    best = {begin: scores[begin : begin + _PART_TOKENS].max() for begin in begins}
    for begin in sorted(begins, key=lambda one: -best[one])[:_MOST_PARTS]:
        if best[begin] >= LEAST_SUSPICION:
            part = tokens.part(begin, begin + _PART_TOKENS)
            rows = kinds[begin : begin + _PART_TOKENS]
            found = networks().secrets(part, network().read(folded, part.places))
            np.maximum(rows, found, out=rows)
    return kinds


def _secrets_of(
    kinds: NDArray[np.float32], places: list[list[int]], sure: float
) -> Iterator[Secret]:
    """Neighbouring tokens that are likely enough, where one of them is as likely as `sure`."""
    likely = [*(kinds.sum(axis=1) >= POSSIBLY_SECRET), False]
    start: int | None = None
    for number, is_likely in enumerate(likely):
        if is_likely and start is None:
            start = number
        elif not is_likely and start is not None:
            rows = kinds[start:number]
            first, last = places[start][0], places[number - 1][1]
            if last - first >= _FEWEST_CHARS and rows.sum(axis=1).max() >= sure:
                yield Secret(first, last, SECRETS[int(rows.sum(axis=0).argmax())])
            start = None


def _likeliest(text: str, tokens: Tokens) -> str:
    """Of a long message the likeliest clauses to state something, each with those around it."""
    edges, places = tokens.edges, tokens.places
    sizes = np.diff(edges)
    scores = networks().screened(tokens, "statement")
    chosen: set[int] = set()
    left = MOST_TOKENS
    for clause in np.argsort(-scores, kind="stable")[:_MOST_CLAUSES].tolist():
        new = {one for one in (clause - 1, clause, clause + 1) if 0 <= one < len(sizes)} - chosen
        size = int(sizes[list(new)].sum()) if new else 0
        if size <= left:
            chosen |= new
            left -= size
    clauses = (
        text[int(places[edges[one], 0]) : int(places[edges[one + 1] - 1, 1])]
        for one in sorted(chosen or {0})
    )
    return " ".join(clauses)[:MOST_READ_CHARS]


def statement_of(one: Marked, text: str, tokens: Tokens, asked: int) -> Statement:
    """What was marked among the tokens of a text, whose first `asked` characters are a question."""
    start, end = int(tokens.places[one.start, 0]), int(tokens.places[one.end - 1, 1])
    standings = one.heads["standing"]
    is_once = standings[_ONCE] >= LIKELY_ONCE
    standing = "once" if is_once else STANDINGS[int(standings.argmax())]
    if start < asked and standing in ("holds", "denied"):  # the answer says which
        standing = "denied" if DENIED.search(fold(text[asked:]).lower()) else "holds"
    value = None
    if one.value is not None:
        first, last = one.value
        value = text[int(tokens.places[first, 0]) : int(tokens.places[last - 1, 1])]
    return Statement(
        text=text[start:end],
        value=value,
        in_question=start < asked,
        answers=asked > 0,
        attribute=ATTRIBUTES[int(one.heads["attribute"].argmax())],
        category=CATEGORY_HEADS[int(one.heads["category"].argmax())],
        subject=SUBJECTS[int(one.heads["subject"].argmax())],
        standing=standing,
        order=_order_of(one.heads["order"]),
        sure=one.sure,
        attributes=one.heads["attribute"],
        subjects=one.heads["subject"],
        standings=standings,
        vector=one.vector,
        value_vector=one.value_vector,
    )
