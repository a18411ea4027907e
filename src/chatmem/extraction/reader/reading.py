"""What a message states that is worth keeping, and the secrets in it, by the learned reader.

Source: `training/guide.md`; ADR 0010.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

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
from chatmem.extraction.reader.network import Look, Marked, networks
from chatmem.extraction.reader.tokens import Tokens, fold, tokens_of
from chatmem.model import Category
from chatmem.providers.embedding import Recent
from chatmem.text.own_words import DENIED

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
_Suspected: TypeAlias = tuple[NDArray[np.float32], NDArray[np.int32]]
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


class Said(NamedTuple):
    """A text that is read: a message, behind the question that it answers, if any.

    That has so many characters, `asked`. In a `group` several people talk.
    """

    text: str
    asked: int = 0
    group: bool = False

    @property
    def tokens(self) -> Tokens:
        """Those of the text."""
        return tokens_of(fold(self.text), self.asked, group=self.group)


def said(message: str, question: str = "", group: bool = False) -> Said:
    """The writer's own part of a message, behind what the assistant asked."""
    text = f"{question}\n{message}" if question else message
    return Said(text, len(text) - len(message), group)


def read(message: str, question: str = "", *, group: bool = False) -> tuple[Statement, ...]:
    """What the message states that is worth keeping, in order; mostly nothing.

    Raises:
        ReaderWeightsError: the weights are missing or damaged.
    """
    return READ.of([said(message, question, group)])[0]


def _read(messages: list[Said]) -> list[tuple[Statement, ...]]:
    shown = {one: part for one in messages if (part := _readable(one)) is not None}
    looks = dict(zip(shown, LOOKS.of(list(shown.values())), strict=True))
    found: dict[Said, tuple[Statement, ...]] = {}

    for eager in (0.0, EAGER):
        # An order has to work each time, also of things that are nobody's: a second look for it.
        waiting = [one for one in shown if not found.get(one)]
        marked = networks().marked([looks[one] for one in waiting], eager=eager)
        for one, stated in zip(waiting, marked, strict=True):
            if eager:
                stated = [one for one in stated if one.heads["order"][1:].sum() >= SURELY_ORDERED]
            found[one] = _worth_keeping(stated, shown[one], looks[one].tokens)
    answers = [
        one
        for one in shown
        if one.asked and not found[one]
        if len(one.text) - one.asked <= _LONGEST_YES_CHARS and not one.text.endswith(("?", "？"))
    ]
    marked = networks().marked([looks[one] for one in answers], whole_if_none=True)
    for one, (whole, *_) in zip(answers, marked, strict=True):
        line = one.text.replace("\n", " ")
        answer = statement_of(whole, line, looks[one].tokens, one.asked)
        if answer.sure >= SURE_OF_YES and is_kept(answer.subject, answer.standing):
            found[one] = (replace(answer, text=line, in_question=False),)
    return [found.get(one, ()) for one in messages]


def _readable(one: Said) -> Said | None:
    """What is read of a message; None for nothing."""
    message = one.text[one.asked :]
    if not message.strip() or len(message) > MOST_CHARS:
        return None
    tokens = one.tokens
    if len(tokens) > MOST_TOKENS or len(one.text) > MOST_READ_CHARS:
        return Said(_likeliest(one.text, tokens), group=one.group)
    return one if len(tokens) else None


def _look_at(texts: list[Said]) -> list[Look]:
    """A look at the first `MOST_TOKENS` tokens of each, which has one or more."""
    return networks().look([(fold(one.text), one.tokens.part(0, MOST_TOKENS)) for one in texts])


def _worth_keeping(marked: list[Marked], of: Said, tokens: Tokens) -> tuple[Statement, ...]:
    statements = (statement_of(one, of.text, tokens, of.asked) for one in marked)
    return tuple(
        one
        for one in statements
        if one.sure >= _least_sure(one)
        and is_kept(one.subject, one.standing)
        and (one.answers or _LETTER.search(one.text) is not None)
    )


def _order_of(shares: NDArray[np.float32]) -> Wish | None:
    """The order that the likelihoods of `ORDERS` speak for."""
    none, remember, forget = map(float, shares)
    if none >= remember + forget:
        return None
    return "forget" if forget >= SURER_TO_FORGET * remember else "remember"


def _least_sure(one: Statement) -> float:
    if one.order is not None:
        return SURE_OF_ORDERED
    return SURE_OF_ANSWER if one.answers else SURE


def _read_memories(contents: list[str]) -> list[Statement | None]:
    """What memories state: all of it where no part of it stands out; None for no words at all."""
    looks = LOOKS.of(told := [one for one in map(Said, contents) if len(one.tokens)])
    marked = networks().marked(looks, whole_if_none=True)
    found = {
        one.text: statement_of(max(of, key=lambda one: one.sure), one.text, look.tokens, 0)
        for one, look, of in zip(told, looks, marked, strict=True)
    }
    return list(map(found.get, contents))


def secrets_in(text: str, sure: float = SURELY_SECRET) -> tuple[Secret, ...]:
    """The secrets that a text gives away, in order; of a long one the likeliest parts are read.

    Of each a token has to be a secret with the likelihood `sure`, in [0, 1].

    Raises:
        ReaderWeightsError: the weights are missing or damaged.
    """
    (found,) = SUSPECTED.of([text])
    if found is None:
        return ()
    kinds, places = found
    return tuple(_secrets_of(kinds[:, 1:], places.tolist(), sure))


def _suspect(texts: list[str]) -> list[_Suspected | None]:
    """How likely which token of each text is of which kind; None where no secret is likely."""
    found: dict[str, _Suspected] = {}
    looked: list[Said] = []
    for text in map(Said, texts):
        tokens = text.tokens
        scores = networks().screened(tokens, "secret") if len(tokens) else np.full(1, -np.inf)
        if scores.max() >= LEAST_SUSPICION and len(tokens) <= MOST_TOKENS:
            looked.append(text)
        elif scores.max() >= LEAST_SUSPICION:
            scores = np.repeat(scores, np.diff(tokens.edges))
            found[text.text] = (_kinds_in_parts(fold(text.text), tokens, scores), tokens.places)
    for text, look in zip(looked, LOOKS.of(looked), strict=True):
        found[text.text] = (look.secrets, look.tokens.places)
    of_each = map(found.get, texts)
    return [
        one if one and one[0][:, 1:].sum(axis=1).max() >= POSSIBLY_SECRET else None
        for one in of_each
    ]


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
            (look,) = networks().look([(folded, part)])
            np.maximum(rows, look.secrets, out=rows)
    return kinds


def _secrets_of(
    kinds: NDArray[np.float32], places: list[list[int]], sure: float
) -> Iterator[Secret]:
    """Neighbouring tokens that are likely enough, where one of them is as likely as `sure`."""
    likely = (kinds.sum(axis=1) >= POSSIBLY_SECRET).tolist()
    for is_likely, (start, *others) in groupby(range(len(kinds)), key=likely.__getitem__):
        end = start + len(others)
        first, last, rows = places[start][0], places[end][1], kinds[start : end + 1]
        is_long = is_likely and last - first >= _FEWEST_CHARS
        if is_long and rows.sum(axis=1).max() >= sure:
            yield Secret(first, last, SECRETS[int(rows.sum(axis=0).argmax())])


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


READ: Final = Recent(_read, 256)
MEMORIES: Final = Recent(_read_memories, 1_024)
SUSPECTED: Final = Recent(_suspect, 1_024)
LOOKS: Final = Recent(_look_at, 32)
"""0.2 MB each: of the messages that are read together half are the person's."""
