"""A session's title and snippet, taken from what was said in it.

Source: S2.3 (recent session summaries).
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Final, Protocol

from chatmem.analysis.fillers import FILLERS
from chatmem.analysis.own_words import spoken_text
from chatmem.analysis.title import title_of
from chatmem.text.language import Language, language_of
from chatmem.text.latin import stem
from chatmem.text.normalise import normalise
from chatmem.text.segment import extract_keywords
from chatmem.text.sentences import sentences

MAX_SNIPPET_CHARS: Final[dict[Language, int]] = {"en": 300, "zh": 160}
"""About as much is told in either, and takes as many tokens."""
_READ_CHARS: Final[dict[str, int]] = {"user": 800, "assistant": 250}
"""Of a message; the beginning of a long one says what it is about."""
_ASSISTANT_SENTENCES: Final = 3
_MOST_SENTENCES: Final = 1_200
"""Of a session; of a longer one the first and the last half of that are read."""

_FIRST_MESSAGE: Final = 1.3
_ASSISTANT: Final = 0.55
_QUESTION: Final = 0.8
_SAID_ALREADY: Final = 0.25
"""How much a word still counts that stands in a chosen sentence."""
_NAME_OR_FIGURE: Final = 0.6
_LEAST_WORDS: Final = 2
_SHORTEST_SENTENCE: Final = 5
_LONGEST_SENTENCE: Final = 200

_FIGURE: Final = re.compile(
    r"\d|[一二两三四五六七八九十](?:月|号|点|年|个|岁)|\b(?:[a-z]+day|tomorrow|january|february"
    r"|march|april|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"(?<=[\w,] )[A-Z][a-z]+")
_OWN: Final = re.compile(r"\b(?:I|my|we|our|I'm|I've)\b|我|咱")


@dataclass(frozen=True, slots=True)
class SummaryText:
    """A title of at most 60 characters and a snippet of at most 300 (160 in Chinese).

    Both are "" for a session in which nothing was said in words.
    """

    title: str
    snippet: str


class Summarizer(Protocol):
    """Says what a session was about; `name` goes into the summary as `made_by`."""

    @property
    def name(self) -> str:
        """`rules`, or the model's name."""
        ...

    def summarise(self, messages: Sequence[tuple[str, str]]) -> SummaryText:
        """Title and snippet of (role, content) pairs in their order.

        Raises:
            ProviderError: a model was asked and failed.
        """
        ...


@dataclass(slots=True)
class _Sentence:
    place: int
    text: str
    words: tuple[str, ...]
    weight: float


class ExtractiveSummarizer:
    """By rules: the sentences whose words the session uses most, the user's before the answers.

    Whole sentences in the user's language and in their order; the same input gives the same
    output; 500 messages take under 50 ms.
    """

    name = "rules"

    def summarise(self, messages: Sequence[tuple[str, str]]) -> SummaryText:
        """Title from the first request, snippet from the most central sentences. Source: S2.3."""
        told = [
            (role, spoken_text(_beginning(content, _READ_CHARS[role]), quotations=True))
            for role, content in messages
            if role in _READ_CHARS
        ]
        users = [text for role, text in told if role == "user" and text]
        spoken = users or [text for role, text in told if role == "assistant" and text]
        language = language_of("\n".join(spoken))
        title = title_of(spoken)
        return SummaryText(title, _snippet(_read(told, language), language))


def _beginning(content: str, limit: int) -> str:
    """The whole sentences and lines of the first `limit` characters."""
    if len(content) <= limit:
        return content
    head = content[:limit]
    end = max(head.rfind(mark) for mark in "。！？!?\n") + 1
    return head[: max(end, head.rfind(". ") + 1)] or head


def _read(told: Iterable[tuple[str, str]], language: Language) -> list[_Sentence]:
    found: list[_Sentence] = []
    first = True
    for role, text in told:
        said = sentences(text)
        for one in said if role == "user" else said[:_ASSISTANT_SENTENCES]:
            if not _SHORTEST_SENTENCE < len(one) <= _LONGEST_SENTENCE:
                continue
            if language_of(one) != language:
                continue
            words = _content_words(one)
            if len(words) >= _LEAST_WORDS:
                weight = _weight(one, role) * (_FIRST_MESSAGE if first else 1.0)
                found.append(_Sentence(len(found), one, words, weight))
        first = first and role != "user"
    if len(found) > _MOST_SENTENCES:
        half = _MOST_SENTENCES // 2
        found = found[:half] + found[-half:]
        for place, sentence in enumerate(found):
            sentence.place = place
    return found


def _content_words(sentence: str) -> tuple[str, ...]:
    plain = extract_keywords(normalise(sentence))
    return tuple(dict.fromkeys(stem(word) for word in plain if word not in FILLERS))


def _weight(sentence: str, role: str) -> float:
    weight = 1.0 if role == "user" else _ASSISTANT
    if sentence.endswith(("?", "？")):
        weight *= _QUESTION
    bonus = sum(pattern.search(sentence) is not None for pattern in (_FIGURE, _NAME, _OWN))
    return weight * (1 + _NAME_OR_FIGURE * bonus)


def _snippet(read: list[_Sentence], language: Language) -> str:
    counts = Counter(word for one in read for word in one.words)
    value = {word: math.log1p(count) for word, count in counts.items()}
    chosen: list[_Sentence] = []
    room = MAX_SNIPPET_CHARS[language]
    joint = "" if language == "zh" else " "
    # Words that were told only lose value, so a sentence's first worth bounds all later ones.
    left = [(-_worth(one, value), one.place) for one in read if len(one.text) <= room]
    heapify(left)
    while left:
        worth, place = heappop(left)
        one = read[place]
        if len(one.text) >= room:
            continue
        now = -_worth(one, value)
        if now > worth:
            heappush(left, (now, place))
            continue
        chosen.append(one)
        room -= len(one.text) + len(joint) + 1  # and a mark at its end
        for word in one.words:
            value[word] *= _SAID_ALREADY
    chosen.sort(key=lambda one: one.place)
    return joint.join(_ended(one.text, language) for one in chosen)


def _ended(sentence: str, language: Language) -> str:
    """The sentence with a mark at its end, so that the next one begins where it ends."""
    if sentence[-1].isalnum():
        return sentence + ("。" if language == "zh" else ".")
    return sentence


def _worth(one: _Sentence, value: dict[str, float]) -> float:
    """What the sentence tells for each of its characters, nearly: a long one has to tell more."""
    return one.weight * sum(map(value.__getitem__, one.words)) / math.sqrt(len(one.words) + 3)
