"""The reader's network: tags the statements in a message, and classifies each.

Its weights stand in `weights.npz`; `make reader` learns them anew. Several networks, which learned
the same messages from different beginnings, are averaged.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from itertools import pairwise
from typing import Final, Literal, TypeAlias
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from chatmem.errors import ReaderWeightsError
from chatmem.extraction.reader.labels import TAGS
from chatmem.extraction.reader.tokens import (
    DIMENSION,
    TABLES,
    Meaning,
    Tokens,
    convolved,
    layer_norm,
    network,
    one_thread,
    windows,
)

Floats: TypeAlias = NDArray[np.float32]
_Scores: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = dict[str, NDArray[np.generic]]
VERSION: Final = 2
"""Of the features and of the shape of the network; weights name the one they were learned for."""
WIDTH: Final = 128
CONVOLUTIONS: Final = (1, 2, 4, 1, 8, 1)
"""How far apart the three tokens are that each looks at."""
LOOKS_AT_ALL_AFTER: Final = 2
VECTOR_SCALE: Final = 8.0
"""Normalised vectors have small numbers; others here are about 1."""
LEAST_VARIANCE: Final = 1e-5
HEADS: Final = ("attribute", "category", "standing", "subject", "order")
WEIGHTS: Final = "weights.npz"
_LEAST_SHARE: Final = 1e-4
_OF_VECTORS: Final = 2
"""Dimensions of a vector's weights, one a network."""
_TOGETHER: Final = 400
"""Tokens looked at in one pass: their numbers stay in the processor's cache."""

_BEGINS, _INSIDE = TAGS.index("begins"), TAGS.index("inside")


@dataclass(frozen=True, slots=True)
class Marked:
    """A stretch of tokens that states something worth keeping, and its classes.

    `marked` is how likely each of its tokens is part of such a statement, on average, and `sure`
    how likely it is worth keeping, calibrated on writers that are not learned from; in [0, 1].
    `heads` the likelihood of each label; `value` the stretch of its value, or None; `vector` and
    `value_vector` their meanings, (512,) each, normalised; zeros for no value.
    """

    start: int
    end: int
    marked: float
    sure: float
    heads: dict[str, Floats]
    value: tuple[int, int] | None
    vector: Floats
    value_vector: Floats


@dataclass(frozen=True, slots=True)
class Look:
    """A text of n > 0 tokens as each network sees it: hidden states, (networks, n, 128).

    `tags` are the scores of each tag of each token, (n, 5), `secrets` how likely each is part of a
    secret, of none or of each kind, (n, 8), `values` its scores of being part of a value, (n,).
    """

    tokens: Tokens
    meaning: Meaning
    states: Floats
    tags: Floats
    secrets: Floats
    values: Floats


class Networks:
    """All networks of some weights, side by side, averaged; and the screens, which are cheap."""

    def __init__(self, weights: Weights) -> None:
        count = int(weights["count"][()])
        of_each = [weights_of(f"{number}/", weights) for number in range(count)]
        self._w = {name: np.stack([one[name] for one in of_each]) for name in of_each[0]}
        self._w |= {name: one[:, None] for name, one in self._w.items() if one.ndim == _OF_VECTORS}
        # A byte a number: most of the file, and only a few rows are needed for a message.
        self._words = [weights[f"{number}/words"] for number in range(count)]
        self._screens = {
            name: weights[f"screen/{name}"].astype(np.float32) for name in ("statement", "secret")
        }
        calibration = weights.get("calibration")
        self._calibration = None if calibration is None else calibration.astype(np.float32)
        self._transitions = self._w["chain"].mean(axis=0)

    def screened(self, tokens: Tokens, looked_for: Literal["statement", "secret"]) -> Floats:
        """Log odds of each clause of n > 0 tokens to hold one; cheap."""
        screen = self._screens[looked_for]
        found = np.sum([screen[one, tokens.words[:, one]] for one in range(TABLES)], axis=0)
        edges = tokens.edges
        sums = np.add.reduceat(found, edges[:-1]) / np.sqrt(np.diff(edges))
        return np.asarray(sums + screen[0, -1], np.float32)

    def look(self, texts: Sequence[tuple[str, Tokens]]) -> list[Look]:
        """A look at each of the texts, which are folded and have a token or more."""
        found: list[Look] = []
        group: list[tuple[str, Tokens]] = []
        for place, one in enumerate(texts, start=1):
            group.append(one)
            if place == len(texts) or sum(len(tokens) for _, tokens in group) >= _TOGETHER:
                meanings = network().read([(folded, tokens.places) for folded, tokens in group])
                with one_thread():
                    found += self._looks([tokens for _, tokens in group], meanings)
                group = []
        return found

    def _looks(self, texts: Sequence[Tokens], meanings: Sequence[Meaning]) -> list[Look]:
        """The tokens of all texts stand one behind the other, each with what is around it."""
        w, lengths = self._w, [len(one) for one in texts]
        count, edges = len(self._words), np.cumsum(lengths)[:-1]
        stretches: list[tuple[Meaning, int, int]] = []
        wholes, clauses = [], []
        for tokens, meaning in zip(texts, meanings, strict=True):
            wholes += [len(stretches)] * len(tokens)
            clauses.append(tokens.clauses + len(stretches) + 1)
            stretches.append((meaning, 0, len(tokens)))
            stretches += ((meaning, *one) for one in pairwise(tokens.edges.tolist()))
        vectors = network().vectors(stretches) * VECTOR_SCALE
        rows = np.concatenate([one.words for one in texts]).T
        words = [
            np.stack([one[table, rows[table]] for one in self._words])
            * w["words_scale"][:, table, rows[table]]
            for table in range(TABLES)
        ]
        looks = [
            np.concatenate([one.shapes for one in texts]),
            np.concatenate([one.positions for one in meanings]),
        ]
        inputs: list[NDArray[np.floating]] = [
            np.concatenate([one.features for one in meanings]) @ w["features"],
            (vectors @ w["clauses"])[:, np.concatenate(clauses)],
            (vectors @ w["whole"])[:, wholes],
            *words,
            *(np.repeat(one[None], count, axis=0) for one in looks),
        ]
        states = np.concatenate(inputs, axis=2) @ w["input"] + w["input_bias"]
        states = np.maximum(self._norm(states, "input"), 0)
        for number, apart in enumerate(CONVOLUTIONS):
            name = f"convolution_{number}"
            around = windows(lengths, (-apart, 0, apart))
            new = convolved(states, around, w[name], w[f"{name}_bias"])
            states = states + np.maximum(self._norm(new, name), 0)
            if number == LOOKS_AT_ALL_AFTER:
                scores = np.split(states @ w["attention"], edges, axis=1)
                of_each = zip(scores, np.split(states, edges, axis=1), strict=True)
                everything = [softmax(one, axis=1).swapaxes(1, 2) @ of for one, of in of_each]
                seen = np.stack(everything, axis=1).reshape(count, len(texts), -1)
                added = np.maximum(seen @ w["all"] + w["all_bias"], 0)
                states = states + np.repeat(added, lengths, axis=1)
        states = self._norm(states, "last")
        tags = _mean(self._scores(states, "tags"))
        secrets = _mean(softmax(self._scores(states, "secret"), axis=2))
        values = _mean(self._scores(states, "value"))[:, 0]
        of_tokens = (np.split(one, edges) for one in (tags, secrets, values))
        return list(map(Look, texts, meanings, np.split(states, edges, axis=1), *of_tokens))

    def _norm(self, rows: Floats, name: str) -> Floats:
        return layer_norm(rows, self._w[f"{name}_gain"], self._w[f"{name}_shift"], LEAST_VARIANCE)

    def _scores(self, of: Floats, name: str) -> Floats:
        """What a last layer makes of states, by network."""
        return of @ self._w[name] + self._w[f"{name}_bias"]

    def marked(
        self, looks: Sequence[Look], *, eager: float = 0.0, whole_if_none: bool = False
    ) -> list[list[Marked]]:
        """Of each text the statements that are worth keeping, in order.

        Args:
            looks: at the texts.
            eager: log odds by which more speaks for each token being part of a statement.
            whole_if_none: where there is no statement, all of it is taken for one.
        """
        leaning = np.zeros(len(TAGS), np.float32)
        leaning[[_BEGINS, _INSIDE]] = eager
        found: list[list[Marked]] = [[] for _ in looks]
        with one_thread():
            best = _through([one.tags + leaning for one in looks], self._transitions, np.maximum)
            places = [
                (number, *place)
                for number, one in enumerate(best)
                for place in _stretches(one.argmax(axis=1).tolist())
                or [(0, len(one))] * whole_if_none
            ]
            for (number, *_), one in zip(places, self._classified(looks, places), strict=True):
                found[number].append(one)
        return found

    def _classified(
        self, looks: Sequence[Look], places: Sequence[tuple[int, int, int]]
    ) -> Iterator[Marked]:
        """The statements at these places: a text's number, first and past-last token."""
        if not places:
            return
        of = {number: looks[number] for number, *_ in places}
        ways = _through([one.tags for one in of.values()], self._transitions, np.logaddexp)
        likely = {
            number: np.exp(way - np.logaddexp.reduce(way[0]))[:, [_BEGINS, _INSIDE]].sum(axis=1)
            for number, way in zip(of, ways, strict=True)
        }
        values = [_value_in(of[one].values.tolist(), start, end) for one, start, end in places]
        asked = [(of[number].meaning, start, end) for number, start, end in places]
        of_values = zip(places, values, strict=True)
        asked += [(of[number].meaning, *one) for (number, *_), one in of_values if one]
        vectors = network().vectors(asked)
        own, known = vectors[: len(places)], iter(vectors[len(places) :])
        parts = np.stack([_part_of(of[number].states, *one) for number, *one in places], axis=1)
        hidden = self._scores(self._norm(parts, "span"), "span")
        hidden = np.maximum(hidden + own * VECTOR_SCALE @ self._w["span_vector"], 0)
        heads = {
            name: _mean(softmax(self._scores(hidden, f"head_{name}"), axis=2)) for name in HEADS
        }
        nothing = np.zeros(DIMENSION, np.float32)
        for row, (number, start, end) in enumerate(places):
            marked = float(likely[number][start:end].mean())
            labels = {name: one[row] for name, one in heads.items()}
            sure, value = marked, values[row]
            if self._calibration is not None:
                score = float(signs(marked, labels, end - start) @ self._calibration)
                sure = float(1 / (1 + np.exp(-score)))
            vector = nothing if value is None else next(known)
            yield Marked(start, end, marked, sure, labels, value, own[row], vector)


@cache
def networks() -> Networks:
    """Those of the package, read when first needed.

    Raises:
        ReaderWeightsError: the weights are missing, damaged, or of another version.
    """
    return Networks(read_weights())


def signs(marked: float, heads: dict[str, Floats], length: int) -> Floats:
    """What the calibration goes by, (6,): the last is always 1."""
    share = min(max(marked, _LEAST_SHARE), 1 - _LEAST_SHARE)
    sharp = [float(heads[name].max()) for name in ("attribute", "category", "subject")]
    return np.array([np.log(share / (1 - share)), *sharp, np.log(length), 1.0], np.float32)


def read_weights() -> Weights:
    """The weights as they stand in the package.

    Raises:
        ReaderWeightsError: they are missing, damaged, or of another version.
    """
    place = files(__package__) / WEIGHTS
    try:
        with np.load(BytesIO(place.read_bytes()), allow_pickle=False) as packed:
            weights = {name: packed[name] for name in packed.files}
    except (OSError, ValueError, KeyError, BadZipFile, EOFError) as error:
        raise _unusable(str(error) or type(error).__name__) from error
    if int(weights.get("version", np.array(0))[()]) != VERSION:
        raise _unusable(f"not of version {VERSION}")
    return weights


def weights_of(prefix: str, weights: Weights) -> dict[str, Floats]:
    """Those whose names begin so, without it, but tables of words."""
    return {
        name.removeprefix(prefix): value.astype(np.float32)
        for name, value in weights.items()
        if name.startswith(prefix) and name != f"{prefix}words"
    }


def _unusable(why: str) -> ReaderWeightsError:
    return ReaderWeightsError(
        f"what the reader has learned ({files(__package__) / WEIGHTS}) cannot be used: {why}; "
        "nothing is remembered by itself until chatmem is installed again"
    )


def softmax(rows: NDArray[np.floating], axis: int) -> Floats:
    """Scores as likelihoods, together 1 along the axis."""
    powers = np.exp(rows - rows.max(axis=axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis=axis, keepdims=True), np.float32)


def _mean(of_networks: Floats) -> Floats:
    return np.asarray(of_networks.mean(axis=0), np.float32)


def _part_of(states: Floats, start: int, end: int) -> Floats:
    """What a statement is classified by, (networks, 512)."""
    part = states[:, start:end]
    looks = [part.mean(axis=1), part.max(axis=1), part[:, 0], states.mean(axis=1)]
    return np.concatenate(looks, axis=1)


def _through(emissions: Sequence[Floats], transitions: Floats, join: np.ufunc) -> list[_Scores]:
    """Of each text, for each tag of each token, (n, 5), the scores of all ways through it, joined.

    By `np.maximum` that is the score of the best of them, by `np.logaddexp` of all together.
    """
    before = _until(emissions, transitions, join)
    behind = _until([one[::-1] for one in emissions], transitions.T, join)
    of_each = zip(before, behind, emissions, strict=True)
    return [until + back[::-1] - own for until, back, own in of_each]


def _until(emissions: Sequence[Floats], transitions: Floats, join: np.ufunc) -> list[_Scores]:
    """The same of all ways that end there."""
    lengths = [len(one) for one in emissions]
    filled = np.zeros((max(lengths, default=0), len(TAGS), len(emissions)))
    for row, one in enumerate(emissions):
        filled[: len(one), :, row] = one
    for place in range(1, len(filled)):
        filled[place] += join.reduce(filled[place - 1][:, None] + transitions[:, :, None])
    return [filled[:length, :, row] for row, length in enumerate(lengths)]


def _stretches(tags: list[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    start: int | None = None
    for place, tag in enumerate([*tags, 0]):
        if start is not None and tag != _INSIDE:
            found.append((start, place))
            start = None
        if tag == _BEGINS or (tag == _INSIDE and start is None):
            start = place
    return found


def _value_in(scores: list[float], start: int, end: int) -> tuple[int, int] | None:
    """The stretch inside with the largest sum; None where all scores speak against it."""
    best, found = 0.0, None
    total, begin = 0.0, start
    for place in range(start, end):
        if total <= 0:
            total, begin = 0.0, place
        total += scores[place]
        if total > best:
            best, found = total, (begin, place + 1)
    return found
