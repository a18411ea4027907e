"""A message as the reader sees it: tokens, and the features of what each looks like.

A token is a Chinese character, a word, a number, a sign or a line break.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from chatmem.text.clean import without_surrogates
from chatmem.text.languages import UNSPACED_LETTERS, language_by_script, simplify

HASHES: Final = 1 << 14
"""Rows of each table of learned vectors."""
TABLES: Final = 3
"""The word or character, its end or what follows, its beginning or what goes before; of a number
its length."""
SHAPES: Final = 12

_TOKEN: Final = re.compile(
    rf"[{UNSPACED_LETTERS}]|(?:(?![{UNSPACED_LETTERS}])[^\W\d_]){{1,40}}"
    r"|(?<=\w)['’][a-z]{1,2}\b|\d{1,40}|\n+|[^\s]",
    re.IGNORECASE,
)
_CLAUSE_ENDS: Final = frozenset("，。！？；：、,.!?;:…\n")
_KINDS: Final = 8


@dataclass(frozen=True, slots=True)
class Tokens:
    """n tokens of a text.

    `places` are their first and past-last characters, (n, 2); `words` their rows in the tables,
    (n, 3); `shapes` what they look like, (n, 12), each 0 or 1; `clauses` the number of the clause
    that each is in, (n,), rising from 0.
    """

    places: NDArray[np.int32]
    words: NDArray[np.int32]
    shapes: NDArray[np.float32]
    clauses: NDArray[np.int32]

    def __len__(self) -> int:
        """How many tokens there are."""
        return len(self.places)

    @property
    def edges(self) -> NDArray[np.int64]:
        """Where each clause begins, and where the last one ends."""
        begins = np.flatnonzero(np.diff(self.clauses)) + 1
        return np.concatenate([[0], begins, [len(self)]])

    def part(self, start: int, end: int) -> "Tokens":
        """Those from `start` to before `end`, as if there were no others."""
        if start == 0 and end >= len(self):
            return self
        clauses = self.clauses[start:end]
        return Tokens(
            self.places[start:end],
            self.words[start:end],
            self.shapes[start:end],
            clauses - clauses[:1],
        )


def tokens_of(folded: str, asked: int = 0, *, group: bool = False) -> Tokens:
    """The tokens of a text; the last few are cached: who masks a text reads it, too.

    Args:
        folded: a message as `fold` gives it; it may begin with the assistant's question.
        asked: how many characters that question has.
        group: several people talk in this chat.
    """
    return _tokens_of(folded, asked, group)


@lru_cache(maxsize=8)
def _tokens_of(folded: str, asked: int, group: bool) -> Tokens:
    found = [(match.start(), match.end()) for match in _TOKEN.finditer(folded)]
    places = np.array(found, np.int32).reshape(-1, 2)
    words = [folded[start:end] for start, end in found]
    shapes = np.zeros((len(words), SHAPES), np.float32)
    ends = np.zeros(len(words) + 1, np.int32)
    for number, word in enumerate(words):
        shapes[number, _kind(word)] = 1
        ends[number + 1] = word[0] in _CLAUSE_ENDS
    shapes[:, _KINDS] = places[:, 0] < asked
    shapes[:, _KINDS + 1] = group
    shapes[:, _KINDS + 2] = asked > 0
    shapes[1:, _KINDS + 3] = places[1:, 0] > places[:-1, 1]
    clauses = np.cumsum(ends, dtype=np.int32)[:-1]
    return Tokens(places, _rows([word.lower() for word in words]), shapes, clauses)


def fold(text: str) -> str:
    """The text in one width and in Simplified characters, of the same length."""
    if text.isascii():
        return text
    wide = unicodedata.normalize("NFKC", text)
    if len(wide) != len(text):
        wide = "".join(one if len(one) == 1 else "□" for one in map(_narrow, text))
    wide = without_surrogates(wide)
    simple = simplify(wide)
    return simple if len(simple) == len(text) else wide


@cache
def _narrow(sign: str) -> str:
    return unicodedata.normalize("NFKC", sign)


def _kind(word: str) -> int:
    first = word[0]
    if first.isalpha():
        if not language_by_script(first).spaced:
            return 0
        if not first.isupper():
            return 1
        return 3 if len(word) > 1 and word.isupper() else 2
    if first.isdigit():
        return 4
    if first == "\n":
        return 5
    return 6 if first.isascii() or unicodedata.category(first)[0] == "P" else 7


def _rows(words: list[str]) -> NDArray[np.int32]:
    rows = np.empty((len(words), TABLES), np.int32)
    for number, word in enumerate(words):
        if len(word) == 1:
            after = "".join(words[number + 1 : number + 2])
            before = words[number - 1] if number else ""
            parts = (word, f"{word}>{after}", f"{before}<{word}")
        elif word.isdigit():
            parts = (word, f"#{len(word)}", f"{word[0]}#{len(word)}")
        else:
            parts = (word, f"-{word[-3:]}", f"{word[:4]}-")
        for table, part in enumerate(parts):
            rows[number, table] = crc32(part.encode("utf-8", "replace")) % HASHES
    return rows
