"""The dense leg on SQLite: vectors as BLOBs of bytes, found again through their sign codes.

A vector's signs (64 bytes for 512 dimensions) pick the candidates, the vectors themselves score
them. The codes of the newest rows stand in a `vec0` table of sqlite-vec, partitioned by owner;
those of packed rows in blocks (packed.py). Without sqlite-vec there is no dense leg (S5.3.2).
"""

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chatmem.storage.ports import Owner, Rows, Vector, Vectors
from chatmem.storage.sqlite.database import Database
from chatmem.storage.sqlite.owners import Owners
from chatmem.storage.sqlite.packed import PackedIndex
from chatmem.storage.sqlite.rows import OWNER_BITS, key_range, row_id, row_of
from chatmem.storage.sqlite.statements import statements
from chatmem.storage.vector_codec import decode, encode

_SQL = statements("vectors")
_LIVE, _LIVE_DIMENSION = "embedder", "embedder_dimension"
_NEXT, _NEXT_DIMENSION = "embedder_next", "embedder_next_dimension"
_WORD_BITS = 64
_FAR = 8_192  # further than any two codes of up to 8,191 bits
_MOST_NEIGHBOURS = 4_096  # the most that vec0 gives
SMALL_SPAN = 4
"""Wanted rows that make up more than 1/4 of a span are read as one range of keys."""


class SqliteDenseIndex:
    """Vectors of one embedder, their codes, and the queue of rows that wait for one."""

    def __init__(self, database: Database, owners: Owners, packed: PackedIndex) -> None:
        self._db = database
        self._owners = owners
        self._packed = packed

    def candidates(
        self, owner: Owner, query: Vectors, limit: int, eligible: NDArray[np.bool_]
    ) -> Rows:
        """Of the rows marked in `eligible`, those with the nearest codes, unordered."""
        if len(query) != self._dimension():
            return np.empty(0, np.int64)  # no index yet, or one of another embedder
        code = _code(query)
        _, packed_rows = self._owners.extent(owner)
        newest = self._nearest_of_newest(owner, code)
        newest = newest[eligible[newest]][:limit]
        if not packed_rows:
            return newest
        words = np.frombuffer(code, np.uint64)
        codes = self._packed.codes(owner, len(words))
        distance = np.zeros(codes.shape[1], np.uint16)
        for place, word in enumerate(words):
            distance += np.bitwise_count(codes[place] ^ word)
        distance[~eligible[: len(distance)]] = _FAR
        # How many rows lie within each distance says how far the nearest `limit` reach.
        within = np.cumsum(np.bincount(distance, minlength=_FAR + 1)[:_FAR])
        reach = int(np.searchsorted(within, limit))
        nearest = np.flatnonzero(distance <= min(reach, _FAR - 1))
        return np.append(nearest, newest)

    def vectors(self, owner: Owner, rows: Rows) -> tuple[Rows, Vectors]:
        """Those of the rows that have a vector, ascending, and the vectors, (n, dimension)."""
        wanted = np.unique(rows)
        if not len(wanted):
            return wanted, np.empty((0, 0), np.float32)
        low, high = row_id(owner, int(wanted[0])), row_id(owner, int(wanted[-1]))
        if high - low < SMALL_SPAN * len(wanted):
            found = self._db.execute(_SQL["range"], (low, high))
        else:
            keys = json.dumps([row_id(owner, row) for row in wanted.tolist()])
            found = self._db.execute(_SQL["of_rows"], (keys,))
        if not found:
            return np.empty(0, np.int64), np.empty((0, 0), np.float32)
        had = np.array([row_of(key) for key, _ in found], np.int64)
        vectors = decode([vector for _, vector in found])
        if np.array_equal(had, wanted):
            return had, vectors
        asked = np.isin(had, wanted, assume_unique=True)  # a range holds others, too
        return had[asked], vectors[asked]

    def use(self, identity: str, dimension: int) -> bool:
        """True when the live index is of this embedder; else one is begun beside it."""
        known = self._identities()
        if known.get(_LIVE) == identity and _NEXT not in known:
            return True
        with self._db.transaction():
            if known.get(_LIVE) == identity:
                self._abandon_next()
                return True
            if _LIVE not in known:
                self._become_live(identity, dimension)
                return True
            if known.get(_NEXT) != identity:
                self._db.execute(_SQL["put_identity"], (_NEXT, identity))
                self._db.execute(_SQL["put_identity"], (_NEXT_DIMENSION, str(dimension)))
                self._db.execute(_SQL["clear_next"])
                self._db.execute(_SQL["enqueue_all"])
        return False

    def identity(self) -> str | None:
        """The embedder of the live index, None before the first."""
        return self._identities().get(_LIVE)

    def queued(self, limit: int) -> list[tuple[int, str]]:
        """Row ids that wait for a vector, and their texts."""
        return [(row[0], row[1]) for row in self._db.execute(_SQL["queued"], (limit,))]

    def queue_length(self) -> int:
        """How many rows wait."""
        found = self._db.one(_SQL["queue_length"])
        return int(found[0]) if found else 0

    def cached(self, hashes: Sequence[int]) -> dict[int, Vector]:
        """Vectors of texts that were embedded before, by the text's hash."""
        name = "cached_next" if self._building() else "cached"
        found = self._db.execute(_SQL[name], (json.dumps(list(hashes)),))
        return dict(zip((row[0] for row in found), decode([row[1] for row in found]), strict=True))

    def put(
        self, queued: Sequence[tuple[int, str]], hashes: Sequence[int], vectors: Vectors
    ) -> None:
        """Write the vectors of rows whose text is still the one that was embedded.

        The others stay on the queue: they were edited, or forgotten, in the meantime.
        """
        building = self._building()
        keys = json.dumps([key for key, _ in queued])
        current = {row[0]: row[1] for row in self._db.execute(_SQL["texts"], (keys,))}
        same = [place for place, (key, text) in enumerate(queued) if current.get(key) == text]
        data = encode(vectors)
        self._db.many(
            _SQL["insert_next" if building else "insert"],
            [(queued[place][0], hashes[place], data[place]) for place in same],
        )
        row_ids = [queued[place][0] for place in same]
        if not building:
            self._put_codes(row_ids, vectors[same])
        gone = [key for key, _ in queued if key not in current]
        self._db.many(_SQL["dequeue"], [(key,) for key in row_ids + gone])

    def finish(self) -> bool:
        """True when a new index beside the live one was complete and has taken its place."""
        known = self._identities()
        if _NEXT not in known or self.queue_length():
            return False
        with self._db.transaction():
            self._db.execute(_SQL["drop_live"])
            self._db.execute(_SQL["copy_next"])
            self._db.execute(_SQL["clear_next"])
            self._db.execute(_SQL["delete_identity"], (_NEXT,))
            self._become_live(known[_NEXT], int(known[_NEXT_DIMENSION]))
            self._db.execute(_SQL["delete_identity"], (_NEXT_DIMENSION,))
            self.rebuild_codes()
        return True

    def remove(self, key: int) -> None:
        """Forget the row's vector and code, and no longer wait for one."""
        owner, row = Owner(key >> OWNER_BITS, ""), row_of(key)
        if row < self._owners.extent(owner)[1] and (dimension := self._dimension()):
            self._packed.put_codes(owner, [(row, _code(np.zeros(dimension, np.float32)))])
        for name in ("delete", "delete_next", "dequeue", "delete_code"):
            if name != "delete_code" or self.ready():
                self._db.execute(_SQL[name], (key,))

    def renew(self, key: int) -> None:
        """The row's text has changed: its vector goes and it waits for a new one."""
        self.remove(key)
        self.enqueue(key)

    def enqueue(self, key: int) -> None:
        """A new row waits for its vector."""
        self._db.execute(_SQL["enqueue"], (key,))

    def ready(self) -> bool:
        """True once the table of codes exists: from the first embedder on."""
        return not self._db.no_vectors and bool(self._db.one(_SQL["has_codes"]))

    def rebuild_codes(self) -> None:
        """Make the codes of all rows again from their vectors."""
        self._packed.clear_codes()
        self._db.execute(_SQL["clear_codes"])
        last = -1
        while found := self._db.execute(_SQL["after"], (last, 1_024)):
            keys = [key for key, _ in found]
            self._put_codes(keys, decode([vector for _, vector in found]))
            last = keys[-1]

    def pack(self, owner: Owner, first: int, end: int) -> None:
        """Move the codes of rows first..end-1 from `vec0` into blocks."""
        low, high = key_range(owner, first)[0], row_id(owner, end - 1)
        found = self._db.execute(_SQL["range"], (low, high))
        vectors = decode([vector for _, vector in found])
        self._packed.put_codes(
            owner,
            [(row_of(key), _code(one)) for (key, _), one in zip(found, vectors, strict=True)],
        )
        if self.ready():
            self._db.many(_SQL["delete_code"], [(key,) for key, _ in found])

    def _nearest_of_newest(self, owner: Owner, code: bytes) -> Rows:
        """All rows in `vec0`, nearest first: few enough, since older ones are packed."""
        bindings = {"owner": owner.number, "code": code, "limit": _MOST_NEIGHBOURS}
        found = self._db.execute(_SQL["nearest"], bindings)
        return np.array([row_of(row[0]) for row in found], np.int64)

    def _put_codes(self, keys: Sequence[int], vectors: Vectors) -> None:
        by_owner: dict[int, list[tuple[int, bytes]]] = {}
        for key, vector in zip(keys, vectors, strict=True):
            by_owner.setdefault(key >> OWNER_BITS, []).append((key, _code(vector)))
        for number, codes in by_owner.items():
            owner = Owner(number, "")
            self._owners.touch(owner)
            _, packed_rows = self._owners.extent(owner)
            packed = [(row_of(key), code) for key, code in codes if row_of(key) < packed_rows]
            self._packed.put_codes(owner, packed)
            newest = [(key, number, code) for key, code in codes if row_of(key) >= packed_rows]
            self._db.many(_SQL["delete_code"], [(key,) for key, *_ in newest])
            self._db.many(_SQL["insert_code"], newest)
        self._db.execute(_SQL["touch_shared"], (json.dumps(list(keys)),))

    def _become_live(self, identity: str, dimension: int) -> None:
        self._db.execute(_SQL["drop_codes"])
        bits = -(-dimension // _WORD_BITS) * _WORD_BITS
        self._db.execute(_SQL["create_codes"].replace("{bits}", str(bits)))
        self._db.execute(_SQL["put_identity"], (_LIVE, identity))
        self._db.execute(_SQL["put_identity"], (_LIVE_DIMENSION, str(dimension)))

    def _abandon_next(self) -> None:
        """Back to the embedder of the live index: only rows without its vector still wait."""
        for name in (_NEXT, _NEXT_DIMENSION):
            self._db.execute(_SQL["delete_identity"], (name,))
        self._db.execute(_SQL["clear_next"])
        self._db.execute(_SQL["dequeue_done"])

    def _dimension(self) -> int:
        """Components of the live index's vectors; 0 before the first embedder."""
        known = self._identities() if self.ready() else {}
        return int(known.get(_LIVE_DIMENSION, 0))

    def _identities(self) -> dict[str, str]:
        return {row[0]: row[1] for row in self._db.execute(_SQL["identities"])}

    def _building(self) -> bool:
        return _NEXT in self._identities()


def _code(vector: Vectors) -> bytes:
    """The vector's signs, one bit each, filled up to whole words of 64 bits."""
    bits = np.packbits(np.asarray(vector) > 0)
    return bits.tobytes().ljust(-(-len(bits) // 8) * 8, b"\0")
