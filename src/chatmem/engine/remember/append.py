"""Writing memories down on request: facts into MEMORY.md, notes into the day's log.

Source: S5.1, S5.7.2, S5.7.4; S3.2.1; decisions 2 and 4.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

from chatmem.engine.checks import (
    checked_choice,
    checked_json,
    checked_number,
    checked_text,
    checked_texts,
)
from chatmem.engine.documents.changes import Change
from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.people import People
from chatmem.engine.remember.retention import evict, retired, rotate
from chatmem.engine.space import Space
from chatmem.engine.state import Engine, id_of, new_id
from chatmem.errors import InvalidInputError, NotOwnerError
from chatmem.extraction.redact import mask_secrets
from chatmem.model import (
    CATEGORIES,
    KINDS,
    SOURCES,
    VISIBILITIES,
    AtomicMemoryRecord,
    Category,
    Kind,
    Source,
    Visibility,
)
from chatmem.model.memory import DEFAULT_CONFIDENCE, NEUTRAL_IMPORTANCE, JsonValue, MemoryWrite
from chatmem.storage.documents.places import MAIN, daily_document
from chatmem.storage.values import Owner


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A memory to be written down, as a caller gives it; see `AtomicMemoryRecord`."""

    content: str
    category: Category = "fact"
    kind: Kind = "semantic"
    importance: int = NEUTRAL_IMPORTANCE
    confidence: float = DEFAULT_CONFIDENCE
    visibility: Visibility = "private"
    key: str | None = None
    value: JsonValue = None
    tags: Sequence[str] = ()
    source: Source = "user_stated"
    session_id: str | None = None
    id: str | None = None
    """Given where the same writing may be asked for twice: the second has no effect."""


def append_memory(space: Space, new: NewMemory, now: datetime) -> AtomicMemoryRecord:
    """The memory as it was written; with a key that is known, the old value is superseded.

    A key that has this very value already writes nothing: what is known comes back, its confidence
    raised to the new one's if that is higher.

    Raises:
        InvalidInputError: empty text, an unknown category, a number out of its range.
        DocumentError: the file cannot be written; nothing was changed.
    """
    record = _record(space, new, now)

    def write() -> AtomicMemoryRecord:
        written = space.store.memories.get(space.owner, new.id) if new.id else None
        if written is not None:
            return written
        known = space.store.memories.of_key(space.owner, record.key) if record.key else []
        for old in known:
            if (old.content, old.value) == (record.content, record.value):
                return _confirmed(space.documents, old, record.confidence, now)
        changes = [Change("add", None, record, "asked to remember", now)]
        changes += [retired(old, record.id, now, f"superseded: {record.key}") for old in known]
        space.documents.apply(changes)
        evict(space, now)
        rotate(space, now)
        stored = space.store.memories.get(space.owner, record.id)
        return stored or record

    return space.documents.edit(write)


def append_daily_log(
    space: Space,
    entry: str,
    now: datetime,
    at: datetime | None = None,
    **columns: Any,  # noqa: ANN401
) -> AtomicMemoryRecord:
    """The note as it stands in the log of the (local) day; `columns` are those of `NewMemory`.

    `at` is when it happened, where that is not now.

    Source: S5.1.2, S5.7.4.

    Raises:
        InvalidInputError: empty text.
        DocumentError: the file cannot be written; nothing was changed.
    """
    new = NewMemory(content=entry, kind="episodic", **columns)
    record = _record(space, new, now)
    record = replace(
        record,
        timestamp=at or record.timestamp,
        document=daily_document((at or now).astimezone().date()),
        category="fact",
    )

    def write() -> AtomicMemoryRecord:
        space.documents.apply([Change("add", None, record, "written into the daily log", now)])
        evict(space, now)
        return record

    return space.documents.edit(write)


_CHECKS: Mapping[str, Callable[[Any], Any]] = {
    "content": lambda value: checked_text(value, "content"),
    "category": lambda value: checked_choice(value, "category", CATEGORIES),
    "kind": lambda value: checked_choice(value, "kind", KINDS),
    "source": lambda value: checked_choice(value, "source", SOURCES),
    "visibility": lambda value: checked_choice(value, "visibility", VISIBILITIES),
    "importance": lambda value: int(checked_number(value, "importance", 1, 5, whole=True)),
    "confidence": lambda value: checked_number(value, "confidence", 0, 1),
    "tags": lambda value: checked_texts(value, "tags"),
    "key": lambda value: None if value is None else checked_text(value, "key"),
    "value": lambda value: checked_json(value, "value"),
}


def checked_columns(columns: Mapping[str, Any]) -> dict[str, Any]:
    """The named columns, each with a value it can take.

    Raises:
        InvalidInputError: a column that cannot be edited, or a value it does not take.
    """
    return {
        name: _CHECKS[checked_choice(name, "column", tuple(_CHECKS))](value)
        for name, value in columns.items()
    }


def checked_changes(engine: Engine, changes: dict[str, Any]) -> dict[str, Any]:
    """The columns as `checked_columns` gives them; passwords, keys, card numbers are masked."""
    masked = engine.settings.memory.mask_secrets
    return checked_columns(masked_columns(changes) if masked else changes)


def _record(space: Space, new: NewMemory, now: datetime) -> AtomicMemoryRecord:
    fields = checked_changes(
        space.engine,
        {
            "content": new.content,
            "category": new.category,
            "kind": new.kind,
            "importance": new.importance,
            "confidence": new.confidence,
            "visibility": new.visibility,
            "key": new.key,
            "value": new.value,
            "tags": new.tags,
            "source": new.source,
        },
    )
    # Milliseconds are what the database keeps: the file must say the same.
    moment = now - timedelta(microseconds=now.microsecond % 1000)
    return AtomicMemoryRecord(
        id=new.id or new_id(),
        user_id=space.owner.user_id,
        timestamp=moment,
        create_time=moment,
        session_id=(None if new.session_id is None else checked_text(new.session_id, "session_id")),
        memory_type="long_term",
        valid_from=moment if new.key else None,
        document=MAIN,
        **fields,
    )


def _confirmed(
    documents: MemoryDocuments, old: AtomicMemoryRecord, confidence: float, now: datetime
) -> AtomicMemoryRecord:
    if confidence <= old.confidence:
        return old
    surer = replace(old, confidence=confidence)
    documents.apply([Change("edit", old, surer, "said again", now)])
    return surer


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


def masked_columns(columns: dict[str, Any]) -> dict[str, Any]:
    """The columns of a memory without secrets; those that are no text are left to their check.

    A value that its key or its content gives away is gone with it.
    """
    found = dict(columns)
    content, key, value = (columns.get(name) for name in ("content", "key", "value"))
    if isinstance(content, str):
        masked = mask_secrets(content)
        found["content"] = masked.text
        if masked.kinds and isinstance(value, str) and value not in masked.text:
            found["value"] = None
    if isinstance(value, str):
        said_of = str(key or "").replace("_", " ").replace(":", " ")
        if mask_secrets(value).kinds or mask_secrets(f"{said_of}: {value}").kinds:
            found["value"] = None
    if isinstance(columns.get("tags"), list | tuple):
        tags = [mask_secrets(one).text if isinstance(one, str) else one for one in columns["tags"]]
        found["tags"] = type(columns["tags"])(tags)
    return found
