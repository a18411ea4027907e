"""The reader's network: marks statements in a message, and tells of each what it is.

What was learned stands in `weights.npz`; `make reader` learns it anew. Several networks that
learned the same messages from different beginnings are asked, and their answers averaged.
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
from chatmem.extraction.reader.meaning import DIMENSION, Meaning, one_thread
from chatmem.extraction.reader.tokens import TABLES, Tokens

Floats: TypeAlias = NDArray[np.float32]
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
    """A stretch of tokens that states something worth keeping, and what it is.

    `marked` is how likely each of its tokens is part of such a statement, on average, and `sure`
    how likely it is worth keeping, calibrated on writers that are not learned from; in [0, 1].
    `heads` the likelihood of each label; `value` the stretch of its value, or None; `vector` and
    `value_vector` what they mean, (512,) each, normalised; zeros for no value.
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
    """One network with what it learned."""

    def __init__(self, weights: dict[str, NDArray[np.generic]], prefix: str = "") -> None:
        self._w: dict[str, Floats] = {
            name.removeprefix(prefix): value.astype(np.float32)
            for name, value in weights.items()
            if name.startswith(prefix) and name != f"{prefix}words"
        }
        # A byte a number: most of the file, and only a few rows are needed for a message.
        self._words = weights[f"{prefix}words"]
        self._word_scale = self._w.pop("words_scale")

    def seen(self, tokens: Tokens, meaning: Meaning, vectors: Floats) -> Floats:
        """Each token with what stands around it, (n, 128).

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
        whole = np.repeat(scaled[:1] @ w["whole"], len(tokens), axis=0)
        told = [
            meaning.features @ w["features"],
            (scaled[1:] @ w["clauses"])[tokens.clauses],
            whole,
            *words,
            tokens.shapes,
            meaning.positions,
        ]
        seen = np.concatenate(told, axis=1) @ w["input"] + w["input_bias"]
        seen = np.maximum(self._even(seen, "input"), 0)
        for number, apart in enumerate(CONVOLUTIONS):
            name = f"convolution_{number}"
            around = np.concatenate([_moved(seen, apart), seen, _moved(seen, -apart)], axis=1)
            new = self._even(around @ w[name] + w[f"{name}_bias"], name)
            seen = seen + np.maximum(new, 0)
            if number == LOOKS_AT_ALL_AFTER:
                looked_at = _shares(seen @ w["attention"], axis=0)
                everything = (looked_at.T @ seen).reshape(1, -1)
                seen = seen + np.maximum(everything @ w["all"] + w["all_bias"], 0)
        return self._even(seen, "last")

    def emissions(self, seen: Floats) -> Floats:
        """How much speaks for each tag of each token, (n, 5)."""
        return seen @ self._w["tags"] + self._w["tags_bias"]

    def secrets(self, seen: Floats) -> Floats:
        """How likely each token is part of a secret: of none, or of each kind, (n, 8)."""
        return _shares(seen @ self._w["secret"] + self._w["secret_bias"], axis=1)

    def values(self, seen: Floats) -> Floats:
        """How much speaks for each token being part of a value, (n,)."""
        return (seen @ self._w["value"] + self._w["value_bias"])[:, 0]

    @property
    def chain(self) -> Floats:
        """How much speaks for each tag after each, (5, 5)."""
        return self._w["chain"]

    def heads(
        self, seen: Floats, stretches: NDArray[np.int64], vectors: Floats
    ) -> dict[str, Floats]:
        """The likelihood of each label of each statement, by head."""
        w = self._w
        whole = seen.mean(axis=0)
        parts = [
            np.concatenate([seen[a:b].mean(axis=0), seen[a:b].max(axis=0), seen[a], whole])
            for a, b in stretches
        ]
        told = self._even(np.stack(parts), "span") @ w["span"] + w["span_bias"]
        told = np.maximum(told + vectors * VECTOR_SCALE @ w["span_vector"], 0)
        return {
            name: _shares(told @ w[f"head_{name}"] + w[f"head_{name}_bias"], axis=1)
            for name in HEADS
        }

    def _even(self, rows: Floats, name: str) -> Floats:
        rows = rows - rows.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((rows * rows).mean(axis=-1, keepdims=True) + LEAST_VARIANCE)
        return np.asarray(
            rows / deviation * self._w[f"{name}_gain"] + self._w[f"{name}_shift"], np.float32
        )


class Networks:
    """All of them, asked together."""

    def __init__(
        self,
        networks: tuple[Network, ...],
        screens: dict[str, Floats],
        calibration: Floats | None = None,
    ) -> None:
        self._networks = networks
        self._screens = screens
        self._calibration = calibration
        self._chain = np.asarray(np.mean([one.chain for one in networks], axis=0), np.float32)
        self._last: tuple[Tokens, Meaning, list[Floats]] | None = None

    def screened(self, tokens: Tokens, looked_for: Literal["statement", "secret"]) -> Floats:
        """How much speaks for each clause of n > 0 tokens holding one; cheap."""
        screen = self._screens[looked_for]
        found = np.sum([screen[one, tokens.words[:, one]] for one in range(TABLES)], axis=0)
        edges = tokens.edges
        sums = np.add.reduceat(found, edges[:-1]) / np.sqrt(np.diff(edges))
        return np.asarray(sums + screen[0, -1], np.float32)

    def secrets(self, tokens: Tokens, meaning: Meaning) -> Floats:
        """How likely each of n > 0 tokens is part of a secret: of none, or of each kind, (n, 8)."""
        with one_thread():
            seen = self._seen(tokens, meaning)
            found = [one.secrets(rows) for one, rows in zip(self._networks, seen, strict=True)]
        return np.asarray(np.mean(found, axis=0), np.float32)

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
            asked = tuple(zip(self._networks, self._seen(tokens, meaning), strict=True))
            emissions = np.mean([one.emissions(rows) for one, rows in asked], axis=0)
            leaning = np.zeros(emissions.shape[1], np.float32)
            leaning[[_BEGINS, _INSIDE]] = eager
            stretches = _stretches(_best_tags(emissions + leaning, self._chain))
            if not stretches and whole_if_none:
                stretches = [(0, len(tokens))]
            if not stretches:
                return []
            sure = _likelihoods(emissions, self._chain)[:, [_BEGINS, _INSIDE]].sum(axis=1)
            spoken = np.mean([one.values(rows) for one, rows in asked], axis=0)
            values = [_value_in(spoken, start, end) for start, end in stretches]
            known = [one for one in values if one is not None]
            meant = meaning.vectors(np.array([*stretches, *known], np.int64))
            own, of_values = meant[: len(stretches)], iter(meant[len(stretches) :])
            places = np.array(stretches, np.int64)
            told = [one.heads(rows, places, own) for one, rows in asked]
        nothing = np.zeros(DIMENSION, np.float32)
        found = []
        for row, (start, end) in enumerate(stretches):
            heads = {name: np.mean([one[name][row] for one in told], axis=0) for name in HEADS}
            inside = float(sure[start:end].mean())
            vector = nothing if values[row] is None else next(of_values)
            known_by = self._sure(inside, heads, end - start)
            found.append(Marked(start, end, inside, known_by, heads, values[row], own[row], vector))
        return found

    def _seen(self, tokens: Tokens, meaning: Meaning) -> list[Floats]:
        """Each token by each network; of the last text remembered, for its second look."""
        last = self._last
        if last is None or last[0] is not tokens or last[1] is not meaning:
            vectors = _vectors(tokens, meaning)
            seen = [one.seen(tokens, meaning, vectors) for one in self._networks]
            self._last = last = (tokens, meaning, seen)
        return last[2]

    def _sure(self, marked: float, heads: dict[str, Floats], length: int) -> float:
        if self._calibration is None:
            return marked
        score = float(signs(marked, heads, length) @ self._calibration)
        return float(1 / (1 + np.exp(-score)))


@cache
def networks() -> Networks:
    """What was learned, read when it is first needed.

    Raises:
        ReaderWeightsError: the weights are missing, damaged, or of another version.
    """
    return unpacked(read_weights())


def unpacked(kept: dict[str, NDArray[np.generic]]) -> Networks:
    """The networks of which these are the weights."""
    count = int(kept["count"][()])
    asked = tuple(Network(kept, f"{number}/") for number in range(count))
    calibration = kept.get("calibration")
    return Networks(
        asked,
        {name: kept[f"screen/{name}"].astype(np.float32) for name in ("statement", "secret")},
        None if calibration is None else calibration.astype(np.float32),
    )


def signs(marked: float, heads: dict[str, Floats], length: int) -> Floats:
    """What says how sure one can be of a statement, (6,): the last is always 1."""
    share = min(max(marked, _LEAST_SHARE), 1 - _LEAST_SHARE)
    sharp = [float(heads[name].max()) for name in ("attribute", "category", "subject")]
    return np.array([np.log(share / (1 - share)), *sharp, np.log(length), 1.0], np.float32)


def read_weights() -> dict[str, NDArray[np.generic]]:
    """The weights as they stand in the package.

    Raises:
        ReaderWeightsError: they are missing, damaged, or of another version.
    """
    place = files(__package__) / WEIGHTS
    try:
        with np.load(BytesIO(place.read_bytes()), allow_pickle=False) as packed:
            kept = {name: packed[name] for name in packed.files}
    except (OSError, ValueError, KeyError, BadZipFile, EOFError) as error:
        raise _unusable(str(error) or type(error).__name__) from error
    if int(kept.get("version", np.array(0))[()]) != VERSION:
        raise _unusable(f"not of version {VERSION}")
    return kept


def _unusable(why: str) -> ReaderWeightsError:
    return ReaderWeightsError(
        f"what the reader has learned ({files(__package__) / WEIGHTS}) cannot be used: {why}; "
        "nothing is remembered by itself until chatmem is installed again"
    )


def _vectors(tokens: Tokens, meaning: Meaning) -> Floats:
    """Of the whole, and of each of its clauses."""
    edges = tokens.edges
    clauses = np.stack([edges[:-1], edges[1:]], axis=1)
    return meaning.vectors(np.concatenate([[[0, len(tokens)]], clauses]))


def _moved(rows: Floats, places: int) -> Floats:
    moved = np.zeros_like(rows)
    if places > 0:
        moved[places:] = rows[:-places]
    else:
        moved[:places] = rows[-places:]
    return moved


def _shares(rows: NDArray[np.floating], axis: int) -> Floats:
    powers = np.exp(rows - rows.max(axis=axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis=axis, keepdims=True), np.float32)


def _best_tags(emissions: Floats, chain: Floats) -> list[int]:
    """The tags that fit best one after the other (Viterbi)."""
    best = emissions[0]
    came_from: list[NDArray[np.int64]] = []
    for row in emissions[1:]:
        scores = best[:, None] + chain
        came_from.append(scores.argmax(axis=0))
        best = scores.max(axis=0) + row
    tags = [int(best.argmax())]
    for steps in reversed(came_from):
        tags.append(int(steps[tags[-1]]))
    return tags[::-1]


def _likelihoods(emissions: Floats, chain: Floats) -> Floats:
    """How likely each tag of each token is, whatever the others are, (n, 5)."""
    count = len(emissions)
    forward, backward = emissions.astype(np.float64), np.zeros(emissions.shape)
    for row in range(1, count):
        forward[row] += _log_sum(forward[row - 1][:, None] + chain, 0)
    for row in range(count - 2, -1, -1):
        backward[row] = _log_sum(chain + emissions[row + 1] + backward[row + 1], 1)
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


def _value_in(values: Floats, start: int, end: int) -> tuple[int, int] | None:
    """The stretch inside for which most speaks; None where something speaks against all."""
    best, found = 0.0, None
    total, begin = 0.0, start
    for place in range(start, end):
        if total <= 0:
            total, begin = 0.0, place
        total += float(values[place])
        if total > best:
            best, found = total, (begin, place + 1)
    return found


assert DIMENSION % WIDTH == 0
