"""Is a clause worth keeping, and as what: a small learned classifier over `worth_features`.

Logistic regression on our own labelled messages (`training/messages`); its weights come inside the
package as whole numbers of one byte. `python training/train.py` makes them anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from math import exp
from typing import Any, Final

import numpy as np

from chatmem.errors import ChatmemError
from chatmem.extraction.clauses import Clause
from chatmem.extraction.worth_features import (
    CATEGORY_BITS,
    VERSION,
    WORTH_BITS,
    Row,
    language_of,
    looks,
)
from chatmem.model import Category

WEIGHTS: Final = "worth.npz"
SORTS: Final[tuple[Category, ...]] = ("fact", "preference", "pattern")


@dataclass(frozen=True, slots=True)
class Worth:
    """How likely a clause is worth keeping, and how likely each category (`SORTS`) then is."""

    keep: float
    sorts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Weights:
    """What was learned for one language; `scales` turns the bytes into weights."""

    worth: np.ndarray[Any, np.dtype[np.int8]]
    sorts: np.ndarray[Any, np.dtype[np.int8]]
    biases: np.ndarray[Any, np.dtype[np.float64]]
    scales: np.ndarray[Any, np.dtype[np.float64]]


def worths(text: str, parts: Sequence[Clause]) -> list[Worth]:
    """Each clause of a message, judged.

    Args:
        text: the whole message, without code.
        parts: its clauses.
    """
    if not parts:
        return []
    language = language_of(text)
    weights = learned()[language]
    return [judged(weights, look.worth, look.category) for look in looks(text, parts, language)]


def judged(weights: Weights, worth: Row, category: Row) -> Worth:
    """One clause as these weights see it."""
    places, values = worth
    said = float(weights.worth[places] @ values)
    keep = 1 / (1 + exp(-said * weights.scales[0] - weights.biases[0]))
    places, values = category
    sums = weights.sorts[:, places] @ values * weights.scales[1] + weights.biases[1:]
    shares = np.exp(sums - sums.max())
    return Worth(keep, tuple((shares / shares.sum()).tolist()))


@cache
def learned() -> dict[str, Weights]:
    """The weights of each language, read once.

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
        return {
            language: Weights(
                kept[f"{language}_worth"],
                kept[f"{language}_sorts"],
                kept[f"{language}_biases"],
                kept[f"{language}_scales"],
            )
            for language in ("zh", "en")
        }
