"""How a statement bears on an older one: replaces it, ends it, says the same, or leaves it alone.

A small network over attribute, subject, value and meaning of both, learned from pairs of statements
(`training/pairs`). Nearness in meaning is one feature among others; that only a statement of the
same attribute and person may retire another is a rule, not learned.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from chatmem.extraction.reader.labels import (
    ATTRIBUTES,
    ATTRIBUTES_BY_KEY,
    NO_ATTRIBUTE,
    SELF,
    STANDINGS,
    SUBJECTS,
)
from chatmem.extraction.reader.network import Floats, read_weights, softmax, weights_of
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
        ReaderWeightsError: the weights are missing or damaged.
    """
    row = features(new, old)
    shares = np.mean([_classify(row, one) for one in _learned()], axis=0)
    by_name = dict(zip(BEARINGS, map(float, shares), strict=True))
    return Relation(**by_name, may_retire=_have_enough_in_common(new, old))


def _classify(row: Floats, w: dict[str, Floats]) -> Floats:
    """The likelihood of each bearing by one network, (4,)."""
    hidden = np.maximum((row - w["mean"]) / w["spread"] @ w["hidden"] + w["hidden_bias"], 0)
    return softmax(hidden @ w["out"] + w["out_bias"], axis=0)


@cache
def _learned() -> tuple[dict[str, Floats], ...]:
    weights = read_weights()
    count = int(weights["relation/count"][()])
    return tuple(weights_of(f"relation/{number}/", weights) for number in range(count))


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


def _common(one: Floats, other: Floats) -> float:
    return float(np.minimum(one, other).sum())


def features(new: Statement, old: Statement) -> Floats:
    """The features of a pair: scalars, then likelihoods and vectors of both."""
    words, known = _parts(new.text), _parts(old.text)
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
        _share(words & known, words | known),
        _share(words & known, known),
        _share(words & known, words),
        _share(value & had, value | had),
        _share(had & words, had),
        _share(value & known, value),
        float(new.category == old.category),
        float(_SINGLE @ new.attributes),
        float(_SINGLE @ old.attributes),
        float((_SINGLE * np.minimum(new.attributes, old.attributes)).sum()),
        np.log1p(len(words)) / 4,
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
