"""Changes of memories, and the one way by which they reach the rows.

Source: decisions 2.
"""

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, groupby
from typing import Literal, TypeAlias

from chatmem.model import Action, AtomicMemoryRecord, HistoryEntry
from chatmem.storage.documents.difference import REMOVED
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner, in_batches
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


def said_marks(record: AtomicMemoryRecord) -> list[str]:
    """What is buried of what a memory says, so that no extractor brings it back.

    That is its words and, of one with a key, what it states in whatever words.
    """
    value = json.dumps(record.value, ensure_ascii=False, sort_keys=True)
    stated = [f"statement {record.key} = {normalise(value)}"] if record.key else []
    return [record.content, *stated]


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


def _record_batch(store: Store, owner: Owner, changes: Iterable[Change]) -> None:
    memories, history, forgotten = store.memories, store.history, False
    for effect, group in groupby(changes, _effect):
        some = list(group)
        if effect == "forget":
            for change in some:
                if change.before is not None:
                    _forget(store, owner, change.before, change)
                    forgotten = True
            continue
        afters = [one.after for one in some if one.after]
        if effect == "add":
            history.unbury(owner, *chain(*map(said_marks, afters)))
            memories.insert_all(owner, [(one, None) for one in afters])
        elif effect == "move":
            memories.move(owner, afters)
        else:
            for after in afters:
                memories.update(owner, after, new_text=effect == "rewrite")
        history.add(
            owner,
            *(
                HistoryEntry(after.id, one.at, one.action, one.reason, one.before, after)
                for one, after in zip(some, afters, strict=True)
                if one.action != "forget"
            ),
        )
    if forgotten:  # what else quotes memories, and must not quote a forgotten one
        store.answers.blank()


def _effect(change: Change) -> Literal["forget", "add", "move", "rewrite", "edit"]:
    """What a change does to the rows; a rewrite is an edit with another content."""
    before, after = change.before, change.after
    if change.action == "forget" or after is None:
        return "forget"
    if before is None:
        return "add"
    if replace(before, document=after.document) == after:
        return "move"
    return "edit" if before.content == after.content else "rewrite"


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
