"""Labelled messages as the reader learns from them: numbers for tokens, tags and statements.

Source: `guide.md` (what is labelled), `README.md` (who wrote it).
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from markup import MarkupError, Message, Span, checked_row
from numpy.typing import NDArray

from chatmem.extraction.reader.labels import (
    ATTRIBUTES,
    CATEGORY_HEADS,
    ORDERS,
    SECRETS,
    STANDINGS,
    SUBJECTS,
    TAGS,
    is_kept,
)
from chatmem.extraction.reader.tokens import (
    DIMENSION,
    FEATURES,
    SHAPES,
    TABLES,
    fold,
    network,
    tokens_of,
)
from chatmem.text.languages import language_by_script

MOST_TOKENS: Final = 256
MOST_SPANS: Final = 8
SPAN_FIELDS: Final = 7
LENGTHS: Final = (24, 48, 96, 160, MOST_TOKENS)
"""Messages of about one length are learned from together."""
MOST_CLAUSES: Final = 64
_SHORT_CHARS: Final = {"zh": 60, "en": 160}
_BETWEEN: Final = (("，", "。", "，", "。 "), (". ", ", ", "  ", ".\n"))
"""What may stand between two messages, Chinese and English; behind a sign all but the first."""
_ENDS: Final = "。！？!?.~…\n"


@dataclass(frozen=True, slots=True)
class Example:
    """A message in numbers; `spans`: first and past-last token, and the numbers of five labels."""

    words: NDArray[np.int32]
    looks: NDArray[np.float16]
    features: NDArray[np.float16]
    clause_of: NDArray[np.int32]
    clauses: NDArray[np.float16]
    whole: NDArray[np.float16]
    tags: NDArray[np.int32]
    values: NDArray[np.float32]
    inside: NDArray[np.float32]
    secrets: NDArray[np.int32]
    spans: NDArray[np.int32]
    span_vectors: NDArray[np.float16]

    def __len__(self) -> int:
        """How many tokens it has."""
        return len(self.words)


def messages_of(path: Path) -> list[Message]:
    """The messages of one writer.

    Raises:
        MarkupError: a line is wrong; says file, line and what was expected.
    """
    found: list[Message] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found.append(checked_row(json.loads(line)))
        except (MarkupError, json.JSONDecodeError) as error:
            raise MarkupError(f"{path}, line {number}: {error}") from error
    return found


def pairs_of(path: Path) -> list[tuple[Message, Message, str]]:
    """Two statements and how the second bears on the first.

    Raises:
        MarkupError: a line is wrong; says file, line and what was expected.
    """
    found: list[tuple[Message, Message, str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            found.append((checked_row(row["before"]), checked_row(row["after"]), row["relation"]))
        except (MarkupError, json.JSONDecodeError, KeyError) as error:
            raise MarkupError(f"{path}, line {number}: {error}") from error
    return found


def example_of(message: Message) -> Example:
    """The message in numbers; of a very long one its beginning."""
    folded = fold(message.text)
    tokens = tokens_of(folded, message.asked, group=message.group)
    tokens = tokens.part(0, MOST_TOKENS)
    (meaning,) = network().read([(folded, tokens.places)])
    count = len(tokens)
    tags = np.zeros(count, np.int32)
    values, inside = np.zeros((2, count), np.float32)
    secrets = np.zeros(count, np.int32)
    for secret in message.secrets:
        secrets[_covered(tokens.places, secret.start, secret.end)] = 1 + SECRETS.index(secret.kind)
    spans: list[tuple[int, ...]] = []
    for span in message.spans:
        at = _covered(tokens.places, span.start, span.end)
        if not len(at) or len(spans) == MOST_SPANS:
            continue
        first = TAGS.index("begins" if is_kept(span.subject, span.standing) else "unkept")
        tags[at] = first + 1
        tags[at[0]] = first
        inside[at] = 1
        if span.value is not None:
            values[_covered(tokens.places, *span.value)] = 1
        spans.append((int(at[0]), int(at[-1]) + 1, *_labels(span)))
    ends = np.flatnonzero(np.diff(tokens.clauses)) + 1
    edges = np.concatenate([[0], ends, [count]])
    stretches = np.stack([edges[:-1], edges[1:]], axis=1)[:MOST_CLAUSES]
    known = np.array([span[:2] for span in spans], np.int64).reshape(-1, 2)
    asked = np.concatenate([[[0, count]], stretches, known]).tolist()
    vectors = network().vectors([(meaning, start, end) for start, end in asked])
    return Example(
        words=tokens.words,
        looks=np.concatenate([tokens.shapes, meaning.positions], axis=1).astype(np.float16),
        features=meaning.features.astype(np.float16),
        clause_of=np.minimum(tokens.clauses, MOST_CLAUSES - 1),
        clauses=vectors[1 : 1 + len(stretches)].astype(np.float16),
        whole=vectors[0].astype(np.float16),
        tags=tags,
        values=values,
        inside=inside,
        secrets=secrets,
        spans=np.array(spans, np.int32).reshape(-1, SPAN_FIELDS),
        span_vectors=vectors[1 + len(stretches) :].astype(np.float16),
    )


def joined(messages: Sequence[Message], count: int, draw: random.Random) -> list[Message]:
    """So many messages made of two short ones of a language.

    What a statement is in a message of its own, it is beside something else, too.
    """
    alone = [one for one in messages if not one.asked and not one.group]
    of_language = [
        [one for one in alone if len(one.text) <= most and _code(one.text) == code]
        for code, most in _SHORT_CHARS.items()
    ]
    found = []
    for number in range(count):
        first, second = draw.sample(of_language[number % 2], 2)
        between = draw.choice(_BETWEEN[number % 2])
        if first.text.rstrip()[-1:] in _ENDS:
            between = between[1:]
        found.append(_one_behind(first, second, between))
    return found


def _code(text: str) -> str:
    return language_by_script(text).code


def _one_behind(first: Message, second: Message, between: str) -> Message:
    by = len(first.text) + len(between)
    spans = [
        replace(
            one,
            start=one.start + by,
            end=one.end + by,
            value=one.value and (one.value[0] + by, one.value[1] + by),
        )
        for one in second.spans
    ]
    secrets = [replace(one, start=one.start + by, end=one.end + by) for one in second.secrets]
    return Message(
        text=first.text + between + second.text,
        spans=(*first.spans, *spans),
        secrets=(*first.secrets, *secrets),
    )


def _covered(places: NDArray[np.int32], start: int, end: int) -> NDArray[np.int64]:
    return np.flatnonzero((places[:, 0] < end) & (places[:, 1] > start))


def _labels(span: Span) -> tuple[int, ...]:
    return (
        ATTRIBUTES.index(span.attribute),
        CATEGORY_HEADS.index(span.category),
        STANDINGS.index(span.standing),
        SUBJECTS.index(span.subject),
        ORDERS.index(span.order or "none"),
    )


def batches(
    examples: Sequence[Example], size: int, draw: random.Random | None = None
) -> Iterator[dict[str, NDArray[Any]]]:
    """All of them, about `size` of 48 tokens at a time, in an order that is drawn if one draws."""
    order = list(range(len(examples)))
    if draw is not None:
        draw.shuffle(order)
    waiting: dict[int, list[int]] = {length: [] for length in LENGTHS}
    filled: list[tuple[int, list[int]]] = []
    for number in order:
        length = next(one for one in LENGTHS if len(examples[number]) <= one)
        waiting[length].append(number)
        if len(waiting[length]) == rows_of(length, size):
            filled.append((length, waiting[length]))
            waiting[length] = []
    filled += [(length, left) for length, left in waiting.items() if left]
    if draw is not None:
        draw.shuffle(filled)
    for length, numbers in filled:
        yield together([examples[one] for one in numbers], length, rows_of(length, size))


def rows_of(length: int, size: int) -> int:
    """How many messages of a length are taken at a time."""
    return max(4, size * 48 // length)


def together(examples: Sequence[Example], length: int, rows: int) -> dict[str, NDArray[Any]]:
    """The messages as one array a field, filled up with zeros."""
    most = max(len(one.clauses) for one in examples)
    clauses = 1 << (most - 1).bit_length()
    batch: dict[str, NDArray[Any]] = {
        "words": np.zeros((rows, length, TABLES), np.int32),
        "looks": np.zeros((rows, length, SHAPES + 4), np.float16),
        "features": np.zeros((rows, length, FEATURES), np.float16),
        "clause_of": np.zeros((rows, length), np.int32),
        "clauses": np.zeros((rows, clauses, DIMENSION), np.float16),
        "whole": np.zeros((rows, DIMENSION), np.float16),
        "tags": np.zeros((rows, length), np.int32),
        "values": np.zeros((rows, length), np.float32),
        "inside": np.zeros((rows, length), np.float32),
        "secrets": np.zeros((rows, length), np.int32),
        "spans": np.zeros((rows, MOST_SPANS, SPAN_FIELDS), np.int32),
        "span_vectors": np.zeros((rows, MOST_SPANS, DIMENSION), np.float16),
    }
    there = np.zeros((rows, length), np.float32)
    is_span = np.zeros((rows, MOST_SPANS), np.float32)
    for row, one in enumerate(examples):
        for name, array in batch.items():
            said = getattr(one, name)
            if name == "whole":
                array[row] = said
            else:
                array[row, : len(said)] = said
        there[row, : len(one)] = 1
        is_span[row, : len(one.spans)] = 1
    return {**batch, "there": there, "is_span": is_span}
