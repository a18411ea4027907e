"""Who a person is and what they like, where they say it of themselves.

Source: S2.2 (main background).
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, TypeAlias

from chatmem.extraction.background_patterns import CHINESE, ENGLISH
from chatmem.extraction.clauses import Clause
from chatmem.text.normalise import has_han

_Compiled: TypeAlias = tuple[tuple[re.Pattern[str], str, str], ...]
_MOST_WORDS: Final = 16
_LONGEST_ZH: Final = 40
_SUBJECTS_ZH: Final = ("我", "本人", "咱", "他", "她", "它", "你", "您")
_END: Final = " \t\n.。!！~,，;；:：…)）"
_POINTS_ELSEWHERE: Final = re.compile(
    r"\b(?:it|them|this|that|these|those|you|your|yours|he|she|his|her|him|they|their)\b"
    r"|[你您他她它我這这那]"
)
"""A statement has to be understood without the conversation around it."""
_REASON: Final = re.compile(
    r",? (?:because|since|so|which|when|while|whenever|but|and (?:i|i'm|i've|it's|we|am|have))\b.*",
    re.IGNORECASE,
)
_LOOSE_END: Final = re.compile(r"(?:,? (?:and|or|such as|like|including|with|of))+$")
_TRAILING: Final = re.compile(
    r"(?: (?:now|too|as well|currently|these days|at the moment|by the way|though|right now"
    r"|at present|very much|a lot|so much|so|please))+$"
)
_TRAILING_ZH: Final = re.compile(r"(?:了|啊|呀|哦|呢|哈|嘛|的话)+$")


def background_in(clause: Clause, *, of_self: bool = False) -> Iterator[tuple[str, str]]:
    """Pairs of slot (`background` or `preference`) and statement that a stated clause gives.

    Args:
        clause: one that states something.
        of_self: the clause before it in its sentence was about the writer, so that a Chinese one
            needs no subject (我是护士，住在台北).
    """
    said = clause.text.strip(_END)
    plain = clause.plain.strip(_END)
    if len(plain) != len(said):
        plain = said.lower()
    if not has_han(plain):
        yield from _english(_TRAILING.sub("", said))
        return
    ending = None if plain.endswith("退休了") else _TRAILING_ZH.search(plain)
    length = ending.start() if ending else len(plain)
    if length > _LONGEST_ZH:
        return
    if of_self and not plain.startswith(_SUBJECTS_ZH):
        yield from _matched(_chinese_patterns(), "我" + plain[:length], "我" + said[:length])
    else:
        yield from _matched(_chinese_patterns(), plain[:length], said[:length])


def _english(said: str) -> Iterator[tuple[str, str]]:
    said = _REASON.sub("", said)
    if len(said.split()) <= _MOST_WORDS:
        yield from _matched(_english_patterns(), said, said)


def _matched(patterns: _Compiled, looked_at: str, said: str) -> Iterator[tuple[str, str]]:
    """The statement of the first pattern that fits, with its words as they were said."""
    for pattern, slot, told in patterns:
        if match := pattern.search(looked_at):
            parts = {name: said[slice(*match.span(name))] for name in pattern.groupindex}
            if not _POINTS_ELSEWHERE.search(match["v"]):
                yield slot, _LOOSE_END.sub("", told.format(**parts))
            return


@cache
def _english_patterns() -> _Compiled:
    return tuple((re.compile(pattern), slot, told) for pattern, slot, told in ENGLISH)


@cache
def _chinese_patterns() -> _Compiled:
    return tuple((re.compile(pattern), slot, told) for pattern, slot, told in CHINESE)
