"""Memories as a person looks through them: statements put together of the parts a filter needs.

Each part is written in `sql/memory_pages.sql`; a condition that is not asked for is not in the
statement, so that a database chooses the index that serves it.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from chatmem.model import AtomicMemoryRecord, MemoryFilter, MemorySort
from chatmem.model.time import from_text, to_text
from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.rows import containing, key_range, row_of, to_record
from chatmem.storage.tables.statements import Statement
from chatmem.storage.values import Added, Owner

_SAME = ("memory_type", "kind", "category", "source", "session_id", "visibility")
_TIMES = ("time_from", "time_to")


class MemoryPages:
    """An owner's memories as a person looks through them, and what others share with them."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database

    def page(
        self,
        owner: Owner,
        wanted: MemoryFilter,
        texts: Sequence[str],
        order: tuple[MemorySort, bool],
        bounds: tuple[int, int],
    ) -> tuple[list[AtomicMemoryRecord], int]:
        """A page of the memories that pass the filter, and how many there are in all.

        `order` is what they are sorted by and whether the largest comes first, `bounds` limit and
        offset. Equal ones are in the order of their rows.
        """
        by_index = wanted.memory_type == "long_term" and order[0] == "timestamp"
        own_rows = self._part("if_long_term" if by_index else "if_own") + "\n"
        return self._page(owner, wanted, texts, order, bounds, ("count", "page", own_rows))

    def shared_page(
        self,
        viewer: Owner,
        wanted: MemoryFilter,
        texts: Sequence[str],
        order: tuple[MemorySort, bool],
        bounds: tuple[int, int],
    ) -> tuple[list[AtomicMemoryRecord], int]:
        """The same of what others share with the viewer, whoever they are."""
        names = "count_shared", "page_shared", ""
        return self._page(viewer, wanted, texts, order, bounds, names)

    def rows(self, owner: Owner, wanted: MemoryFilter, texts: Sequence[str]) -> list[int]:
        """The owner's rows that pass the filter, in no order."""
        conditions, bindings = self._conditions(owner, wanted, texts)
        found = self._db.rows(self._filled("rows", conditions=conditions), owner, **bindings)
        return [row_of(row[0]) for row in found]

    def added(self, owner: Owner, since: datetime) -> list[Added]:
        """What was stored since then, by minute."""
        found = self._db.rows("memory_pages.added", owner, **key_range(owner), since=to_text(since))
        return [Added(from_text(minute), *rest) for minute, *rest in found]

    def _page(
        self,
        viewer: Owner,
        wanted: MemoryFilter,
        texts: Sequence[str],
        order: tuple[MemorySort, bool],
        bounds: tuple[int, int],
        names: tuple[str, str, str],
    ) -> tuple[list[AtomicMemoryRecord], int]:
        """`names` are of the statements that count and read, and what the second needs besides."""
        count, page, own_rows = names
        conditions, bindings = self._conditions(viewer, wanted, texts)
        total = int(self._db.value(self._filled(count, conditions=conditions), viewer, **bindings))
        (sort, descending), (limit, offset) = order, bounds
        limit = max(0, min(limit, total - offset))
        if not limit:
            return [], total
        backwards = offset > total // 2  # the far end is nearer from behind
        if backwards:
            descending, offset = not descending, total - offset - limit
        direction = "DESC" if descending else "ASC"
        by = f"{self._part(f'order_{sort}')} {direction}, m.row_id {direction}"
        statement = self._filled(page, conditions=own_rows + conditions, order=by)
        found = self._db.rows(statement, viewer, **bindings, limit=limit, offset=offset)
        keys = [row[0] for row in (reversed(found) if backwards else found)]
        return self._records(viewer, keys), total

    def _records(self, viewer: Owner, keys: list[int]) -> list[AtomicMemoryRecord]:
        found = self._db.rows("memories.by_rows", viewer, rows=json.dumps(keys))
        by_key = {row[0]: to_record(row) for row in found}
        return [by_key[key] for key in keys if key in by_key]

    def _part(self, name: str) -> str:
        return self._db.statement(f"memory_pages.{name}").text

    def _filled(self, name: str, **marks: str) -> Statement:
        return self._db.statement(f"memory_pages.{name}").filled(**marks)

    def _conditions(
        self, owner: Owner, wanted: MemoryFilter, texts: Sequence[str]
    ) -> tuple[str, dict[str, Any]]:
        """The parts of the statement that the filter needs, and what all of it binds."""
        bindings: dict[str, Any] = dict(key_range(owner))
        parts = []
        for name in (*_SAME, *_TIMES):
            value = getattr(wanted, name)
            if value is not None:
                bindings[name] = to_text(value) if name in _TIMES else value
                parts.append(self._part(f"if_{name}"))
        if wanted.as_of is not None:
            bindings["as_of"] = to_text(wanted.as_of)
            parts.append(self._part("if_as_of"))
        else:
            parts.append(self._part(f"if_{wanted.state}"))
        if texts:  # last: what is dearest is looked at in the rows that the others leave
            names = ("text", "second", "third")[: 1 if len(texts) == 1 else 3]
            for place, name in enumerate(names):
                bindings[name] = containing(texts[min(place, len(texts) - 1)])
            parts.append(self._part("if_text" if len(names) == 1 else "if_spelled"))
        return " ".join(parts), bindings
