"""The reader's network while it learns; `chatmem.extraction.reader.network` runs what it learned.

Every token is seen by its own look and word, by what the embedder makes of it, of its clause and of
the whole message; six convolutions and one look at the whole bring in what stands around it. A
chain of tags (Lafferty et al., 2001) marks the statements, and small classifiers tell of each what
it is.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import jax
import jax.numpy as jnp

from chatmem.extraction.reader.labels import (
    ATTRIBUTES,
    CATEGORY_HEADS,
    ORDERS,
    SECRETS,
    STANDINGS,
    SUBJECTS,
    TAGS,
)
from chatmem.extraction.reader.network import (
    CONVOLUTIONS,
    HEADS,
    LEAST_VARIANCE,
    LOOKS_AT_ALL_AFTER,
    VECTOR_SCALE,
    WIDTH,
)
from chatmem.extraction.reader.tokens import DIMENSION, FEATURES, HASHES, POSITIONS, SHAPES, TABLES

Parameters: TypeAlias = dict[str, Any]
Batch: TypeAlias = Mapping[str, Any]

_WORD_WIDTH: Final = 48
_FEATURE_WIDTH: Final = 96
_VECTOR_WIDTH: Final = 48
_ATTENTION: Final = 4
_WORDS_DROPPED: Final = 0.4
_FEATURES_DROPPED: Final = 0.35
_DROPPED: Final = 0.2
_SPAN_LABELS: Final = {"attribute": 2, "category": 3, "standing": 4, "subject": 5, "order": 6}
_WORTH: Final = {"attribute": 1.5, "category": 0.5, "standing": 1.0, "subject": 1.0, "order": 1.0}
_VALUE_WORTH: Final = 0.3
_SECRET_WORTH: Final = 1.0
_NEVER: Final = -1e9
_SIZES: Final = {
    "attribute": len(ATTRIBUTES),
    "category": len(CATEGORY_HEADS),
    "standing": len(STANDINGS),
    "subject": len(SUBJECTS),
    "order": len(ORDERS),
}
assert tuple(_SIZES) == HEADS


def fresh(seed: int) -> Parameters:
    """Parameters that have learned nothing."""
    keys = iter(jax.random.split(jax.random.PRNGKey(seed), 40))

    def matrix(rows: int, columns: int, scale: float = 1.0) -> Any:
        return jax.random.normal(next(keys), (rows, columns)) * scale / jnp.sqrt(rows)

    into = _FEATURE_WIDTH + 2 * _VECTOR_WIDTH + TABLES * _WORD_WIDTH + SHAPES + POSITIONS
    found: Parameters = {
        "words": jax.random.normal(next(keys), (TABLES, HASHES, _WORD_WIDTH)) * 0.1,
        "features": matrix(FEATURES, _FEATURE_WIDTH),
        "clauses": matrix(DIMENSION, _VECTOR_WIDTH),
        "whole": matrix(DIMENSION, _VECTOR_WIDTH),
        "input": matrix(into, WIDTH),
        "attention": matrix(WIDTH, _ATTENTION),
        "all": matrix(_ATTENTION * WIDTH, WIDTH),
        "tags": matrix(WIDTH, len(TAGS)),
        "chain": jnp.zeros((len(TAGS), len(TAGS))),
        "value": matrix(WIDTH, 1),
        "secret": matrix(WIDTH, 1 + len(SECRETS), 0.3),
        "span": matrix(4 * WIDTH, WIDTH),
        "span_vector": matrix(DIMENSION, WIDTH),
    }
    for name, size in _SIZES.items():
        found[f"head_{name}"] = matrix(WIDTH, size, 0.3)
        found[f"head_{name}_bias"] = jnp.zeros(size)
    for name, size in (
        ("input", WIDTH),
        ("all", WIDTH),
        ("tags", len(TAGS)),
        ("value", 1),
        ("secret", 1 + len(SECRETS)),
    ):
        found[f"{name}_bias"] = jnp.zeros(size)
    found["span_bias"] = jnp.zeros(WIDTH)
    for number in range(len(CONVOLUTIONS)):
        found[f"convolution_{number}"] = matrix(3 * WIDTH, WIDTH, 0.7)
        found[f"convolution_{number}_bias"] = jnp.zeros(WIDTH)
    for name, size in (
        ("input", WIDTH),
        ("last", WIDTH),
        ("span", 4 * WIDTH),
        *((f"convolution_{number}", WIDTH) for number in range(len(CONVOLUTIONS))),
    ):
        found[f"{name}_gain"], found[f"{name}_shift"] = jnp.ones(size), jnp.zeros(size)
    return found


def loss(p: Parameters, batch: Batch, key: Any) -> Any:
    """How far the network is from the labels, a message of the batch on average."""
    keys = jax.random.split(key, 4)
    there = batch["there"]
    seen = _seen(p, batch, keys[0])
    emissions = seen @ p["tags"] + p["tags_bias"]
    total = (_chain_loss(emissions, batch["tags"], there, p["chain"]) * there[:, 0]).sum()
    spans = _even(_stretches(seen, batch), p["span_gain"], p["span_shift"]) @ p["span"]
    vectors = _drop(keys[1], batch["span_vectors"].astype(jnp.float32), _FEATURES_DROPPED)
    spans = jax.nn.relu(spans + vectors * VECTOR_SCALE @ p["span_vector"] + p["span_bias"])
    spans = _drop(keys[2], spans, _DROPPED)
    for name, place in _SPAN_LABELS.items():
        sure = jax.nn.log_softmax(spans @ p[f"head_{name}"] + p[f"head_{name}_bias"])
        right = jnp.take_along_axis(sure, batch["spans"][..., place : place + 1], -1)[..., 0]
        total = total - _WORTH[name] * (right * batch["is_span"]).sum()
    value = (seen @ p["value"] + p["value_bias"])[..., 0]
    wrong = jnp.maximum(value, 0) - value * batch["values"] + jnp.log1p(jnp.exp(-jnp.abs(value)))
    total = total + _VALUE_WORTH * (wrong * batch["inside"]).sum()
    kinds = jax.nn.log_softmax(seen @ p["secret"] + p["secret_bias"])
    kinds = jnp.take_along_axis(kinds, batch["secrets"][..., None], -1)[..., 0]
    total = total - _SECRET_WORTH * (kinds * there).sum()
    return total / there[:, 0].sum()


def _seen(p: Parameters, batch: Batch, key: Any) -> Any:
    """Each token with what stands around it, (messages, tokens, width)."""
    keys = iter(jax.random.split(key, 6 + len(CONVOLUTIONS)))
    there = batch["there"][..., None]
    words = jnp.stack([p["words"][one][batch["words"][..., one]] for one in range(TABLES)], -2)
    known = jax.random.bernoulli(next(keys), 1 - _WORDS_DROPPED, words.shape[:-1])
    words = (words * known[..., None] / (1 - _WORDS_DROPPED)).reshape(*words.shape[:2], -1)
    features = _drop(next(keys), batch["features"].astype(jnp.float32), _FEATURES_DROPPED)
    clauses = _drop(next(keys), batch["clauses"].astype(jnp.float32), _FEATURES_DROPPED)
    clauses = clauses * VECTOR_SCALE @ p["clauses"]
    clauses = jnp.take_along_axis(clauses, batch["clause_of"][..., None], 1)
    whole = _drop(next(keys), batch["whole"].astype(jnp.float32), _FEATURES_DROPPED)
    whole = jnp.broadcast_to((whole * VECTOR_SCALE @ p["whole"])[:, None], clauses.shape)
    looks = batch["looks"].astype(jnp.float32)
    told = jnp.concatenate([features @ p["features"], clauses, whole, words, looks], -1)
    seen = _even(told @ p["input"] + p["input_bias"], p["input_gain"], p["input_shift"])
    seen = _drop(next(keys), jax.nn.relu(seen) * there, _DROPPED)
    for number, apart in enumerate(CONVOLUTIONS):
        name = f"convolution_{number}"
        around = jnp.concatenate([_moved(seen, apart), seen, _moved(seen, -apart)], -1)
        new = _even(around @ p[name] + p[f"{name}_bias"], p[f"{name}_gain"], p[f"{name}_shift"])
        seen = (seen + _drop(next(keys), jax.nn.relu(new), _DROPPED)) * there
        if number == LOOKS_AT_ALL_AFTER:
            looked_at = jax.nn.softmax(jnp.where(there > 0, seen @ p["attention"], _NEVER), 1)
            everything = jnp.einsum("bth,btd->bhd", looked_at, seen).reshape(seen.shape[0], -1)
            seen = seen + jax.nn.relu(everything @ p["all"] + p["all_bias"])[:, None]
            seen = seen * there
    return _even(seen, p["last_gain"], p["last_shift"]) * there


def _stretches(seen: Any, batch: Batch) -> Any:
    """Each statement: its mean, its greatest, its first token, and the message's mean."""
    spans, there = batch["spans"], batch["there"]
    places = jnp.arange(seen.shape[1])[None, None]
    inside = (places >= spans[..., 0:1]) & (places < spans[..., 1:2])
    share = inside / jnp.maximum(inside.sum(-1, keepdims=True), 1)
    mean = jnp.einsum("bst,btd->bsd", share, seen)
    most = jnp.where(inside[..., None], seen[:, None], _NEVER).max(2)
    most = jnp.where(most <= _NEVER, 0, most)
    first = jnp.take_along_axis(seen, spans[..., 0:1], 1)
    whole = seen.sum(1) / jnp.maximum(there.sum(1, keepdims=True), 1)
    return jnp.concatenate([mean, most, first, jnp.broadcast_to(whole[:, None], mean.shape)], -1)


def _chain_loss(emissions: Any, tags: Any, there: Any, chain: Any) -> Any:
    """Minus the log likelihood of the tags of each message."""
    said = (jnp.take_along_axis(emissions, tags[..., None], -1)[..., 0] * there).sum(1)
    said = said + (chain[tags[:, :-1], tags[:, 1:]] * there[:, 1:]).sum(1)

    def step(before: Any, now: Any) -> tuple[Any, None]:
        emission, is_there = now
        after = jax.nn.logsumexp(before[:, :, None] + chain[None], 1) + emission
        return jnp.where(is_there[:, None] > 0, after, before), None

    rest = (emissions[:, 1:].transpose(1, 0, 2), there[:, 1:].T)
    last, _ = jax.lax.scan(step, emissions[:, 0], rest)
    return jax.nn.logsumexp(last, -1) - said


def _even(rows: Any, gain: Any, shift: Any) -> Any:
    mean = rows.mean(-1, keepdims=True)
    variance = ((rows - mean) ** 2).mean(-1, keepdims=True)
    return (rows - mean) / jnp.sqrt(variance + LEAST_VARIANCE) * gain + shift


def _drop(key: Any, rows: Any, share: float) -> Any:
    kept = jax.random.bernoulli(key, 1 - share, rows.shape)
    return jnp.where(kept, rows / (1 - share), 0)


def _moved(rows: Any, places: int) -> Any:
    if places > 0:
        return jnp.pad(rows, ((0, 0), (places, 0), (0, 0)))[:, :-places]
    return jnp.pad(rows, ((0, 0), (0, -places), (0, 0)))[:, -places:]
