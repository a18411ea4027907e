"""Memories on SQLite: the row, its full-text entry, its facts and its place in the queue, together.

Every write goes through here, so no index can miss one.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from chatmem.model import AtomicMemoryRecord, Category, MemoryType
from chatmem.model.time import to_text
from chatmem.storage.ports import Owner
from chatmem.storage.sqlite.database import Database
from chatmem.storage.sqlite.dense import SqliteDenseIndex
from chatmem.storage.sqlite.full_text import FullText
from chatmem.storage.sqlite.lexical import SqliteLexicalIndex
from chatmem.storage.sqlite.owners import Owners
from chatmem.storage.sqlite.packed import PackedIndex
from chatmem.storage.sqlite.rows import row_id, row_of, to_bindings, to_record
from chatmem.storage.sqlite.statements import statements
from chatmem.text.entry import IndexEntry
from chatmem.text.segment import index_tokens

_SQL = statements("memories")
_INDEX = statements("index")
_EXPORT_PAGE = 500


class SqliteMemoryTable:
    """The table `atomic_memory` and everything that is derived from a row."""

    def __init__(
        self,
        database: Database,
        owners: Owners,
        packed: PackedIndex,
        full_text: FullText,
        lexical: SqliteLexicalIndex,
        dense: SqliteDenseIndex,
    ) -> None:
        self._db = database
        self._owners = owners
        self._packed = packed
        self._full_text = full_text
        self._lexical = lexical
        self._dense = dense

    def insert(self, owner: Owner, record: AtomicMemoryRecord, entry: IndexEntry) -> int:
        """The new memory's row; it is searchable by keyword at once and waits for its vector."""
        row = self._owners.take_row(owner)
        key = row_id(owner, row)
        self._db.execute(_SQL["insert"], to_bindings(key, record))
        self.enter(owner, key, record, entry)
        return row

    def enter(self, owner: Owner, key: int, record: AtomicMemoryRecord, entry: IndexEntry) -> None:
        """Index a row that stands in the table already (a new one, or one of an older version)."""
        at = to_text(record.timestamp)
        # Only turns have neighbours; a memory keeps its session as where it came from.
        said_in = record.session_id if record.role else None
        session, previous = self._owners.enter_session(owner, said_in, row_of(key), at)
        names = " ".join(index_tokens(entry.speaker)) if entry.speaker else ""
        self._db.execute(
            _INDEX["insert_row"],
            {
                "row_id": key,
                "length": len(entry.tokens),
                "session": session,
                "previous": previous,
                "speaker": self._owners.speaker(owner, entry.speaker, names),
                "flags": entry.flags,
            },
        )
        self._full_text.put(key, entry.tokens)
        self._dense.enqueue(key)

    def update(
        self, owner: Owner, record: AtomicMemoryRecord, entry: IndexEntry | None = None
    ) -> None:
        """Write the record over its row; an `entry` replaces terms and vector too."""
        row = self.row_of(owner, record.id)
        if row is None:
            return
        key = row_id(owner, row)
        self._owners.touch(owner)
        self._db.execute(_SQL["update"], to_bindings(key, record))
        if entry is not None:
            self._leave_index(owner, row)
            self._full_text.put(key, entry.tokens)
            self._db.execute(
                _INDEX["update_row"],
                {"row_id": key, "length": len(entry.tokens), "flags": entry.flags},
            )
            if self._is_packed(owner, row):
                self._packed.add(owner, row, entry.tokens)
            self._dense.renew(key)
        self._refresh_facts(owner, row)

    def delete(self, owner: Owner, memory_id: str) -> bool:
        """True when it was there: row, terms, vector, counters and history are gone."""
        row = self.row_of(owner, memory_id)
        if row is None:
            return False
        key = row_id(owner, row)
        self._owners.touch(owner)
        self._leave_index(owner, row)
        self._dense.remove(key)
        self._db.execute(_INDEX["delete_row"], (key,))
        self._db.execute(_SQL["delete_access"], (key,))
        self._db.execute(_SQL["unlink_superseded"], (memory_id,))
        self._db.execute(statements("history")["delete"], (owner.user_id, memory_id))
        self._db.execute(statements("conversations")["delete_memory"], (memory_id, owner.user_id))
        self._db.execute(_SQL["delete"], (key,))
        self._refresh_facts(owner, row)
        return True

    def get(self, owner: Owner, memory_id: str) -> AtomicMemoryRecord | None:
        """The memory, or None."""
        found = self._db.one(_SQL["by_id"], {"id": memory_id, "viewer": owner.user_id})
        return to_record(found) if found else None

    def row_of(self, owner: Owner, memory_id: str) -> int | None:
        """The memory's row, or None."""
        found = self._db.one(_SQL["row_of"], {"id": memory_id, "viewer": owner.user_id})
        return row_of(found[0]) if found else None

    def by_rows(self, owner: Owner, rows: Sequence[int]) -> dict[int, AtomicMemoryRecord]:
        """The memories of these rows, by row."""
        keys = json.dumps([row_id(owner, row) for row in rows])
        found = self._db.execute(_SQL["by_rows"], {"rows": keys, "viewer": owner.user_id})
        return {row_of(row[0]): to_record(row) for row in found}

    def page(
        self, owner: Owner, memory_type: MemoryType | None, limit: int, offset: int
    ) -> list[AtomicMemoryRecord]:
        """Memories, newest first."""
        bindings = {
            "viewer": owner.user_id, "memory_type": memory_type, "limit": limit, "offset": offset,
        }  # fmt: skip
        return [to_record(row) for row in self._db.execute(_SQL["list"], bindings)]

    def count(self, owner: Owner, memory_type: MemoryType | None) -> int:
        """How many there are."""
        bindings = {"viewer": owner.user_id, "memory_type": memory_type}
        found = self._db.one(_SQL["count"], bindings)
        return int(found[0]) if found else 0

    def export(self, owner: Owner) -> Iterator[AtomicMemoryRecord]:
        """Every memory, in the order of its row, read in pages."""
        after = -1
        bindings = {"viewer": owner.user_id, "limit": _EXPORT_PAGE}
        while page := self._db.execute(_SQL["export"], {**bindings, "after": after}):
            yield from (to_record(row) for row in page)
            after = page[-1][0]

    def of_document(self, owner: Owner, path: str) -> list[AtomicMemoryRecord]:
        """The memories that a Markdown file holds."""
        bindings = {"viewer": owner.user_id, "document": path}
        return [to_record(row) for row in self._db.execute(_SQL["by_document"], bindings)]

    def documented(self, owner: Owner) -> list[tuple[str, str, Category | None]]:
        """Document, id and category of every memory that a Markdown file holds, oldest first."""
        found = self._db.execute(_SQL["documented"], {"viewer": owner.user_id})
        return [(row[0], row[1], row[2]) for row in found]

    def foreign_ids(self, owner: Owner, memory_ids: Sequence[str]) -> set[str]:
        """Those of the ids that belong to other users."""
        bindings = {"user_id": owner.user_id, "ids": json.dumps(list(memory_ids))}
        return {row[0] for row in self._db.execute(_SQL["foreign"], bindings)}

    def live_count(self, owner: Owner) -> int:
        """How many valid long-term memories there are."""
        found = self._db.one(_SQL["live_count"], {"viewer": owner.user_id})
        return int(found[0]) if found else 0

    def weakest(self, owner: Owner, limit: int) -> list[AtomicMemoryRecord]:
        """Valid long-term memories, the lowest confidence first, then the oldest access."""
        bindings = {"viewer": owner.user_id, "limit": limit}
        return [to_record(row) for row in self._db.execute(_SQL["weakest"], bindings)]

    def of_key(self, owner: Owner, key: str) -> list[AtomicMemoryRecord]:
        """The valid long-term memories with this key."""
        bindings = {"viewer": owner.user_id, "key": key}
        return [to_record(row) for row in self._db.execute(_SQL["of_key"], bindings)]

    def of_category(self, owner: Owner, categories: Sequence[Category], limit: int) -> list[int]:
        """Rows of the newest valid long-term memories of these categories."""
        bindings = {
            "viewer": owner.user_id, "categories": json.dumps(list(categories)), "limit": limit,
        }  # fmt: skip
        return [row_of(row[0]) for row in self._db.execute(_SQL["of_category"], bindings)]

    def same_start(
        self, owner: Owner, session_id: str, role: str, content: str
    ) -> list[tuple[str, str]]:
        """Id and content of the turns of a session and role whose first 50 characters agree."""
        bindings = {
            "viewer": owner.user_id, "session_id": session_id, "role": role, "content": content,
        }  # fmt: skip
        return [(row[0], row[2]) for row in self._db.execute(_SQL["same_start"], bindings)]

    def like(
        self, owner: Owner, word: str, memory_type: MemoryType | None, limit: int
    ) -> list[int]:
        """Rows whose content contains the word, newest first, by `LIKE`."""
        escaped = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        bindings = {
            "viewer": owner.user_id, "only": memory_type, "pattern": f"%{escaped}%",
            "limit": limit,
        }  # fmt: skip
        return [row_of(row[0]) for row in self._db.execute(_SQL["like"], bindings)]

    def count_access(self, owner: Owner, memory_ids: Sequence[str], at: datetime) -> None:
        """Count one access of each."""
        for memory_id in memory_ids:
            row = self.row_of(owner, memory_id)
            if row is not None:
                bindings = {"row_id": row_id(owner, row), "at": to_text(at)}
                self._db.execute(_SQL["access"], bindings)

    def _leave_index(self, owner: Owner, row: int) -> None:
        """Take the row's tokens out of the full-text index and the packed one."""
        key = row_id(owner, row)
        if self._is_packed(owner, row):
            before = self._full_text.tokens(key)
            if before is None:
                # Nothing says which postings hold the row: all of them go, and are packed again.
                self._packed.clear()
            else:
                self._packed.remove(owner, row, before)
        self._full_text.remove(key)

    def _refresh_facts(self, owner: Owner, row: int) -> None:
        if self._is_packed(owner, row):
            self._packed.put_row(owner, row, self._lexical.facts(owner, row, row + 1))

    def _is_packed(self, owner: Owner, row: int) -> bool:
        return row < self._owners.extent(owner)[1]
