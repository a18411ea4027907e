"""Is a clause worth keeping, and as what: a small learned classifier over `worth_features`.

Logistic regression on our own labelled messages (`training/messages`); its weights come inside the
package as whole numbers of one byte. `python training/train.py` makes them anew. Where the vectors
are at hand that it has learned from, it goes by them too: words that no message of the training
had are near to words that one had.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from math import exp
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from chatmem.errors import ChatmemError
from chatmem.extraction.clauses import Clause
from chatmem.extraction.worth_features import (
    CATEGORY_BITS,
    VERSION,
    WORTH_BITS,
    Look,
    Row,
    language_of,
    looks,
)
from chatmem.model import Category

WEIGHTS: Final = "worth.npz"
SORTS: Final[tuple[Category, ...]] = ("fact", "preference", "pattern")
BY_WORDS: Final = ("zh", "en")
BY_VECTORS: Final = {"zh": "zh_vectors"}
"""What the weights are called that a language is read with; English has none for vectors."""
HOPELESS: Final = 0.02
"""Vectors take a hundred times as long as words: a message of this worth by words has none made."""


class Embeds(Protocol):
    """What makes vectors of texts; `identity` names the space that they lie in."""

    @property
    def identity(self) -> str:
        """As `providers.Embedder` has it."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Normalised rows, one for each text."""
        ...


@dataclass(frozen=True, slots=True)
class Worth:
    """How likely a clause is worth keeping, and how likely each category (`SORTS`) then is."""

    keep: float
    sorts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Weights:
    """What was learned; `scales` turns the bytes into weights.

    Those of vectors are for a clause's own and for its message's, one after the other, and for the
    sorts for a clause's own; without vectors they are empty.
    """

    worth: NDArray[np.int8]
    sorts: NDArray[np.int8]
    worth_vectors: NDArray[np.int8]
    sorts_vectors: NDArray[np.int8]
    biases: NDArray[np.float64]
    scales: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Learned:
    """All weights by name, and the identity of the vectors that some of them belong to."""

    weights: dict[str, Weights]
    space: str


def worths(text: str, parts: Sequence[Clause], embedder: Embeds | None = None) -> list[Worth]:
    """Each clause of a message, judged.

    Args:
        text: the whole message, without code.
        parts: its clauses.
        embedder: makes the vectors that are gone by too, if they are those that were learned from.

    Raises:
        ProviderError: the embedder failed.
    """
    if not parts:
        return []
    language, known = language_of(text), learned().weights
    seen = looks(text, parts, language)
    by_words = [judged(known[language], each) for each in seen]
    name = weights_for(language, embedder)
    if embedder is None or name == language or max(each.keep for each in by_words) < HOPELESS:
        return by_words
    whole, *own = embedder.embed([text, *(part.text for part in parts)])
    return [
        judged(known[name], look, np.concatenate((vector, whole)))
        for look, vector in zip(seen, own, strict=True)
    ]


def weights_for(language: str, embedder: Embeds | None) -> str:
    """The name of the weights that a language is read with."""
    name = BY_VECTORS.get(language)
    if name is None or embedder is None or embedder.identity != learned().space:
        return language
    return name


def judged(weights: Weights, look: Look, vectors: NDArray[np.float32] | None = None) -> Worth:
    """One clause as these weights see it, with its own vector and that of its message."""
    said = _said(weights.worth, look.worth) * weights.scales[0] + weights.biases[0]
    sums = _said(weights.sorts, look.category) * weights.scales[1] + weights.biases[1:]
    if vectors is not None:
        own = vectors[: weights.sorts_vectors.shape[-1]]
        said = said + weights.worth_vectors @ vectors * weights.scales[2]
        sums = sums + weights.sorts_vectors @ own * weights.scales[3]
    shares = np.exp(sums - sums.max())
    return Worth(1 / (1 + exp(-said)), tuple((shares / shares.sum()).tolist()))


def _said(weights: NDArray[np.int8], row: Row) -> NDArray[np.float64]:
    places, values = row
    said: NDArray[np.float64] = weights[..., places] @ values
    return said


@cache
def learned() -> Learned:
    """The weights, read once.

    Raises:
        ChatmemError: they belong to other features than these.
    """
    packed = (files("chatmem.extraction") / WEIGHTS).read_bytes()
    with np.load(BytesIO(packed), allow_pickle=False) as kept:
        if tuple(kept["made_for"].tolist()) != (VERSION, WORTH_BITS, CATEGORY_BITS):
            raise ChatmemError(
                f"{WEIGHTS} was trained for other features than worth_features.py has: "
                "run `python training/train.py`"
            )
        weights = {
            name: Weights(*(kept[f"{name}_{field}"] for field in FIELDS))
            for name in (*BY_WORDS, *BY_VECTORS.values())
        }
        return Learned(weights, str(kept["space"]))


FIELDS: Final = ("worth", "sorts", "worth_vectors", "sorts_vectors", "biases", "scales")
"""Of `Weights`, as they are called in the file."""
