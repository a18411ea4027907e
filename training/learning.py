"""Logistic regression over features of which most are empty, and vectors; on numpy alone."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chatmem.extraction.worth_features import Row

LOOSE: Final = 0.6
"""How closely the messages are followed: the weight of their errors against that of the weights."""
LOOSE_SORTS: Final = 2.0
LEAST_TOLD: Final = 0.4
"""What a feature counts that is met as often with either answer."""
RARE_SORTS: Final = 1.7
"""What a clause that is no fact counts: there are few of them."""

Floats = NDArray[Any]
Ints = NDArray[Any]
Loss = Callable[[Floats], tuple[float, Floats]]


class Table:
    """Rows of features, many of them empty, with a vector each, as numpy can work with them.

    The weights of a table are those of the features and then those of the vectors' components.
    """

    def __init__(self, rows: Sequence[Row], size: int, vectors: Floats) -> None:
        self.size = size
        self.vectors = vectors
        self.counts: Ints = np.array([len(places) for places, _ in rows])
        self.starts: Ints = np.concatenate(([0], np.cumsum(self.counts)[:-1]))
        places = np.concatenate([each[0] for each in rows])
        values = np.concatenate([each[1] for each in rows])
        # What one clause alone has says nothing about others.
        values[np.bincount(places, minlength=size)[places] < 2] = 0
        self.places: Ints = places
        self.values: Floats = values

    @property
    def width(self) -> int:
        """How many weights there are."""
        return self.size + int(self.vectors.shape[1])

    def lean(self, wanted: Floats) -> Floats:
        """Makes telling features heavier, each by what is returned for its place.

        A feature tells much if it is met far more often with one answer than with the other; with
        few messages to learn from, this is what the learning cannot find by itself.
        """
        met = self.values != 0
        answers = np.repeat(wanted, self.counts)
        with_it: Floats = np.bincount(self.places, weights=met * answers, minlength=self.size) + 1.0
        without: Floats = (
            np.bincount(self.places, weights=met * (1 - answers), minlength=self.size) + 1.0
        )
        told = np.abs(np.log(with_it / with_it.sum()) - np.log(without / without.sum()))
        heavier: Floats = LEAST_TOLD + told
        self.values = self.values * heavier[self.places]
        return heavier

    def times(self, weights: Floats) -> Floats:
        """The sum of each row."""
        sums: Floats = np.add.reduceat(weights[self.places] * self.values, self.starts)
        sums += self.vectors @ weights[self.size :]
        return sums

    def back(self, errors: Floats) -> Floats:
        """What the errors of the rows ask of each weight."""
        spread = np.repeat(errors, self.counts) * self.values
        asked: Floats = np.bincount(self.places, weights=spread, minlength=self.size)
        return np.concatenate((asked, errors @ self.vectors))


def lowest(loss: Loss, size: int, *, steps: int = 150, memory: int = 10) -> Floats:
    """The weights with the least loss, by L-BFGS."""
    weights = np.zeros(size)
    value, slope = loss(weights)
    moved: list[tuple[Floats, Floats, float]] = []
    for _ in range(steps):
        direction = _direction(slope, moved)
        stride = 1.0 if moved else 1.0 / max(1.0, float(np.abs(slope).sum()))
        fall = float(direction @ slope)
        while True:
            trial = weights + stride * direction
            new_value, new_slope = loss(trial)
            if new_value <= value + 1e-4 * stride * fall or stride < 1e-10:
                break
            stride /= 2
        step, change = trial - weights, new_slope - slope
        if (along := float(step @ change)) > 1e-12:
            moved = [*moved, (step, change, 1 / along)][-memory:]
        done = value - new_value <= 1e-6 * abs(value)
        weights, value, slope = trial, new_value, new_slope
        if done:
            break
    return weights


def _direction(slope: Floats, moved: Sequence[tuple[Floats, Floats, float]]) -> Floats:
    way = -slope
    shares: list[float] = []
    for step, change, scale in reversed(moved):
        shares.append(scale * float(step @ way))
        way = way - shares[-1] * change
    if moved:
        step, change, _ = moved[-1]
        way = way * (float(step @ change) / float(change @ change))
    for (step, change, scale), share in zip(moved, reversed(shares), strict=True):
        way = way + (share - scale * float(change @ way)) * step
    return way


def learn_worth(table: Table, wanted: Floats) -> Floats:
    """Weights for worth keeping or not; the last one is the bias."""

    def loss(weights: Floats) -> tuple[float, Floats]:
        sums = table.times(weights[:-1]) + weights[-1]
        signs = np.where(wanted > 0, sums, -sums)
        value = LOOSE * float(np.logaddexp(0, -signs).sum()) + 0.5 * float(weights @ weights)
        errors = LOOSE * (1 / (1 + np.exp(-sums)) - wanted)
        slope = np.append(table.back(errors), errors.sum()) + weights
        return value, slope

    return lowest(loss, table.width + 1)


def learn_sorts(table: Table, sorts: Ints, many: int) -> Floats:
    """Weights for each of so many categories, one row each; the last of a row is the bias."""
    rows = np.arange(len(sorts))
    heavy = np.where(sorts == 0, 1.0, RARE_SORTS)
    shape = (many, table.width + 1)

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        sums = np.stack([table.times(each[:-1]) + each[-1] for each in weights])
        sums -= sums.max(axis=0)
        logs = sums - np.log(np.exp(sums).sum(axis=0))
        value = -LOOSE_SORTS * float((heavy * logs[sorts, rows]).sum())
        errors = np.exp(logs)
        errors[sorts, rows] -= 1
        errors *= LOOSE_SORTS * heavy
        slope = np.stack([np.append(table.back(each), each.sum()) for each in errors])
        return value + 0.5 * float(flat @ flat), slope.ravel() + flat

    return lowest(loss, shape[0] * shape[1]).reshape(shape)
