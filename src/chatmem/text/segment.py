"""Text as search terms: what the index stores, and what a query asks for.

Chinese: the index holds every character, every pair of neighbours, and every longer word of the
dictionary, whatever the context; a query asks for dictionary words, for pairs that no word covers
(names), and for characters. So a text that contains what is asked is always found: nothing depends
on two segmentations agreeing. Kana, Hangul, Thai, Lao, Burmese, Khmer: characters and pairs of
neighbours; a query asks for pairs. All other scripts: words, English ones by their stems.

Source: decisions 3 (words by rjieba plus single characters; English stemmed; prefix queries).
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from operator import add

from chatmem.text.cues import text_flags
from chatmem.text.languages import DEFAULT, STOP_CHARACTERS, STOP_WORDS, language_by_script, stem
from chatmem.text.normalise import normalise
from chatmem.text.pieces import (
    PREFIX,
    UNSPACED_UNIT,
    is_unspaced,
    pieces,
    plain_words,
    stems,
    surface,
)


@dataclass(frozen=True, slots=True)
class QueryTokens:
    """What a query asks for: `terms` as the index stores them, and beginnings of words.

    Both are free of whitespace, double quotes and NUL, so `"term"` and `"prefix" *` are safe FTS5.
    """

    terms: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.terms or self.prefixes)


def index_tokens(text: str) -> list[str]:
    """Every search term of `text`, as often as it occurs, each at most 64 characters long.

    Source: decisions 3.
    """
    tokens: list[str] = []
    for piece in pieces(normalise(text)):
        if piece.isascii():
            tokens += stems(piece)
        elif segmenter := language_by_script(piece).segmenter:
            tokens += segmenter.index_tokens(piece)
        elif is_unspaced(piece):
            units = UNSPACED_UNIT.findall(piece)
            tokens += units
            tokens += map(add, units, units[1:])
        else:
            tokens += stems(piece)
    return tokens


def query_tokens(
    text: str,
    stop_words: frozenset[str] = STOP_WORDS,
    stop_characters: frozenset[str] = STOP_CHARACTERS,
) -> QueryTokens:
    """The terms that `text` asks for, without repeats and stop words, and its prefixes.

    Stop words stay if nothing else would be left. Quotes, parentheses, AND, OR and NEAR are plain
    text; only a star right after a word means something. A prefix is matched against stems: one
    that reaches into a word's ending (`programmi*`) is longer than the stem and finds nothing.

    Source: decisions 3, S3.3.3.
    """
    normal = normalise(text)
    prefixes: list[str] = []
    if "*" in normal:
        normal = PREFIX.sub(lambda match: _take_prefix(match[1], prefixes), normal)
    kept: dict[str, None] = {}
    stopped: dict[str, None] = {}
    for plain, term in _query_terms(normal):
        stop = stop_characters if is_single_han(plain) else stop_words
        (stopped if plain in stop else kept)[term] = None
    terms = kept or ({} if prefixes else stopped)
    return QueryTokens(tuple(terms), tuple(dict.fromkeys(prefixes)))


def is_single_han(term: str) -> bool:
    """True if the term is one Chinese character, which says less than a word."""
    return len(term) == 1 and language_by_script(term).segmenter is not None


def words(text: str) -> list[str]:
    """The words of `text` in order and in its own spelling (NFKC), each Chinese word whole."""
    return [spelled for spelled, _ in normalised_words(text)]


def normalised_words(text: str) -> list[tuple[str, str]]:
    """The words of `text` in order: each in its own spelling, and normalised."""
    found: list[tuple[str, str]] = []
    for piece in pieces(unicodedata.normalize("NFKC", text)):
        language = DEFAULT if piece.isascii() else language_by_script(piece)
        if language.segmenter:
            plain = language.plain_script(piece) if language.plain_script else piece
            found += language.segmenter.words(piece, plain)
        elif is_unspaced(piece):
            found.append((piece, piece))
        elif word := surface(piece):
            found.append((word, normalise(word)))
    return found


def _query_terms(normal: str) -> Iterator[tuple[str, str]]:
    """Pairs of a plain word, by which stop words are known, and the term to look up."""
    for piece in pieces(normal):
        if piece.isascii():
            yield from ((plain, stem(plain)) for plain in plain_words(piece))
        elif segmenter := language_by_script(piece).segmenter:
            yield from ((term, term) for term in segmenter.query_terms(piece))
        elif is_unspaced(piece):
            units = UNSPACED_UNIT.findall(piece)
            yield from ((term, term) for term in list(map(add, units, units[1:])) or units)
        else:
            yield from ((plain, stem(plain)) for plain in plain_words(piece))


def _take_prefix(starred: str, prefixes: list[str]) -> str:
    """Move the last word of `starred` to `prefixes`; what comes back is ordinary text."""
    found = pieces(starred)
    if not found or is_unspaced(found[-1]):
        return starred
    word = found[-1]
    if segmenter := language_by_script(word).segmenter:
        word = segmenter.last_word(word)
        prefixes.append(word)
        return starred.removesuffix(word)
    *parts, prefix = plain_words(word) or ("",)
    if prefix:
        prefixes.append(prefix)
    # A whole word with a star (`happy*`) is not a beginning of its own stem (happi).
    if stem(prefix) != prefix:
        parts.append(prefix)
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


def _is_empty(word: str, plain: str) -> bool:
    if not word.isascii() and language_by_script(word).segmenter:
        return plain in STOP_CHARACTERS or plain in STOP_WORDS
    if is_unspaced(word):
        return False
    if len(word) == 1 and word.isascii():
        return not word.isupper() or plain in _ONE_LETTER_WORDS
    return all(part in STOP_WORDS for part in plain_words(plain))


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """Tokens of a text in order, its `TextFlags` as an int, and who said it (None: nobody)."""

    tokens: tuple[str, ...]
    flags: int = 0
    speaker: str | None = None


def index_entry(content: str, speaker: str | None = None) -> IndexEntry:
    """What the index keeps of a text that `speaker` said."""
    return IndexEntry(tuple(index_tokens(content)), int(text_flags(content)), speaker)


Mark = tuple[int, int]


def find_marks(text: str, query: str) -> list[Mark]:
    """Begins and ends of what the query asks for, in order, apart from one another.

    Words count in all their forms, as the index sees them. Single Chinese characters are marked
    only where nothing longer is, as they say little.
    """
    asked = query_tokens(query)
    found = list(_found(text, asked))
    longer = [mark for mark, is_single in found if not is_single]
    return _joined(longer or [mark for mark, _ in found])


def _found(text: str, asked: QueryTokens) -> Iterator[tuple[Mark, bool]]:
    """Every mark, and whether it is only a single character."""
    terms = frozenset(asked.terms)
    end = 0
    for piece in pieces(text):
        begin = text.index(piece, end)
        end = begin + len(piece)
        normal = normalise(piece)
        if not piece.isascii() and (language_by_script(piece).segmenter or is_unspaced(piece)):
            if len(normal) == len(piece):
                yield from _inside(normal, begin, asked)
        elif terms.intersection(stems(normal)) or _begins(normal, asked.prefixes):
            yield (begin, end), False


def _inside(run: str, offset: int, asked: QueryTokens) -> Iterator[tuple[Mark, bool]]:
    for term in (*asked.terms, *asked.prefixes):
        place = run.find(term)
        while place >= 0:
            yield (offset + place, offset + place + len(term)), is_single_han(term)
            place = run.find(term, place + 1)


def _begins(word: str, prefixes: tuple[str, ...]) -> bool:
    return any(plain.startswith(prefixes) for plain in plain_words(word)) if prefixes else False


def _joined(marks: list[Mark]) -> list[Mark]:
    joined: list[Mark] = []
    for begin, end in sorted(marks):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined
