"""Changes of memories, and the one way by which they reach the rows."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from chatmem.engine.state import entry_of
from chatmem.model import Action, AtomicMemoryRecord, HistoryEntry
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner
from chatmem.text.normalise import normalise

ChangeAction: TypeAlias = Action | Literal["forget"]


@dataclass(frozen=True, slots=True)
class Change:
    """What a memory was and what it becomes; None before it exists, and after it is forgotten."""

    action: ChangeAction
    before: AtomicMemoryRecord | None
    after: AtomicMemoryRecord | None
    reason: str
    at: datetime


def source_mark(source_id: str) -> str:
    """What is buried of an imported message, so that a second import does not bring it back."""
    return f"message {source_id}"


def statement_mark(record: AtomicMemoryRecord) -> str:
    """What is buried of a memory with a key: no extractor brings it back in other words."""
    value = json.dumps(record.value, ensure_ascii=False, sort_keys=True)
    return f"statement {record.key} = {normalise(value)}"


def record_changes(store: Store, owner: Owner, changes: Iterable[Change]) -> None:
    """Bring changes into rows, indexes and history, inside the open transaction."""
    forgotten = False
    for change in changes:
        if change.after is not None:
            _record(store, owner, change, change.after)
        elif change.before is not None:
            _forget(store, owner, change.before, change.at)
            forgotten = True
    if forgotten:  # what else quotes memories, and must not quote a forgotten one
        store.answers.blank()


def _record(store: Store, owner: Owner, change: Change, after: AtomicMemoryRecord) -> None:
    before = change.before
    if before is None:
        store.history.unbury(owner, after.content)
        if after.key:
            store.history.unbury(owner, statement_mark(after))
        store.memories.insert(owner, after, entry_of(after))
    else:
        new_text = after.content != before.content
        store.memories.update(owner, after, entry_of(after) if new_text else None)
    if change.action != "forget":
        entry = HistoryEntry(
            memory_id=after.id,
            at=change.at,
            action=change.action,
            reason=change.reason,
            before=before,
            after=after,
        )
        store.history.add(owner, entry)


def _forget(store: Store, owner: Owner, record: AtomicMemoryRecord, at: datetime) -> None:
    """Delete the memory, and bury what would bring it back."""
    sources = store.conversations.sources_of(owner, record.id)
    if store.memories.delete(owner, record.id):
        stated = (statement_mark(record),) if record.key else ()
        for unwanted in (record.content, *stated, *map(source_mark, sources)):
            store.history.bury(owner, unwanted, at)
