"""Memories to put into a store, written for each test."""

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.conftest import some

from chatmem.model import AtomicMemoryRecord, HistoryEntry, Message
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Job, Owner

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def memory(
    memory_id: str,
    content: str,
    user_id: str = "mei",
    **columns: Any,  # noqa: ANN401 - as many types as there are columns
) -> AtomicMemoryRecord:
    columns.setdefault("timestamp", NOON)
    columns.setdefault("create_time", columns["timestamp"])
    return AtomicMemoryRecord(id=memory_id, user_id=user_id, content=content, **columns)


def said(content: str, **columns: Any) -> Message:  # noqa: ANN401 - as many types as columns
    """A message of the user in session `s1` at noon."""
    given = {"role": "user", "session_id": "s1", "timestamp": NOON, **columns}
    return Message(content=content, **given)


def entry(record: AtomicMemoryRecord, **columns: Any) -> HistoryEntry:  # noqa: ANN401 - the same
    """What the history says of a memory that was added at noon."""
    given = {"at": NOON, "action": "add", "reason": "told", "before": None, **columns}
    return HistoryEntry(memory_id=record.id, after=record, **given)


def keep(store: Store, owner: Owner, *records: AtomicMemoryRecord) -> list[int]:
    """Insert the memories in one transaction; their rows."""
    with store.transaction():
        return [store.memories.insert_all(owner, [(record, record.role)]) for record in records]


def keep_contents(store: Store, owner: Owner, *contents: str) -> list[int]:
    """Insert long-term memories `m0`, `m1`, .. (with the user's initial), a minute apart."""
    first = store.pages.count(owner)
    records = [
        memory(
            f"{owner.user_id}{first + place}",
            content,
            owner.user_id,
            memory_type="long_term",
            timestamp=NOON + timedelta(minutes=first + place),
        )
        for place, content in enumerate(contents)
    ]
    return keep(store, owner, *records)


def got(store: Store, owner: Owner, memory_id: str = "mei0") -> AtomicMemoryRecord:
    """The memory as the store has it."""
    return some(store.memories.get(owner, memory_id))


def edit(store: Store, owner: Owner, record: AtomicMemoryRecord) -> None:
    """Write a memory with a new text."""
    with store.transaction():
        store.memories.update(owner, record, new_text=True)


def delete(store: Store, owner: Owner, memory_id: str) -> bool:
    with store.transaction():
        return store.memories.delete(owner, memory_id)


def job_of(store: Store, owner: Owner, kind: str) -> Job:
    """A job that waits for the session `s1` since noon."""
    with store.transaction():
        store.jobs.put(owner, kind, "s1", NOON)
    (job,) = store.jobs.due(NOON, [kind], 10)
    return job


def rows_with(store: Store, owner: Owner, term: str) -> list[int]:
    """The rows that the full-text index has for one term."""
    return [int(row) for row in store.lexical.occurrences(owner, [term], []).rows]
