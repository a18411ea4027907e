"""The dense leg: vectors as bytes, found again through their sign codes.

A vector's signs (64 bytes for 512 dimensions) pick the candidates, the vectors themselves score
them. The codes of the newest rows stand in a table that the store's vector extension searches
(`vec0` of sqlite-vec, pgvector) where they are many; those of packed rows in blocks
(packed_index.py). Without the extension there is no dense leg (S5.3.2).

A stored vector is a BLOB of one float32 scale and one signed byte a component: 516 bytes for 512
components instead of 2,048, and read faster than float16. The error of a cosine stays below 0.002;
on LoCoMo it changes nothing.
"""

from collections.abc import Sequence
from threading import Lock
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.owners import OWNER_BITS, Owners, pages, row_id, row_of
from chatmem.storage.tables.packed_index import PackedIndex, VersionCache, code_distances, nearest
from chatmem.storage.values import Owner, Rows, Vector, Vectors

LIVE, LIVE_DIMENSION = "embedder", "embedder_dimension"
NEXT, NEXT_DIMENSION = "embedder_next", "embedder_next_dimension"
WORD_BITS = 64
_MOST_NEIGHBOURS = 4_096  # the most that vec0 gives
_PAGE = 1_024
READ_ROWS = 32
"""Read at once where one is asked for: a question asks for many, the next for those beside them."""
Stored: TypeAlias = NDArray[np.uint8]
"""Vectors as they are stored, (n, bytes of one)."""
CACHE_BYTES = 64 << 20
"""130,000 vectors of 512 components, of all owners together."""
_LARGEST = 127
_SCALE_BYTES = 4


class _Kept:
    """The stored vectors that were asked for of an owner's first rows, with their neighbours'."""

    def __init__(self, rows: int, width: int) -> None:
        self.lock = Lock()
        """Held by who reads rows into it, or out of it."""
        # Pages that nothing is written to take no memory.
        self.blocks = np.zeros((-(-rows // READ_ROWS), READ_ROWS, width), np.uint8)
        self.stored: Stored = self.blocks.reshape(-1, width)
        self.is_read = np.zeros(len(self.blocks), bool)
        self.version = 0
        """Of which state of the owner's rows those are that are not packed."""

    @property
    def size(self) -> int:
        """About how many bytes the vectors take that are there."""
        return int(np.count_nonzero(self.is_read) * self.blocks[0].nbytes)


class DenseIndex:
    """The dense leg: vectors of one embedder, their codes, and the rows that wait for one."""

    def __init__(self, database: SqlDatabase, packed: PackedIndex) -> None:
        self._db = database
        self._owners = Owners(database)
        self._packed = packed
        self._kept = VersionCache[_Kept](CACHE_BYTES, lambda kept: kept.size, least=1)
        """A prompt compares a thousand vectors, the next mostly the same."""

    def candidates(
        self, owner: Owner, query: Vectors, limit: int, *eligible: NDArray[np.bool_]
    ) -> list[Rows]:
        """Of the rows marked in each of `eligible`, those with the nearest codes, unordered.

        At most `limit` of the packed and as many of the newest rows, of few all.
        """
        if len(query) != self.dimension():  # no index yet, or one of another embedder
            return [np.empty(0, np.int64) for _ in eligible]
        code = sign_code(query)
        extent = self._owners.extent(owner)
        if extent.rows - extent.packed > limit:  # few enough for all, since older are packed
            near = self._db.rows("vectors.nearest", owner, code=code, limit=_MOST_NEIGHBOURS)
            newest = np.array([row_of(row[0]) for row in near], np.int64)
        else:
            newest = np.arange(extent.packed, extent.rows)
        of_each = [newest[wanted[newest]][:limit] for wanted in eligible]
        codes = self._packed.codes(owner, extent.packed_version, len(code) // 8)
        distance = code_distances(codes, code)
        return [
            np.append(nearest(distance, limit, wanted[: len(distance)]), own)
            for wanted, own in zip(eligible, of_each, strict=True)
        ]

    def vectors(self, owner: Owner, rows: Rows) -> tuple[Rows, Vectors]:
        """Those of the rows, ascending and each once, that have a vector; (n, dimension)."""
        stored = self.stored(owner, rows)
        known = parts_of(stored)[1] > 0
        return rows[known], decode(stored[known])

    def kept(self, owner: Owner, rows: Rows) -> Stored:
        """What `stored` gives, and it stays in memory: for rows of who asks, and nobody else's."""
        if self._db.writing:  # a transaction's own rows may yet be rolled back
            return self.stored(owner, rows)
        extent = self._owners.extent(owner)
        kept = self._kept.get(owner.number, extent.packed_version)
        if kept is None or len(kept.stored) < extent.rows:
            kept = _Kept(extent.rows + _PAGE, self.dimension() + _SCALE_BYTES)
        with kept.lock:
            if kept.version != extent.version:
                kept.version = extent.version
                kept.is_read[extent.packed // READ_ROWS :] = False
            wanted = np.zeros_like(kept.is_read)
            wanted[rows // READ_ROWS] = True
            new = np.flatnonzero(wanted & ~kept.is_read)
            if len(new):
                kept.blocks[new] = 0
                there, vectors = self._near(owner, new * READ_ROWS, READ_ROWS - 1)
                kept.stored[there] = vectors
                kept.is_read[new] = True
            found = kept.stored.take(rows, axis=0)
        if len(new):
            self._kept.put(owner.number, extent.packed_version, kept)
        return found

    def stored(self, owner: Owner, rows: Rows) -> Stored:
        """The vectors of the rows, ascending and each once, as they are stored; zeros for none."""
        there, vectors = self._near(owner, rows)
        stored = np.zeros((len(rows), vectors.shape[1]), np.uint8)
        stored[np.searchsorted(rows, there)] = vectors
        return stored

    def use(self, identity: str, dimension: int) -> bool:
        """True when the live index is of this embedder; else a new one is begun beside it."""
        known = self._identities()
        if known.get(LIVE) == identity and NEXT not in known:
            return True
        with self._db.transaction():
            self._db.run("vectors.hold_identities")  # one that writes vectors ends first
            known = self._identities()
            if known.get(LIVE) == identity:
                self._delete_identities(NEXT, NEXT_DIMENSION)
                self._db.run("vectors.clear_next")
                self._db.run("vectors.dequeue_done")  # rows without its vector wait still
                return True
            if LIVE not in known:
                self._become_live(identity, dimension)
                return True
            if known.get(NEXT) != identity:
                self._put_identity(NEXT, identity)
                self._put_identity(NEXT_DIMENSION, str(dimension))
                self._db.run("vectors.clear_next")
                self._db.run("vectors.enqueue_all")
        return False

    def identity(self) -> str | None:
        """The embedder of the live index, None before the first."""
        return self._identities().get(LIVE)

    def queued(self, limit: int) -> list[tuple[int, str]]:
        """Row ids that wait for a vector, and their texts."""
        found = self._db.rows("vectors.queued", limit=limit)
        return [(key, text) for key, text in found]

    def queue_length(self) -> int:
        """How many rows wait."""
        return int(self._db.value("vectors.queue_length"))

    def cached(self, hashes: Sequence[int]) -> dict[int, Vector]:
        """Vectors of texts that were embedded before, by the text's hash."""
        name = "vectors.cached_next" if NEXT in self._identities() else "vectors.cached"
        found = self._db.rows(name, hashes=hashes)
        vectors = decode(stacked([blob for _, blob in found]))
        return {text: vector for (text, _), vector in zip(found, vectors, strict=True)}

    def put(
        self, queued: Sequence[tuple[int, str]], hashes: Sequence[int], vectors: Vectors
    ) -> None:
        """Write the vectors of rows whose text is still the one that was embedded.

        The others stay on the queue: they were edited, or forgotten, in the meantime.
        """
        self._db.run("vectors.share_identities")  # they stay as they are until the commit
        building = NEXT in self._identities()
        data = encode(vectors)
        for owner, indices in self._by_owner([key for key, _ in queued]):
            with self._db.acting_for(owner.user_id):
                keys = [queued[index][0] for index in indices]
                current: dict[int, str] = dict(self._db.rows("vectors.texts", owner, keys=keys))
                same = [one for one in indices if current.get(queued[one][0]) == queued[one][1]]
                done = [queued[index][0] for index in same]
                new = (
                    {"row_id": key, "hash": hashes[index], "vector": data[index]}
                    for key, index in zip(done, same, strict=True)
                )
                self._db.many("vectors.insert_next" if building else "vectors.insert", owner, new)
                if not building:
                    self._put_codes(owner, done, vectors[same])
                done += [queued[index][0] for index in indices if queued[index][0] not in current]
                self._db.run("vectors.dequeue_all", owner, keys=done)

    def finish(self) -> bool:
        """True when a new index beside the live one was complete and has taken its place."""
        if NEXT not in self._identities() or self.queue_length():
            return False
        with self._db.transaction():
            return self._switch()

    def _switch(self) -> bool:
        """False when another process was faster."""
        known = self._identities()
        if NEXT not in known:
            return False
        for name in ("drop_live", "copy_next", "clear_next"):
            self._db.run(f"vectors.{name}")
        self._become_live(known[NEXT], int(known[NEXT_DIMENSION]))
        self._delete_identities(NEXT, NEXT_DIMENSION)
        for owner in self._owners.everybody():
            self.rebuild_codes(owner)
        return True

    def remove(self, owner: Owner, key: int) -> None:
        """Forget the row's vector and code, and no longer wait for one."""
        row = row_of(key)
        if row < self._owners.extent(owner).packed and (dimension := self.dimension()):
            self._packed.put("code", owner, [(row, sign_code(np.zeros(dimension, np.float32)))])
        for name in ("delete", "delete_next", "dequeue", "delete_code"):
            if name != "delete_code" or self.ready():
                self._db.run(f"vectors.{name}", owner, row_id=key)

    def enqueue(self, owner: Owner, keys: Sequence[int]) -> None:
        """Rows that are new, or whose text is, wait for their vectors."""
        self._db.many("vectors.enqueue", owner, ({"row_id": key} for key in keys))

    @property
    def works(self) -> bool:
        """False where the database knows no vectors."""
        return not self._db.no_vectors

    def ready(self) -> bool:
        """True once the table of codes exists: from the first embedder on."""
        return not self._db.no_vectors and bool(self._db.row("vectors.has_codes"))

    def clear_codes(self) -> None:
        """Drop the codes of all rows that are not packed."""
        if self.ready():
            self._db.run("vectors.clear_codes")

    def rebuild_codes(self, owner: Owner) -> None:
        """Make the codes of the owner's rows again from their vectors."""
        self._packed.clear_codes(owner)
        for found in pages(self._db, "vectors.page", owner, _PAGE):
            keys = [key for key, _ in found]
            self._put_codes(owner, keys, decode(stacked([vector for _, vector in found])))

    def pack(self, owner: Owner, first: int, end: int) -> None:
        """Move the codes of rows first..end-1 from the extension's table into blocks."""
        there, vectors = self._near(owner, np.array([first]), end - first - 1)
        rows = there.tolist()
        self._packed.put("code", owner, [*zip(rows, map(sign_code, decode(vectors)), strict=True)])
        if self.ready():
            gone = ({"row_id": row_id(owner, row)} for row in rows)
            self._db.many("vectors.delete_code", owner, gone)

    def _near(self, owner: Owner, firsts: Rows, others: int = 0) -> tuple[Rows, Stored]:
        """Those of the rows, and of the `others` behind each, that have a vector; and these."""
        keys = [row_id(owner, row) for row in firsts.tolist()]
        found = self._db.rows("vectors.near", owner, firsts=keys, others=others)
        if not found:
            return firsts[:0], np.empty((0, self.dimension() + _SCALE_BYTES), np.uint8)
        return np.array([row_of(key) for key, _ in found]), stacked([one for _, one in found])

    def _by_owner(self, keys: Sequence[int]) -> list[tuple[Owner, list[int]]]:
        """Indices of the keys by owner, always in the same order of owners."""
        indices: dict[int, list[int]] = {}
        for index, key in enumerate(keys):
            indices.setdefault(key >> OWNER_BITS, []).append(index)
        return [(self._owners.of_number(number), indices[number]) for number in sorted(indices)]

    def _put_codes(self, owner: Owner, keys: Sequence[int], vectors: Vectors) -> None:
        if not keys:
            return
        codes = [(key, sign_code(vector)) for key, vector in zip(keys, vectors, strict=True)]
        self._owners.touch(owner)
        packed_rows = self._owners.extent(owner).packed
        packed = [(row_of(key), code) for key, code in codes if row_of(key) < packed_rows]
        self._packed.put("code", owner, packed)
        newest = [
            {"row_id": key, "code": code} for key, code in codes if row_of(key) >= packed_rows
        ]
        for name in ("delete_code", "insert_code"):  # over those that stand there
            self._db.many(f"vectors.{name}", owner, newest)
        self._db.run("vectors.touch_shared", owner, keys=keys)

    def _become_live(self, identity: str, dimension: int) -> None:
        bits = -(-dimension // WORD_BITS) * WORD_BITS  # codes of another size: their table anew
        self._db.run("vectors.drop_codes")
        self._db.run(self._db.statement("vectors.create_codes").filled(bits=str(bits)))
        self._put_identity(LIVE, identity)
        self._put_identity(LIVE_DIMENSION, str(dimension))

    def _put_identity(self, what: str, identity: str) -> None:
        self._db.run("vectors.put_identity", what=what, identity=identity)

    def _delete_identities(self, *names: str) -> None:
        for name in names:
            self._db.run("vectors.delete_identity", what=name)

    def dimension(self) -> int:
        """Components of the live index's vectors; 0 before the first embedder."""
        known = {} if self._db.no_vectors else self._identities()
        return int(known.get(LIVE_DIMENSION, 0))

    def _identities(self) -> dict[str, str]:
        return dict(self._db.rows("vectors.identities"))


def encode(vectors: Vectors) -> list[bytes]:
    """One BLOB a row of `vectors`, (n, dimension)."""
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    scales = (np.where(largest > 0, largest, 1.0) / _LARGEST).astype("<f4")
    whole = np.rint(vectors / scales[:, None]).astype(np.int8)
    return [scale.tobytes() + row.tobytes() for scale, row in zip(scales, whole, strict=True)]


def decode(stored: Stored) -> Vectors:
    """The vectors, (n, dimension), float32."""
    vectors, scales = parts_of(stored)
    return vectors * scales[:, None]


def stacked(blobs: Sequence[bytes]) -> Stored:
    """Stored vectors, all of one dimension, as one array."""
    return np.frombuffer(b"".join(blobs), np.uint8).reshape(
        len(blobs), -1 if blobs else _SCALE_BYTES
    )


def parts_of(stored: Stored) -> tuple[NDArray[np.int8], Vector]:
    """Whole components, (n, dimension), and what those of each row are times: 0 without any."""
    scales = np.ascontiguousarray(stored[:, :_SCALE_BYTES]).view("<f4")[:, 0]
    return stored[:, _SCALE_BYTES:].view(np.int8), scales


def sign_code(vector: Vectors) -> bytes:
    """The vector's signs, one bit each, filled up to whole words of 64 bits."""
    bits = np.packbits(np.asarray(vector) > 0)
    return bits.tobytes().ljust(-(-len(bits) // 8) * 8, b"\0")
