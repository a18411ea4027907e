"""Memories: the row, its full-text entry, its facts and its place in the queue, together.

Every write goes through here, so no index can miss one.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from chatmem.model import AtomicMemoryRecord, Category, MemoryType, Standing
from chatmem.model.time import to_text
from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.dense import DenseIndex
from chatmem.storage.tables.full_text import FullText, NewEntry
from chatmem.storage.tables.lexical import LexicalIndex
from chatmem.storage.tables.owners import Owners
from chatmem.storage.tables.packed import PackedIndex
from chatmem.storage.tables.patterns import containing
from chatmem.storage.tables.rows import (
    OWNER_BITS,
    bound,
    key_range,
    place_of,
    row_id,
    row_of,
    to_bindings,
    to_record,
    to_standing,
)
from chatmem.storage.tables.statements import STANDING_WITH_COUNTERS, WITH_COUNTERS
from chatmem.storage.values import Owner, Place
from chatmem.text.segment import IndexEntry, index_tokens

_EXPORT_PAGE = 500


class MemoryTable:
    """The table `atomic_memory` and everything that is derived from a row."""

    def __init__(
        self,
        database: SqlDatabase,
        owners: Owners,
        packed: PackedIndex,
        full_text: FullText,
        lexical: LexicalIndex,
        dense: DenseIndex,
    ) -> None:
        self._db = database
        self._sql = database.statements("memories")
        self._standings = self._sql["by_rows"].replace(WITH_COUNTERS, STANDING_WITH_COUNTERS)
        self._people = database.statements("people")
        self._history = database.statements("history")
        self._conversations = database.statements("conversations")
        self._owners = owners
        self._packed = packed
        self._full_text = full_text
        self._lexical = lexical
        self._dense = dense

    def insert(self, owner: Owner, record: AtomicMemoryRecord, entry: IndexEntry) -> int:
        """The new memory's row; it is searchable by keyword at once and waits for its vector."""
        return self.insert_all(owner, [(record, entry)])

    def insert_all(self, owner: Owner, new: Sequence[tuple[AtomicMemoryRecord, IndexEntry]]) -> int:
        """The first row of the new memories; the others follow in their order."""
        first = self._owners.take_rows(owner, len(new))
        entered = [
            (row_id(owner, row), record, entry) for row, (record, entry) in enumerate(new, first)
        ]
        self._db.many(self._sql["insert"], [to_bindings(key, record) for key, record, _ in entered])
        self._note_sharing(*(record.visibility for record, _ in new))
        self.enter(owner, entered)
        return first

    def enter(
        self, owner: Owner, rows: Sequence[tuple[int, AtomicMemoryRecord, IndexEntry]]
    ) -> None:
        """Index rows that stand in the table already: new ones, or those of an older version."""
        # Only turns have neighbours; a memory keeps its session as where it came from.
        said = [
            (record.session_id if record.role else None, row_of(key), to_text(record.timestamp))
            for key, record, _ in rows
        ]
        speakers = {
            name: self._owners.speaker(owner, name, " ".join(index_tokens(name)) if name else "")
            for name in dict.fromkeys(entry.speaker for _, _, entry in rows)
        }
        places = self._owners.enter_sessions(owner, said)
        self._full_text.enter(
            owner,
            [
                NewEntry(
                    key,
                    {
                        "length": len(entry.tokens),
                        "session": session,
                        "previous": previous,
                        "speaker": speakers[entry.speaker],
                        "flags": entry.flags,
                    },
                    entry.tokens,
                )
                for (key, _, entry), (session, previous) in zip(rows, places, strict=True)
            ],
        )
        self._dense.enqueue(owner, [key for key, _, _ in rows])

    def update(
        self, owner: Owner, record: AtomicMemoryRecord, entry: IndexEntry | None = None
    ) -> None:
        """Write the record over its row; an `entry` replaces terms and vector too."""
        found = self._own(owner, record.id)
        if found is None:
            return
        row, visibility = found
        key = row_id(owner, row)
        self._owners.touch(owner)
        self._note_sharing(visibility, record.visibility)
        self._db.execute(self._sql["update"], to_bindings(key, record))
        if entry is not None:
            self._leave_packed(owner, row)
            facts = {"length": len(entry.tokens), "flags": entry.flags}
            self._full_text.change(owner, key, facts, entry.tokens)
            if self._is_packed(owner, row):
                self._packed.add(owner, row, entry.tokens)
            self._dense.renew(owner, key)
        self._refresh_facts(owner, row)

    def delete(self, owner: Owner, memory_id: str) -> bool:
        """True when it was there: row, terms, vector, counters and history are gone."""
        found = self._own(owner, memory_id)
        if found is None:
            return False
        row, visibility = found
        key = row_id(owner, row)
        self._owners.touch(owner)
        self._note_sharing(visibility)
        self._leave_packed(owner, row)
        self._full_text.remove(owner, key)
        self._dense.remove(owner, key)
        bindings = bound(owner, row_id=key, memory_id=memory_id)
        self._db.execute(self._sql["delete_access"], bindings)
        self._db.execute(self._sql["unlink_superseded"], bindings)
        self._db.execute(self._history["delete"], bindings)
        self._db.execute(self._conversations["delete_memory"], bindings)
        self._db.execute(self._sql["delete"], bindings)
        self._refresh_facts(owner, row)
        return True

    def get(self, owner: Owner, memory_id: str) -> AtomicMemoryRecord | None:
        """The owner's memory, or None."""
        found = self._db.one(self._sql["own_by_id"], {"id": memory_id, "viewer": owner.user_id})
        return to_record(found) if found else None

    def seen(self, viewer: Owner, memory_id: str) -> AtomicMemoryRecord | None:
        """The memory, whoever owns it, if the viewer may see it; else None."""
        found = self._db.one(self._sql["by_id"], {"id": memory_id, "viewer": viewer.user_id})
        return to_record(found) if found else None

    def row_of(self, owner: Owner, memory_id: str) -> int | None:
        """The row of the owner's memory, or None."""
        found = self._own(owner, memory_id)
        return found[0] if found else None

    def by_rows(self, owner: Owner, rows: Sequence[int]) -> dict[int, AtomicMemoryRecord]:
        """The owner's memories of these rows, by row."""
        found = self.by_places(owner, [(owner.number, row) for row in rows])
        return {row: record for (_, row), record in found.items()}

    def by_places(self, viewer: Owner, places: Sequence[Place]) -> dict[Place, AtomicMemoryRecord]:
        """The memories at these places, by place and in their order, that the viewer may see."""
        keys = json.dumps([number << OWNER_BITS | row for number, row in places])
        found = self._db.execute(self._sql["by_rows"], {"rows": keys, "viewer": viewer.user_id})
        return {place_of(row[0]): to_record(row) for row in found}

    def standings(self, viewer: Owner, places: Sequence[Place]) -> dict[Place, Standing]:
        """What counts beside the words of these memories, by place and in their order."""
        keys = json.dumps([number << OWNER_BITS | row for number, row in places])
        found = self._db.execute(self._standings, {"rows": keys, "viewer": viewer.user_id})
        return {place_of(row[0]): to_standing(row) for row in found}

    def page(
        self, owner: Owner, memory_type: MemoryType | None, limit: int, offset: int
    ) -> list[AtomicMemoryRecord]:
        """Memories, newest first."""
        low, high = key_range(owner)
        bindings = {
            "viewer": owner.user_id, "low": low, "high": high, "limit": limit, "offset": offset,
        }  # fmt: skip
        found = self._db.execute(self._of_type("list", memory_type), bindings)
        return [to_record(row) for row in found]

    def count(self, owner: Owner, memory_type: MemoryType | None) -> int:
        """How many there are."""
        low, high = key_range(owner)
        bindings = {"viewer": owner.user_id, "low": low, "high": high}
        found = self._db.one(self._of_type("count", memory_type), bindings)
        return int(found[0]) if found else 0

    def export(self, owner: Owner) -> Iterator[AtomicMemoryRecord]:
        """Every memory, in the order of its row, read in pages."""
        low, high = key_range(owner)
        bindings = {"viewer": owner.user_id, "high": high, "limit": _EXPORT_PAGE}
        while page := self._db.execute(self._sql["export"], {**bindings, "low": low}):
            yield from (to_record(row) for row in page)
            low = page[-1][0] + 1

    def of_document(self, owner: Owner, path: str) -> list[AtomicMemoryRecord]:
        """The memories that a Markdown file holds."""
        bindings = {"viewer": owner.user_id, "document": path}
        return [to_record(row) for row in self._db.execute(self._sql["by_document"], bindings)]

    def of_session(self, owner: Owner, session_id: str) -> list[AtomicMemoryRecord]:
        """The session's turns, and the memories that came from it."""
        bindings = {"viewer": owner.user_id, "session_id": session_id}
        return [to_record(row) for row in self._db.execute(self._sql["of_session"], bindings)]

    def documented(self, owner: Owner) -> list[tuple[str, str, Category | None]]:
        """Document, id and category of every memory that a Markdown file holds, oldest first."""
        found = self._db.execute(self._sql["documented"], {"viewer": owner.user_id})
        return [(row[0], row[1], row[2]) for row in found]

    def foreign_ids(self, owner: Owner, memory_ids: Sequence[str]) -> set[str]:
        """Those of the ids that belong to other users."""
        bindings = {"user_id": owner.user_id, "ids": json.dumps(list(memory_ids))}
        return {row[0] for row in self._db.execute(self._sql["foreign"], bindings)}

    def live_count(self, owner: Owner) -> int:
        """How many valid long-term memories there are."""
        found = self._db.one(self._sql["live_count"], {"viewer": owner.user_id})
        return int(found[0]) if found else 0

    def weakest(self, owner: Owner, limit: int) -> list[AtomicMemoryRecord]:
        """Valid long-term memories, the lowest confidence first, then the oldest access."""
        bindings = {"viewer": owner.user_id, "limit": limit}
        return [to_record(row) for row in self._db.execute(self._sql["weakest"], bindings)]

    def of_key(self, owner: Owner, key: str) -> list[AtomicMemoryRecord]:
        """The valid long-term memories with this key."""
        bindings = {"viewer": owner.user_id, "key": key}
        return [to_record(row) for row in self._db.execute(self._sql["of_key"], bindings)]

    def of_category(self, owner: Owner, categories: Sequence[Category], limit: int) -> list[int]:
        """The owner's rows of the newest valid long-term memories of these categories."""
        bindings = {
            "viewer": owner.user_id, "categories": json.dumps(list(categories)), "limit": limit,
        }  # fmt: skip
        return [row_of(row[0]) for row in self._db.execute(self._sql["of_category"], bindings)]

    def same_start(
        self, owner: Owner, session_id: str, role: str, content: str
    ) -> list[tuple[str, str]]:
        """Id and content of the turns of a session and role whose first 50 characters agree."""
        bindings = {
            "viewer": owner.user_id, "session_id": session_id, "role": role, "content": content,
        }  # fmt: skip
        return [(row[0], row[2]) for row in self._db.execute(self._sql["same_start"], bindings)]

    def like(
        self, owner: Owner, word: str, memory_type: MemoryType | None, limit: int
    ) -> list[int]:
        """The owner's rows whose content contains the word, newest first, by `LIKE`."""
        low, high = key_range(owner)
        bindings = {
            "viewer": owner.user_id, "low": low, "high": high, "only": memory_type,
            "pattern": containing(word), "limit": limit,
        }  # fmt: skip
        return [row_of(row[0]) for row in self._db.execute(self._sql["like"], bindings)]

    def like_shared(
        self, viewer: Owner, word: str, memory_type: MemoryType | None, limit: int
    ) -> list[Place]:
        """The same of what others share with the viewer."""
        bindings = {
            "viewer": viewer.user_id, "only": memory_type, "pattern": containing(word),
            "limit": limit,
        }  # fmt: skip
        return [place_of(row[0]) for row in self._db.execute(self._sql["like_shared"], bindings)]

    def count_access(self, viewer: Owner, memory_ids: Sequence[str], at: datetime) -> None:
        """Count one access of each that the viewer may see."""
        with self._db.acting_for(viewer.user_id):  # others' may be counted in the transaction, too
            for memory_id in sorted(memory_ids):  # who counts the same does not wait for each other
                bindings = {"id": memory_id, "viewer": viewer.user_id}
                for key, holder in self._db.execute(self._sql["row_seen"], bindings):
                    access = {"row_id": key, "holder": holder, "at": to_text(at)}
                    self._db.execute(self._sql["access"], access)

    def _of_type(self, name: str, memory_type: MemoryType | None) -> str:
        """The statement with the condition that the type asks for, if any is asked for."""
        condition = self._sql[f"of_{memory_type}"] if memory_type else ""
        return self._sql[name].replace("{of type}", condition)

    def _own(self, owner: Owner, memory_id: str) -> tuple[int, str] | None:
        """Row and visibility of the owner's memory, or None."""
        found = self._db.one(self._sql["row_of"], {"id": memory_id, "viewer": owner.user_id})
        return (row_of(found[0]), found[1]) if found else None

    def _note_sharing(self, *visibilities: str) -> None:
        """What others have read of shared memories is stale, if one of these is shared."""
        if any(one != "private" for one in visibilities):
            self._db.execute(self._people["touch"])

    def _leave_packed(self, owner: Owner, row: int) -> None:
        """Take the row's tokens out of the packed index."""
        if self._is_packed(owner, row):
            before = self._full_text.tokens(owner, row_id(owner, row))
            if before is None:
                # Nothing says which postings hold the row: all of them go, and are packed again.
                self._packed.clear(owner)
            else:
                self._packed.remove(owner, row, before)

    def _refresh_facts(self, owner: Owner, row: int) -> None:
        if self._is_packed(owner, row):
            self._packed.put_row(owner, row, self._lexical.facts(owner, row, row + 1))

    def _is_packed(self, owner: Owner, row: int) -> bool:
        return row < self._owners.extent(owner)[1]
