"""What happens to a memory after it is written: edit, promote, restore, supersede.

A memory that is not there is a MemoryNotFoundError, one that another user shares a NotOwnerError
for whoever wants more than to see it, and a file that cannot be written a DocumentError: nothing
was changed then.

Source: S1.5.2; interfaces ("restore undoes").
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from chatmem.engine.documents.changes import Change
from chatmem.engine.remember.append import checked_changes
from chatmem.engine.remember.settling import evict, retired, rotated, since
from chatmem.engine.space import Space, SpacePart, editing
from chatmem.errors import (
    InvalidInputError,
    MemoryNotFoundError,
    NothingToRestoreError,
    NotOwnerError,
)
from chatmem.extraction.settle import MAYBE_TAG
from chatmem.model import CATEGORIES, AtomicMemoryRecord, HistoryEntry
from chatmem.model.time import moment_or_now
from chatmem.storage.documents.places import MAIN
from chatmem.text.cues import detect_categories

_OUT_OF_DATE: Final = "said to be out of date"
"""The reason of a supersession that somebody asked for."""
_MAYBE_ABOUT: Final = "maybe about "
"""How the reason of a marked memory begins; the other one's id follows: `extraction/settle.py`."""


def find(space: Space, memory_id: str) -> AtomicMemoryRecord:
    """The memory, the user's own or one that is shared with them."""
    found = space.store.memories.seen(space.owner, str(memory_id))
    if found is None:
        raise MemoryNotFoundError(str(memory_id))
    return found


def find_own(space: Space, memory_id: str) -> AtomicMemoryRecord:
    """The user's own memory, to be changed, or its past read."""
    found = space.store.memories.get(space.owner, str(memory_id))
    if found is None:
        find(space, memory_id)
        raise NotOwnerError(
            f"memory {str(memory_id)!r} is another user's, who shares it: only they can change it "
            "or read its history; remember it yourself to have one of your own"
        )
    return found


class UndoStep(NamedTuple):
    """What a restore does: `before` comes back; `other`, if any, is replaced by it, or kept too."""

    before: AtomicMemoryRecord
    reason: str
    other: AtomicMemoryRecord | None


class MemoryEditor(SpacePart):
    """Changes memories of this user."""

    @editing
    def update(
        self,
        memory_id: str,
        *,
        now: datetime | None = None,
        **columns: Any,  # noqa: ANN401
    ) -> AtomicMemoryRecord:
        """The memory with some columns changed, in its document too.

        `columns` are content, category, key, value, tags, importance, confidence, source,
        visibility, kind.
        """
        checked = checked_changes(self._engine, columns)
        before = find_own(self._space, memory_id)
        after = replace(before, **checked)
        if after != before:
            change = Change("edit", before, after, "edited", moment_or_now(now))
            self._documents.apply([change])
        return after

    @editing
    def promote(self, memory_id: str, *, now: datetime | None = None) -> AtomicMemoryRecord:
        """The turn as a long-term memory, written into MEMORY.md. Source: S1.5.2."""
        moment = moment_or_now(now)
        before = find_own(self._space, memory_id)
        if before.memory_type == "long_term":
            return before
        cued = detect_categories(before.content) - {"fact"}
        after = replace(
            before,
            content=self._engine.without_secrets(before.content),
            memory_type="long_term",
            kind="semantic",
            category=before.category or next((one for one in CATEGORIES if one in cued), "fact"),
            document=MAIN,
        )
        changes = [Change("promote", before, after, "marked as important", moment)]
        self._documents.apply([*changes, *rotated(self._space, changes, moment)])
        evict(self._space, moment)
        return find_own(self._space, memory_id)

    @editing
    def restore(
        self, memory_id: str, *, keep_both: bool = False, now: datetime | None = None
    ) -> AtomicMemoryRecord:
        """The memory as it was before its last change: a supersession, edit, eviction, rotation.

        Where another one has taken its place (`undoable`), the two change places, or with
        `keep_both` both are valid. Calling it again goes one change further back. A forgotten
        memory is gone for good.

        Raises:
            NothingToRestoreError: it has never been changed.
        """
        moment = moment_or_now(now)
        current, step = find_own(self._space, memory_id), self.undoable(memory_id)
        after = replace(
            step.before, last_accessed=current.last_accessed, access_count=current.access_count
        )
        changes = [Change("restore", current, after, f"undone: {step.reason}", moment)]
        if step.other is not None and not keep_both:
            why = f"{memory_id} was restored"
            changes.append(retired(step.other, memory_id, moment, why))
        self._documents.apply(changes)
        return after

    def undoable(self, memory_id: str) -> UndoStep:
        """What `restore` would do now, and to which other memory.

        Raises:
            NothingToRestoreError: the memory has never been changed.
        """
        current = find_own(self._space, memory_id)
        step = last_change(self._store.history.of_memory(self._owner, current.id))
        if step is None or step.before is None:
            raise NothingToRestoreError(f"memory {memory_id!r} has no change that can be undone")
        named = current.superseded_by if step.action == "supersede" else None
        other = self._store.memories.get(self._owner, named or "")
        return UndoStep(step.before, step.reason, other if other and other.is_valid else None)

    @editing
    def supersede(
        self, memory_id: str, by: str, *, now: datetime | None = None
    ) -> AtomicMemoryRecord:
        """The memory as out of date: `by` has taken its place, and is no longer in doubt with it.

        It was true until the other one began. `restore` undoes it; a second call changes nothing.

        Raises:
            InvalidInputError: the two are one, or one of them is not a valid long-term memory.
        """
        moment = moment_or_now(now)
        old, new = find_own(self._space, memory_id), find_own(self._space, by)
        if old.superseded_by == new.id:
            return old
        if old.id == new.id:
            why = f"by: {new.id!r} is the memory itself; name the one that is newer"
            raise InvalidInputError(why)
        for one in (old, new):
            if one.memory_type != "long_term" or not one.is_valid:
                raise InvalidInputError(
                    f"memory {one.id!r} is no valid long-term memory: only one of those can be out "
                    "of date, or take the place of another"
                )
        changes = [retired(old, new.id, moment, _OUT_OF_DATE, since(new))]
        if in_doubt_with(new, self._store.history.of_memory(self._owner, new.id)) == old.id:
            tags = tuple(tag for tag in new.tags if tag != MAYBE_TAG)
            changes.append(Change("edit", new, replace(new, tags=tags), "edited", moment))
        self._documents.apply(changes)
        return changes[0].after or old


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


def in_doubt_with(memory: AtomicMemoryRecord, history: Sequence[HistoryEntry]) -> str | None:
    """The id of the memory that a marked one may be about; None without a mark, or unknown."""
    if MAYBE_TAG not in memory.tags:
        return None
    for entry in reversed(history):
        if entry.reason.startswith(_MAYBE_ABOUT):
            return entry.reason.removeprefix(_MAYBE_ABOUT).partition(";")[0].strip()
    return None
