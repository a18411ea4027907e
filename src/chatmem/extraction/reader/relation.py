"""How a statement bears on an older one: replaces it, ends it, says the same, or leaves it alone.

A small network over attribute, subject, value and meaning of both, learned from pairs of statements
(`training/pairs`). Nearness in meaning is one feature among others; that only a statement of the
same attribute and person may retire another is a rule, not learned.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
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
from chatmem.extraction.reader.tokens import fold, one_thread, tokens_of
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
_MOST_TEXTS: Final = 4_096


@dataclass(frozen=True, slots=True)
class Relation:
    """How likely each bearing is, in [0, 1], together 1; whether it may retire the older one."""

    replaces: float
    ends: float
    same: float
    independent: float
    may_retire: bool


def relations(new: Statement, olds: Sequence[Statement]) -> list[Relation]:
    """How the newer statement bears on each of the older ones.

    Raises:
        ReaderWeightsError: the weights are missing or damaged.
    """
    if not olds:
        return []
    hidden, bias, out, out_bias = _learned()
    with one_thread():
        seen = np.maximum(features(new, olds) @ hidden + bias, 0).reshape(len(olds), len(out), -1)
        scores = np.einsum("okh,khb->okb", seen, out) + out_bias
    shares = softmax(scores, axis=2).mean(axis=1).tolist()
    return [
        Relation(**dict(zip(BEARINGS, likely, strict=True)), may_retire=_may_retire(new, old))
        for likely, old in zip(shares, olds, strict=True)
    ]


@cache
def _learned() -> tuple[Floats, Floats, Floats, Floats]:
    """The weights of all networks, side by side: of the features, and of what is made of them."""
    weights = read_weights()
    count = int(weights["relation/count"][()])
    of = [weights_of(f"relation/{number}/", weights) for number in range(count)]
    hidden = np.concatenate([one["hidden"] / one["spread"][:, None] for one in of], axis=1)
    means = [one["mean"] / one["spread"] @ one["hidden"] for one in of]
    bias = np.concatenate([one["hidden_bias"] - mean for one, mean in zip(of, means, strict=True)])
    return (
        hidden,
        bias,
        np.stack([one["out"] for one in of]),
        np.stack([one["out_bias"] for one in of]),
    )


def _may_retire(new: Statement, old: Statement) -> bool:
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


def features(new: Statement, olds: Sequence[Statement]) -> Floats:
    """The features of a pair, one a row: scalars, then likelihoods and vectors of both."""
    named = ("attributes", "subjects", "standings", "vector", "value_vector")
    attributes, subjects, standings, vectors, values = (
        np.stack([getattr(old, name) for old in olds]) for name in named
    )
    in_common = np.minimum(new.attributes, attributes)
    *words, length, length_before = np.array([_shared_words(new, old) for old in olds]).T
    numbers = [
        in_common.sum(axis=1),
        attributes @ new.attributes,
        np.minimum(new.subjects, subjects).sum(axis=1),
        subjects[:, 0] * new.subjects[0],
        vectors @ new.vector,
        values @ new.value_vector,
        values @ new.vector,
        vectors @ new.value_vector,
        *words,
        np.full(len(olds), _SINGLE @ new.attributes),
        attributes @ _SINGLE,
        in_common @ _SINGLE,
        length,
        length_before,
    ]
    parts = [
        np.stack(numbers, axis=1),
        np.tile(new.standings, (len(olds), 1)),
        standings,
        np.tile(new.attributes, (len(olds), 1)),
        new.attributes * attributes,
        new.vector * vectors * 8,
        (new.vector - vectors) * 2,
    ]
    return np.concatenate(parts, axis=1, dtype=np.float32)


def _shared_words(new: Statement, old: Statement) -> tuple[float, ...]:
    """What two statements have in common by their words, values and categories."""
    words, known = _parts(new.text), _parts(old.text)
    value, had = _parts(new.value or ""), _parts(old.value or "")
    return (
        _is_same(new.value, old.value),
        new.value is None,
        old.value is None,
        _share(words & known, words | known),
        _share(words & known, known),
        _share(words & known, words),
        _share(value & had, value | had),
        _share(had & words, had),
        _share(value & known, value),
        new.category == old.category,
        np.log1p(len(words)) / 4,
        np.log1p(len(known)) / 4,
    )


@lru_cache(_MOST_TEXTS)
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
