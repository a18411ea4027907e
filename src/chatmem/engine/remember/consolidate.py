"""Near-duplicates among extracted memories become one; the weaker goes to the archive.

What is merged can be taken back with `restore`, like every supersession; if both are kept then, the
two are never merged again.

Source: decisions 4.
"""

from datetime import datetime

import numpy as np

from chatmem.engine.remember.nearness import EXTRACTED, Nearness
from chatmem.engine.remember.retention import retired
from chatmem.engine.space import Space
from chatmem.errors import ReaderWeightsError
from chatmem.extraction.reader.reading import read_memory
from chatmem.extraction.settle import same_value
from chatmem.model import AtomicMemoryRecord
from chatmem.text.normalise import normalise

MOST_COMPARED = 2_000
"""The newest extracted memories that are compared: 4 million cosines, a tenth of a second."""
NEAR_ENOUGH = 0.85
"""Cosine from which two are looked at; the reader decides if they say the same."""


def consolidate(space: Space, now: datetime) -> int:
    """How many memories were merged into another one that says the same.

    Raises:
        DocumentError: a memory file cannot be written.
    """
    if not space.engine.obey_settings().memory.enabled:
        return 0

    def write() -> int:
        changes = [
            retired(weaker, stronger.id, now, f"says the same as {stronger.id}")
            for weaker, stronger in _pairs(space)
        ]
        if changes:
            space.documents.apply(changes)
        return len(changes)

    return space.documents.edit(write)


def _pairs(space: Space) -> list[tuple[AtomicMemoryRecord, AtomicMemoryRecord]]:
    """Each memory that can go, and the one that says the same."""
    records = [
        one
        for one in space.store.memories.page(space.owner, "long_term", MOST_COMPARED, 0)
        if one.app_type == EXTRACTED and one.is_valid
    ]
    near, nearness = _near(space, records), Nearness(space)
    gone: set[str] = set()
    pairs = []
    for one, other in near:
        if one.id in gone or other.id in gone or not _have_all_in_common(one, other):
            continue
        if not _says_the_same(nearness, one, other):
            continue
        if _told_apart(space, one, other):
            continue
        weaker, stronger = sorted((one, other), key=_strength)
        gone.add(weaker.id)
        pairs.append((weaker, stronger))
    return pairs


def _near(
    space: Space, records: list[AtomicMemoryRecord]
) -> list[tuple[AtomicMemoryRecord, AtomicMemoryRecord]]:
    """Pairs with the same words, or of nearly the same meaning."""
    by_words: dict[str, AtomicMemoryRecord] = {}
    pairs = []
    for one in records:
        same = by_words.setdefault(normalise(one.content), one)
        if same is not one:
            pairs.append((one, same))
    rows = {
        row: one
        for one in records
        if (row := space.store.memories.row_of(space.owner, one.id)) is not None
    }
    if space.engine.embedder is None or not rows:
        return pairs
    had, vectors = space.store.dense.vectors(space.owner, np.array(sorted(rows), np.int64))
    if not len(had):
        return pairs
    cosines = np.triu(vectors @ vectors.T, 1)
    for first, second in np.argwhere(cosines >= NEAR_ENOUGH).tolist():
        pairs.append((rows[int(had[first])], rows[int(had[second])]))
    return pairs


def _says_the_same(nearness: Nearness, one: AtomicMemoryRecord, other: AtomicMemoryRecord) -> bool:
    """True for the same words, and where the reader is sure that both say the same."""
    if normalise(one.content) == normalise(other.content):
        return True
    try:
        stated = read_memory(one.content)
    except ReaderWeightsError:
        return False
    met = nearness.bearing(stated, other) if stated is not None else None
    return met is not None and met.says_the_same


def _told_apart(space: Space, one: AtomicMemoryRecord, other: AtomicMemoryRecord) -> bool:
    """True where somebody has taken back that one replaced the other, and kept both."""
    return any(
        entry.action == "restore" and entry.before and entry.before.superseded_by == second.id
        for first, second in ((one, other), (other, one))
        for entry in space.store.history.of_memory(space.owner, first.id)
    )


def _have_all_in_common(one: AtomicMemoryRecord, other: AtomicMemoryRecord) -> bool:
    """True where nothing but the words differs: the same numbers, names and values are in both."""
    if (one.category, one.kind, one.visibility) != (other.category, other.kind, other.visibility):
        return False
    if one.key != other.key or not same_value(one.value, other.value):
        return False
    if one.kind == "episodic" and one.timestamp.date() != other.timestamp.date():
        return False
    return _details(one.content) == _details(other.content)


def _details(content: str) -> frozenset[str]:
    """Numbers and words that begin with a capital inside the sentence: what must not be lost."""
    words = content.split()
    return frozenset(
        word.strip(".,;:!?")
        for place, word in enumerate(words)
        if any(sign.isdigit() for sign in word) or (place and word[:1].isupper())
    )


def _strength(record: AtomicMemoryRecord) -> tuple[int, float, int, datetime]:
    return record.importance, record.confidence, len(record.content), record.timestamp
