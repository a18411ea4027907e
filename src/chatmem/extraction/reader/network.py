"""The reader's network: tags the statements in a message, and classifies each.

Its weights stand in `weights.npz`; `make reader` learns them anew. Several networks, which learned
the same messages from different beginnings, are averaged.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
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
    layer_norm,
    one_thread,
)

Floats: TypeAlias = NDArray[np.float32]
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


class Network:
    """One network with its weights."""

    def __init__(self, weights: Weights, prefix: str = "") -> None:
        self._w = weights_of(prefix, weights)
        # A byte a number: most of the file, and only a few rows are needed for a message.
        self._words = weights[f"{prefix}words"]
        self._word_scale = self._w.pop("words_scale")

    def states(self, tokens: Tokens, meaning: Meaning, vectors: Floats) -> Floats:
        """Hidden states of the tokens, each with what stands around it, (n, 128).

        Args:
            tokens: n of them, n > 0.
            meaning: theirs.
            vectors: of the message, then of each of its clauses.
        """
        w = self._w
        words = [
            self._words[one, tokens.words[:, one]] * self._word_scale[one, tokens.words[:, one]]
            for one in range(TABLES)
        ]
        scaled = vectors * VECTOR_SCALE
        inputs = [
            meaning.features @ w["features"],
            (scaled[1:] @ w["clauses"])[tokens.clauses],
            np.repeat(scaled[:1] @ w["whole"], len(tokens), axis=0),
            *words,
            tokens.shapes,
            meaning.positions,
        ]
        states = np.concatenate(inputs, axis=1) @ w["input"] + w["input_bias"]
        states = np.maximum(self._norm(states, "input"), 0)
        for number, apart in enumerate(CONVOLUTIONS):
            name = f"convolution_{number}"
            around = np.concatenate([_shifted(states, apart), states, _shifted(states, -apart)], 1)
            new = self._norm(around @ w[name] + w[f"{name}_bias"], name)
            states = states + np.maximum(new, 0)
            if number == LOOKS_AT_ALL_AFTER:
                attention = softmax(states @ w["attention"], axis=0)
                everything = (attention.T @ states).reshape(1, -1)
                states = states + np.maximum(everything @ w["all"] + w["all_bias"], 0)
        return self._norm(states, "last")

    def emissions(self, states: Floats) -> Floats:
        """Scores of each tag of each token, (n, 5)."""
        return states @ self._w["tags"] + self._w["tags_bias"]

    def secrets(self, states: Floats) -> Floats:
        """How likely each token is part of a secret: of none, or of each kind, (n, 8)."""
        return softmax(states @ self._w["secret"] + self._w["secret_bias"], axis=1)

    def values(self, states: Floats) -> Floats:
        """Scores of each token being part of a value, (n,)."""
        return (states @ self._w["value"] + self._w["value_bias"])[:, 0]

    @property
    def transitions(self) -> Floats:
        """Scores of each tag after each, (5, 5)."""
        return self._w["chain"]

    def heads(
        self, states: Floats, stretches: NDArray[np.int64], vectors: Floats
    ) -> dict[str, Floats]:
        """The likelihood of each label of each statement, by head."""
        w = self._w
        whole = states.mean(axis=0)
        parts = [
            np.concatenate([states[a:b].mean(axis=0), states[a:b].max(axis=0), states[a], whole])
            for a, b in stretches
        ]
        hidden = self._norm(np.stack(parts), "span") @ w["span"] + w["span_bias"]
        hidden = np.maximum(hidden + vectors * VECTOR_SCALE @ w["span_vector"], 0)
        return {
            name: softmax(hidden @ w[f"head_{name}"] + w[f"head_{name}_bias"], axis=1)
            for name in HEADS
        }

    def _norm(self, rows: Floats, name: str) -> Floats:
        return layer_norm(rows, self._w[f"{name}_gain"], self._w[f"{name}_shift"], LEAST_VARIANCE)


class Networks:
    """All networks of some weights, averaged; and the screens, which are cheap."""

    def __init__(self, weights: Weights) -> None:
        count = int(weights["count"][()])
        self._networks = tuple(Network(weights, f"{number}/") for number in range(count))
        self._screens = {
            name: weights[f"screen/{name}"].astype(np.float32) for name in ("statement", "secret")
        }
        calibration = weights.get("calibration")
        self._calibration = None if calibration is None else calibration.astype(np.float32)
        self._transitions = _mean([one.transitions for one in self._networks])
        self._last: tuple[Tokens, Meaning, list[Floats]] | None = None

    def screened(self, tokens: Tokens, looked_for: Literal["statement", "secret"]) -> Floats:
        """Log odds of each clause of n > 0 tokens to hold one; cheap."""
        screen = self._screens[looked_for]
        found = np.sum([screen[one, tokens.words[:, one]] for one in range(TABLES)], axis=0)
        edges = tokens.edges
        sums = np.add.reduceat(found, edges[:-1]) / np.sqrt(np.diff(edges))
        return np.asarray(sums + screen[0, -1], np.float32)

    def secrets(self, tokens: Tokens, meaning: Meaning) -> Floats:
        """How likely each of n > 0 tokens is part of a secret: of none, or of each kind, (n, 8)."""
        with one_thread():
            states = self._states(tokens, meaning)
            pairs = zip(self._networks, states, strict=True)
            return _mean([one.secrets(rows) for one, rows in pairs])

    def marked(
        self, tokens: Tokens, meaning: Meaning, *, eager: float = 0.0, whole_if_none: bool = False
    ) -> list[Marked]:
        """The statements among the tokens that are worth keeping, in order.

        Args:
            tokens: those of a message.
            meaning: theirs.
            eager: log odds by which more speaks for each token being part of a statement.
            whole_if_none: where there is no statement, all of it is taken for one.
        """
        if not len(tokens):
            return []
        with one_thread():
            pairs = tuple(zip(self._networks, self._states(tokens, meaning), strict=True))
            emissions = np.mean([one.emissions(rows) for one, rows in pairs], axis=0)
            leaning = np.zeros(emissions.shape[1], np.float32)
            leaning[[_BEGINS, _INSIDE]] = eager
            stretches = _stretches(_viterbi(emissions + leaning, self._transitions))
            if not stretches and whole_if_none:
                stretches = [(0, len(tokens))]
            if not stretches:
                return []
            tags = _marginals(emissions, self._transitions)
            inside = tags[:, [_BEGINS, _INSIDE]].sum(axis=1)
            scores = np.mean([one.values(rows) for one, rows in pairs], axis=0)
            values = [_value_in(scores, start, end) for start, end in stretches]
            known = [one for one in values if one is not None]
            vectors = meaning.vectors(np.array([*stretches, *known], np.int64))
            own, of_values = vectors[: len(stretches)], iter(vectors[len(stretches) :])
            places = np.array(stretches, np.int64)
            classes = [one.heads(rows, places, own) for one, rows in pairs]
        nothing = np.zeros(DIMENSION, np.float32)
        found = []
        for row, (start, end) in enumerate(stretches):
            heads = {name: np.mean([one[name][row] for one in classes], axis=0) for name in HEADS}
            marked = float(inside[start:end].mean())
            vector = nothing if values[row] is None else next(of_values)
            sure = self._sure(marked, heads, end - start)
            found.append(Marked(start, end, marked, sure, heads, values[row], own[row], vector))
        return found

    def _states(self, tokens: Tokens, meaning: Meaning) -> list[Floats]:
        """By each network; those of the last text are cached, for its second look."""
        last = self._last
        if last is None or last[0] is not tokens or last[1] is not meaning:
            # Of the whole, and of each of its clauses.
            edges = tokens.edges
            clauses = np.stack([edges[:-1], edges[1:]], axis=1)
            vectors = meaning.vectors(np.concatenate([[[0, len(tokens)]], clauses]))
            states = [one.states(tokens, meaning, vectors) for one in self._networks]
            self._last = last = (tokens, meaning, states)
        return last[2]

    def _sure(self, marked: float, heads: dict[str, Floats], length: int) -> float:
        if self._calibration is None:
            return marked
        score = float(signs(marked, heads, length) @ self._calibration)
        return float(1 / (1 + np.exp(-score)))


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


def _mean(arrays: list[Floats]) -> Floats:
    return np.asarray(np.mean(arrays, axis=0), np.float32)


def _shifted(rows: Floats, places: int) -> Floats:
    shifted = np.zeros_like(rows)
    if places > 0:
        shifted[places:] = rows[:-places]
    else:
        shifted[:places] = rows[-places:]
    return shifted


def _viterbi(emissions: Floats, transitions: Floats) -> list[int]:
    """The tags that fit best one after the other."""
    best = emissions[0]
    came_from: list[NDArray[np.int64]] = []
    for row in emissions[1:]:
        scores = best[:, None] + transitions
        came_from.append(scores.argmax(axis=0))
        best = scores.max(axis=0) + row
    tags = [int(best.argmax())]
    for steps in reversed(came_from):
        tags.append(int(steps[tags[-1]]))
    return tags[::-1]


def _marginals(emissions: Floats, transitions: Floats) -> Floats:
    """How likely each tag of each token is, whatever the others are, (n, 5)."""
    count = len(emissions)
    forward, backward = emissions.astype(np.float64), np.zeros(emissions.shape)
    for row in range(1, count):
        forward[row] += _log_sum(forward[row - 1][:, None] + transitions, 0)
    for row in range(count - 2, -1, -1):
        backward[row] = _log_sum(transitions + emissions[row + 1] + backward[row + 1], 1)
    return np.exp(forward + backward - _log_sum(forward[-1], 0)).astype(np.float32)


def _log_sum(rows: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    most = rows.max(axis=axis, keepdims=True)
    return np.asarray(np.squeeze(most, axis) + np.log(np.exp(rows - most).sum(axis=axis)))


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


def _value_in(scores: Floats, start: int, end: int) -> tuple[int, int] | None:
    """The stretch inside with the largest sum; None where all scores speak against it."""
    best, found = 0.0, None
    total, begin = 0.0, start
    for place in range(start, end):
        if total <= 0:
            total, begin = 0.0, place
        total += float(scores[place])
        if total > best:
            best, found = total, (begin, place + 1)
    return found
