"""The packed index on PostgreSQL: pgvector's index holds the codes of very large owners, too.

To compare a query with every code takes 0.9 ms at 100,000 rows while the codes are kept in memory;
an owner's codes that no longer fit there would be read from the server for every query. From
`LARGE_ROWS` on they stand in a table with an HNSW index as well, which is read in iterative scans:
it goes on until enough rows of the owner were found. The packed codes remain, and are compared
where too few of those found may be answers.
"""

from collections.abc import Sequence

import numpy as np

from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.packed import PackedIndex
from chatmem.storage.tables.rows import bound, row_id, row_of
from chatmem.storage.values import Owner, Rows

LARGE_ROWS = 1 << 18
"""16 MiB of codes with 512 dimensions; a process keeps 48 MiB of arrays."""


class PostgresPackedIndex(PackedIndex):
    """Postings, row facts and codes; codes of large owners in the table `memory_near` too."""

    def __init__(self, database: SqlDatabase, large_rows: int) -> None:
        super().__init__(database)
        self._vectors = database.statements("vectors")
        self._large_rows = large_rows

    def is_large(self, owner: Owner) -> bool:
        """True when so many rows are packed that their codes have an index."""
        found = self._db.one(self._extent, bound(owner))
        return found is not None and found[1] >= self._large_rows

    def near(self, owner: Owner, code: bytes, limit: int) -> Rows:
        """Of a large owner's packed rows about `limit` of the nearest, by the index."""
        bindings = bound(owner, code=code, limit=limit)
        found = self._db.execute(self._vectors["near"], bindings)
        return np.array([row_of(row[0]) for row in found], np.int64)

    def put_codes(self, owner: Owner, codes: Sequence[tuple[int, bytes]]) -> None:
        """Write the codes of packed rows."""
        super().put_codes(owner, codes)
        if not codes or not self.is_large(owner):
            return
        if self._db.one(self._vectors["has_near"], bound(owner)) is None:
            codes = self._all_codes(owner, len(codes[0][1]) // 8)  # it has just grown large
        rows = [bound(owner, row_id=row_id(owner, row), code=code) for row, code in codes]
        self._db.many(self._vectors["delete_near"], [one for one in rows if not any(one["code"])])
        self._db.many(self._vectors["put_near"], [one for one in rows if any(one["code"])])

    def clear(self, owner: Owner) -> None:
        """Drop everything packed of the owner."""
        super().clear(owner)
        self._clear_near(owner)

    def clear_codes(self, owner: Owner) -> None:
        """Drop the owner's codes."""
        super().clear_codes(owner)
        self._clear_near(owner)

    def _clear_near(self, owner: Owner) -> None:
        if self._db.one(self._vectors["has_codes"]) is not None:
            self._db.execute(self._vectors["clear_near"], bound(owner))

    def _all_codes(self, owner: Owner, width: int) -> list[tuple[int, bytes]]:
        codes = np.ascontiguousarray(self.codes(owner, width).T)
        return [(row, code.tobytes()) for row, code in enumerate(codes)]
