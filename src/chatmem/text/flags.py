"""What a text offers (a time, a number, a place), and what a question asks for."""

import re
from enum import IntFlag
from itertools import pairwise, product
from typing import Final

from chatmem.text.normalise import has_han, normalise
from chatmem.text.wordlist import listed, word_lists


class TextFlags(IntFlag):
    """Properties of a text that search can weigh; they fit into a byte."""

    NONE = 0
    QUESTION = 1
    TIME = 2
    NUMBER = 4
    PLACE = 8


_WORD: Final = re.compile(r"[a-z]+")
_DIGIT: Final = re.compile(r"[0-9]")
_WORDS: Final = word_lists("chatmem.text", "flags")
_DAYS_AND_MONTHS: Final = (*_WORDS["time"]["weekdays"], *_WORDS["time"]["months"])
_SEASONS: Final = listed("spring summer autumn fall winter")

_TIME_WORDS: Final = frozenset((*_WORDS["time"]["words"], *_DAYS_AND_MONTHS))
# March and May are also words of other meaning, so they need company.
_TIME_PAIRS: Final = frozenset(
    [
        *product(
            ["last", "next", "this", "past"],
            [*_SEASONS, *listed("night morning afternoon evening march may")],
        ),
        *product(listed("in since until by early late during of"), ["march", "may", *_SEASONS]),
        ("other", "day"),
    ]
)
_TIME_DIGITS: Final = re.compile(
    r"[0-9]{1,2}(?::[0-9]{2}|\s?[ap]\.?m\b|(?:st|nd|rd|th)\b)"
    r"|\b(?:19|20)[0-9]{2}\b(?!\s*(?:people|dollars|euros|元|块|人))"
    r"|[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}|(?:march|may)\s[0-9]|[0-9]\s(?:march|may)\b"
)
_TIME_ZH: Final = _WORDS["time"]["phrases_zh"]
_NUMERAL = "0-9零〇一二两三四五六七八九十百半几"
_TIME_ZH_PATTERN: Final = re.compile(
    rf"[{_NUMERAL}](?:年|月|日|号|天|周|小时|分钟|个月|个星期|个小时|[点时][钟半整前后]|点[0-9零一二三四五])"
    r"|[0-9二两三四五六七八九十]点|周[一二三四五六日天]"
)

_NUMBER_WORDS: Final = frozenset(_WORDS["number"]["words"])
# 一个 is an article more than a number.
_NUMBER_ZH_PATTERN: Final = re.compile(
    "[零二两三四五六七八九十百千万亿半][零一二两三四五六七八九十百千万亿]*多?"
    "[个只条张本家位次件份场名岁块元斤米公里厘层楼号年月日天小时分周度倍口辆台部套间杯瓶碗盘页遍人成]"
    "|一[只条张本家位件份名岁块元斤米层楼号年月日周倍口辆台部套间杯瓶碗盘页遍百千万]"
)

_PLACE_NAME: Final = re.compile(
    r"\b(?:in|at|from|to|near|around|visit|visited|visiting)\s+(?:the\s+)?([A-Z][a-z]+)"
)
_NO_PLACES: Final = frozenset([*_DAYS_AND_MONTHS, "march", "may", "christmas", "easter", "i"])
_PLACE_WORDS: Final = frozenset(_WORDS["place"]["words"])
_PLACE_ZH: Final = _WORDS["place"]["phrases_zh"]
_PLACE_ZH_PATTERN: Final = re.compile(
    "[\u4e00-\u9fff](?:省|(?<!城)(?<!超)(?<!夜)市(?![场值面民])|(?<!地)区(?![别分])|县|镇|村|街|"
    "(?<!马)(?<!一)(?<!走)(?<!思)路(?![上过由人径]))"
)

# All are met in normalised text: ？ is ? there, and 嗎 is 吗.
_QUESTION_PARTICLES: Final = ("吗", "呢")
_LITTLE_SAID = 25  # characters: a greeting, not a statement
_AFTER_TEXT = " \t\n\"'”’)》」』]】"
_AFTER_PARTICLE = _AFTER_TEXT + "。.!~"
_SENTENCE: Final = re.compile(r"[^.!?。\n]+[.!?。]*")

_ASKS_TIME: Final = re.compile(
    r"\bwhen(?:'s|\s+(?:did|do|does|is|was|are|were|will|would|should|can|could|has|have|had))\b"
    r"|^\W*when\b|\b(?:what|which)\s+(?:day|date|time|year|month|week|season)\b|\bwhat's the date\b"
    r"|\bhow (?:long|often|recently|soon)\b"
)
_ASKS_NUMBER: Final = re.compile(r"\bhow (?:many|much|old|long|tall|far|big|heavy)\b")
_ASKS_PLACE: Final = re.compile(
    r"\bwhere\b|\b(?:what|which)\s+(?:city|country|place|town|address|state|street|restaurant|"
    r"hotel|school|hospital|park|location)\b"
)
_ASKS_TIME_ZH: Final = _WORDS["asks"]["time_zh"]
_ASKS_NUMBER_ZH: Final = _WORDS["asks"]["number_zh"]
_ASKS_PLACE_ZH: Final = _WORDS["asks"]["place_zh"]


def text_flags(text: str) -> TextFlags:
    """What `text` is and contains, by its words alone."""
    normal = normalise(text)
    chinese = has_han(normal)
    spoken = _WORD.findall(normal)
    found = TextFlags.QUESTION.value if _is_question(normal) else 0
    if _has_time(normal, spoken, chinese):
        found |= TextFlags.TIME.value
    if _has_number(normal, spoken, chinese):
        found |= TextFlags.NUMBER.value
    if _has_place(text, normal, spoken, chinese):
        found |= TextFlags.PLACE.value
    return TextFlags(found)


def asks_for(question: str) -> TextFlags:
    """What an answer to `question` contains: TIME (when), NUMBER (how many), PLACE (where)."""
    normal = normalise(question)
    chinese = has_han(normal)
    found = 0
    for flag, pattern, phrases in (
        (TextFlags.TIME.value, _ASKS_TIME, _ASKS_TIME_ZH),
        (TextFlags.NUMBER.value, _ASKS_NUMBER, _ASKS_NUMBER_ZH),
        (TextFlags.PLACE.value, _ASKS_PLACE, _ASKS_PLACE_ZH),
    ):
        if pattern.search(normal) or (chinese and has_any(normal, phrases)):
            found |= flag
    return TextFlags(found)


def _is_question(text: str) -> bool:
    """True if the text only asks: it has a question, and next to nothing outside of questions."""
    bare = text.rstrip(_AFTER_PARTICLE)
    if "?" not in text:
        return bare.endswith(_QUESTION_PARTICLES) and len(bare) < 2 * _LITTLE_SAID
    sentences: list[str] = _SENTENCE.findall(text)
    said = sum(len(one.strip()) for one in sentences if not one.endswith("?"))
    return said < _LITTLE_SAID


def _has_time(normal: str, spoken: list[str], chinese: bool) -> bool:
    if not _TIME_WORDS.isdisjoint(spoken):
        return True
    if not _TIME_PAIRS.isdisjoint(pairwise(spoken)):
        return True
    if _DIGIT.search(normal) and _TIME_DIGITS.search(normal):
        return True
    return chinese and (has_any(normal, _TIME_ZH) or _TIME_ZH_PATTERN.search(normal) is not None)


def _has_number(normal: str, spoken: list[str], chinese: bool) -> bool:
    if _DIGIT.search(normal) or not _NUMBER_WORDS.isdisjoint(spoken):
        return True
    return chinese and _NUMBER_ZH_PATTERN.search(normal) is not None


def _has_place(text: str, normal: str, spoken: list[str], chinese: bool) -> bool:
    if not _PLACE_WORDS.isdisjoint(spoken):
        return True
    if any(name.lower() not in _NO_PLACES for name in _PLACE_NAME.findall(text)):
        return True
    return chinese and (has_any(normal, _PLACE_ZH) or _PLACE_ZH_PATTERN.search(normal) is not None)


def has_any(text: str, phrases: tuple[str, ...]) -> bool:
    """True if one of the phrases stands in `text`."""
    for phrase in phrases:  # noqa: SIM110 - a loop takes half the time of any() here
        if phrase in text:
            return True
    return False
