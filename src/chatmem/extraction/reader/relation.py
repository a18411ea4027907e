"""How a statement bears on an older one: replaces it, ends it, says the same, or leaves it alone.

A small network over attribute, subject, value and meaning of both, learned from pairs of statements
(`training/pairs`). Nearness in meaning is only one of the things it looks at, and what two
statements must have in common before one may retire the other is no matter of learning: the same
attribute, of the same person.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from chatmem.extraction.attributes import ATTRIBUTES_BY_KEY, NO_ATTRIBUTE
from chatmem.extraction.reader.labels import ATTRIBUTES, SELF, STANDINGS, SUBJECTS
from chatmem.extraction.reader.network import read_weights
from chatmem.extraction.reader.reading import Statement
from chatmem.extraction.reader.tokens import fold, tokens_of
from chatmem.text.normalise import normalise

Bearing: TypeAlias = Literal["replaces", "ends", "same", "independent"]
BEARINGS: Final[tuple[Bearing, ...]] = get_args(Bearing)
LEAST_COMMON: Final = {"attribute": 0.1, "subject": 0.4}
"""Common likelihood, in [0, 1], below which one statement retires no other, whatever is learned."""
_SINGLE: Final = np.array([ATTRIBUTES_BY_KEY[one].single for one in ATTRIBUTES], np.float32)
_ONLY_ONES: Final = [
    SUBJECTS.index(one)
    for one in (SELF, "wife", "husband", "partner", "mother", "father", "parents", "family")
]
_CHANGES: Final = [STANDINGS.index(one) for one in ("began", "ended", "corrected", "denied")]
LEAST_REASON: Final = 0.2
LEAST_REASON_OF_ANOTHER: Final = 0.5
_PREFIX: Final = "relation/"


@dataclass(frozen=True, slots=True)
class Relation:
    """How likely each bearing is, in [0, 1], together 1; whether it may retire the older one."""

    replaces: float
    ends: float
    same: float
    independent: float
    may_retire: bool


def relation(new: Statement, old: Statement) -> Relation:
    """How the newer statement bears on the older one.

    Raises:
        ReaderWeightsError: what was learned is missing or damaged.
    """
    row = features(new, old)
    shares = np.mean([one.shares(row) for one in _learned()], axis=0)
    by_name = dict(zip(BEARINGS, map(float, shares), strict=True))
    return Relation(**by_name, may_retire=_have_enough_in_common(new, old))


def _have_enough_in_common(new: Statement, old: Statement) -> bool:
    if (
        NO_ATTRIBUTE in (new.attribute, old.attribute)
        or _common(new.attributes, old.attributes) < LEAST_COMMON["attribute"]
        or _common(new.subjects, old.subjects) < LEAST_COMMON["subject"]
    ):
        return False
    # Of most attributes a person has several values: another one stands beside the first, unless
    # it is said that something has changed, or the same thing is spoken of.
    has_one_value = float((_SINGLE * np.minimum(new.attributes, old.attributes)).sum())
    has_changed = float(new.standings[_CHANGES].sum())
    same_thing = _share(_parts(old.value or "") & _parts(new.text), _parts(old.value or ""))
    # Of sons, friends or cats there may be several: another one is no change.
    is_the_only_one = float(np.minimum(new.subjects, old.subjects)[_ONLY_ONES].sum())
    if is_the_only_one < LEAST_COMMON["subject"]:
        return max(has_changed, same_thing) >= LEAST_REASON_OF_ANOTHER
    return max(has_one_value, has_changed, same_thing) >= LEAST_REASON


def _common(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float(np.minimum(one, other).sum())


def features(new: Statement, old: Statement) -> NDArray[np.float32]:
    """What is looked at of two statements."""
    said, known = _parts(new.text), _parts(old.text)
    value, had = _parts(new.value or ""), _parts(old.value or "")
    scalars = [
        _common(new.attributes, old.attributes),
        float(new.attributes @ old.attributes),
        _common(new.subjects, old.subjects),
        float(new.subjects[0] * old.subjects[0]),
        float(new.vector @ old.vector),
        float(new.value_vector @ old.value_vector),
        float(new.vector @ old.value_vector),
        float(new.value_vector @ old.vector),
        float(_is_same(new.value, old.value)),
        float(new.value is None),
        float(old.value is None),
        _share(said & known, said | known),
        _share(said & known, known),
        _share(said & known, said),
        _share(value & had, value | had),
        _share(had & said, had),
        _share(value & known, value),
        float(new.category == old.category),
        float(_SINGLE @ new.attributes),
        float(_SINGLE @ old.attributes),
        float((_SINGLE * np.minimum(new.attributes, old.attributes)).sum()),
        np.log1p(len(said)) / 4,
        np.log1p(len(known)) / 4,
    ]
    return np.concatenate(
        [
            np.array(scalars, np.float32),
            new.standings,
            old.standings,
            new.attributes,
            new.attributes * old.attributes,
            new.vector * old.vector * 8,
            (new.vector - old.vector) * 2,
        ]
    )


def _parts(text: str) -> frozenset[str]:
    """Characters of Chinese, and beginnings of words, so that forms of one word are one."""
    folded = fold(text).lower()
    places = tokens_of(folded).places.tolist()
    words = (folded[start:end] for start, end in places)
    return frozenset(word[:5] for word in words if word[0].isalnum())


def _share(some: frozenset[str], of: frozenset[str]) -> float:
    return len(some) / len(of) if of else 0.0


def _is_same(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and normalise(one) == normalise(other)


class _Learned:
    """One network for pairs."""

    def __init__(self, weights: dict[str, NDArray[np.float32]]) -> None:
        self._w = weights

    def shares(self, row: NDArray[np.float32]) -> NDArray[np.float32]:
        """The likelihood of each bearing, (4,)."""
        w = self._w
        hidden = np.maximum((row - w["mean"]) / w["spread"] @ w["hidden"] + w["hidden_bias"], 0)
        scores = hidden @ w["out"] + w["out_bias"]
        powers = np.exp(scores - scores.max())
        return np.asarray(powers / powers.sum(), np.float32)


@cache
def _learned() -> tuple[_Learned, ...]:
    kept = read_weights()
    return tuple(
        _Learned(
            {
                name.removeprefix(f"{_PREFIX}{number}/"): value.astype(np.float32)
                for name, value in kept.items()
                if name.startswith(f"{_PREFIX}{number}/")
            }
        )
        for number in range(int(kept[f"{_PREFIX}count"][()]))
    )


assert len(STANDINGS) > len(BEARINGS)
