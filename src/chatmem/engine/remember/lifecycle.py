"""What happens to a memory after it is written: edit, promote, restore.

Source: S1.5.2; interfaces ("restore undoes").
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from chatmem.engine.documents.changes import Change
from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.remember.append import checked_changes
from chatmem.engine.remember.retention import evict, retired, rotate
from chatmem.engine.state import Engine
from chatmem.errors import MemoryNotFoundError, NothingToRestoreError, NotOwnerError
from chatmem.model import AtomicMemoryRecord, Category, HistoryEntry
from chatmem.storage.documents.places import MAIN
from chatmem.storage.values import Owner
from chatmem.text.cues import detect_categories


def find(engine: Engine, owner: Owner, memory_id: str) -> AtomicMemoryRecord:
    """The memory, the user's own or one that is shared with them.

    Raises:
        MemoryNotFoundError: there is none with this id that this user may see.
    """
    found = engine.store.memories.seen(owner, str(memory_id))
    if found is None:
        raise MemoryNotFoundError(str(memory_id))
    return found


def find_own(engine: Engine, owner: Owner, memory_id: str) -> AtomicMemoryRecord:
    """The user's own memory, to be changed, or its past read.

    Raises:
        MemoryNotFoundError: there is none with this id that this user may see.
        NotOwnerError: another user shares it.
    """
    found = engine.store.memories.get(owner, str(memory_id))
    if found is None:
        find(engine, owner, memory_id)
        raise NotOwnerError(
            f"memory {str(memory_id)!r} is another user's, who shares it: only they can change it "
            "or read its history; remember it yourself to have one of your own"
        )
    return found


def update_memory(
    engine: Engine,
    documents: MemoryDocuments,
    owner: Owner,
    memory_id: str,
    changes: dict[str, Any],
    now: datetime,
) -> AtomicMemoryRecord:
    """The memory with some columns changed, in its document too.

    Raises:
        MemoryNotFoundError: no such memory.
        NotOwnerError: another user shares it.
        InvalidInputError: a column that cannot be edited, or a value it does not take.
    """
    checked = checked_changes(engine, changes)

    def write() -> AtomicMemoryRecord:
        before = find_own(engine, owner, memory_id)
        after = replace(before, **checked)
        if after != before:
            documents.apply([Change("edit", before, after, "edited", now)])
        return after

    return documents.edit(write)


def promote_memory(
    engine: Engine, documents: MemoryDocuments, owner: Owner, memory_id: str, now: datetime
) -> AtomicMemoryRecord:
    """The turn as a long-term memory, written into MEMORY.md. Source: S1.5.2.

    Raises:
        MemoryNotFoundError: no such memory.
        NotOwnerError: another user shares it.
    """

    def write() -> AtomicMemoryRecord:
        before = find_own(engine, owner, memory_id)
        if before.memory_type == "long_term":
            return before
        after = replace(
            before,
            content=engine.without_secrets(before.content),
            memory_type="long_term",
            kind="semantic",
            category=before.category or _category(before.content),
            document=MAIN,
        )
        documents.apply([Change("promote", before, after, "marked as important", now)])
        evict(engine, documents, owner, now)
        rotate(engine, documents, owner, now)
        return find_own(engine, owner, memory_id)

    return documents.edit(write)


def restore_memory(
    engine: Engine,
    documents: MemoryDocuments,
    owner: Owner,
    memory_id: str,
    now: datetime,
    *,
    keep_both: bool = False,
) -> AtomicMemoryRecord:
    """The memory as it was before its last change: a supersession, edit, eviction, rotation.

    Undoing a supersession retires the successor, unless `keep_both`: then both are valid. Calling
    it again goes one change further back.

    Raises:
        MemoryNotFoundError: no such memory (a forgotten one is gone for good).
        NotOwnerError: another user shares it.
        NothingToRestoreError: it has never been changed.
    """

    def write() -> AtomicMemoryRecord:
        now_known = find_own(engine, owner, memory_id)
        step = last_change(engine.store.history.of_memory(owner, memory_id))
        if step is None or step.before is None:
            raise NothingToRestoreError(f"memory {memory_id!r} has no change that can be undone")
        after = replace(
            step.before,
            last_accessed=now_known.last_accessed,
            access_count=now_known.access_count,
        )
        changes = [Change("restore", now_known, after, f"undone: {step.reason}", now)]
        if step.action == "supersede" and now_known.superseded_by and not keep_both:
            successor = engine.store.memories.get(owner, now_known.superseded_by)
            if successor is not None and successor.is_valid:
                changes.append(retired(successor, memory_id, now, f"{memory_id} was restored"))
        documents.apply(changes)
        return after

    return documents.edit(write)


def last_change(history: Sequence[HistoryEntry]) -> HistoryEntry | None:
    """The newest change that no restore has undone yet; None where nothing can be undone."""
    undone = 0
    for entry in reversed(history):
        if entry.action == "restore":
            undone += 1
        elif undone:
            undone -= 1
        elif entry.before is not None:
            return entry
    return None


def _category(content: str) -> Category:
    """What the text's cues say, a preference before a pattern before a fact."""
    found = detect_categories(content)
    ranked: tuple[Category, ...] = ("preference", "pattern")
    return next((category for category in ranked if category in found), "fact")
