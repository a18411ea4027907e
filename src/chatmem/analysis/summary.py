"""A session's title and snippet, taken from what was said in it.

Source: S2.3 (recent session summaries).
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from pydantic import BaseModel

from chatmem.providers.chat_model import ChatEndpoint
from chatmem.text import languages
from chatmem.text.clean import clean_text
from chatmem.text.cues import TextFlags, text_flags
from chatmem.text.languages import any_of, expression, language_of
from chatmem.text.normalise import normalise
from chatmem.text.own_words import BREAK, spoken_text
from chatmem.text.segment import extract_keywords, sentences
from chatmem.text.tokens import DATA_NOTE, fenced

Masked: TypeAlias = Callable[[Sequence[str]], list[str]]
"""Gives texts without the secrets in them."""
MAX_SNIPPET_CHARS: Final = {True: 300, False: 160}
"""Of a language with spaces and of one without: about as much is told, in as many tokens."""
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

_NAME: Final = expression(r"(?<=[\w,] )[A-Z][a-z]+")
_OWN: Final = expression(any_of(lambda one: one.titles.own))

MAX_TITLE_CHARS: Final = 60
_TRIED_MESSAGES: Final = 8
_LEAST_KEYWORDS: Final = 2
_SHORT_WORDS: Final = 3
_SHORT_CHARS: Final = 5
"""A title of so many words, or characters where there are no spaces, tells little."""
_INTRODUCTION: Final = expression(any_of(lambda one: one.titles.introduction), re.IGNORECASE)
"""Who says this has not yet said what the session is for."""
_ENDING: Final = " \t\n,，.。!！;；:：~…、-—"
_ASKING: Final = expression(rf"(?:{any_of(lambda one: one.titles.asking)})?(?<![?？])[?？]++$")
MAX_INPUT_TOKENS: Final = 6_000

_INSTRUCTIONS: Final = f"""\
You write the entry of one conversation in a list of past conversations.

title: what it is about, at most 60 characters, no quotation marks and no full stop.
snippet: two or three plain sentences, at most 300 characters (160 in Chinese): what the user
wanted, told of themselves or decided, with the names, dates and numbers that were said. What the
assistant said only if the user took it up. Nothing that was not said.
Write both in the language that the user writes, in the same script.

为一段对话写标题和简介。标题不超过 60 字；简介两三句，不超过 160 字：用户想要什么、
说了自己什么、决定了什么，保留人名、日期和数字；没有说过的不写。用用户使用的语言和字形（简体或繁体）来写。

{DATA_NOTE}
"""


class SummaryText(NamedTuple):
    """A title of at most 60 characters and a snippet of at most 300 (160 in Chinese).

    Both are "" for a session in which nothing was said in words.
    """

    title: str
    snippet: str


class _Sentence(NamedTuple):
    message: int
    text: str
    words: tuple[str, ...]
    weight: float


class ExtractiveSummarizer:
    """By rules: the sentences whose words the session uses most, the user's before the answers.

    Whole sentences in the user's language, in order. 500 messages take under 50 ms. Its `name` is
    the summary's `made_by`.
    """

    name = "rules"

    def summarise(self, messages: Sequence[tuple[str, str]], masked: Masked) -> SummaryText:
        """Title from the first request, snippet from the most central sentences. Source: S2.3.

        What is quoted comes from `masked` messages; to mask all of them would take the most time.
        """
        said = [one for one in messages if one[0] in _READ_CHARS]
        texts = [_spoken(*one) for one in said]

        @cache
        def clean(place: int) -> str:
            role, text = said[place]
            return _spoken(role, *masked([text]))

        there = [place for place, text in enumerate(texts) if text]
        own = [place for place in there if said[place][0] == "user"] or there
        language = language_of("\n".join(texts[place] for place in own))
        title = title_of(map(clean, own))
        while True:
            spoken = zip((role for role, _ in said), texts, strict=True)
            chosen = _chosen(_sentences(spoken, language), language)
            dirty = [one.message for one in chosen if texts[one.message] != clean(one.message)]
            if not dirty:
                return SummaryText(title, _joined(chosen, language))
            for place in dirty:
                texts[place] = clean(place)


def _spoken(role: str, content: str) -> str:
    return spoken_text(_beginning(content, _READ_CHARS[role]), quotations=True)


def _beginning(content: str, limit: int) -> str:
    """The whole sentences and lines of the first `limit` characters."""
    if len(content) <= limit:
        return content
    head = content[:limit]
    end = max(head.rfind(mark) for mark in "。！？!?\n") + 1
    return head[: max(end, head.rfind(". ") + 1)] or head


def _sentences(texts: Iterable[tuple[str, str]], language: languages.Language) -> list[_Sentence]:
    found: list[_Sentence] = []
    first = True
    for message, (role, text) in enumerate(texts):
        for one in sentences(text)[: None if role == "user" else _ASSISTANT_SENTENCES]:
            fits = _SHORTEST_SENTENCE < len(one) <= _LONGEST_SENTENCE
            if not fits or language_of(one) is not language:
                continue
            plain = extract_keywords(normalise(one))
            words = tuple(
                dict.fromkeys(
                    languages.stem(word) for word in plain if word not in languages.FILLERS
                )
            )
            if len(words) >= _LEAST_WORDS:
                weight = _weight(one, role) * (_FIRST_MESSAGE if first else 1.0)
                found.append(_Sentence(message, one, words, weight))
        first = first and role != "user"
    if len(found) > _MOST_SENTENCES:
        half = _MOST_SENTENCES // 2
        found = found[:half] + found[-half:]
    return found


def _weight(sentence: str, role: str) -> float:
    weight = 1.0 if role == "user" else _ASSISTANT
    if sentence.endswith(("?", "？")):
        weight *= _QUESTION
    bonus = sum(pattern.search(sentence) is not None for pattern in (_NAME, _OWN))
    bonus += bool(text_flags(sentence) & (TextFlags.TIME | TextFlags.NUMBER))
    return weight * (1 + _NAME_OR_FIGURE * bonus)


def _chosen(read: list[_Sentence], language: languages.Language) -> list[_Sentence]:
    """The sentences that tell most, in order; as many as there is room for."""
    counts = Counter(word for one in read for word in one.words)
    value = {word: math.log1p(count) for word, count in counts.items()}
    chosen: list[_Sentence] = []
    room = MAX_SNIPPET_CHARS[language.spaced]
    left = read
    while left := [one for one in left if len(one.text) < room]:
        one = max(left, key=lambda one: _score(one, value))
        left.remove(one)
        chosen.append(one)
        room -= len(one.text) + language.spaced + 1  # and a mark at its end
        for word in one.words:
            value[word] *= _SAID_ALREADY
    return sorted(chosen, key=read.index)


def _joined(chosen: list[_Sentence], language: languages.Language) -> str:
    joint = " " if language.spaced else ""
    ends = ("" if not one.text[-1].isalnum() else language.full_stop for one in chosen)
    return joint.join(one.text + end for one, end in zip(chosen, ends, strict=True))


def _score(one: _Sentence, value: dict[str, float]) -> float:
    """The value of its words, nearly by length: a long sentence has to tell more."""
    return one.weight * sum(map(value.__getitem__, one.words)) / math.sqrt(len(one.words) + 3)


def title_of(texts: Iterable[str]) -> str:
    """At most 60 characters in the speaker's own words, or "" where nobody said anything.

    Args:
        texts: what one side says, message by message, without code and quotations.
    """
    candidates: list[str] = []
    for text in islice(texts, _TRIED_MESSAGES):
        for sentence in sentences(text):
            if title := _cleaned(sentence):
                if _tells_enough(title) and not _INTRODUCTION.search(title):
                    return cut_title(title)
                candidates.append(title)
    spoken = (title for title in candidates if extract_keywords(title))
    return cut_title(next(spoken, candidates[0] if candidates else ""))


def _cleaned(sentence: str) -> str:
    title = " ".join(sentence.split())
    for _ in range(4):  # Hi there, could you please help me ...
        shorter = title
        for language in languages.LANGUAGES:
            shorter = language.titles.polite.sub("", shorter, count=1)
        if shorter == title or not shorter.strip(_ENDING):
            break
        title = shorter
    question = title.rstrip(')"”').endswith(("?", "？")) and title == " ".join(sentence.split())
    title = title.rstrip(_ENDING) if question else _ASKING.sub("", title).rstrip(_ENDING)
    title = title.lstrip(_ENDING)
    if not any(character.isalnum() for character in title):
        return ""
    return title[0].upper() + title[1:] if title[0].isascii() else title


def _tells_enough(title: str) -> bool:
    """True for two words of content, or one in a sentence: not for `Berlin` or `AI companion`."""
    telling = [word for word in extract_keywords(title) if normalise(word) not in languages.FILLERS]
    if len(telling) < _LEAST_KEYWORDS:
        return bool(telling) and (len(title.split()) > _SHORT_WORDS or _is_long_unspaced(title))
    return len(title.split()) > _LEAST_KEYWORDS or _is_long_unspaced(title)


def _is_long_unspaced(title: str) -> bool:
    return not languages.language_by_script(title).spaced and len(title) > _SHORT_CHARS


def cut_title(title: str) -> str:
    """The title at a clause's or a word's end, with … where words are missing."""
    if len(title) <= MAX_TITLE_CHARS:
        return title
    for mark in reversed(list(BREAK.finditer(title[:MAX_TITLE_CHARS]))):
        if mark.start() >= MAX_TITLE_CHARS // 3 and _tells_enough(title[: mark.start()]):
            return title[: mark.start()].rstrip(_ENDING)
    head = title[: MAX_TITLE_CHARS - 1]
    if title[MAX_TITLE_CHARS - 1].isascii() and " " in head[MAX_TITLE_CHARS // 2 :]:
        head = head[: head.rindex(" ")]
    return f"{head.rstrip(_ENDING)}…"


class _Summary(BaseModel, defer_build=True):
    title: str
    snippet: str


class ModelSummarizer:
    """By a model; `name` is the model's."""

    def __init__(self, chat_model: ChatEndpoint) -> None:
        self.name = chat_model.name
        self._chat_model = chat_model

    def summarise(self, messages: Sequence[tuple[str, str]], masked: Masked) -> SummaryText:
        """Title and snippet, cleaned and capped; both "" where nobody said anything.

        Raises:
            ProviderError: no answer, or none that fits.
        """
        spoken = [one for one in messages if one[0] in ("user", "assistant") and one[1].strip()]
        if not spoken:
            return SummaryText("", "")
        texts = masked([text for _, text in spoken])
        spoken = [(role, text) for (role, _), text in zip(spoken, texts, strict=True)]
        found = self._chat_model.extract(_INSTRUCTIONS, fenced(spoken, MAX_INPUT_TOKENS), _Summary)
        title, snippet = (" ".join(clean_text(one).split()) for one in (found.title, found.snippet))
        # As many whole sentences as there is room for; the first is cut if it has to be.
        room = MAX_SNIPPET_CHARS[language_of(snippet).spaced]
        whole = _beginning(snippet, room)
        cut = f"{whole[:-1]}…" if len(whole) >= room and whole != snippet else whole
        return SummaryText(cut_title(title.strip('"“”「」#* ')), cut)


Summarizer: TypeAlias = ExtractiveSummarizer | ModelSummarizer
