"""What leaves MEMORY.md by itself: superseded, evicted, rotated and duplicate memories.

None of it is lost: the archive is a Markdown file like the others, and `restore` brings it back.

Source: decisions 2 (rotation) and 4 (eviction, duplicates); S3.4.2.
"""

from dataclasses import replace
from datetime import datetime

import numpy as np

from chatmem.engine.documents.sync import Change
from chatmem.engine.remember.nearness import EXTRACTED, Nearness, statement_of
from chatmem.engine.space import Space
from chatmem.extraction.settle import same_value
from chatmem.model import AtomicMemoryRecord, MemoryFilter
from chatmem.storage.documents.places import MAIN, archive_document
from chatmem.text.normalise import normalise
from chatmem.text.tokens import count_tokens

LEFT_SHARE = 0.75
"""What a rotation leaves of `memory.main_max_tokens`: so that it runs seldom."""
MOST_COMPARED = 2_000
"""The newest extracted memories that are compared: 4 million cosines, a tenth of a second."""
NEAR_ENOUGH = 0.85
"""Cosine from which two are compared; the reader decides if they say the same."""
_LONG_TERM = MemoryFilter(memory_type="long_term")


def since(memory: AtomicMemoryRecord) -> datetime:
    """From when on it is true, as far as that is known: by this one is older than another."""
    return memory.valid_from or memory.timestamp


def archived(
    old: AtomicMemoryRecord, successor: str | None, now: datetime, ended: datetime
) -> AtomicMemoryRecord:
    """The memory as it stands in the archive, valid until `ended`."""
    document = archive_document(now.astimezone().date()) if old.document else None
    return replace(old, valid_to=ended, superseded_by=successor, document=document)


def retired(
    old: AtomicMemoryRecord,
    successor: str | None,
    now: datetime,
    reason: str,
    ended: datetime | None = None,
) -> Change:
    """The change by which a memory stops being valid: now, or when its successor began."""
    after = archived(old, successor, now, now if ended is None else max(ended, since(old)))
    return Change("supersede" if successor else "evict", old, after, reason, now)


def make_room(space: Space, now: datetime) -> None:
    """Keep the limits of long-term memory and of MEMORY.md; inside `MemoryDocuments.edit`."""
    evict(space, now)
    _rotate(space, now)


def evict(space: Space, now: datetime) -> None:
    """Keep at most `memory.eviction_threshold` valid long-term memories, if it is set (S3.4.2)."""
    threshold = space.engine.settings.memory.eviction_threshold
    if threshold is None:
        return
    surplus = space.store.pages.count(space.owner, _LONG_TERM) - threshold
    if surplus > 0:
        weakest = space.store.memories.weakest(space.owner, surplus)
        reason = f"evicted: more than {threshold} memories"
        space.documents.apply([retired(old, None, now, reason) for old in weakest])


def _rotate(space: Space, now: datetime) -> None:
    """Move the lowest-valued facts out of a MEMORY.md that is over `memory.main_max_tokens`."""
    limit = space.engine.settings.memory.main_max_tokens
    if space.documents.main_tokens() <= limit:
        return
    surplus = space.documents.main_tokens(exact=True) - limit
    if surplus <= 0:
        return
    surplus += int(limit * (1 - LEFT_SHARE))
    archive = archive_document(now.astimezone().date())
    changes: list[Change] = []
    for record in sorted(space.store.memories.of_document(space.owner, MAIN), key=_value):
        if surplus <= 0:
            break
        surplus -= count_tokens(record.content)
        after = replace(record, document=archive)
        changes.append(Change("rotate", record, after, "MEMORY.md was full", now))
    space.documents.apply(changes)


def _value(record: AtomicMemoryRecord) -> tuple[int, float, datetime]:
    """Lowest first: unimportant, unsure, long not used."""
    return record.importance, record.confidence, record.last_accessed or record.timestamp


def consolidate(space: Space, now: datetime) -> int:
    """How many extracted memories were merged into another one that says the same.

    The weaker goes to the archive. Where somebody restores it and keeps both, the two are never
    merged again.
    """
    if not space.engine.obey_settings().memory.enabled:
        return 0

    def write() -> int:
        changes = [
            retired(weaker, stronger.id, now, f"says the same as {stronger.id}")
            for weaker, stronger in _duplicates(space)
        ]
        space.documents.apply(changes)
        return len(changes)

    return space.documents.edit(write)


def _duplicates(space: Space) -> list[tuple[AtomicMemoryRecord, AtomicMemoryRecord]]:
    """Each memory that can go, and the one that says the same."""
    wanted = replace(_LONG_TERM, state="all")
    newest, _ = space.store.pages.page(space.owner, wanted, (MOST_COMPARED, 0))
    records = [one for one in newest if one.app_type == EXTRACTED and one.is_valid]
    nearness = Nearness(space)
    gone: set[str] = set()
    pairs = []
    for one, other in _near(space, records):
        if (
            not {one.id, other.id} & gone
            and _have_all_in_common(one, other)
            and _says_the_same(nearness, one, other)
            and not _was_restored(space, one, other)
        ):
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
    stated = statement_of(one.content)
    met = nearness.bearing(stated, other) if stated is not None else None
    return met is not None and met.says_the_same


def _was_restored(space: Space, one: AtomicMemoryRecord, other: AtomicMemoryRecord) -> bool:
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
