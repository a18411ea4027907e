"""Memories as a person looks through them: statements put together of the parts a filter needs.

Each part is written in `sql/browsing.sql`; a condition that is not asked for is not in the
statement, so that a database chooses the index that serves it.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from chatmem.model import AtomicMemoryRecord, MemoryFilter, MemorySort
from chatmem.model.time import from_text, to_text
from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.patterns import containing
from chatmem.storage.tables.rows import key_range, row_of, to_record
from chatmem.storage.values import Added, Owner

_SAME = ("memory_type", "kind", "category", "source", "session_id", "visibility")
_TIMES = ("time_from", "time_to")


class BrowsingTable:
    """An owner's memories as a person looks through them, and what others share with them."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("browsing")
        self._memories = database.statements("memories")

    def page(
        self,
        owner: Owner,
        wanted: MemoryFilter,
        texts: Sequence[str],
        order: tuple[MemorySort, bool],
        bounds: tuple[int, int],
    ) -> tuple[list[AtomicMemoryRecord], int]:
        """A page of those wanted, and how many there are in all.

        `order` is what they are sorted by and whether the largest comes first, `bounds` limit and
        offset. Equal ones are in the order of their rows.
        """
        conditions, bindings = self._conditions(owner, wanted, texts)
        reach = self._reach(wanted, order[0])
        return self._page(owner, ("count", "page"), (conditions, reach), bindings, order, bounds)

    def shared_page(
        self,
        viewer: Owner,
        wanted: MemoryFilter,
        texts: Sequence[str],
        order: tuple[MemorySort, bool],
        bounds: tuple[int, int],
    ) -> tuple[list[AtomicMemoryRecord], int]:
        """The same of what others share with the viewer, whoever they are."""
        conditions, bindings = self._conditions(viewer, wanted, texts)
        names = "count_shared", "page_shared"
        return self._page(viewer, names, (conditions, ""), bindings, order, bounds)

    def _page(
        self,
        viewer: Owner,
        names: tuple[str, str],
        conditions: tuple[str, str],
        bindings: dict[str, Any],
        order: tuple[MemorySort, bool],
        bounds: tuple[int, int],
    ) -> tuple[list[AtomicMemoryRecord], int]:
        """What a statement that counts and one that reads a page say, by name.

        `conditions` are those of both, and what the second needs besides.
        """
        asked, reach = conditions
        counted = self._db.one(self._filled(names[0], asked), bindings)
        total = int(counted[0]) if counted else 0
        sort, descending = order
        limit, offset = bounds
        limit = max(0, min(limit, total - offset))
        if not limit:
            return [], total
        backwards = offset > total // 2  # the far end is nearer from behind
        if backwards:
            descending, offset = not descending, total - offset - limit
        direction = "DESC" if descending else "ASC"
        by = f"{self._sql[f'order_{sort}']} {direction}, m.row_id {direction}"
        statement = self._filled(names[1], reach + asked)
        statement = statement.replace("{order}", by)
        found = self._db.execute(statement, {**bindings, "limit": limit, "offset": offset})
        keys = [row[0] for row in (reversed(found) if backwards else found)]
        return self._records(viewer, keys), total

    def rows(self, owner: Owner, wanted: MemoryFilter, texts: Sequence[str]) -> list[int]:
        """The owner's rows that are wanted, in no order."""
        conditions, bindings = self._conditions(owner, wanted, texts)
        found = self._db.execute(self._filled("rows", conditions), bindings)
        return [row_of(row[0]) for row in found]

    def added(self, owner: Owner, since: datetime) -> list[Added]:
        """What was stored since then, by minute."""
        low, high = key_range(owner)
        bindings = {"viewer": owner.user_id, "low": low, "high": high, "since": to_text(since)}
        return [
            Added(from_text(row[0]), row[1], row[2], row[3])
            for row in self._db.execute(self._sql["added"], bindings)
        ]

    def _reach(self, wanted: MemoryFilter, sort: MemorySort) -> str:
        """The owner's rows: by the index that has them in their order, or as they stand."""
        in_order = wanted.memory_type == "long_term" and sort == "timestamp"
        return self._sql["if_long_term" if in_order else "if_own"] + "\n"

    def _filled(self, name: str, conditions: str) -> str:
        return self._sql[name].replace("{conditions}", conditions)

    def _records(self, owner: Owner, keys: list[int]) -> list[AtomicMemoryRecord]:
        bindings = {"rows": json.dumps(keys), "viewer": owner.user_id}
        found = self._db.execute(self._memories["by_rows"], bindings)
        by_key = {row[0]: to_record(row) for row in found}
        return [by_key[key] for key in keys if key in by_key]

    def _conditions(
        self, owner: Owner, wanted: MemoryFilter, texts: Sequence[str]
    ) -> tuple[str, dict[str, Any]]:
        """The parts of the statement that the filter needs, and what all of it binds."""
        low, high = key_range(owner)
        bindings: dict[str, Any] = {"viewer": owner.user_id, "low": low, "high": high}
        parts = []
        for name in (*_SAME, *_TIMES):
            value = getattr(wanted, name)
            if value is not None:
                bindings[name] = to_text(value) if name in _TIMES else value
                parts.append(self._sql[f"if_{name}"])
        if wanted.as_of is not None:
            bindings["as_of"] = to_text(wanted.as_of)
            parts.append(self._sql["if_as_of"])
        else:
            parts.append(self._sql[f"if_{wanted.state}"])
        if texts:  # last: what is dearest is looked at in the rows that the others leave
            names = ("text", "second", "third")[: 1 if len(texts) == 1 else 3]
            for place, name in enumerate(names):
                bindings[name] = containing(texts[min(place, len(texts) - 1)])
            parts.append(self._sql["if_text" if len(names) == 1 else "if_spelled"])
        return " ".join(parts), bindings
