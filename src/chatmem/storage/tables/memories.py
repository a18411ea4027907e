"""Memories: the row, its full-text entry, its facts and its place in the queue, together.

Every write goes through here, so no index can miss one. What happened to a memory, and what was
forgotten, is here too.
"""

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

from chatmem.model import (
    AtomicMemoryRecord,
    Category,
    HistoryEntry,
    MemoryFilter,
    MemorySort,
    Message,
)
from chatmem.storage.tables.database import (
    SqlDatabase,
    SqlStatement,
    Table,
    from_row,
    memory_bindings,
    to_bindings,
    to_record,
    turn_bindings,
)
from chatmem.storage.tables.dense import DenseIndex
from chatmem.storage.tables.lexical import LexicalIndex
from chatmem.storage.tables.owners import Entered, Known, Owners, key_range, pages, row_id, row_of
from chatmem.storage.values import Added, Owner, index_entry
from chatmem.text.languages import spellings
from chatmem.text.normalise import normalise

_EXPORT_PAGE = 500
_HASH_BYTES: Final = 16
_END_OF_KEYS: Final = bytes(_HASH_BYTES - 1) + b"\1"
"""Sorts behind every key, which begins with zeros, and before every hash."""
_ESCAPED: Final = str.maketrans({one: f"\\{one}" for one in "\\%_"})
"""Signs that mean something in a `LIKE` pattern."""
EVERYTHING: Final = MemoryFilter(state="all")


class MemoryTable:
    """The table `atomic_memory` and everything that is derived from a row."""

    def __init__(self, database: SqlDatabase, lexical: LexicalIndex, dense: DenseIndex) -> None:
        self._db = database
        self._owners = Owners(database)
        self._lexical = lexical
        self._dense = dense

    def insert_all(self, owner: Owner, new: Sequence[tuple[AtomicMemoryRecord, str | None]]) -> int:
        """The first row of the new memories, each with who said it; the others follow in order.

        They are searchable by keyword at once and wait for their vectors.
        """
        first = self._owners.take_rows(owner, len(new))
        entered = [(row_id(owner, row), *one) for row, one in enumerate(new, first)]
        bindings = (memory_bindings(key, record) for key, record, _ in entered)
        self._db.many("memories.insert", owner, bindings)
        self._note_sharing(*(record.visibility for record, _ in new))
        self.enter(owner, entered)
        return first

    def insert_turns(
        self, owner: Owner, said: Sequence[tuple[Message, str]], at: datetime, known: Known | None
    ) -> None:
        """The same of messages, each with the id that its memory shall have."""
        first = row_id(owner, self._owners.take_rows(owner, len(said)))
        bindings = (turn_bindings(key, *one, at) for key, one in enumerate(said, first))
        self._db.many("memories.insert", owner, bindings)
        entered = [(key, one, one.speaker or one.role) for key, (one, _) in enumerate(said, first)]
        self.enter(owner, entered, known)

    def enter(self, owner: Owner, rows: Sequence[Entered], known: Known | None = None) -> None:
        """Index rows that stand in the table already: new ones, or those of an older version."""
        speakers = self._owners.enter_speakers(owner, rows, known)
        sessions = self._owners.enter_sessions(owner, rows, known)
        facts = []
        for (key, record, speaker), (session, previous) in zip(rows, sessions, strict=True):
            is_read = len(record.content) >= self._lexical.later_below
            entry = index_entry(record.content if is_read else "")
            facts.append(
                {
                    "row_id": key,
                    "tokens": " ".join(entry.tokens),
                    "length": entry.length,
                    "session": session,
                    "previous": previous,
                    "speaker": speakers[speaker],
                    "flags": entry.flags,
                }
            )
        self._lexical.enter(owner, facts)
        self._dense.enqueue(owner, [key for key, _, _ in rows])

    def update(self, owner: Owner, record: AtomicMemoryRecord, *, new_text: bool = False) -> None:
        """Write the record over its row; with a new text its terms and vector are made again."""
        found = self._own(owner, record.id)
        if found is None:
            return
        row, visibility = found
        key = row_id(owner, row)
        self._owners.touch(owner)
        self._note_sharing(visibility, record.visibility)
        if new_text:
            self._lexical.change(owner, row, index_entry(record.content))
            self._dense.remove(owner, key)
            self._dense.enqueue(owner, [key])
        self._db.run("memories.update", owner, **memory_bindings(key, record))
        self._lexical.refresh(owner, row)

    def move(self, owner: Owner, records: Sequence[AtomicMemoryRecord]) -> None:
        """Note in which documents these stand now; nothing else of them has changed."""
        self._owners.touch(owner)
        self._note_sharing(*(one.visibility for one in records))
        moved = ({"id": one.id, "document": one.document} for one in records)
        self._db.many("memories.move", owner, moved)

    def delete(self, owner: Owner, memory_id: str) -> bool:
        """True when it was there: row, terms, vector, counters and history are deleted."""
        found = self._own(owner, memory_id)
        if found is None:
            return False
        row, visibility = found
        key = row_id(owner, row)
        self._owners.touch(owner)
        self._note_sharing(visibility)
        self._lexical.remove(owner, row)
        self._dense.remove(owner, key)
        for name in (
            *("memories.delete_access", "memories.unlink_superseded", "history.delete"),
            *("conversations.delete_memory", "memories.delete", "jobs.delete_session"),
        ):  # a memory's job stands under its id
            self._db.run(name, owner, row_id=key, memory_id=memory_id, session_id=memory_id)
        self._lexical.refresh(owner, row)
        return True

    def get(self, owner: Owner, memory_id: str) -> AtomicMemoryRecord | None:
        """The owner's memory, or None."""
        return self._db.record(AtomicMemoryRecord, "memories.own_by_id", owner, id=memory_id)

    def seen(self, viewer: Owner, memory_id: str) -> AtomicMemoryRecord | None:
        """The memory, whoever owns it, if the viewer may see it; else None."""
        return self._db.record(AtomicMemoryRecord, "memories.by_id", viewer, id=memory_id)

    def row_of(self, owner: Owner, memory_id: str) -> int | None:
        """The row of the owner's memory, or None."""
        return found[0] if (found := self._own(owner, memory_id)) else None

    def by_rows(self, owner: Owner, rows: Sequence[int]) -> dict[int, AtomicMemoryRecord]:
        """The owner's memories of these rows, by row."""
        found = self.by_keys(owner, [row_id(owner, row) for row in rows])
        return {row_of(key): record for key, record in found.items()}

    def by_keys(self, viewer: Owner, keys: Sequence[int]) -> dict[int, AtomicMemoryRecord]:
        """The memories of these keys, in their order, that the viewer may see."""
        found = self._db.rows("memories.by_rows", viewer, rows=keys)
        return {row[0]: to_record(row) for row in found}

    def export(self, owner: Owner) -> Iterator[AtomicMemoryRecord]:
        """Every memory, in the order of its row, read in pages."""
        for page in pages(self._db, "memories.export", owner, _EXPORT_PAGE):
            yield from map(to_record, page)

    def of_document(self, owner: Owner, path: str) -> list[AtomicMemoryRecord]:
        """The memories that a Markdown file holds."""
        return self._records("by_document", owner, document=path)

    def least_of(self, owner: Owner, path: str) -> Iterator[AtomicMemoryRecord]:
        """The same, what is unimportant, unsure and long not used first."""
        return map(to_record, self._db.rows("memories.least_of", owner, document=path))

    def of_session(self, owner: Owner, session_id: str) -> list[AtomicMemoryRecord]:
        """The session's turns, and the memories that came from it."""
        return self._records("of_session", owner, session_id=session_id)

    def documented(self, owner: Owner) -> list[tuple[str, str, Category | None]]:
        """Document, id and category of every memory that a Markdown file holds, oldest first."""
        found = self._db.rows("memories.documented", owner)
        return [(document, memory_id, category) for document, memory_id, category in found]

    def foreign_ids(self, owner: Owner, memory_ids: Sequence[str]) -> set[str]:
        """Those of the ids that belong to other users."""
        return {row[0] for row in self._db.rows("memories.foreign", owner, ids=memory_ids)}

    def weakest(self, owner: Owner, limit: int) -> list[AtomicMemoryRecord]:
        """Valid long-term memories, the lowest confidence first, then the oldest access."""
        return self._records("weakest", owner, limit=limit)

    def of_key(self, owner: Owner, key: str) -> list[AtomicMemoryRecord]:
        """The valid long-term memories with this key."""
        return self._records("of_key", owner, key=key)

    def of_category(self, owner: Owner, categories: Sequence[Category], limit: int) -> list[int]:
        """The owner's rows of the newest valid long-term memories of these categories."""
        named = {"categories": categories, "limit": limit}
        return [row_of(row[0]) for row in self._db.rows("memories.of_category", owner, **named)]

    def count_access(self, viewer: Owner, memory_ids: Sequence[str], at: datetime) -> None:
        """Count one access of each that the viewer may see."""
        with self._db.acting_for(viewer.user_id):  # others' may be counted in the transaction, too
            for memory_id in sorted(memory_ids):  # who counts the same does not wait for each other
                for key, holder in self._db.rows("memories.row_seen", viewer, id=memory_id):
                    self._db.run("memories.access", viewer, row_id=key, holder=holder, at=at)

    def _records(self, name: str, owner: Owner, **bindings: object) -> list[AtomicMemoryRecord]:
        return self._db.records(AtomicMemoryRecord, f"memories.{name}", owner, **bindings)

    def _own(self, owner: Owner, memory_id: str) -> tuple[int, str] | None:
        """Row and visibility of the owner's memory, or None."""
        found = self._db.row("memories.row_of", owner, id=memory_id)
        return (row_of(found[0]), found[1]) if found else None

    def _note_sharing(self, *visibilities: str) -> None:
        """What others have read of shared memories is stale, if one of these is shared."""
        if any(one != "private" for one in visibilities):
            self._db.run("people.touch")


class MemoryPages:
    """An owner's memories as a person looks through them, and what others share with them.

    Statements are put together of the parts in `sql/memory_pages.sql`: a condition that is not
    asked for is not in the statement, so that a database chooses the index that serves it.
    """

    def __init__(self, database: SqlDatabase, memories: MemoryTable) -> None:
        self._db = database
        self._memories = memories

    def count(
        self,
        owner: Owner,
        wanted: MemoryFilter = EVERYTHING,
        texts: Sequence[str] = (),
        *,
        shared: bool = False,
    ) -> int:
        """How many of the owner's memories, or of those shared with them, pass the filter."""
        conditions, bindings = self._conditions(owner, wanted, texts)
        count = self._filled("count_shared" if shared else "count", conditions=conditions)
        return int(self._db.value(count, owner, **bindings))

    def page(
        self,
        owner: Owner,
        wanted: MemoryFilter,
        bounds: tuple[int, int],
        texts: Sequence[str] = (),
        order: tuple[MemorySort, bool] = ("timestamp", True),
        *,
        shared: bool = False,
    ) -> tuple[list[AtomicMemoryRecord], int]:
        """A page of the owner's memories that pass the filter, and how many there are in all.

        With `shared` of those that others share with the owner. `bounds` are limit and offset,
        `order` is what they are sorted by and whether the largest comes first. Equal ones are in
        the order of their rows.
        """
        total = self.count(owner, wanted, texts, shared=shared)
        (sort, descending), (limit, offset) = order, bounds
        limit = max(0, min(limit, total - offset))
        if not limit:
            return [], total
        backwards = offset > total // 2  # the far end is nearer from behind
        if backwards:
            descending, offset = not descending, total - offset - limit
        direction = "DESC" if descending else "ASC"
        by = f"{self._part(f'order_{sort}')} {direction}, m.row_id {direction}"
        conditions, bindings = self._conditions(owner, wanted, texts)
        if not (shared or (wanted.memory_type == "long_term" and sort == "timestamp")):
            conditions = f"{self._part('if_own')}\n{conditions}"  # else by an index
        name = "page_shared" if shared else "page"
        page = self._filled(name, conditions=conditions, order=by)
        found = self._db.rows(page, owner, **bindings, limit=limit, offset=offset)
        keys = [row[0] for row in (reversed(found) if backwards else found)]
        return list(self._memories.by_keys(owner, keys).values()), total

    def keys(self, owner: Owner, wanted: MemoryFilter) -> list[int]:
        """Keys of what the owner sees, own and shared, that passes the filter, in no order."""
        conditions, bindings = self._conditions(owner, wanted)
        statements = (self._filled(one, conditions=conditions) for one in ("rows", "rows_shared"))
        return [row[0] for one in statements for row in self._db.rows(one, owner, **bindings)]

    def added(self, owner: Owner, since: datetime) -> list[Added]:
        """What was stored since then, by minute."""
        return self._db.records(Added, "memory_pages.added", owner, **key_range(owner), since=since)

    def _part(self, name: str) -> str:
        return self._db.statement(f"memory_pages.{name}").text

    def _filled(self, name: str, **marks: str) -> SqlStatement:
        return self._db.statement(f"memory_pages.{name}").filled(**marks)

    def _conditions(
        self, owner: Owner, wanted: MemoryFilter, texts: Sequence[str] = ()
    ) -> tuple[str, dict[str, Any]]:
        """The parts of the statement that the filter needs, and what all of it binds."""
        texts = texts or (spellings(wanted.text) if wanted.text else ())
        bindings: dict[str, Any] = dict(key_range(owner))
        parts = []
        for name in (one.name for one in fields(wanted) if one.name not in ("text", "state")):
            value = getattr(wanted, name)
            if value is not None:
                bindings[name] = value
                parts.append(self._part(f"if_{value if name == 'memory_type' else name}"))
        if wanted.as_of is None:
            parts.append(self._part(f"if_{wanted.state}"))
        if texts:  # last: what is dearest is looked at in the rows that the others leave
            names = ("text", "second", "third")[: 1 if len(texts) == 1 else 3]
            for index, name in enumerate(names):
                text = texts[min(index, len(texts) - 1)]
                bindings[name] = f"%{text.translate(_ESCAPED)}%"
            parts.append(self._part("if_text" if len(names) == 1 else "if_spelled"))
        return " ".join(parts), bindings


class HistoryTable(Table):
    """What happened to memories, and the hashes of what was forgotten."""

    def add(self, owner: Owner, *entries: HistoryEntry) -> None:
        """Append entries."""
        self._db.many("history.insert", owner, map(to_bindings, entries))

    def of_memory(self, owner: Owner, memory_id: str) -> list[HistoryEntry]:
        """The memory's entries, oldest first."""
        return self._db.records(HistoryEntry, "history.of_memory", owner, memory_id=memory_id)

    def of_memories(
        self, owner: Owner, memory_ids: Sequence[str]
    ) -> dict[str, list[tuple[int, HistoryEntry]]]:
        """By memory, its entries and their numbers, which grow with each change of any memory."""
        found: dict[str, list[tuple[int, HistoryEntry]]] = {}
        for number, *row in self._db.rows("history.of_memories", owner, ids=memory_ids):
            found.setdefault(row[0], []).append((number, from_row(HistoryEntry, tuple(row))))
        return found

    def bury(self, owner: Owner, content: str, at: datetime) -> None:
        """Remember, as a hash only, that this content, or this source id, was forgotten."""
        self._db.run("history.bury", owner, hash=self.hash(owner, _folded(content), at), at=at)

    def is_buried(self, owner: Owner, content: str) -> bool:
        """True when this very content was forgotten by the owner."""
        return self._db.row("history.is_buried", owner, **self._hashes(owner, content)) is not None

    def any_buried(self, owner: Owner) -> bool:
        """True when the owner has forgotten anything."""
        return self._db.row("history.any_buried", owner, end_of_keys=_END_OF_KEYS) is not None

    def unbury(self, owner: Owner, *contents: str) -> None:
        """The person says it again: it is no longer unwanted."""
        if self.any_buried(owner):
            self._db.many("history.unbury", owner, [self._hashes(owner, one) for one in contents])

    def hash(self, owner: Owner, text: str, at: datetime | None = None) -> bytes:
        """What is kept of a text that nobody shall read: a hash with the owner's random key.

        The key stands among the owner's hashes: it is moved, backed up and deleted with them. `at`,
        where it is given, makes one where there is none; without one the hash has no key.
        """
        key = self._db.value("history.key", owner, end_of_keys=_END_OF_KEYS)
        if key is None and at is not None:
            key = bytes(_HASH_BYTES) + secrets.token_bytes(_HASH_BYTES)
            self._db.run("history.bury", owner, hash=key, at=at)
        return _hash(text, key or b"")

    def _hashes(self, owner: Owner, content: str) -> dict[str, bytes]:
        """The hash of a content, and the one that older versions made."""
        folded = _folded(content)
        return {"hash": self.hash(owner, folded), "plain": _hash(folded, b"")}


def _folded(content: str) -> str:
    """Equal for texts that differ only in case, width, script variant or blanks."""
    return "".join(normalise(content).split())


def _hash(text: str, key: bytes) -> bytes:
    data = text.encode("utf-8", "replace")
    return hashlib.blake2b(data, digest_size=_HASH_BYTES, key=key).digest()
