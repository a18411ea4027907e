"""The dense leg on PostgreSQL: a change of the embedder that nobody has to wait for.

The vectors of a new embedder are gathered in a table beside the live one. When it is complete the
two tables change their names, in one short transaction, and from then on vectors and queries are of
the new embedder; codes are made again owner by owner, each in a transaction of its own, and until
an owner's turn has come the codes are made from the vectors as they are asked for.

Many processes empty one queue: what one has taken, the others leave alone for a while.
"""

import secrets
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chatmem.storage.postgres.packed import PostgresPackedIndex
from chatmem.storage.tables.database import Bindings, SqlDatabase
from chatmem.storage.tables.dense import (
    LIVE,
    LIVE_DIMENSION,
    NEXT,
    NEXT_DIMENSION,
    WORD_BITS,
    DenseIndex,
    nearest_codes,
    sign_code,
)
from chatmem.storage.tables.owners import Owners
from chatmem.storage.tables.rows import bound, key_range, row_of
from chatmem.storage.values import Owner, Rows, Vectors
from chatmem.storage.vector_codec import decode

_GENERATION = "generation"
"""Counts the changes of embedder: every owner's version goes by it."""
_CODES_FROM = "codes_from"
"""Number of the owner whose codes are to be made next, while some are to be made."""
_TAKEN_S = 60
_SPARE = 2
"""So many times as many rows are asked of the index of a large owner: some are no answers."""


class PostgresDenseIndex(DenseIndex):
    """Vectors of one embedder, their codes, and the queue of rows that wait for one."""

    _packed: PostgresPackedIndex

    def __init__(self, database: SqlDatabase, owners: Owners, packed: PostgresPackedIndex) -> None:
        super().__init__(database, owners, packed)
        self._holder = secrets.token_hex(8)

    def queued(self, limit: int) -> list[tuple[int, str]]:
        """Row ids that wait for a vector and that nobody else has taken, and their texts."""
        bindings = {"limit": limit, "holder": self._holder, "seconds": _TAKEN_S}
        found = self._db.execute(self._sql["take"], bindings)
        return [(row[0], row[1]) for row in found]

    def candidates(
        self, owner: Owner, query: Vectors, limit: int, eligible: NDArray[np.bool_]
    ) -> Rows:
        """Of the rows marked in `eligible`, those with the nearest codes, unordered."""
        known = self._identities()
        waiting = known.get(_CODES_FROM)
        if waiting is None or owner.number < int(waiting):
            return self._by_codes(owner, query, limit, eligible)
        if len(query) != int(known[LIVE_DIMENSION]):
            return np.empty(0, np.int64)
        low, high = key_range(owner)
        found = self._db.execute(self._sql["range"], bound(owner, low=low, high=high))
        rows = np.array([row_of(key) for key, _ in found], np.int64)
        made = b"".join(sign_code(vector) for vector in decode([one for _, one in found]))
        code = sign_code(query)
        codes = np.frombuffer(made, np.uint64).reshape(-1, len(code) // 8).T
        return rows[nearest_codes(codes, code, limit, eligible[rows])]

    def candidates_of_each(
        self, owner: Owner, query: Vectors, limit: int, eligible: Sequence[NDArray[np.bool_]]
    ) -> list[Rows]:
        """What `candidates` gives for each of the marks."""
        return [self.candidates(owner, query, limit, wanted) for wanted in eligible]

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
        return super().candidates(owner, query, limit, eligible)

    def _write_newest(self, codes: Sequence[Bindings]) -> None:
        """Write codes into the table of the newest rows, over those that stand there."""
        self._db.many(self._sql["put_code"], codes)

    def _create_codes(self, dimension: int) -> None:
        """Make the tables of codes anew; they belong to who owns the others."""
        bits = -(-dimension // WORD_BITS) * WORD_BITS
        self._db.execute(self._sql["make_codes"], {"bits": bits})

    def use(self, identity: str, dimension: int) -> bool:
        """True when the live index is of this embedder; else one is begun beside it."""
        known = self._identities()
        if known.get(LIVE) == identity and NEXT not in known:
            return True
        with self._db.transaction():
            self._db.execute(self._sql["hold_identities"])  # one that writes vectors ends first
            return super().use(identity, dimension)

    def put(
        self, queued: Sequence[tuple[int, str]], hashes: Sequence[int], vectors: Vectors
    ) -> None:
        """Write the vectors of rows whose text is still the one that was embedded."""
        self._db.execute(self._sql["share_identities"])  # they stay as they are until the commit
        super().put(queued, hashes, vectors)

    def finish(self) -> bool:
        """True when a new index beside the live one was complete and has taken its place."""
        known = self._identities()
        switched = NEXT in known and not self.queue_length()
        if switched:
            with self._db.transaction():
                switched = self._switch()
        if switched or _CODES_FROM in known:
            self._make_codes()
        return switched

    def _switch(self) -> bool:
        """False when another process was faster."""
        self._db.execute(self._sql["hold_identities"])
        self._db.execute(self._sql["keep_out"])
        known = self._identities()
        if NEXT not in known or self.queue_length():
            return False
        self._db.execute(self._sql["switch"])
        self._become_live(known[NEXT], int(known[NEXT_DIMENSION]))
        for name in (NEXT, NEXT_DIMENSION):
            self._db.execute(self._sql["delete_identity"], {"what": name})
        self._put_identity(_GENERATION, str(int(known.get(_GENERATION, 0)) + 1))
        self._put_identity(_CODES_FROM, "0")
        self._db.execute(self._sharing["touch"])
        return True

    def _make_codes(self) -> None:
        """Make the codes of all owners whose turn has not come yet."""
        while (first := self._identities().get(_CODES_FROM)) is not None:
            found = self._db.one(self._sql["owner_from"], {"number": int(first)})
            with self._db.transaction():
                if found is None:
                    self._db.execute(self._sql["delete_identity"], {"what": _CODES_FROM})
                else:
                    self.rebuild_codes(Owner(found[0], found[1]))
                    self._put_identity(_CODES_FROM, str(found[0] + 1))
