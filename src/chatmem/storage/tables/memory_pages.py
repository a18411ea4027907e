"""Memories as a person looks through them: statements put together of the parts a filter needs.

Each part is written in `sql/memory_pages.sql`; a condition that is not asked for is not in the
statement, so that a database chooses the index that serves it.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from chatmem.model import AtomicMemoryRecord, MemoryFilter, MemorySort
from chatmem.storage.tables.database import SqlStatement, Table
from chatmem.storage.tables.rows import containing, from_row, key_range, row_of, to_record
from chatmem.storage.values import Added, Owner

_COMPARED = (
    *("memory_type", "kind", "category", "source", "session_id", "visibility"),
    *("time_from", "time_to"),
)


class MemoryPages(Table):
    """An owner's memories as a person looks through them, and what others share with them."""

    def page(
        self,
        owner: Owner,
        wanted: MemoryFilter,
        texts: Sequence[str],
        order: tuple[MemorySort, bool],
        bounds: tuple[int, int],
        *,
        shared: bool = False,
    ) -> tuple[list[AtomicMemoryRecord], int]:
        """A page of the owner's memories that pass the filter, and how many there are in all.

        With `shared` of those that others share with the owner. `order` is what they are sorted by
        and whether the largest comes first, `bounds` limit and offset. Equal ones are in the order
        of their rows.
        """
        conditions, bindings = self._conditions(owner, wanted, texts)
        count = self._filled("count_shared" if shared else "count", conditions=conditions)
        total = int(self._db.value(count, owner, **bindings))
        (sort, descending), (limit, offset) = order, bounds
        limit = max(0, min(limit, total - offset))
        if not limit:
            return [], total
        backwards = offset > total // 2  # the far end is nearer from behind
        if backwards:
            descending, offset = not descending, total - offset - limit
        direction = "DESC" if descending else "ASC"
        by = f"{self._part(f'order_{sort}')} {direction}, m.row_id {direction}"
        if shared:
            page = self._filled("page_shared", conditions=conditions, order=by)
        else:
            by_index = wanted.memory_type == "long_term" and sort == "timestamp"
            own_rows = self._part("if_long_term" if by_index else "if_own")
            page = self._filled("page", conditions=f"{own_rows}\n{conditions}", order=by)
        found = self._db.rows(page, owner, **bindings, limit=limit, offset=offset)
        keys = [row[0] for row in (reversed(found) if backwards else found)]
        return self._records(owner, keys), total

    def rows(self, owner: Owner, wanted: MemoryFilter, texts: Sequence[str]) -> list[int]:
        """The owner's rows that pass the filter, in no order."""
        conditions, bindings = self._conditions(owner, wanted, texts)
        found = self._db.rows(self._filled("rows", conditions=conditions), owner, **bindings)
        return [row_of(row[0]) for row in found]

    def added(self, owner: Owner, since: datetime) -> list[Added]:
        """What was stored since then, by minute."""
        found = self._db.rows("memory_pages.added", owner, **key_range(owner), since=since)
        return [from_row(Added, row) for row in found]

    def _records(self, viewer: Owner, keys: list[int]) -> list[AtomicMemoryRecord]:
        found = self._db.rows("memories.by_rows", viewer, rows=json.dumps(keys))
        by_key = {row[0]: to_record(row) for row in found}
        return [by_key[key] for key in keys if key in by_key]

    def _part(self, name: str) -> str:
        return self._db.statement(f"memory_pages.{name}").text

    def _filled(self, name: str, **marks: str) -> SqlStatement:
        return self._db.statement(f"memory_pages.{name}").filled(**marks)

    def _conditions(
        self, owner: Owner, wanted: MemoryFilter, texts: Sequence[str]
    ) -> tuple[str, dict[str, Any]]:
        """The parts of the statement that the filter needs, and what all of it binds."""
        bindings: dict[str, Any] = dict(key_range(owner))
        parts = []
        for name in _COMPARED:
            value = getattr(wanted, name)
            if value is not None:
                bindings[name] = value
                parts.append(self._part(f"if_{name}"))
        if wanted.as_of is not None:
            bindings["as_of"] = wanted.as_of
            parts.append(self._part("if_as_of"))
        else:
            parts.append(self._part(f"if_{wanted.state}"))
        if texts:  # last: what is dearest is looked at in the rows that the others leave
            names = ("text", "second", "third")[: 1 if len(texts) == 1 else 3]
            for place, name in enumerate(names):
                bindings[name] = containing(texts[min(place, len(texts) - 1)])
            parts.append(self._part("if_text" if len(names) == 1 else "if_spelled"))
        return " ".join(parts), bindings
