"""A text in the Chinese scripts in which it may be written."""

from collections.abc import Callable
from functools import cache
from importlib import import_module

from chatmem.text.normalise import has_han, simplify


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
