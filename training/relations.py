"""Learns how a statement bears on an older one, from pairs: the second half of training/learn.py.

What is learned from are the statements as the reader reads them, with its own mistakes about
attribute, subject and value, not as they are labelled.
"""

from collections.abc import Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from markup import Message
from numpy.typing import NDArray

from chatmem.extraction.reader.labels import BEARINGS
from chatmem.extraction.reader.network import Networks
from chatmem.extraction.reader.reading import Statement, statement_of
from chatmem.extraction.reader.tokens import fold, tokens_of
from chatmem.extraction.settle import features

Pair = tuple[Message, Message, str]
NETWORKS: Final = 5
_HIDDEN: Final = 96
_STEPS: Final = 1500
_BATCH: Final = 128
_DROPPED: Final = 0.3
_FADES: Final = 0.02
_RATE: Final = 1e-3


def as_read(asked: Networks, message: Message) -> Statement | None:
    """The labelled statement of a message, as the reader reads it."""
    (span,) = message.spans
    folded = fold(message.text)
    tokens = tokens_of(folded, message.asked, group=message.group)
    (marked,) = asked.marked(asked.look([(folded, tokens)]), whole_if_none=True)
    found = [statement_of(one, message.text, tokens, message.asked) for one in marked]

    def common(one: Statement) -> int:
        start = message.text.find(one.text)
        return min(start + len(one.text), span.end) - max(start, span.start)

    return max(found, key=common, default=None)


def rows_of(
    asked: Networks, pairs: Sequence[Pair]
) -> tuple[NDArray[Any], NDArray[Any], list[Pair]]:
    """What is looked at of each pair, its bearing, the pair; those without words are left out."""
    rows, bearings, kept = [], [], []
    for pair in pairs:
        old, new = as_read(asked, pair[0]), as_read(asked, pair[1])
        if old is not None and new is not None:
            rows.append(features(new, [old])[0])
            bearings.append(BEARINGS.index(pair[2]))
            kept.append(pair)
    return np.array(rows, np.float32), np.array(bearings, np.int32), kept


def learn_relations(rows: NDArray[Any], bearings: NDArray[Any]) -> list[dict[str, NDArray[Any]]]:
    """Small networks that differ in where they begin and in what they see."""
    return [_learn_one(rows, bearings, seed) for seed in range(NETWORKS)]


def _learn_one(rows: NDArray[Any], bearings: NDArray[Any], seed: int) -> dict[str, NDArray[Any]]:
    draw = np.random.default_rng(seed)
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-2
    seen, wanted = jnp.asarray((rows - mean) / spread), jnp.asarray(bearings)
    keys = jax.random.split(jax.random.PRNGKey(seed), 2)
    p: dict[str, Any] = {
        "hidden": jax.random.normal(keys[0], (rows.shape[1], _HIDDEN)) / np.sqrt(rows.shape[1]),
        "hidden_bias": jnp.zeros(_HIDDEN),
        "out": jax.random.normal(keys[1], (_HIDDEN, len(BEARINGS))) / np.sqrt(_HIDDEN),
        "out_bias": jnp.zeros(len(BEARINGS)),
    }

    def loss(p: dict[str, Any], chosen: Any, key: Any) -> Any:
        one, two = jax.random.split(key)
        row = seen[chosen]
        row = jnp.where(jax.random.bernoulli(one, 1 - _DROPPED, row.shape), row, 0)
        row = row / (1 - _DROPPED)
        hidden = jax.nn.relu(row @ p["hidden"] + p["hidden_bias"])
        hidden = jnp.where(jax.random.bernoulli(two, 1 - _DROPPED, hidden.shape), hidden, 0)
        sure = jax.nn.log_softmax(hidden / (1 - _DROPPED) @ p["out"] + p["out_bias"])
        return -jnp.take_along_axis(sure, wanted[chosen][:, None], 1).mean()

    def step(p: Any, m: Any, s: Any, chosen: Any, key: Any, t: Any) -> Any:
        g = jax.grad(loss)(p, chosen, key)
        m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
        s = jax.tree.map(lambda a, b: 0.99 * a + 0.01 * b**2, s, g)
        rate = _RATE * jnp.maximum(0.05, 1 - t / _STEPS)

        def moved(x: Any, a: Any, b: Any) -> Any:
            far = (a / (1 - 0.9**t)) / (jnp.sqrt(b / (1 - 0.99**t)) + 1e-8)
            return x - rate * (far + _FADES * x)

        return jax.tree.map(moved, p, m, s), m, s

    stepped = jax.jit(step)
    m = jax.tree.map(jnp.zeros_like, p)
    s = m
    for t in range(1, _STEPS + 1):
        chosen = jnp.asarray(draw.integers(0, len(rows), _BATCH))
        p, m, s = stepped(p, m, s, chosen, jax.random.PRNGKey(seed * _STEPS + t), float(t))
    return {"mean": mean, "spread": spread, **{name: np.asarray(one) for name, one in p.items()}}
