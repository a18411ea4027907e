"""Writing memories down on request: facts into MEMORY.md, notes into the day's log.

A value that its column does not take is an InvalidInputError, a file that cannot be written a
DocumentError; nothing was changed then.

Source: S5.1, S5.7.2, S5.7.4; S3.2.1; decisions 2 and 4.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any

from pydantic.alias_generators import to_snake

from chatmem.engine.checks import COLUMNS, checked_choice, checked_columns, checked_text
from chatmem.engine.documents.changes import Change
from chatmem.engine.documents.documents import Write
from chatmem.engine.people import People
from chatmem.engine.remember.settling import candidate_of, changes_of, evict, rotated, since
from chatmem.engine.space import SpacePart
from chatmem.engine.state import Engine, id_of, new_id
from chatmem.errors import InvalidInputError, NotOwnerError
from chatmem.extraction.reader.reading import MOST_CHARS
from chatmem.extraction.redact import mask_secrets
from chatmem.extraction.settle import Met, Verdict, settle
from chatmem.model import AtomicMemoryRecord, Category, Visibility
from chatmem.model.memory import DEFAULT_CONFIDENCE, MemoryWrite, OwnerType, Source, sure
from chatmem.model.time import moment_or_now, whole_milliseconds
from chatmem.storage.documents.places import MAIN, daily_document
from chatmem.storage.values import Owner

CONSOLIDATION = "consolidation"
"""The kind of job that meets a memory, of that id, with what is near it in meaning."""


def checked_changes(engine: Engine, changes: dict[str, Any]) -> dict[str, Any]:
    """The columns as `checked_columns` gives them; passwords, keys, card numbers are masked.

    A value that its key or its content gives away is gone with it.

    Raises:
        InvalidInputError: as there, or a content that is too long to be read.
    """
    content = changes.get("content")
    if isinstance(content, str) and len(content) > MOST_CHARS:
        raise InvalidInputError(
            f"content: got {len(content):,} characters, a memory takes at most {MOST_CHARS:,}: "
            "write each fact by itself, or save the text as a message of a session"
        )
    if not engine.settings.memory.mask_secrets:
        return checked_columns(changes)
    found = dict(changes)  # what is no text is left to its check
    key, value, tags = (changes.get(name) for name in ("key", "value", "tags"))
    if isinstance(content, str):
        masked = mask_secrets(content)
        found["content"] = masked.text
        if masked.kinds and isinstance(value, str) and value not in masked.text:
            found["value"] = None
    if isinstance(value, str):
        about = str(key or "").replace("_", " ").replace(":", " ")
        if mask_secrets(value).kinds or mask_secrets(f"{about}: {value}").kinds:
            found["value"] = None
    if isinstance(tags, list | tuple):
        masked_tags = [mask_secrets(one).text if isinstance(one, str) else one for one in tags]
        found["tags"] = type(tags)(masked_tags)
    return checked_columns(found)


_VISIBILITY: Mapping[OwnerType, Visibility] = {"user": "private", "household": "household"}
"""What a write is shared with, by its owner, where it does not say."""
_NAMES = {field.name for field in fields(MemoryWrite)}


class MemoryAppender(SpacePart):
    """Writes memories of this user down, on request."""

    def append_memory(
        self,
        fact: str,
        category: Category = "fact",
        *,
        now: datetime | None = None,
        **columns: Any,  # noqa: ANN401
    ) -> AtomicMemoryRecord:
        """The memory as written into MEMORY.md.

        `columns` are `importance=3, confidence=0.9, visibility="private", kind="semantic",
        key=None, value=None, tags=(), source=None, session_id=None`. What is known of the key
        settles it at once, what is near in meaning in the background.

        Source: S5.1.1, S5.7.2.
        """
        try:
            write = MemoryWrite(content=fact, category=category, **columns)
        except TypeError as error:
            raise InvalidInputError(f"append_memory: {error}") from error
        return self.apply_writes([write], now=now)[0]

    def append_daily_log(
        self,
        entry: str,
        *,
        now: datetime | None = None,
        at: datetime | None = None,
        **columns: Any,  # noqa: ANN401
    ) -> AtomicMemoryRecord:
        """The note as it stands in the log of the (local) day; `columns` are those of a memory.

        `at` is when it happened, where that is not now. Source: S5.1.2, S5.7.4.
        """
        moment = moment_or_now(now)
        write = MemoryWrite(content=entry, kind="episodic", **columns)
        record = self._record(write, new_id(), moment, at)
        noted = [(record, moment, "written into the daily log", False)]
        return self._documents.together(noted, self._append)[0]

    def apply_writes(
        self,
        writes: Iterable[MemoryWrite | Mapping[str, Any]],
        *,
        now: datetime | None = None,
        mark: str | None = None,
        source: Source | None = None,
    ) -> list[AtomicMemoryRecord]:
        """The memories that a tool, a model or an application asked to be written, in order.

        All are checked before the first is written. With a `mark` the memories' ids follow from it:
        the same writes again have no effect. `source` is that of writes that say none: `inferred`
        for a tool's, which the person has not said; without it, as `MemoryWrite` has it.

        Raises:
            InvalidInputError: a write that is none, or has a value that does not fit; says which.
            NotOwnerError: a write for another user, or a household that this user is not in.
            DocumentError: a file cannot be written; what stands before a write with a key stays.

        Source: S4.3.2.
        """
        moment, user = moment_or_now(now), self._owner.user_id
        read = [_read(write, f"writes[{place}]") for place, write in enumerate(writes)]
        for place, write in enumerate(read):
            _check_owner(write, f"writes[{place}]", user, People(self._space))
        records = [
            self._record(write, id_of(f"{user}\n{mark}\n{place}") if mark else new_id(), moment)
            for place, write in enumerate(replace(one, source=one.source or source) for one in read)
        ]
        asked = [(one, moment, "asked to remember", mark is not None) for one in records]
        return self._documents.together(asked, self._append) if asked else []

    def _append(self, works: Sequence[Sequence[Write]]) -> list[list[AtomicMemoryRecord]]:
        """The memories as they were written, once, of several threads at once."""
        writes = [one for work in works for one in work]
        found = iter(self._documents.edit(partial(self._settled, writes), is_add=True))
        return [list(islice(found, len(work))) for work in works]

    def _settled(self, writes: Sequence[Write]) -> list[AtomicMemoryRecord]:
        """The memories as they were written; where its key says so already, the known one.

        What is known of the key is settled at once; what is near in meaning is left to the
        background, since reading takes longer than writing. A note of the day stands by itself.
        """
        memories, owner = self._store.memories, self._owner
        kept, changes, done = list[AtomicMemoryRecord](), list[Change](), list[Change]()
        for record, now, reason, may_be_there in writes:
            there = memories.get(owner, record.id) if may_be_there else None
            kept.append(there or record)
            if there is not None:
                continue
            if record.key:
                done += self._write(changes, now)
                changes = []
            met = [Met(old) for old in memories.of_key(owner, record.key)] if record.key else []
            verdict = settle(candidate_of(record), met, since(record)) if met else Verdict("add")
            changes += changes_of(verdict, record, now, reason)
            if verdict.action == "confirm":
                kept[-1] = verdict.olds[0]
        done += self._write(changes, writes[-1][1])
        now_known = {one.after.id: one.after for one in done if one.after}
        return [now_known.get(one.id, one) for one in kept]

    def _write(self, changes: Sequence[Change], now: datetime) -> list[Change]:
        """Write them, leave the new to be met with what is near, keep the limits: all changes."""
        new = [one.after for one in changes if one.after and not one.before]

        def ask() -> None:
            for one in new:
                if one.kind == "semantic":
                    self._store.jobs.put(self._owner, CONSOLIDATION, one.id, now)

        is_main = any(one.document == MAIN for one in new)
        moved = rotated(self._space, changes, now) if is_main else []
        self._documents.apply([*changes, *moved], ask)
        return [*changes, *moved, *evict(self._space, now)]

    def _record(
        self, new: MemoryWrite, memory_id: str, now: datetime, at: datetime | None = None
    ) -> AtomicMemoryRecord:
        """The memory of a write; what is less sure than what people state is inferred."""
        columns = {name: getattr(new, name) for name in COLUMNS}
        columns["visibility"] = new.visibility or _VISIBILITY[new.owner_type]
        columns["source"] = new.source or "user_stated"
        columns = checked_changes(self._engine, columns)
        if new.source is None and columns["confidence"] < DEFAULT_CONFIDENCE:
            columns["source"] = "inferred"
        session = None if new.session_id is None else checked_text(new.session_id, "session_id")
        return record_of(self._owner, memory_id, at or now, now, session_id=session, **columns)


def record_of(
    owner: Owner,
    memory_id: str,
    at: datetime,
    now: datetime,
    **columns: Any,  # noqa: ANN401
) -> AtomicMemoryRecord:
    """The long-term memory of what happened `at`, in its document, with these columns."""
    moment = whole_milliseconds(at)
    day = daily_document(moment.astimezone().date())
    columns["confidence"] = sure(columns["confidence"], columns["source"])
    return AtomicMemoryRecord(
        id=memory_id,
        user_id=owner.user_id,
        timestamp=moment,
        create_time=whole_milliseconds(now),
        memory_type="long_term",
        valid_from=moment if columns["key"] else None,
        document=day if columns["kind"] == "episodic" else MAIN,
        **columns,
    )


def _read(write: object, where: str) -> MemoryWrite:
    if isinstance(write, MemoryWrite):
        return write
    if not isinstance(write, Mapping):
        raise InvalidInputError(
            f'{where}: got {type(write).__name__}, takes a MemoryWrite or a mapping with "content"'
        )
    named = {to_snake(str(name)): value for name, value in write.items()}
    unknown = sorted(set(named) - _NAMES)
    if unknown or "content" not in named:
        what = f"unknown {', '.join(unknown)}" if unknown else 'no "content"'
        raise InvalidInputError(f"{where}: {what}; takes {', '.join(sorted(_NAMES))}")
    return MemoryWrite(**{name: value for name, value in named.items() if value is not None})


def _check_owner(write: MemoryWrite, where: str, user: str, people: People) -> None:
    kind = checked_choice(write.owner_type, f"{where}.owner_type", tuple(_VISIBILITY))
    if kind == "user" and write.owner_id not in (None, user):
        raise NotOwnerError(
            f"{where}: owner_id {write.owner_id!r} is another user; this memory is of "
            f"{user!r}: write it there with for_user({write.owner_id!r})"
        )
    homes = [one.circle_id for one in people.circles("household")] if kind == "household" else []
    if kind == "household" and (not homes or write.owner_id not in (None, *homes)):
        raise NotOwnerError(
            f"{where}: {user!r} is in no household"
            + (f" {write.owner_id!r}" if write.owner_id else "")
            + "; create one or join it first"
        )
