"""What a question asks for, once it has been read."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from chatmem.retrieval.dates import NamedDate, named_date
from chatmem.retrieval.question import asks_assistant, questions, statement
from chatmem.text.cues import TextFlags, asks_for
from chatmem.text.latin import stem
from chatmem.text.segment import is_single_han, query_tokens
from chatmem.text.stopwords import STOP_CHARACTERS, STOP_WORDS

STOP_WEIGHT = 0.4
"""Stop words still count: dropping them costs Chinese recall, full weight drowns the rest."""
SINGLE_HAN_WEIGHT = 0.7
"""One character is often part of another word."""
NAME_WEIGHT = 0.2
"""A speaker's name in a question selects the speaker (priors.py); in a text it is mostly a greeting."""
ROLES = ("user", "assistant", "system", "tool")
"""Speakers that are no names: nobody asks for them by these words."""

Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class View:
    """One reading of the message: the whole of it, or one of its questions.

    `mask` is 1.0 for the query terms that belong to it; `texts` are embedded: statement, question.
    """

    mask: Weights
    texts: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Query:
    """Terms with weights, readings, and what narrows the answer down."""

    text: str
    terms: tuple[str, ...]
    prefixes: tuple[str, ...]
    weights: Weights
    views: tuple[View, ...]
    speakers: frozenset[int]
    date: NamedDate | None
    asks: TextFlags
    asks_assistant: bool

    @property
    def known_terms(self) -> frozenset[str]:
        """Terms that bring in nothing new: the query's own and stop words."""
        return frozenset(self.terms) | _stop_terms()


def read_query(text: str, speakers: Sequence[tuple[int, str, str]] = ()) -> Query:
    """The query that a message makes.

    `speakers` are number, name and index terms of everybody who speaks in the owner's
    conversations. `weights` has one entry a term, then 1.0 a prefix.
    """
    tokens = query_tokens(text, frozenset(), frozenset())
    named = [one for one in speakers if one[1] not in ROLES]
    asked = frozenset(
        number
        for number, _, terms in named
        if terms and set(terms.split()) <= set(tokens.terms)
    )
    name_terms = {term for _, _, terms in named for term in terms.split()}
    weights = [_weight(term, name_terms) for term in tokens.terms] + [1.0] * len(tokens.prefixes)
    names = [name for number, name, _ in named if number in asked]
    whole = View(np.ones(len(weights)), (statement(text, names), text))
    return Query(
        text=text,
        terms=tokens.terms,
        prefixes=tokens.prefixes,
        weights=np.array(weights),
        views=(whole, *(_view(part, tokens.terms, weights, names) for part in questions(text))),
        speakers=asked if len(asked) < len(named) else frozenset(),
        date=named_date(text),
        asks=asks_for(text),
        asks_assistant=asks_assistant(text),
    )


def _view(part: str, terms: Sequence[str], weights: list[float], names: Sequence[str]) -> View:
    own = set(query_tokens(part, frozenset(), frozenset()).terms)
    mask = np.array([float(term in own) for term in terms] + [1.0] * (len(weights) - len(terms)))
    return View(mask, (statement(part, names), part))


def _weight(term: str, names: set[str]) -> float:
    if term in names:
        return NAME_WEIGHT
    if term in _stop_terms():
        return STOP_WEIGHT
    return SINGLE_HAN_WEIGHT if is_single_han(term) else 1.0


@cache
def _stop_terms() -> frozenset[str]:
    return STOP_WORDS | STOP_CHARACTERS | {stem(word) for word in STOP_WORDS if word.isascii()}
