"""What leaves MEMORY.md by itself: superseded, rotated and evicted memories move to the archive.

None of it is lost: the archive is a Markdown file like the others, and `restore` brings it back.

Source: decisions 2 (rotation) and 4 (eviction); S3.4.2.
"""

from dataclasses import replace
from datetime import datetime

from chatmem.engine.documents.changes import Change
from chatmem.engine.space import Space
from chatmem.model import AtomicMemoryRecord
from chatmem.storage.documents.places import MAIN, archive_document
from chatmem.text.tokens import count_tokens

KEPT_SHARE = 0.75
"""What a rotation leaves of `memory.main_max_tokens`: so that it runs seldom."""


def retired(old: AtomicMemoryRecord, successor: str | None, now: datetime, reason: str) -> Change:
    """The change by which a memory stops being valid, kept in the archive."""
    after = replace(
        old,
        valid_to=now,
        superseded_by=successor,
        document=archive_document(now.astimezone().date()) if old.document else None,
    )
    return Change("supersede" if successor else "evict", old, after, reason, now)


def evict(space: Space, now: datetime) -> None:
    """Keep at most `memory.eviction_threshold` valid long-term memories, if it is set (S3.4.2).

    Inside `MemoryDocuments.edit`, like `rotate`.
    """
    threshold = space.engine.settings.memory.eviction_threshold
    if threshold is None:
        return
    surplus = space.store.memories.live_count(space.owner) - threshold
    if surplus > 0:
        weakest = space.store.memories.weakest(space.owner, surplus)
        reason = f"evicted: more than {threshold} memories"
        space.documents.apply([retired(old, None, now, reason) for old in weakest])


def rotate(space: Space, now: datetime) -> None:
    """Move the lowest-valued facts out of a MEMORY.md that is over `memory.main_max_tokens`."""
    limit = space.engine.settings.memory.main_max_tokens
    if space.documents.main_tokens() <= limit:
        return
    surplus = space.documents.main_tokens(exact=True) - limit
    if surplus <= 0:
        return
    surplus += int(limit * (1 - KEPT_SHARE))
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
