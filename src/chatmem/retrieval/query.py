"""What a question asks for, once it has been read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from chatmem.retrieval.dates import NamedDate, named_date
from chatmem.retrieval.question import asks_assistant, questions, statement
from chatmem.text.cues import TextFlags, asks_for
from chatmem.text.latin import stem
from chatmem.text.segment import extract_keywords, is_single_han, query_tokens
from chatmem.text.stopwords import STOP_CHARACTERS, STOP_WORDS

STOP_WEIGHT = 0.3
"""Stop words still count: without them LoCoMo loses 1.2 points recall@5, at full weight 1.7."""
MANY_ROWS = 20_000
"""From here on stop words are left out: 96 % of the first ten stay, at a fifth of the time."""
SINGLE_HAN_WEIGHT = 0.7
"""One character is often part of another word."""
NAME_WEIGHT = 0.0
"""A speaker's name stands in greetings, that is, in the other speaker's messages; a factor on the
named speaker's own (priors.py) does what the name asks for."""
ROLES = ("user", "assistant", "system", "tool")
"""Speakers that are no names: nobody asks for them by these words."""

Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class View:
    """One reading of the message: the whole of it, or one of several questions that it asks.

    `mask` is 1.0 for the query terms that belong to it; `texts` are embedded: statement, question.
    """

    mask: Weights
    texts: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Query:
    """Terms with weights, readings, and what narrows the answer down.

    `weights` has one entry a term, then one a prefix. `keywords` holds, for each keyword of the
    message, the places of its terms; `topic` the places of the current topic's terms, which widen
    the search and weigh nothing. `content` marks the terms that are no stop words: holding one of
    them makes a row a match.
    """

    text: str
    terms: tuple[str, ...]
    prefixes: tuple[str, ...]
    weights: Weights
    views: tuple[View, ...]
    speakers: frozenset[int]
    date: NamedDate | None
    asks: TextFlags
    asks_assistant: bool
    keywords: tuple[tuple[int, ...], ...]
    topic: tuple[int, ...]

    content: NDArray[np.bool_]

    @property
    def topic_weights(self) -> Weights:
        """1 for the topic's terms, 0 for the others."""
        weights = np.zeros(len(self.weights))
        weights[list(self.topic)] = 1.0
        return weights

    @property
    def search_weights(self) -> Weights:
        """What picks candidates: the message's weights, and the topic's terms."""
        both: Weights = np.maximum(self.weights, self.topic_weights)
        return both

    @property
    def known_terms(self) -> frozenset[str]:
        """Terms that bring in nothing new: the query's own and stop words."""
        return frozenset(self.terms) | _stop_terms()


def read_query(
    text: str,
    speakers: Sequence[tuple[int, str, str]] = (),
    topic: str | None = None,
    row_count: int = 0,
) -> Query:
    """The query that a message makes.

    `speakers` are number, name and index terms of everybody who speaks in the owner's
    conversations; `topic` is what the session is about at present; `row_count` is how many rows the
    owner has.
    """
    if row_count < MANY_ROWS:
        tokens = query_tokens(text, frozenset(), frozenset())
    else:
        tokens = query_tokens(text)
    named = [one for one in speakers if one[1] not in ROLES and one[2]]
    asked = frozenset(
        number for number, _, terms in named if set(terms.split()) <= set(tokens.terms)
    )
    name_terms = {term for _, _, terms in named for term in terms.split()}
    topic_terms = query_tokens(topic).terms if topic else ()
    terms = tuple(dict.fromkeys((*tokens.terms, *topic_terms)))
    place = {term: number for number, term in enumerate(terms)}
    weights = [
        _weight(term, name_terms) if number < len(tokens.terms) else 0.0
        for term, number in place.items()
    ] + [1.0] * len(tokens.prefixes)
    names = [name for number, name, _ in named if number in asked]
    asked_apart = questions(text)
    if len(asked_apart) < 2:
        views = [View(np.ones(len(weights)), (statement(text, names), text))]
    else:
        views = [_view(part, terms, len(weights), names) for part in asked_apart]
    content = [term not in _stop_terms() for term in terms] + [True] * len(tokens.prefixes)
    return Query(
        text=text,
        terms=terms,
        prefixes=tokens.prefixes,
        weights=np.array(weights),
        views=tuple(views),
        speakers=asked if len(asked) < len(named) else frozenset(),
        date=named_date(text),
        asks=asks_for(text),
        asks_assistant=asks_assistant(text),
        keywords=_keyword_places(text, place) + _prefix_places(len(terms), tokens.prefixes),
        topic=tuple(place[term] for term in topic_terms),
        content=np.array(content if any(content) else [True] * len(content), bool),
    )


def _keyword_places(text: str, place: Mapping[str, int]) -> tuple[tuple[int, ...], ...]:
    found = []
    for keyword in extract_keywords(text):
        terms = query_tokens(keyword, frozenset(), frozenset()).terms
        if places := tuple(place[term] for term in terms if term in place):
            found.append(places)
    return tuple(found)


def _prefix_places(first: int, prefixes: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    return tuple((first + number,) for number in range(len(prefixes)))


def _view(part: str, terms: Sequence[str], count: int, names: Sequence[str]) -> View:
    own = set(query_tokens(part, frozenset(), frozenset()).terms)
    mask = np.ones(count)
    mask[: len(terms)] = [term in own for term in terms]
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
