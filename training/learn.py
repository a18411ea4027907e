"""Learns to read messages: `make reader`, or python training/learn.py [--check].

Reads `training/messages/*.jsonl` and writes `src/chatmem/extraction/reader/weights.npz`; the same
messages give the same weights. With `--check` nothing is written: the messages of the writers that
are kept back (`training/kept_back`) are read with what the others teach.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from check import read
from dataset import Example, batches, example_of, joined, messages_of, pairs_of
from markup import MarkupError, Message
from network import Parameters, fresh, loss
from numpy.typing import NDArray
from relations import Pair, learn_relations, rows_of

from chatmem.extraction.reader.labels import is_kept
from chatmem.extraction.reader.network import VERSION, WEIGHTS, Networks, signs
from chatmem.extraction.reader.tokens import HASHES, TABLES

HERE: Final = Path(__file__).parent
KEPT_BACK: Final = HERE / "kept_back"
OUT: Final = HERE.parent / "src" / "chatmem" / "extraction" / "reader" / WEIGHTS
ROUNDS: Final = 9
JOINED: Final = 0.25
"""So many messages more, of their number, are two of them said as one."""
SIZE: Final = 12
RATE: Final = 2e-3
_WARM_UP: Final = 200
_STEADY: Final = 0.9
_STEADY_SQUARE: Final = 0.99
_LONGEST_STEP: Final = 5.0
_FADES: Final = 0.01
_LEAST_RATE: Final = 0.02
_SCREEN_STEPS: Final = 150
_SCREEN_FADES: Final = 1e-6
_CALIBRATION_FADES: Final = 0.5
_CALIBRATION_STEPS: Final = 20
SEEDS: Final = (1, 2)


def _stepped(
    p: Parameters, mean: Parameters, square: Parameters, batch: Any, key: Any, t: Any, rate: Any
) -> tuple[Parameters, Parameters, Parameters, Any]:
    """One step of Adam (Kingma and Ba, 2015)."""
    value, slope = jax.value_and_grad(loss)(p, batch, key)
    length = jnp.sqrt(sum(jnp.vdot(one, one) for one in jax.tree.leaves(slope)))
    scale = jnp.minimum(1, _LONGEST_STEP / length)
    mean = jax.tree.map(lambda m, g: _STEADY * m + (1 - _STEADY) * g * scale, mean, slope)
    square = jax.tree.map(
        lambda s, g: _STEADY_SQUARE * s + (1 - _STEADY_SQUARE) * (g * scale) ** 2, square, slope
    )

    def moved(x: Any, m: Any, s: Any) -> Any:
        far = (m / (1 - _STEADY**t)) / (jnp.sqrt(s / (1 - _STEADY_SQUARE**t)) + 1e-8)
        return x - rate * (far + _FADES * x)

    return jax.tree.map(moved, p, mean, square), mean, square, value


_step: Final = jax.jit(_stepped)


def learn(examples: Sequence[Example], seed: int, rounds: int = ROUNDS) -> Parameters:
    """What one network learns of the examples."""
    draw = random.Random(seed)
    p = fresh(seed)
    mean = jax.tree.map(jnp.zeros_like, p)
    square = jax.tree.map(jnp.zeros_like, p)
    steps = rounds * sum(1 for _ in batches(examples, SIZE))
    key = jax.random.PRNGKey(seed)
    done = 0
    for number in range(rounds):
        began, total, count = time.time(), 0.0, 0
        for batch in batches(examples, SIZE, draw):
            done, count = done + 1, count + 1
            rate = RATE * min(1.0, done / _WARM_UP) * max(_LEAST_RATE, 1 - done / steps)
            key, now = jax.random.split(key)
            p, mean, square, value = _step(p, mean, square, batch, now, float(done), rate)
            total += float(value)
        took_s = time.time() - began
        say(f"seed {seed}, round {number + 1}: loss {total / count:.3f}, {took_s:.0f} s")
    return {name: np.asarray(value) for name, value in p.items()}


def screens_of(examples: Sequence[Example]) -> dict[str, NDArray[np.float32]]:
    """What each word speaks for its clause holding a statement, or a secret."""
    return {
        "statement": screen(examples, lambda one: (one.tags == 1) | (one.tags == 2)),
        "secret": screen(examples, lambda one: one.secrets > 0),
    }


def screen(
    examples: Sequence[Example], speaks: Callable[[Example], NDArray[np.bool_]]
) -> NDArray[np.float32]:
    """What each word speaks for its clause holding such a token: logistic regression, (3, rows)."""
    words = np.concatenate([one.words for one in examples])
    sizes = [int(one.clause_of.max()) + 1 if len(one) else 0 for one in examples]
    first = np.concatenate([[0], np.cumsum(sizes)])
    clause = np.concatenate([one.clause_of + at for one, at in zip(examples, first, strict=False)])
    wanted = np.concatenate([speaks(one) for one in examples])
    count = int(first[-1])
    states = np.zeros(count, np.float32)
    states[clause[wanted]] = 1
    length = np.sqrt(np.maximum(np.bincount(clause, minlength=count), 1)).astype(np.float32)
    rows, of = jnp.asarray(words), jnp.asarray(clause)

    def wrong(w: Any) -> Any:
        said = sum(w[table][rows[:, table]] for table in range(TABLES))
        score = jax.ops.segment_sum(said, of, count) / length + w[0, -1]
        loss_ = jnp.maximum(score, 0) - score * states + jnp.log1p(jnp.exp(-jnp.abs(score)))
        return loss_.mean() + _SCREEN_FADES * (w**2).sum()

    slope = jax.jit(jax.grad(wrong))
    w = jnp.zeros((TABLES, HASHES))
    mean = square = w
    for t in range(1, _SCREEN_STEPS + 1):
        g = slope(w)
        mean, square = 0.9 * mean + 0.1 * g, 0.99 * square + 0.01 * g**2
        w = w - 0.05 * (mean / (1 - 0.9**t)) / (jnp.sqrt(square / (1 - 0.99**t)) + 1e-8)
    return np.asarray(w, np.float32)


def packed(
    networks: Sequence[Parameters],
    screens: Mapping[str, NDArray[np.float32]],
    relations: Sequence[dict[str, NDArray[Any]]],
    calibration: NDArray[np.float32] | None = None,
) -> dict[str, NDArray[Any]]:
    """The networks as the package keeps them: a byte for each number of a word, two for others."""
    kept: dict[str, NDArray[Any]] = {"version": np.array(VERSION), "count": np.array(len(networks))}
    kept |= {f"screen/{name}": one.astype(np.float16) for name, one in screens.items()}
    for number, p in enumerate(networks):
        for name, value in p.items():
            if name == "words":
                scale = np.abs(value).max(axis=2, keepdims=True) / 127
                kept[f"{number}/words"] = np.round(value / np.maximum(scale, 1e-9)).astype(np.int8)
                kept[f"{number}/words_scale"] = scale.astype(np.float16)
            else:
                kept[f"{number}/{name}"] = value.astype(np.float16)
    if calibration is not None:
        kept["calibration"] = calibration
    kept["relation/count"] = np.array(len(relations))
    for number, learned in enumerate(relations):
        for name, value in learned.items():
            kept[f"relation/{number}/{name}"] = value.astype(np.float16)
    return kept


T = TypeVar("T")


def folds_but(of: Sequence[T], number: int, count: int) -> list[T]:
    """All but one fold of several."""
    return [one for place, one in enumerate(of) if count == 1 or place % count != number]


def cross_read(
    networks: Sequence[Parameters],
    screens: Mapping[str, NDArray[np.float32]],
    pairs: Sequence[Pair],
) -> tuple[NDArray[Any], NDArray[Any]]:
    """What is looked at of the pairs, each as a network reads it that has not learned from it."""
    found = [
        rows_of(Networks(packed([one], screens, ())), pairs[number :: len(networks)])
        for number, one in enumerate(networks)
    ]
    return np.concatenate([one[0] for one in found]), np.concatenate([one[1] for one in found])


def calibrated(asked: Networks, kept_back: Sequence[Message]) -> NDArray[np.float32]:
    """Weights of `signs`, by logistic regression over what is found in messages kept back."""
    rows, right = [], []
    for message in kept_back:
        wanted = [one for one in message.spans if is_kept(one.subject, one.standing)]
        for one in read(asked, message):
            length = one.marked.end - one.marked.start
            rows.append(signs(one.marked.marked, one.marked.heads, length))
            right.append(one.is_right(wanted))
    seen, wanted_ = jnp.asarray(np.array(rows)), jnp.asarray(np.array(right, np.float32))

    def wrong(w: Any) -> Any:
        score = seen @ w
        loss_ = jnp.maximum(score, 0) - score * wanted_ + jnp.log1p(jnp.exp(-jnp.abs(score)))
        return loss_.sum() + _CALIBRATION_FADES * (w[:-1] ** 2).sum()

    slope, bend = jax.jit(jax.grad(wrong)), jax.jit(jax.hessian(wrong))
    w = jnp.zeros(seen.shape[1])
    for _ in range(_CALIBRATION_STEPS):  # Newton's method
        w = w - jnp.linalg.solve(bend(w) + 1e-3 * jnp.eye(len(w)), slope(w))
    return np.asarray(w, np.float32)


def training_messages() -> list[Message]:
    """All whole messages that are learned from.

    Raises:
        MarkupError: a line is wrong; says file, line and what was expected.
    """
    return [
        one for path in sorted((HERE / "messages").glob("*.jsonl")) for one in messages_of(path)
    ]


def training_pairs() -> list[Pair]:
    """All pairs of statements that are learned from.

    Raises:
        MarkupError: a line is wrong; says file, line and what was expected.
    """
    return [one for path in sorted((HERE / "pairs").glob("*.jsonl")) for one in pairs_of(path)]


def say(text: str) -> None:
    """Tell how far it is."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    """0, or 1 where a message is labelled wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    parser.add_argument("--share", type=float, default=1.0, help="learn from this much of it")
    given = parser.parse_args()
    try:
        messages, pairs = training_messages(), training_pairs()
    except MarkupError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if given.share < 1:
        messages = random.Random(0).sample(messages, int(len(messages) * given.share))
    say(f"{len(messages)} messages, {len(pairs)} pairs")
    told = [*messages, *joined(messages, int(len(messages) * JOINED), random.Random(0))]
    alone = [example_of(one) for one in told]
    paired = [[example_of(one) for one in pair[:2]] for pair in pairs]
    examples = [*alone, *(one for pair in paired for one in pair)]
    networks = [
        learn(
            [
                *alone,
                *(one for pair in folds_but(paired, number, len(given.seeds)) for one in pair),
            ],
            seed,
            given.rounds,
        )
        for number, seed in enumerate(given.seeds)
    ]
    screens = screens_of(examples)
    rows, bearings = cross_read(networks, screens, pairs)
    asked = Networks(packed(networks, screens, ()))
    relations = learn_relations(rows, bearings)
    kept_back = [one for path in sorted(KEPT_BACK.glob("*.jsonl")) for one in messages_of(path)]
    calibration = calibrated(asked, kept_back)
    kept = packed(networks, screens, relations, calibration)
    np.savez_compressed(given.out, allow_pickle=False, **kept)
    say(f"{given.out}: {given.out.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
