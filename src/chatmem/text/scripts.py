"""Which characters make a word, by writing system: the patterns that the segmenter runs on.

Scripts that put spaces between words are matched word by word, the others as runs that
`chatmem.text.segment` takes apart.
"""

import re
from functools import cache
from typing import Final

from chatmem.text.normalise import HAN

# Kana with 々, bopomofo, Hangul, Thai, Lao, Burmese, Khmer. Hangul has spaces, but glues particles
# to its words, so it is cut like the others.
_UNSPACED_LETTERS = (
    "々ぁ-ゖゝ-ゟァ-ヺー-ヿㇰ-ㇿㄅ-ㄯㆠ-ㆿᄀ-ᇿㄱ-ㆎ가-힣"
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6"
    "\u1000-\u102a\u103f\u1780-\u17b3"
)
# Vowel signs and tone marks of those scripts; with the letter before them they are one unit.
_UNSPACED_MARKS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3"
)
# Marks that continue a word of a spaced script but are no `\w`: accents, Hebrew, Arabic, Indic.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    "\u0900-\u0963\u0970-\u0df3\u1dc0-\u1dff\u20d0-\u20ff"
)
_LETTER = rf"[^\W{HAN}{_UNSPACED_LETTERS}{_UNSPACED_MARKS}]"
_SPACED_WORD = rf"{_LETTER}+(?:[{_MARKS}]+{_LETTER}*)*"


def _word_pattern(word: str) -> str:
    # In this order: abbreviations (U.S., p.m.), c++ and c#, words with their apostrophes (don't)
    # and numbers with their points and thousands (3.11, 1,000).
    return (
        r"(?:[A-Za-z]\.){2,}(?!\w)"
        r"|[A-Za-z](?:\+\+|\#)(?!\w)"
        rf"|{word}(?:['’]{word}|(?<=\d)\.\d+|(?<=\d),\d{{3}}(?!\d))*"
    )


_ASCII_PIECE = re.compile(_word_pattern("[A-Za-z0-9_]+"))
UNSPACED_UNIT: Final = re.compile(rf".[{_UNSPACED_MARKS}]*")
# `Pyth*`, `编*`, `3.1*`; not the stars of **bold**, *emphasis* or 2*3.
PREFIX: Final = re.compile(r"(?<![\w*])(\w+(?:(?<=\d)\.\d+){0,8})\*(?![\w*])")

_FIRST_UNSPACED = "\u0e01"
_IS_HAN = re.compile(f"[{HAN}]").match
_IS_UNSPACED = re.compile(f"[{_UNSPACED_LETTERS}{_UNSPACED_MARKS}]").match


@cache
def _any_piece() -> re.Pattern[str]:
    # Compiled with the first text that is not ASCII: it takes 5 ms.
    return re.compile(
        rf"[{HAN}]+|[{_UNSPACED_LETTERS}{_UNSPACED_MARKS}]+|{_word_pattern(_SPACED_WORD)}"
    )


def pieces(text: str) -> list[str]:
    """Words of spaced scripts and runs of the others, in order, as they stand in `text`."""
    return (_ASCII_PIECE if text.isascii() else _any_piece()).findall(text)


def is_han(piece: str) -> bool:
    """True if the piece is a run of Chinese characters."""
    return piece[0] >= "〇" and _IS_HAN(piece) is not None


def is_unspaced(piece: str) -> bool:
    """True if the piece is a run of another script without spaces between words."""
    return piece[0] >= _FIRST_UNSPACED and _IS_UNSPACED(piece) is not None
