"""The dense leg on PostgreSQL: a change of the embedder that nobody has to wait for.

The vectors of a new embedder are gathered in a table beside the live one. When it is complete the
two tables change their names, in one short transaction; codes are made again owner by owner, and
until an owner's turn has come they are made from the vectors as they are asked for. Many processes
empty one queue: what one has taken, the others leave alone for a while.

Comparing a query with every code takes 0.9 ms at 100,000 rows in memory; from `LARGE_ROWS` on an
owner's codes would no longer fit there. They stand in a table with an HNSW index as well, which is
read in iterative scans until enough rows of the owner were found. Where too few of those may be
answers, the packed codes are compared.
"""

import secrets
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.dense import (
    LIVE_DIMENSION,
    NEXT,
    NEXT_DIMENSION,
    DenseIndex,
    code_distances,
    decode,
    nearest,
    sign_code,
    stacked,
)
from chatmem.storage.tables.owners import key_range, row_id, row_of
from chatmem.storage.tables.packed_index import PackedIndex
from chatmem.storage.values import Owner, Rows, Vectors

LARGE_ROWS = 1 << 18
"""16 MiB of codes with 512 dimensions; a process keeps 48 MiB of arrays."""
_GENERATION = "generation"
"""Counts the changes of embedder: every owner's version goes by it."""
_CODES_FROM = "codes_from"
"""Number of the owner whose codes are to be made next, while some are to be made."""
_TAKEN_S = 60
_SPARE = 2
"""So many times as many rows are asked of the index of a large owner: some are no answers."""


class PostgresPackedIndex(PackedIndex):
    """Postings, row facts and codes; codes of large owners in the table `memory_near` too."""

    def __init__(self, database: SqlDatabase, large_rows: int) -> None:
        super().__init__(database)
        self._large_rows = large_rows

    def is_large(self, owner: Owner) -> bool:
        """True when so many rows are packed that their codes have an index."""
        return self._owners.extent(owner).packed >= self._large_rows

    def near(self, owner: Owner, code: bytes, limit: int) -> Rows:
        """Of a large owner's packed rows about `limit` of the nearest, by the index."""
        found = self._db.rows("vectors.near", owner, code=code, limit=limit)
        return np.array([row_of(row[0]) for row in found], np.int64)

    def put_codes(self, owner: Owner, codes: Sequence[tuple[int, bytes]]) -> None:
        """Write the codes of packed rows."""
        super().put_codes(owner, codes)
        if not codes or not self.is_large(owner):
            return
        if self._db.row("vectors.has_near", owner) is None:
            every = np.ascontiguousarray(self.codes(owner, len(codes[0][1]) // 8).T)
            codes = [(row, code.tobytes()) for row, code in enumerate(every)]  # just grown large
        for name, has_vector in (("delete_near", False), ("put_near", True)):
            bindings = [
                {"row_id": row_id(owner, row), "code": code}
                for row, code in codes
                if any(code) == has_vector
            ]
            self._db.many(f"vectors.{name}", owner, bindings)

    def clear_codes(self, owner: Owner) -> None:
        """Drop the owner's codes."""
        super().clear_codes(owner)
        if self._db.row("vectors.has_codes") is not None:
            self._db.run("vectors.clear_near", owner)


class PostgresDenseIndex(DenseIndex):
    """Vectors of one embedder, their codes, and the queue of rows that wait for one."""

    _packed: PostgresPackedIndex

    def __init__(self, database: SqlDatabase, packed: PostgresPackedIndex) -> None:
        super().__init__(database, packed)
        self._holder = secrets.token_hex(8)

    def queued(self, limit: int) -> list[tuple[int, str]]:
        """Row ids that wait for a vector and that nobody else has taken, and their texts."""
        named = {"limit": limit, "holder": self._holder, "seconds": _TAKEN_S}
        return [(key, text) for key, text in self._db.rows("vectors.take", **named)]

    def candidates_of_each(
        self, owner: Owner, query: Vectors, limit: int, eligible: Sequence[NDArray[np.bool_]]
    ) -> list[Rows]:
        """For each of the marks the rows with the nearest codes, unordered."""
        return [self._candidates(owner, query, limit, wanted) for wanted in eligible]

    def _candidates(
        self, owner: Owner, query: Vectors, limit: int, eligible: NDArray[np.bool_]
    ) -> Rows:
        known = self._identities()
        waiting = known.get(_CODES_FROM)
        if waiting is None or owner.number < int(waiting):
            return self._by_codes(owner, query, limit, eligible)
        if len(query) != int(known[LIVE_DIMENSION]):
            return np.empty(0, np.int64)
        found = self._db.rows("vectors.range", owner, **key_range(owner))
        rows = np.array([row_of(key) for key, _ in found], np.int64)
        made = b"".join(sign_code(vector) for vector in decode(stacked([one for _, one in found])))
        code = sign_code(query)
        codes = np.frombuffer(made, np.uint64).reshape(-1, len(code) // 8).T
        return rows[nearest(code_distances(codes, code), limit, eligible[rows])]

    def _by_codes(
        self, owner: Owner, query: Vectors, limit: int, eligible: NDArray[np.bool_]
    ) -> Rows:
        if self._packed.is_large(owner) and len(query) == self.dimension():
            code = sign_code(query)
            near = self._packed.near(owner, code, _SPARE * limit)
            near = near[eligible[near]][:limit]
            if len(near) == limit:
                newest = self._nearest_of_newest(owner, code)
                return np.append(near, newest[eligible[newest]][:limit])
        return super().candidates_of_each(owner, query, limit, [eligible])[0]

    def finish(self) -> bool:
        """True when a new index beside the live one was complete and has taken its place."""
        switched = super().finish()
        if switched or _CODES_FROM in self._identities():
            self._make_codes()
        return switched

    def _switch(self) -> bool:
        """False when another process was faster."""
        self._db.run("vectors.hold_identities")
        self._db.run("vectors.keep_out")
        known = self._identities()
        if NEXT not in known or self.queue_length():
            return False
        self._db.run("vectors.switch")
        self._become_live(known[NEXT], int(known[NEXT_DIMENSION]))
        self._delete_identities(NEXT, NEXT_DIMENSION)
        self._put_identity(_GENERATION, str(int(known.get(_GENERATION, 0)) + 1))
        self._put_identity(_CODES_FROM, "0")
        self._db.run("people.touch")
        return True

    def _make_codes(self) -> None:
        """Make the codes of all owners whose turn has not come yet."""
        while (first := self._identities().get(_CODES_FROM)) is not None:
            found = self._db.row("vectors.owner_from", number=int(first))
            with self._db.transaction():
                if found is None:
                    self._delete_identities(_CODES_FROM)
                else:
                    self.rebuild_codes(Owner(found[0], found[1]))
                    self._put_identity(_CODES_FROM, str(found[0] + 1))
