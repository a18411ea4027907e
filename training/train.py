"""Learns which clauses are worth keeping: `python training/train.py [--check]`.

Reads `training/messages/*.jsonl` and writes `src/chatmem/extraction/worth.npz`; the same messages
give the same file. With `--check` nothing is written: each writer's messages are read with weights
learned from all others, and the figures printed.

A line of a file is a message `m` with `facts`, pairs of a category and the words of the message
that say it (`null` where the category is open). In a file whose name begins with `part` only some
of what is worth keeping is marked: what is not is left out of the learning.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from chatmem.extraction.clauses import Clause, clauses
from chatmem.extraction.own_words import own_words
from chatmem.extraction.rule_clauses_en import tidied
from chatmem.extraction.rule_sources import without_code
from chatmem.extraction.worth import SORTS, WEIGHTS, Weights, judged
from chatmem.extraction.worth_features import (
    CATEGORY_BITS,
    VERSION,
    WORTH_BITS,
    Look,
    Row,
    fingerprint,
    looks,
)
from chatmem.extraction.worth_reading import SURE

HERE: Final = Path(__file__).parent
MESSAGES: Final = HERE / "messages"
OUT: Final = HERE.parent / "src" / "chatmem" / "extraction" / WEIGHTS
PARTLY: Final = "part"
WORTH_SHARE: Final = 0.4
"""A clause says a fact if this much of it, or `FACT_SHARE` of the fact, stands in it."""
FACT_SHARE: Final = 0.6
LOOSE: Final = 0.6
"""How closely the messages are followed: the weight of their errors against that of the weights."""
LOOSE_SORTS: Final = 2.0
LEAST_TOLD: Final = 0.4
"""What a feature counts that is met as often with either answer."""
RARE_SORTS: Final = 1.7
"""What a clause that is no fact counts: there are few of them."""

Floats = np.ndarray[Any, np.dtype[Any]]
Ints = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Example:
    """A clause with its label: worth is None where nobody said, sort where it is open."""

    writer: str
    language: str
    look: Look
    worth: bool | None
    sort: int | None


def examples(language: str) -> list[Example]:
    """Every clause of the messages of one language."""
    found: list[Example] = []
    for path in sorted(MESSAGES.glob(f"*{language}*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found += _of_message(row, path.stem, language)
    return found


def _of_message(row: dict[str, Any], writer: str, language: str) -> Iterator[Example]:
    text = tidied(without_code(row["m"]))
    parts = list(clauses(own_words(text)))
    marks = labels(row["m"], parts, row["facts"])
    partly = writer.startswith(PARTLY) and bool(row["facts"])
    for look, mark in zip(looks(text, parts, language), marks, strict=True):
        worth = None if partly and mark is None else mark is not None
        sort = SORTS.index(mark) if mark in SORTS else None
        yield Example(writer, language, look, worth, sort)


def labels(
    message: str, parts: Sequence[Clause], facts: Sequence[tuple[str | None, str]]
) -> list[str | None]:
    """The category of each clause, `open` where none is said, None where it says no fact."""
    whole, of_whole = _letters(message)
    taken: dict[int, int] = {}
    for number, (_, said) in enumerate(facts):
        start = message.find(said)
        taken.update(dict.fromkeys(range(start, start + len(said)), number))
    found: list[str | None] = []
    at = 0
    for part in parts:
        letters, _ = _letters(part.text)
        start = whole.find(letters, at)
        if start < 0 or not letters:
            found.append(None)
            continue
        at = start + len(letters)
        hits = [taken[place] for place in of_whole[start:at] if place in taken]
        found.append(_told(hits, len(letters), facts))
    return found


def _told(hits: list[int], letters: int, facts: Sequence[tuple[str | None, str]]) -> str | None:
    if not hits:
        return None
    number = max(sorted(set(hits)), key=hits.count)
    sort, said = facts[number]
    enough = hits.count(number) >= WORTH_SHARE * letters
    if enough or hits.count(number) >= FACT_SHARE * len(_letters(said)[0]):
        return sort or "open"
    return None


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and figures of a text, in small letters, and where each stands."""
    places = [place for place, letter in enumerate(text) if letter.isalnum()]
    return "".join(text[place].lower()[:1] for place in places), places


class Table:
    """Rows of features, many of them empty, as numpy can work with them."""

    def __init__(self, rows: Sequence[Row], size: int) -> None:
        self.size = size
        self.counts: Ints = np.array([len(places) for places, _ in rows])
        self.starts: Ints = np.concatenate(([0], np.cumsum(self.counts)[:-1]))
        places = np.concatenate([each[0] for each in rows])
        values = np.concatenate([each[1] for each in rows])
        # What one clause alone has says nothing about others.
        values[np.bincount(places, minlength=size)[places] < 2] = 0
        self.places: Ints = places
        self.values: Floats = values

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
        self.values = self.values * (LEAST_TOLD + told)[self.places]
        heavier: Floats = LEAST_TOLD + told
        return heavier

    def times(self, weights: Floats) -> Floats:
        """The sum of each row."""
        sums: Floats = np.add.reduceat(weights[self.places] * self.values, self.starts)
        return sums

    def back(self, errors: Floats) -> Floats:
        """What the errors of the rows ask of each weight."""
        spread = np.repeat(errors, self.counts) * self.values
        asked: Floats = np.bincount(self.places, weights=spread, minlength=self.size)
        return asked


Loss = Callable[[Floats], tuple[float, Floats]]


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

    return lowest(loss, table.size + 1)


def learn_sorts(table: Table, sorts: Ints) -> Floats:
    """Weights for the categories, one row each; the last of a row is the bias."""
    rows = np.arange(len(sorts))
    heavy = np.where(sorts == 0, 1.0, RARE_SORTS)
    shape = (len(SORTS), table.size + 1)

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


def learned_from(known: Sequence[Example]) -> dict[str, Any]:
    """What the package keeps of a language: bytes, their scales, and biases."""
    judged = [each for each in known if each.worth is not None]
    table = Table([each.look.worth for each in judged], 1 << WORTH_BITS)
    wanted = np.array([float(bool(each.worth)) for each in judged])
    heavier = table.lean(wanted)
    worth = learn_worth(table, wanted) * np.append(heavier, 1)
    sorted_ = [each for each in known if each.sort is not None]
    sorts = learn_sorts(
        Table([each.look.category for each in sorted_], 1 << CATEGORY_BITS),
        np.array([each.sort for each in sorted_]),
    )
    scales = np.array([np.abs(worth[:-1]).max() / 127, np.abs(sorts[:, :-1]).max() / 127])
    return {
        "worth": np.rint(worth[:-1] / scales[0]).astype(np.int8),
        "sorts": np.rint(sorts[:, :-1] / scales[1]).astype(np.int8),
        "biases": np.concatenate((worth[-1:], sorts[:, -1])),
        "scales": scales,
    }


def check() -> None:
    """Read each writer's messages with weights learned from all others; print what comes of it."""
    for language in ("zh", "en"):
        known = examples(language)
        for writer in sorted({each.writer for each in known}):
            kept = learned_from([each for each in known if each.writer != writer])
            weights = Weights(kept["worth"], kept["sorts"], kept["biases"], kept["scales"])
            read = [
                (each, judged(weights, each.look.worth, each.look.category))
                for each in known
                if each.writer == writer and each.worth is not None
            ]
            taken = [each for each, seen in read if seen.keep * max(seen.sorts) >= SURE[language]]
            right = sum(bool(each.worth) for each in taken)
            wanted = sum(bool(each.worth) for each, _ in read)
            sorted_ = [(each.sort, seen.sorts) for each, seen in read if each.sort is not None]
            same = sum(sorts.index(max(sorts)) == sort for sort, sorts in sorted_)
            sys.stdout.write(
                f"{writer}: {right} of {len(taken)} clauses taken are worth keeping, "
                f"of {wanted} there are; category right in {same} of {len(sorted_)}\n"
            )


def main() -> None:
    """Learn from all messages and write the weights."""
    if "--check" in sys.argv[1:]:
        check()
        return
    made: dict[str, Any] = {
        "made_for": np.array([VERSION, WORTH_BITS, CATEGORY_BITS]),
        "features": np.array(fingerprint()),
    }
    for language in ("zh", "en"):
        known = examples(language)
        for name, value in learned_from(known).items():
            made[f"{language}_{name}"] = value
        sys.stdout.write(f"{language}: {len(known)} clauses\n")
    np.savez_compressed(OUT, **made)
    sys.stdout.write(f"{OUT.name}: {OUT.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
