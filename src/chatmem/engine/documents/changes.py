"""Changes of memories, and the one way by which they reach the rows.

Source: decisions 2.
"""

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias

from chatmem.model import Action, AtomicMemoryRecord, HistoryEntry
from chatmem.storage.documents.difference import REMOVED
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner, in_batches
from chatmem.text.normalise import normalise

ChangeAction: TypeAlias = Action | Literal["forget"]


class Change(NamedTuple):
    """What a memory was and what it becomes; None before it exists, and after it is forgotten."""

    action: ChangeAction
    before: AtomicMemoryRecord | None
    after: AtomicMemoryRecord | None
    reason: str
    at: datetime


def source_mark(source_id: str) -> str:
    """What is buried of an imported message, so that a second import does not bring it back."""
    return f"message {source_id}"


def said_marks(record: AtomicMemoryRecord) -> list[str]:
    """What is buried of what a memory says, so that no extractor brings it back.

    That is its words and, of one with a key, what it states in whatever words.
    """
    if not record.key:
        return [record.content]
    value = json.dumps(record.value, ensure_ascii=False, sort_keys=True)
    return [record.content, f"statement {record.key} = {normalise(value)}"]


def identity_mark(memory_id: str, content: str) -> str:
    """What is buried of a memory forgotten elsewhere than in a document: older texts have it."""
    return f"memory {memory_id}: {content}"


def record_changes(
    store: Store,
    owner: Owner,
    changes: Iterable[Change],
    finish: Callable[[], None],
    done: list[Change],
) -> None:
    """Bring changes into rows, indexes and history, and `finish`, in transactions that are short.

    Between two of them others have as long a time as the first took. What is in is added to `done`;
    what an error or a crash leaves undone is folded in again, since `finish` alone, which goes with
    the last, notes the documents.
    """
    batches = in_batches(changes, lambda one: one.after.content if one.after else "")
    batch: list[Change] | None = next(batches, [])
    while batch is not None:
        began_s = time.monotonic()
        following = next(batches, None)
        with store.transaction():
            _record_batch(store, owner, batch)
            if following is None:
                finish()
        done += batch
        if following is not None and not store.database.writing:  # else nobody could use it
            time.sleep(time.monotonic() - began_s)
        batch = following


def _record_batch(store: Store, owner: Owner, changes: Sequence[Change]) -> None:
    memories, history, forgotten = store.memories, store.history, False
    entries, moved = list[HistoryEntry](), dict[str, AtomicMemoryRecord]()
    if new := [one.after for one in changes if one.after and not one.before]:
        history.unbury(owner, *chain(*map(said_marks, new)))
        memories.insert_all(owner, [(one, None) for one in new])
    for change in changes:
        before, after = change.before, change.after
        if change.action != "forget" and after is not None:
            entry = HistoryEntry(after.id, change.at, change.action, change.reason, before, after)
            entries.append(entry)
            if before and replace(before, document=after.document) == after:
                moved[after.id] = after
            elif before:
                memories.update(owner, after, new_text=after.content != before.content)
                moved.pop(after.id, None)
        elif before is not None:
            _forget(store, owner, before, change)
            entries = [one for one in entries if one.memory_id != before.id]
            forgotten = True
    if moved:
        memories.move(owner, [*moved.values()])
    history.add(owner, *entries)
    if forgotten:  # what else quotes memories, and must not quote a forgotten one
        store.answers.blank()


def _forget(store: Store, owner: Owner, record: AtomicMemoryRecord, change: Change) -> None:
    """Delete the memory, and bury what would bring it back."""
    sources = store.conversations.sources_of(owner, record.id)
    olds = [one.after.content for one in store.history.of_memory(owner, record.id)]
    if store.memories.delete(owner, record.id):
        marks = [*said_marks(record), *map(source_mark, sources)]
        if not change.reason.startswith(REMOVED):  # in an editor it can be undone
            marks += [identity_mark(record.id, one) for one in {record.content, *olds}]
        for unwanted in marks:
            store.history.bury(owner, unwanted, change.at)
