"""The dense leg on PostgreSQL: a change of the embedder that nobody has to wait for.

The vectors of a new embedder are gathered in a table beside the live one. When it is complete the
two tables change their names, in one short transaction; codes are made again owner by owner, and
until an owner's turn has come they are made from the vectors as they are asked for. Many processes
empty one queue: what one has taken, the others leave alone for a while.
"""

import secrets

import numpy as np
from numpy.typing import NDArray

from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.dense import (
    LIVE_DIMENSION,
    NEXT,
    NEXT_DIMENSION,
    DenseIndex,
    decode,
    sign_code,
    stacked,
)
from chatmem.storage.tables.owners import key_range, row_of
from chatmem.storage.tables.packed_index import PackedIndex, code_distances, nearest
from chatmem.storage.values import Owner, Rows, Vectors

_GENERATION = "generation"
"""Counts the changes of embedder: every owner's version goes by it."""
_CODES_FROM = "codes_from"
"""Number of the owner whose codes are to be made next, while some are to be made."""
_TAKEN_S = 60


class PostgresDenseIndex(DenseIndex):
    """Vectors of one embedder, their codes, and the queue of rows that wait for one."""

    def __init__(self, database: SqlDatabase, packed: PackedIndex) -> None:
        super().__init__(database, packed)
        self._holder = secrets.token_hex(8)

    def queued(self, limit: int) -> list[tuple[int, str]]:
        """Row ids that wait for a vector and that nobody else has taken, and their texts."""
        named = {"limit": limit, "holder": self._holder, "seconds": _TAKEN_S}
        return [(key, text) for key, text in self._db.rows("vectors.take", **named)]

    def candidates(
        self, owner: Owner, query: Vectors, limit: int, *eligible: NDArray[np.bool_]
    ) -> list[Rows]:
        """For each of the marks the rows with the nearest codes, unordered."""
        known = self._identities()
        waiting = known.get(_CODES_FROM)
        if waiting is None or owner.number < int(waiting):
            return super().candidates(owner, query, limit, *eligible)
        if len(query) != int(known[LIVE_DIMENSION]):
            return [np.empty(0, np.int64) for _ in eligible]
        found = self._db.rows("vectors.range", owner, **key_range(owner))
        rows = np.array([row_of(key) for key, _ in found], np.int64)
        made = b"".join(sign_code(vector) for vector in decode(stacked([one for _, one in found])))
        code = sign_code(query)
        codes = np.frombuffer(made, np.uint64).reshape(-1, len(code) // 8).T
        distance = code_distances(codes, code)
        return [rows[nearest(distance, limit, wanted[rows])] for wanted in eligible]

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
