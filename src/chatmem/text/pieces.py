"""The pieces that a text falls into, by writing system, and the plain form of spaced words.

Scripts that put spaces between words are matched word by word, the others as runs that
`chatmem.text.segment` takes apart.
"""

import re
import unicodedata
from functools import cache, lru_cache
from typing import Final

from chatmem.text.languages import UNSPACED_LETTERS, stem

# Kana with 々, bopomofo, Hangul, Thai, Lao, Burmese, Khmer. Hangul has spaces, but glues particles
# to its words, so it is cut like the others.
_RUN_LETTERS = (
    "々ぁ-ゖゝ-ゟァ-ヺー-ヿㇰ-ㇿㄅ-ㄯㆠ-ㆿᄀ-ᇿㄱ-ㆎ가-힣"
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6"
    "\u1000-\u102a\u103f\u1780-\u17b3"
)
# Vowel signs and tone marks of those scripts; with the letter before them they are one unit.
_RUN_MARKS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3"
)
# Marks that continue a word of a spaced script but are no `\w`: accents, Hebrew, Arabic, Indic.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    "\u0900-\u0963\u0970-\u0df3\u1dc0-\u1dff\u20d0-\u20ff"
)
_LETTER = rf"[^\W{UNSPACED_LETTERS}{_RUN_LETTERS}{_RUN_MARKS}]"
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
UNSPACED_UNIT: Final = re.compile(rf".[{_RUN_MARKS}]*")
# `Pyth*`, `编*`, `3.1*`; not the stars of **bold**, *emphasis* or 2*3.
PREFIX: Final = re.compile(r"(?<![\w*])(\w+(?:(?<=\d)\.\d+){0,8})\*(?![\w*])")

_FIRST_UNSPACED = "\u0e01"
_IS_UNSPACED = re.compile(f"[{_RUN_LETTERS}{_RUN_MARKS}]").match


@cache
def _any_piece() -> re.Pattern[str]:
    # Compiled with the first text that is not ASCII: it takes 5 ms.
    return re.compile(
        rf"[{UNSPACED_LETTERS}]+|[{_RUN_LETTERS}{_RUN_MARKS}]+|{_word_pattern(_SPACED_WORD)}"
    )


def pieces(text: str) -> list[str]:
    """Words of spaced scripts and runs of the others, in order, as they stand in `text`."""
    return (_ASCII_PIECE if text.isascii() else _any_piece()).findall(text)


def is_unspaced(piece: str) -> bool:
    """True if the piece is a run of a script without spaces whose language is not known."""
    return piece[0] >= _FIRST_UNSPACED and _IS_UNSPACED(piece) is not None


MAX_TOKEN_CHARS: Final = 64
_CACHED_WORDS = 1 << 15

_POSSESSIVE = re.compile(r"['’](?:s|S)?$")
_CLITICS = frozenset({"s", "m", "d", "re", "ve", "ll"})
# What a full-text tokenizer would cut down to a single letter, or take for a stop word.
_SPELLED_OUT = {
    "c++": "cplusplus",
    "c#": "csharp",
    "f#": "fsharp",
    "u.s.": "usa",
    "u.s.a.": "usa",
}
_VERSIONED = re.compile(r"(?<![^\W_])([^\W\d_]*)(\d+(?:\.\d+)+)")
_DOTTED_DATE = re.compile(r"\d{4}\.\d{1,2}(?:\.\d{1,2})?|\d{1,2}\.\d{1,2}\.\d{4}")
# Latin letters with accents; those of Cyrillic (й) and other scripts are letters of their own.
_ACCENTED = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_ACCENTS = re.compile("[\u0300-\u036f]+")


@lru_cache(_CACHED_WORDS)
def stems(piece: str) -> tuple[str, ...]:
    """The index terms of one normalised word: stems of its plain words."""
    return tuple(stem(word) for word in plain_words(piece))


@lru_cache(_CACHED_WORDS)
def plain_words(piece: str) -> tuple[str, ...]:
    """What one normalised word says, without its punctuation; usually one word, at times none.

    `alice's` is alice, `we've` is we, `don't` is dont; `python3.11` is python and 3.11; `1,000` is
    1000; `2023.5.1` is three numbers; `c++` is cplusplus; `__init__` is init; `café` is cafe.
    """
    if piece in _SPELLED_OUT:
        return (_SPELLED_OUT[piece],)
    plain = piece.replace("’", "'").strip("_'")
    head, _, tail = plain.rpartition("'")
    plain = (head if tail in _CLITICS and head else plain).replace("'", "").replace(",", "")
    if _ACCENTED.search(plain):
        plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", plain))
    if "." not in plain:
        parts = [plain]
    elif _DOTTED_DATE.fullmatch(plain):
        parts = plain.split(".")
    elif versioned := _VERSIONED.fullmatch(plain):
        parts = [versioned[1] if versioned[1] != "v" else "", versioned[2]]
    elif any(letter.isdigit() for letter in plain):
        parts = plain.split(".")
    else:
        parts = [plain.replace(".", "")]
    return tuple(part[:MAX_TOKEN_CHARS] for part in parts if part)


def surface(piece: str) -> str:
    """The word as a person would quote it: without possessive and underscores around it."""
    return _POSSESSIVE.sub("", piece).strip("_")
