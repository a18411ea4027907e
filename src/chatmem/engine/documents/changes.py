"""One change of one memory, and the one way by which it reaches the rows."""

import json
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


def record_change(store: Store, owner: Owner, change: Change) -> None:
    """Bring the change into rows, indexes and history, inside the open transaction."""
    before, after = change.before, change.after
    if after is None:
        if before is None:
            return
        sources = store.conversations.sources_of(owner, before.id)
        if store.memories.delete(owner, before.id):
            stated = (statement_mark(before),) if before.key else ()
            for unwanted in (before.content, *stated, *map(source_mark, sources)):
                store.history.bury(owner, unwanted, change.at)
        return
    if before is None:
        store.history.unbury(owner, after.content)
        if after.key:
            store.history.unbury(owner, statement_mark(after))
        store.memories.insert(owner, after, entry_of(after))
    else:
        new_text = after.content != before.content
        store.memories.update(owner, after, entry_of(after) if new_text else None)
    if change.action != "forget":
        store.history.add(
            owner,
            HistoryEntry(
                memory_id=after.id,
                at=change.at,
                action=change.action,
                reason=change.reason,
                before=before,
                after=after,
            ),
        )
