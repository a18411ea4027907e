"""Text cut up: into sentences, pieces and words, and into search terms.

Chinese: the index holds every character, every pair of neighbours, and every longer word of the
dictionary, whatever the context; a query asks for dictionary words, for pairs that no word covers
(names), and for characters. So a text that contains what is asked is always found: nothing depends
on two segmentations agreeing. Kana, Hangul, Thai, Lao, Burmese, Khmer: characters and pairs of
neighbours; a query asks for pairs. All other scripts: words, English ones by their stems.

Source: decisions 3 (words by rjieba plus single characters; English stemmed; prefix queries).
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import add
from typing import Final, NamedTuple

from chatmem.text.languages import (
    STOP_CHARACTERS,
    STOP_WORDS,
    UNSPACED_LETTERS,
    any_of,
    expression,
    language_by_script,
    stem,
)
from chatmem.text.languages.language import Segmenter
from chatmem.text.normalise import normalise

_END = expression(
    any_of(
        lambda language: language.sentence_end,
        # An ending with the quotes that close behind it, or a line break.
        r"[。！？!?…；;]+[”’」』）)\"']*|\n+",
    )
)
_ABBREVIATION = re.compile(rf"(?:^|[\s(])(?:{any_of(lambda language: language.abbreviation)})\.$")
_LIST_NUMBER = re.compile(r"(?:^|[\s:：])\(?\d{1,2}\.$")
_CONTINUES = re.compile(r"(?<!\s)\s++[a-z0-9]")


def sentences(text: str) -> list[str]:
    """The sentences of `text` in order, each with its ending mark and without outer whitespace.

    A line break ends one as well. Decimals (3.5), versions, initials and common abbreviations do
    not; `e.g.`, `p.m.` and the like do where a capital follows.
    """
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if end[0][0] == "." and _goes_on(text, start, end):
            continue
        if sentence := text[start : end.end()].strip():
            found.append(sentence)
        start = end.end()
    if rest := text[start:].strip():
        found.append(rest)
    return found


def _goes_on(text: str, start: int, stop: re.Match[str]) -> bool:
    """True where this full stop belongs to an abbreviation inside a sentence."""
    said = text[max(start, stop.start() - 8) : stop.start() + 1]
    if _LIST_NUMBER.search(said) and stop.end() < len(text):
        return True
    abbreviation = _ABBREVIATION.search(said)
    if abbreviation is None:
        return False
    word = abbreviation[0].strip(" (")
    return word[0].isupper() or _CONTINUES.match(text, stop.end()) is not None


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
_UNIT = re.compile(rf".[{_RUN_MARKS}]*")
# `Pyth*`, `编*`, `3.1*`; not the stars of **bold**, *emphasis* or 2*3.
_PREFIX = re.compile(r"(?<![\w*])(\w+(?:(?<=\d)\.\d+){0,8})\*(?![\w*])")

_FIRST_UNSPACED = "\u0e01"
_UNSPACED = expression(f"[{_RUN_LETTERS}{_RUN_MARKS}]")

_ANY_PIECE = expression(
    rf"[{UNSPACED_LETTERS}]+|[{_RUN_LETTERS}{_RUN_MARKS}]+|{_word_pattern(_SPACED_WORD)}"
)


def pieces(text: str) -> list[str]:
    """Words of spaced scripts and runs of the others, in order, as they stand in `text`."""
    return (_ASCII_PIECE if text.isascii() else _ANY_PIECE).findall(text)


def _unit_tokens(run: str) -> list[str]:
    """Characters with their marks, and pairs of neighbours."""
    units = _UNIT.findall(run)
    return [*units, *map(add, units, units[1:])]


def _unit_terms(run: str) -> list[str]:
    """Pairs of neighbours, or the only character."""
    units = _UNIT.findall(run)
    return list(map(add, units, units[1:])) or units


_UNKNOWN: Final = Segmenter(
    index_tokens=_unit_tokens,
    query_terms=_unit_terms,
    words=lambda run: [(run, run)],
    last_word=lambda _: "",
)
"""Of scripts without spaces whose language is not known."""


def _segmenter_of(piece: str) -> Segmenter | None:
    """What takes the piece apart if it is a run of a script without spaces; None for a word."""
    if piece.isascii():
        return None
    if segmenter := language_by_script(piece).segmenter:
        return segmenter
    return _UNKNOWN if piece[0] >= _FIRST_UNSPACED and _UNSPACED.match(piece) else None


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


class QueryTokens(NamedTuple):
    """What a query asks for: `terms` as the index stores them, and beginnings of words.

    Both are free of whitespace, double quotes and NUL, so `"term"` and `"prefix" *` are safe FTS5.
    """

    terms: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()


def index_tokens(text: str, of_word: Callable[[str], tuple[str, ...]] = stems) -> list[str]:
    """Every search term of `text`, as often as it occurs, each at most 64 characters long.

    `of_word` gives the terms of one normalised word. Source: decisions 3.
    """
    tokens: list[str] = []
    for piece in pieces(normalise(text)):
        segmenter = _segmenter_of(piece)
        tokens += segmenter.index_tokens(piece) if segmenter else of_word(piece)
    return tokens


@lru_cache(maxsize=64)  # for one prompt the message and the session's topic are read several times
def query_tokens(text: str, *, with_stop_words: bool = False) -> QueryTokens:
    """The terms that `text` asks for, without repeats and stop words, and its prefixes.

    Stop words stay if they are wanted, or nothing else would be left. Quotes, parentheses, AND, OR
    and NEAR are plain text; only a star right after a word means something.

    Source: decisions 3, S3.3.3.
    """
    normal = normalise(text)
    prefixes: list[str] = []
    if "*" in normal:
        normal = _PREFIX.sub(lambda match: _take_prefix(match[1], prefixes), normal)
    kept: dict[str, None] = {}
    stopped: dict[str, None] = {}
    for plain, term in _query_terms(normal):
        stop = STOP_CHARACTERS if is_single_han(plain) else STOP_WORDS
        (kept if with_stop_words or plain not in stop else stopped)[term] = None
    terms = kept or ({} if prefixes else stopped)
    return QueryTokens(tuple(terms), tuple(dict.fromkeys(prefixes)))


@lru_cache(_CACHED_WORDS)
def is_single_han(term: str) -> bool:
    """True if the term is one Chinese character, which says less than a word."""
    return len(term) == 1 and not term.isascii() and bool(language_by_script(term).segmenter)


def normalised_words(text: str) -> list[tuple[str, str]]:
    """The words of `text` in order: each in its own spelling (NFKC), and normalised."""
    found: list[tuple[str, str]] = []
    for piece in pieces(unicodedata.normalize("NFKC", text)):
        if segmenter := _segmenter_of(piece):
            found += segmenter.words(piece)
        elif word := surface(piece):
            found.append((word, normalise(word)))
    return found


def _query_terms(normal: str) -> Iterator[tuple[str, str]]:
    """Pairs of a plain word, by which stop words are known, and the term to look up."""
    for piece in pieces(normal):
        if segmenter := _segmenter_of(piece):
            yield from ((term, term) for term in segmenter.query_terms(piece))
        else:
            yield from ((plain, stem(plain)) for plain in plain_words(piece))


def _take_prefix(starred: str, prefixes: list[str]) -> str:
    """Move the last word of `starred` to `prefixes`; what comes back is ordinary text."""
    found = pieces(starred)
    if not found:
        return starred
    word = found[-1]
    if segmenter := _segmenter_of(word):
        last = segmenter.last_word(word)
        if last:  # a single character behind others begins none of its own (北京大, 机器学)
            prefixes.append(max(last, word[-2:], key=len))
        return starred.removesuffix(last)
    *parts, prefix = plain_words(word) or ("",)
    if prefix:
        prefixes.append(prefix)
    return f"{starred.removesuffix(word)} {' '.join(parts)}"


_ONE_LETTER_WORDS = frozenset({"a", "i"})


def extract_keywords(message: str) -> tuple[str, ...]:
    """The keywords of `message`, in order, spelled as there, none twice; stop words give `()`.

    `我喜欢用 Python 写代码` gives 喜欢, Python, 代码. Verbs that carry meaning stay (like,
    writing); a single lower-case letter or digit says nothing, a capital may (the language C).

    Source: S3.3.1.
    """
    keywords: dict[str, str] = {}
    for word, plain in normalised_words(message):
        if not _is_empty(word, plain):
            keywords.setdefault(plain, word)
    return tuple(keywords.values())


@lru_cache(_CACHED_WORDS)
def _is_empty(word: str, plain: str) -> bool:
    if _segmenter_of(word):
        return plain in STOP_CHARACTERS or plain in STOP_WORDS
    if len(word) == 1 and word.isascii():
        return not word.isupper() or plain in _ONE_LETTER_WORDS
    return all(part in STOP_WORDS for part in plain_words(plain))


Mark = tuple[int, int]


def find_marks(text: str, query: str) -> list[Mark]:
    """Begins and ends of what the query asks for, in order, apart from one another.

    Words count in all their forms, as the index sees them. Single Chinese characters are marked
    only where nothing longer is, as they say little.
    """
    asked = query_tokens(query)
    terms = frozenset(asked.terms)
    longer: list[Mark] = []
    single: list[Mark] = []
    end = 0
    for piece in pieces(text):
        begin = text.index(piece, end)
        end = begin + len(piece)
        normal = normalise(piece)
        if not _segmenter_of(piece):
            begun = any(plain.startswith(asked.prefixes) for plain in plain_words(normal))
            if begun or terms.intersection(stems(normal)):
                longer.append((begin, end))
        elif len(normal) == len(piece):
            for term in (*asked.terms, *asked.prefixes):
                places = [
                    begin + place.start() for place in re.finditer(f"(?={re.escape(term)})", normal)
                ]
                marks = single if is_single_han(term) else longer
                marks += ((place, place + len(term)) for place in places)
    return _joined(longer or single)


def _joined(marks: list[Mark]) -> list[Mark]:
    joined: list[Mark] = []
    for begin, end in sorted(marks):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined
