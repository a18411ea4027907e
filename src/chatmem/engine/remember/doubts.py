"""Two memories that may be about the same thing: which two, and that one of them is out of date.

Extraction only marks what it is not sure of; a person decides. "Both are right" is an ordinary
change of tags; "the older one is out of date" is `supersede_memory`.

Source: S4.3.2 (conflict resolution); decisions 4.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from chatmem.engine.documents.changes import Change
from chatmem.engine.remember.lifecycle import find_own
from chatmem.engine.remember.retention import retired
from chatmem.engine.space import Space
from chatmem.errors import InvalidInputError
from chatmem.extraction.settle import MAYBE_TAG
from chatmem.model import AtomicMemoryRecord, HistoryEntry

OUT_OF_DATE: Final = "said to be out of date"
"""The reason of a supersession that somebody asked for."""
_MAYBE_ABOUT: Final = "maybe about "
"""How the reason of a marked memory begins; the other one's id follows: `extraction/settle.py`."""


def in_doubt_with(memory: AtomicMemoryRecord, history: Sequence[HistoryEntry]) -> str | None:
    """The id of the memory that a marked one may be about; None without a mark, or unknown."""
    if MAYBE_TAG not in memory.tags:
        return None
    for entry in reversed(history):
        if entry.reason.startswith(_MAYBE_ABOUT):
            return entry.reason.removeprefix(_MAYBE_ABOUT).partition(";")[0].strip()
    return None


def since(memory: AtomicMemoryRecord) -> datetime:
    """From when on it is true, as far as that is known: by this one is older than another."""
    return memory.valid_from or memory.timestamp


def supersede_memory(
    space: Space,
    memory_id: str,
    by: str,
    now: datetime,
) -> AtomicMemoryRecord:
    """The memory as out of date: `by` has taken its place, and is no longer in doubt with it.

    It was true until the other one began. `restore` undoes it; a second call changes nothing.

    Raises:
        MemoryNotFoundError: one of the two is not there.
        NotOwnerError: another user shares one of them.
        InvalidInputError: the two are one, or one of them is not a valid long-term memory.
        DocumentError: a file cannot be written; nothing was changed.
    """

    def write() -> AtomicMemoryRecord:
        old, new = find_own(space, memory_id), find_own(space, by)
        if old.superseded_by == new.id:
            return old
        _check_pair(old, new)
        change = retired(old, new.id, now, OUT_OF_DATE)
        after = replace(change.after or old, valid_to=max(since(old), since(new)))
        changes = [replace(change, after=after)]
        if in_doubt_with(new, space.store.history.of_memory(space.owner, new.id)) == old.id:
            tags = tuple(tag for tag in new.tags if tag != MAYBE_TAG)
            changes.append(Change("edit", new, replace(new, tags=tags), "edited", now))
        space.documents.apply(changes)
        return after

    return space.documents.edit(write)


def _check_pair(old: AtomicMemoryRecord, new: AtomicMemoryRecord) -> None:
    if old.id == new.id:
        raise InvalidInputError(f"by: {new.id!r} is the memory itself; name the one that is newer")
    for one in (old, new):
        if one.memory_type != "long_term" or not one.is_valid:
            raise InvalidInputError(
                f"memory {one.id!r} is no valid long-term memory: only one of those can be out of "
                "date, or take the place of another"
            )
