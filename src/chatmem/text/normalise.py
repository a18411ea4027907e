"""The one normaliser, for indexing and for querying."""

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module

from chatmem.text.clean import without_surrogates

# Ideographs with their compatibility forms and extensions; the zero 〇 counts as one.
HAN = "〇\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_HAN = re.compile(f"[{HAN}]")
# Some phrases of the conversion table feed one another (in 4 of 1,000 lines of random characters;
# two rounds made all of them stable). Without the bound, a cycle in the table would never end.
_MAX_ROUNDS = 4
# One message is normalised for its tokens, its flags and its categories in turn.
_REMEMBERED_TEXTS = 16
_REMEMBERED_CHARS = 4000


@cache
def _converter() -> Callable[[str], str]:
    # Loaded with the first Chinese text: importing this module must cost nothing.
    convert: Callable[[str], str] = import_module("opencc").OpenCC("t2s").convert
    return convert


def has_han(text: str) -> bool:
    """True if there is a Chinese character in `text`."""
    return _HAN.search(text) is not None


def simplify(text: str) -> str:
    """`text` with Traditional Chinese characters turned into Simplified ones; idempotent."""
    convert = _converter()
    current = without_surrogates(text)
    for _ in range(_MAX_ROUNDS):
        before, current = current, convert(current)
        if current == before:
            break
    return current


def normalise(text: str) -> str:
    """`text` as it is compared: NFKC, lower case, Simplified Chinese; idempotent.

    Source: decisions 3.
    """
    if text.isascii():
        return text.lower()
    return _remembered(text) if len(text) <= _REMEMBERED_CHARS else _fold(text)


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    return simplify(folded) if _HAN.search(folded) else folded


_remembered = lru_cache(_REMEMBERED_TEXTS)(_fold)


def tag_form(tag: str) -> str:
    """The tag without regard to case, width, blanks around it, or Traditional characters."""
    return " ".join(normalise(tag).split())
