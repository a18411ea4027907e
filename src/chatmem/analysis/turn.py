"""What a message tells about the running task: its topic, its slots, the writer's mood.

Slots are places, dates, amounts and names; precision before recall, since a wrong slot misleads
every later turn.

Source: S3.1 (current_topic, context_variables, last_emotion), S3.3.7.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from pydantic import BaseModel, Field

from chatmem.model import EMOTIONS
from chatmem.model.memory import JsonValue
from chatmem.providers.chat_model import ChatEndpoint
from chatmem.text import languages
from chatmem.text.clean import clean_text
from chatmem.text.languages import any_of, expression, language_by_script
from chatmem.text.normalise import fold, normalise
from chatmem.text.own_words import DENIED, Clause, clauses, spoken_text
from chatmem.text.segment import extract_keywords
from chatmem.text.tokens import DATA_NOTE, fenced

MAX_VALUE_CHARS: Final = 60
_READ_CLAUSES: Final = 24
_EDGES: Final = " ,.;:!?，。；：！？"
_NO_PLACES: Final = frozenset[str]().union(*(one.slots.no_places for one in languages.LANGUAGES))
_PAST: Final = expression(any_of(lambda one: one.slots.past))
_BEEN: Final = expression(any_of(lambda one: one.slots.been))
_compiled = cache(re.compile)
_BY_CAPITALS: Final = frozenset({"destination", "origin", "name"})
_Slots: TypeAlias = Iterator[tuple[str, str]]


def slots_in(spoken: Sequence[Clause]) -> dict[str, JsonValue]:
    """Slots by name, with their values as said; a later statement of the same slot wins.

    Names are destination, origin, date, time, deadline, budget, people, name, language, version
    and order_number.
    """
    found: dict[str, JsonValue] = {}
    for clause in spoken:
        if clause.stated:
            found.update(_in_clause(clause))
    return found


@cache
def _patterns(slot: str, code: languages.LanguageCode) -> tuple[re.Pattern[str], ...]:
    """How a slot is stated; compiled with the first clause that may state it: all take 25 ms."""
    return tuple(map(re.compile, languages.BY_CODE[code].slots.stated.get(slot, ())))


def _in_clause(clause: Clause) -> _Slots:
    plain = clause.plain
    for name in ("budget", "people", "order_number", "version"):
        yield from _first(name, clause)
    if not _PAST.search(plain):
        yield from list(_first("deadline", clause)) or _first("date", clause, _date)
        yield from _first("time", clause)
    if not _BEEN.search(plain):
        yield from _first("destination", clause, _place)
        yield from _first("origin", clause, _place)
    yield from _first("name", clause)
    yield from _first("language", clause)


def _first(name: str, clause: Clause, tidy: Callable[[str], str] = str) -> _Slots:
    """The slot by the first pattern that gives a value which nothing before it denies."""
    for language in languages.languages_in(clause.plain):
        told_by_capitals = language.spaced and name in _BY_CAPITALS
        text = clause.text if told_by_capitals else clause.plain
        for pattern in _patterns(name, language.code):
            for match in pattern.finditer(text):
                if DENIED.search(clause.plain, 0, match.start()):
                    break
                said = clause.text[match.start("v") : match.end("v")].strip(_EDGES)
                if value := tidy(said):
                    yield name, value[:MAX_VALUE_CHARS]
                    return


def _date(value: str) -> str:
    """`on Friday` is Friday; `in May` and `in two weeks` need their word."""
    return value[3:] if value[:3].lower() == "on " else value


def _place(value: str) -> str:
    """The place, or nothing where the word is a day, a language or a firm."""
    if place_at_start := language_by_script(value).slots.place_at_start:
        return value[: place_at_start(fold(value))]
    words = value.split()
    while words and words[-1].lower() in _NO_PLACES:
        words.pop()
    return "" if not words or words[0].lower() in _NO_PLACES else " ".join(words)


_FEWEST_OF_A_SUBJECT: Final = 3
MAX_TOPIC_CHARS: Final = 40
MAX_TOPIC_WORDS: Final = 6
_TOPIC_CHARS: Final = 400
"""What a message is about stands at its beginning, or else it is about too much."""
# Figures, with a unit or without; numbers of orders and accounts.
_NUMBER: Final = expression(
    any_of(
        lambda language: language.titles.number,
        r"[\d.,:/%€$£¥-]+(?:st|nd|rd|th|am|pm|k|w)?"
        r"|(?<![a-z\d-])(?=[a-z-]*(?:\d[a-z-]*){3})[a-z\d-]+",
    )
)
_SHORT_WORDS: Final = 5
_SHORT_CHARS: Final = 10
"""Of a short message: words, or characters where there are no spaces between words."""
_EMOJI: Final = {
    sign: emotion
    for emotion, signs in {
        "happy": "😀 😃 😄 😁 😆 😊 🙂 🥳 🎉 😍 🥰 🤩 😂 🤣 😋",
        "sad": "😢 😭 😞 😔 🙁 ☹ 😿 💔 😥 🥺",
        "angry": "😠 😡 🤬 👿 😤",
        "anxious": "😰 😨 😟 😬 😧 😱",
        "surprised": "😲 😮 😯 🤯 😳",
    }.items()
    for sign in signs.split()
}
_OPPOSITE: Final = {"happy": "sad"}
"""What a denied feeling is; one that is missing here leaves nothing."""
_POLITENESS: Final = expression(any_of(lambda language: language.cues.politeness))
MAX_INPUT_TOKENS: Final = 1_500
MAX_VARIABLES: Final = 12

_INSTRUCTIONS: Final = f"""\
You read one message of a user to an assistant and note what matters for the running task.

topic: two to five keywords of what the message is about, in its own words and language, at most
{MAX_TOPIC_CHARS} characters, joined by spaces; null if it has no content of its own ("ok", "继续").
variables: what the user states in this message and the task needs, such as destination, origin,
date, time, deadline, budget, amount, people, name, language, product, version, order_number.
Keys are English snake_case, values are copied as said. Nothing that is only asked, supposed,
denied, quoted, or said about somebody else. Empty if there is nothing.
emotion: how the user feels, one of {", ".join(EMOTIONS)}; neutral unless it is said.

你会读到用户发给助手的一条消息。topic 用消息自己的语言写二到五个关键词；没有实际内容就写 null。
variables 只记用户明确陈述的信息，键用英文，值照抄原话；提问、假设、否定、引用和别人的事都不记。

{DATA_NOTE}
"""
_KEY: Final = expression(r"[a-z][a-z0-9_]{0,39}")


class TurnAnalysis(NamedTuple):
    """The topic of one message (None where the one before goes on), its variables, its emotion.

    `emotion` is one of `model.EMOTIONS`.
    """

    topic: str | None
    variables: Mapping[str, JsonValue]
    emotion: str


class RuleAnalyzer:
    """By rules, in Chinese and English: pure, about 0.2 ms for an ordinary message."""

    def analyse(self, message: str, topic: str | None) -> TurnAnalysis:
        """Topic, slots and emotion by their cues. Source: S3.1."""
        text = spoken_text(message)
        spoken = tuple(islice(clauses(text), _READ_CLAUSES))
        emotion = emotion_of(spoken)
        return TurnAnalysis(topic_of(text, topic, emotion), slots_in(spoken), emotion)


def topic_of(text: str, previous: str | None, emotion: str) -> str | None:
    """Keywords of `text` with spaces between them, at most 40 characters; None where it has none.

    Only a message that names a new subject begins a topic. One with a word of `previous`, or that
    only goes on (`and in winter?`, `那成都呢`), leads it on: where that is too long, what was said
    first goes. One with fewer than three keywords, or with a feeling, adds what there is room for.

    Args:
        text: what a person says, without code and quotations.
        previous: the topic until now.
        emotion: how the writer feels.
    """
    head = text[:_TOPIC_CHARS]
    keywords = [word for word in extract_keywords(head) if not _is_filler(word)]
    if not keywords:
        return None
    best, known = _best(keywords, head), (previous or "").split()
    said = tuple(map(normalise, keywords))
    left = [word for word in known if not normalise(word).startswith(said)]  # 成都旅游, 成都
    if len(left) < len(known) or _goes_on(head):
        best = [*left, *best][-MAX_TOPIC_WORDS:]
        while len(best) > 1 and len(" ".join(best)) > MAX_TOPIC_CHARS:
            best.pop(0)
    elif len(keywords) < _FEWEST_OF_A_SUBJECT or emotion != "neutral":
        best = [*known, *best][:MAX_TOPIC_WORDS]
    return _joined(best)


def _is_filler(word: str) -> bool:
    plain = normalise(word)
    if plain in languages.FILLERS or _NUMBER.fullmatch(plain):
        return True
    if language_by_script(plain).spaced:
        return False
    # A character alone is mostly half of a word that was cut.
    return len(plain) == 1 or all(one in languages.FILLERS for one in plain)


def _best(keywords: list[str], text: str) -> list[str]:
    """At most six of the keywords, in order: names, words said twice, longer ones first."""
    if len(keywords) <= MAX_TOPIC_WORDS:
        return keywords
    plain = normalise(text)
    counts = {word: plain.count(normalise(word)) for word in keywords}

    def weight(place: int) -> float:
        word = keywords[place]
        name = 1.0 if word[0].isupper() and place > 0 else 0.0
        length = min(len(word) / (5 if language_by_script(word).spaced else 2), 2.0)
        return counts[word] + name + length - place / len(keywords)

    places = sorted(range(len(keywords)), key=weight, reverse=True)[:MAX_TOPIC_WORDS]
    return [keywords[place] for place in sorted(places)]


def _joined(keywords: list[str]) -> str:
    """As many of them as there is room for in a topic."""
    topic = ""
    for word in keywords:
        longer = f"{topic} {word}" if topic else word[:MAX_TOPIC_CHARS]
        if len(longer) <= MAX_TOPIC_CHARS:
            topic = longer
    return topic


def _goes_on(text: str) -> bool:
    language = languages.language_of(text)
    pointing_on = language.words["topic"]["pointing_on"]
    if not language.spaced:
        return len(text) <= _SHORT_CHARS and any(word in text for word in pointing_on)
    words = normalise(text).replace("?", " ").split()
    return len(words) <= _SHORT_WORDS and not {*words}.isdisjoint(pointing_on)


def emotion_of(spoken: Sequence[Clause]) -> str:
    """One of `model.EMOTIONS`: the one with most cues, of several the last; else `neutral`.

    A denied feeling turns: not happy is sad, not worried is nothing. Feelings of others and of
    people in general do not count. Source: S3.1 (last_emotion).
    """
    found = [emotion for clause in spoken for emotion in _felt(clause)]
    return max(reversed(found), key=found.count, default="neutral")


def _felt(clause: Clause) -> Iterator[str]:
    if not clause.plain.isascii():
        yield from (emotion for sign, emotion in _EMOJI.items() if sign in clause.text)
    plain = _POLITENESS.sub(" ", clause.plain.replace("’", "'"))
    for language in languages.languages_in(plain):
        cues = language.cues
        for match in _feeling(language.code).finditer(plain):
            before = plain[: match.start()]
            if own := cues.exclaimed.get(match[0]):
                yield own
            elif not _compiled(cues.not_own).search(before):
                emotion = cues.feelings[match[0]]
                if not _compiled(cues.not_felt).search(before):
                    yield emotion
                elif emotion in _OPPOSITE:
                    yield _OPPOSITE[emotion]


@cache
def _feeling(code: languages.LanguageCode) -> re.Pattern[str]:
    """Any word or phrase that tells a feeling."""
    cues = languages.BY_CODE[code].cues
    words = "|".join(map(re.escape, (*cues.exclaimed, *cues.feelings)))
    return re.compile(rf"(?<![a-z'])(?:{words})(?![a-z])")


class _Analysis(BaseModel, defer_build=True):
    topic: str | None = None
    variables: dict[str, str | int | float | bool] = Field(default_factory=dict)
    emotion: str = "neutral"


class ModelAnalyzer:
    """By a model: finds what rules do not, and takes as long as the model takes."""

    def __init__(self, chat_model: ChatEndpoint) -> None:
        self._chat_model = chat_model

    def analyse(self, message: str, topic: str | None) -> TurnAnalysis:
        """Topic, variables and emotion of `message`, cleaned and capped.

        Raises:
            ProviderError: no answer, or none that fits.
        """
        known = [("topic until now", topic)] if topic else []
        text = fenced([*known, ("user", message)], MAX_INPUT_TOKENS)
        found = self._chat_model.extract(_INSTRUCTIONS, text, _Analysis)
        emotion = found.emotion.strip().lower()
        return TurnAnalysis(
            topic=_joined(clean_text(found.topic or "").split()) or None,
            variables=_variables(found.variables),
            emotion=emotion if emotion in EMOTIONS else "neutral",
        )


Analyzer: TypeAlias = RuleAnalyzer | ModelAnalyzer


def _variables(found: dict[str, str | int | float | bool]) -> dict[str, JsonValue]:
    kept: dict[str, JsonValue] = {}
    for name, value in found.items():
        key = re.sub(r"\W+", "_", name.strip().lower()).strip("_")
        if not _KEY.fullmatch(key) or len(kept) >= MAX_VARIABLES:
            continue
        if isinstance(value, str):
            value = " ".join(clean_text(value).split())[:MAX_VALUE_CHARS]
        if value != "":
            kept[key] = value
    return kept
