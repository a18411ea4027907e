"""A message as a query: terms with weights, its questions, and what narrows the answer down.

An embedder places a question near other questions; the statement that it asks to complete lies near
the answer: on LoCoMo this alone takes the dense leg from .20 to .61 recall@10 (ADR 0004).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chatmem.text.cues import TextFlags, asks_for
from chatmem.text.languages import LANGUAGES, STOP_CHARACTERS, STOP_WORDS, any_of, stem
from chatmem.text.languages.en.dates import MONTHS
from chatmem.text.segment import QueryTokens, extract_keywords, is_single_han, query_tokens

STOP_WEIGHT = 0.3
"""Stop words still count: without them LoCoMo loses 1.2 points recall@5, at full weight 1.7."""
MANY_ROWS = 20_000
"""From here on stop words are left out: 96 % of the first ten stay, at a fifth of the time."""
SINGLE_HAN_WEIGHT = 0.7
"""One character is often part of another word."""
NAME_WEIGHT = 0.0
"""A speaker's name stands in greetings, that is, in the other speaker's messages; a factor on the
named speaker's own (scoring.py) does what the name asks for."""
ROLES = ("user", "assistant", "system", "tool")
"""Speakers that are no names: nobody asks for them by these words."""
MAX_QUESTIONS = 3
"""Questions of one message that are looked up apart; the last ones, which a person still means."""

_SENTENCE_END = re.compile(r"(?<=[。！？!?])\s*|(?<=\.)\s+|\n+")
_ASKING = tuple(re.compile(one.asking, re.IGNORECASE) for one in LANGUAGES)
_ASKS_ASSISTANT = re.compile(any_of(lambda one: one.asks_assistant), re.IGNORECASE)

_YEAR = re.compile(r"\b((?:19|20)\d\d)\b|((?:19|20)\d\d)年")
_CHINESE = re.compile(r"(\d{1,2})月(?:(\d{1,2})[日号號])?")
_AMBIGUOUS = ("march", "may")
_AFTER_WORDS = "(?:in|of|on|by|early|late|during|since|until|this|last|next|mid)"

Weights = NDArray[np.float64]


class NamedDate(NamedTuple):
    """The parts of a date that a question names."""

    year: int | None
    month: int | None
    day: int | None


class View(NamedTuple):
    """One reading of the message: the whole of it, or one of several questions that it asks.

    `mask` is 1.0 for the query terms that belong to it; `texts` are embedded: statement, question.
    """

    mask: Weights
    texts: tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """Terms with weights, readings, and what narrows the answer down; equal to itself alone.

    `weights` has one entry a term, then one a prefix; the first `own` terms are the message's.
    `keywords` holds, for each keyword of the message, the places of its terms; `topic` the places
    of the current topic's terms, which widen the search and weigh nothing. `content` marks the
    terms that are no stop words: holding one of them makes a row a match.
    """

    terms: tuple[str, ...]
    own: int
    prefixes: tuple[str, ...]
    weights: Weights
    views: tuple[View, ...]
    speakers: frozenset[int]
    names_speaker: bool
    date: NamedDate | None
    asks: TextFlags
    asks_assistant: bool  # for what the assistant said, not for what the user said
    keywords: tuple[tuple[int, ...], ...]
    topic: tuple[int, ...]
    content: NDArray[np.bool_]

    @property
    def search_weights(self) -> Weights:
        """What picks candidates: weights of the message's content, and 1 for the topic's terms."""
        weights = self.weights * self.content
        weights[list(self.topic)] = 1.0
        return weights

    @property
    def known_terms(self) -> frozenset[str]:
        """Terms that bring in nothing new: the query's own and stop words."""
        return frozenset(self.terms if self.topic else self.terms[: self.own]) | _stop_terms()

    @property
    def without_topic(self) -> "Query":
        """The message alone, its terms in the same places."""
        content = self.content.copy()
        content[self.own : len(self.terms)] = False
        if not content.any():
            content[: self.own] = True
        return replace(self, topic=(), content=content) if self.topic else self


@lru_cache(32)
def read_query(
    text: str,
    speakers: tuple[tuple[int, str, str], ...] = (),
    topic: str | None = None,
    row_count: int = 0,
) -> Query:
    """The query that a message makes.

    `speakers` are number, name and index terms of all who speak in the corpus of `row_count` rows;
    `topic` is what the session is about at present.
    """
    tokens = _all_tokens(text) if row_count < MANY_ROWS else query_tokens(text)
    named = [one for one in speakers if one[1] not in ROLES and one[2]]
    asked = frozenset(
        number for number, _, terms in named if set(terms.split()) <= set(tokens.terms)
    )
    name_terms = {term for _, _, terms in named for term in terms.split()}
    topic_terms = _all_tokens(topic).terms if topic else ()
    terms = tuple(dict.fromkeys((*tokens.terms, *topic_terms)))
    place = {term: number for number, term in enumerate(terms)}
    weights = [
        _weight(term, name_terms) if number < len(tokens.terms) else 0.0
        for term, number in place.items()
    ]
    content = [term not in _stop_terms() for term in terms] + [True] * len(tokens.prefixes)
    keywords = (
        tuple(place[term] for term in _terms_of_word(keyword) if term in place)
        for keyword in extract_keywords(text)
    )
    prefix_places = range(len(terms), len(content))
    return Query(
        terms=terms,
        own=len(tokens.terms),
        prefixes=tokens.prefixes,
        weights=np.array(weights + [1.0] * len(tokens.prefixes)),
        views=_views(text, place, len(content), [one[1] for one in named if one[0] in asked]),
        speakers=asked if len(asked) < len(named) else frozenset(),
        names_speaker=bool(asked),
        date=named_date(text),
        asks=asks_for(text),
        asks_assistant=_ASKS_ASSISTANT.search(text) is not None,
        keywords=(*filter(None, keywords), *((one,) for one in prefix_places)),
        topic=tuple(place[term] for term in topic_terms),
        content=np.array(content if any(content) else [True] * len(content), bool),
    )


def questions(text: str) -> list[str]:
    """The last questions of a message of several sentences, at most three; else nothing."""
    parts = [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]
    if len(parts) < 2:
        return []
    asked = [part for part in parts if part.rstrip(" \"'”’)）").endswith(("?", "？"))]
    return asked[-MAX_QUESTIONS:]


def statement(question: str, speakers: Sequence[str] = ()) -> str:
    """The question as the start of its answer: no question words, a speaker's name is I or 我."""
    text = question.strip()
    for asking in _ASKING:
        text = asking.sub("", text)
    for name in speakers:
        if not name.isascii():
            text = text.replace(name, "我")
            continue
        whole = re.escape(name)
        text = re.sub(rf"\b{whole}['’]s\b", "my", text, flags=re.IGNORECASE)
        text = re.sub(rf"\b{whole}\b", "I", text, flags=re.IGNORECASE)
    return " ".join(text.split()).strip(" ?？") or question


def named_date(question: str) -> NamedDate | None:
    """The date that the question names, or None; a day counts only with its month."""
    text = question.lower()
    found = _YEAR.search(text)
    year = int(found[1] or found[2]) if found else None
    month, day = _english_day(text)
    if month is None and (chinese := _CHINESE.search(text)):
        month = int(chinese[1])
        day = int(chinese[2]) if chinese[2] else None
    if month is not None and not 1 <= month <= 12:
        month = day = None
    if day is not None and not 1 <= day <= 31:
        day = None
    return NamedDate(year, month, day) if year or month else None


def _views(
    text: str, place: Mapping[str, int], count: int, names: Sequence[str]
) -> tuple[View, ...]:
    """The message as one view, or a view for each of its questions; masks of `count` entries."""
    asked = questions(text)
    if len(asked) < 2:
        return (View(np.ones(count), (statement(text, names), text)),)
    views = []
    for part in asked:
        own = set(_all_tokens(part).terms)
        mask = np.ones(count)
        mask[: len(place)] = [term in own for term in place]
        views.append(View(mask, (statement(part, names), part)))
    return tuple(views)


def _english_day(text: str) -> tuple[int | None, int | None]:
    """Month and day in English; `may` and `march` count only where a month must stand."""
    month = day = None
    for number, name in [one for one in enumerate(MONTHS, start=1) if one[1] in text]:
        pattern = rf"\b{name}\b"
        if name in _AMBIGUOUS:
            pattern = rf"(?:\b{_AFTER_WORDS} |\d(?:st|nd|rd|th)? ){name}\b|\b{name},? \d"
        if re.search(pattern, text):
            month = number
            found = re.search(
                rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {name}\b", text
            ) or re.search(rf"\b{name} (\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)", text)
            day = int(found[1]) if found else None
    return month, day


def _all_tokens(text: str) -> QueryTokens:
    """The text's query terms, stop words too."""
    return query_tokens(text, with_stop_words=True)


@lru_cache(maxsize=4_096)
def _terms_of_word(word: str) -> tuple[str, ...]:
    return _all_tokens(word).terms


def _weight(term: str, names: set[str]) -> float:
    if term in names:
        return NAME_WEIGHT
    if term in _stop_terms():
        return STOP_WEIGHT
    return SINGLE_HAN_WEIGHT if is_single_han(term) else 1.0


@cache
def _stop_terms() -> frozenset[str]:
    return STOP_WORDS | STOP_CHARACTERS | {stem(word) for word in STOP_WORDS if word.isascii()}
