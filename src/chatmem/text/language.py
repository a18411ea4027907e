"""Which language, and which Chinese script, a text is written in."""

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Literal, TypeAlias

from chatmem.text.normalise import HAN, has_han, simplify

Language: TypeAlias = Literal["zh", "en"]
Script: TypeAlias = Literal["zh-Hans", "zh-Hant", "en"]

_HAN = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*")
# What is written in no language: code, addresses.
_FOREIGN = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`|https?://\S+", re.DOTALL)
_LOOKED_AT_CHARS = 2_000


def language_of(text: str) -> Language:
    """`zh` where there are at least as many Chinese characters as Latin words, else `en`.

    A Chinese sentence with English names in it is Chinese (`我用 Python 写代码`); code and
    addresses do not count; a text in neither, an empty one included, is `en`. The first 2,000
    characters decide.
    """
    head = text[:_LOOKED_AT_CHARS]
    if head.isascii():
        return "en"
    told = _FOREIGN.sub(" ", head)
    characters = len(_HAN.findall(told))
    if characters == 0:
        return "en"
    return "zh" if characters >= len(_LATIN_WORD.findall(told)) else "en"


def script_of(text: str) -> Script:
    """The language of `text`, and for Chinese whether any of it is in Traditional characters."""
    if language_of(text) == "en":
        return "en"
    head = text[:_LOOKED_AT_CHARS]
    return "zh-Hans" if simplify(head) == head else "zh-Hant"


@cache
def _converter() -> Callable[[str], str]:
    # Loaded with the first Chinese text: importing this module must cost nothing.
    convert: Callable[[str], str] = import_module("opencc").OpenCC("s2t").convert
    return convert


def spellings(text: str) -> tuple[str, ...]:
    """The text as it stands and, where they differ, in Simplified and in Traditional Chinese."""
    if not has_han(text):
        return (text,)
    simplified = simplify(text)
    return tuple(dict.fromkeys((text, simplified, _converter()(simplified))))
