"""Memories that an application, a tool or a model asks to be written, several at once.

They are explicit: they meet what is known by key alone, and two without a key never retire one
another.

Source: S4.3.2; S3.2.1; decisions 4.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any

from chatmem.engine.checked import checked_choice
from chatmem.engine.people import People
from chatmem.engine.remember.append import NewMemory, append_memory
from chatmem.engine.space import Space
from chatmem.engine.state import id_of
from chatmem.errors import InvalidInputError, NotOwnerError
from chatmem.model import AtomicMemoryRecord, Visibility
from chatmem.model.write import MemoryWrite
from chatmem.storage.values import Owner

OWNER_TYPES = ("user", "household")
_NAMES = {field.name for field in fields(MemoryWrite)}
_CAMEL = {
    "ownerType": "owner_type", "ownerId": "owner_id", "sessionId": "session_id",
}  # fmt: skip


def apply_writes(
    space: Space,
    writes: Iterable[MemoryWrite | Mapping[str, Any]],
    now: datetime,
    mark: str | None = None,
) -> list[AtomicMemoryRecord]:
    """The memories as they were written, in order; all are checked before the first is written.

    With a `mark` the memories' ids follow from it: the same writes again have no effect.

    Raises:
        InvalidInputError: a write that is none, or has a value that does not fit; says which.
        NotOwnerError: a write for another user, or a household that this user is not in.
        DocumentError: a file cannot be written; the writes before it stay.
    """
    wanted = [_read(write, place) for place, write in enumerate(writes)]
    people = People(space)
    checked = [_owned(write, place, space.owner, people) for place, write in enumerate(wanted)]
    if mark is not None:
        checked = [
            replace(
                new, id=id_of(blake2b(f"{space.owner.user_id}\n{mark}\n{place}".encode()).digest())
            )
            for place, new in enumerate(checked)
        ]
    return [append_memory(space, new, now) for new in checked]


def _read(write: object, place: int) -> MemoryWrite:
    if isinstance(write, MemoryWrite):
        return write
    if not isinstance(write, Mapping):
        raise InvalidInputError(
            f"writes[{place}]: got {type(write).__name__}, takes a MemoryWrite or a mapping with "
            '"content"'
        )
    named = {_CAMEL.get(str(name), str(name)): value for name, value in write.items()}
    unknown = sorted(set(named) - _NAMES)
    if unknown or "content" not in named:
        what = f"unknown {', '.join(unknown)}" if unknown else 'no "content"'
        raise InvalidInputError(f"writes[{place}]: {what}; takes {', '.join(sorted(_NAMES))}")
    given = {name: value for name, value in named.items() if value is not None}
    if isinstance(given.get("tags"), list):
        given["tags"] = tuple(given["tags"])
    return MemoryWrite(**given)


def _owned(write: MemoryWrite, place: int, owner: Owner, people: People) -> NewMemory:
    where = f"writes[{place}]"
    kind = checked_choice(write.owner_type, f"{where}.owner_type", OWNER_TYPES)
    if kind == "user" and write.owner_id not in (None, owner.user_id):
        raise NotOwnerError(
            f"{where}: owner_id {write.owner_id!r} is another user; this memory is of "
            f"{owner.user_id!r}: write it there with for_user({write.owner_id!r})"
        )
    if kind == "household":
        homes = [one.circle_id for one in people.circles("household")]
        if not homes or write.owner_id not in (None, *homes):
            raise NotOwnerError(
                f"{where}: {owner.user_id!r} is in no household"
                + (f" {write.owner_id!r}" if write.owner_id else "")
                + "; create one or join it first"
            )
    shared: Visibility = "household" if kind == "household" else "private"
    return NewMemory(
        content=write.content,
        category=write.category,
        kind=write.kind,
        importance=write.importance,
        confidence=write.confidence,
        visibility=write.visibility or shared,
        key=write.key,
        value=write.value,
        tags=write.tags,
        source=write.source,
        session_id=write.session_id,
    )
