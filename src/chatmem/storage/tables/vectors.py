"""Vectors as they are stored, and those of packed rows in memory.

A vector is a BLOB of one float32 scale and one signed byte a component: 516 bytes for 512
components instead of 2,048, and read faster than float16. The error of a cosine stays below 0.002;
on LoCoMo it changes nothing.

A prompt compares a thousand vectors, and the next one mostly the same. Those of packed rows stay as
they are until the owner's packed rows change, once in `packed_index.PACK_EVERY` rows; so each is
read once for many prompts. The newest rows are read each time.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatmem.storage.values import Rows, Vectors

Stored: TypeAlias = NDArray[np.void]
"""Vectors as they are stored: of each its `scale` and its `components`."""
Read: TypeAlias = Callable[[Rows], tuple[Rows, Stored]]
"""Those of the rows (ascending) that have a vector, and the vectors."""
CACHE_BYTES = 16 << 20
"""32,000 vectors of 512 components, of all owners together."""
_LARGEST = 127
_SCALE_BYTES = 4
_LEAST_ROOM = 1_024


def encode(vectors: Vectors) -> list[bytes]:
    """One BLOB a row of `vectors`, (n, dimension)."""
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    scales = (np.where(largest > 0, largest, 1.0) / _LARGEST).astype("<f4")
    whole = np.rint(vectors / scales[:, None]).astype(np.int8)
    return [scale.tobytes() + row.tobytes() for scale, row in zip(scales, whole, strict=True)]


def stored(blobs: Sequence[bytes]) -> Stored:
    """The BLOBs, which are of one dimension, as an array of scales and components."""
    dimension = len(blobs[0]) - _SCALE_BYTES if blobs else 0
    layout = np.dtype([("scale", "<f4"), ("components", np.int8, (dimension,))])
    return np.frombuffer(b"".join(blobs), layout)


def vectors_of(rows: Stored) -> Vectors:
    """The vectors, (n, dimension), float32."""
    if not len(rows):
        return np.empty((0, 0), np.float32)
    vectors: Vectors = rows["components"].astype(np.float32)
    vectors *= rows["scale"][:, None]
    return vectors


def decode(blobs: Sequence[bytes]) -> Vectors:
    """The vectors, (n, dimension), float32; all BLOBs are of one dimension."""
    return vectors_of(stored(blobs))


class VectorCache:
    """Vectors by owner and row, of one state of each owner's packed rows; thread-safe.

    Those of the owners that were asked least lately go first.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._owners: OrderedDict[int, _OwnersVectors] = OrderedDict()

    def of(self, owner: int, version: int, rows: Rows, read: Read) -> tuple[Rows, Stored]:
        """Those of the rows (ascending, all packed) that have a vector, and the vectors.

        `version` is that of the owner's packed rows; `read` is asked for what is not in memory.
        """
        with self._lock:
            known = self._owners.pop(owner, None)
            if known is None or known.version != version:
                known = _OwnersVectors(version)
            self._owners[owner] = known  # behind all others
            lacking = known.lacking(rows)
        had, vectors = read(lacking) if len(lacking) else (lacking, None)
        with self._lock:
            if vectors is not None and len(had):
                known.add(had, vectors)
                while sum(one.size for one in self._owners.values()) > CACHE_BYTES:
                    self._owners.popitem(last=False)
            return known.vectors(rows)


class _OwnersVectors:
    """Vectors of one owner, in the order in which they were read."""

    def __init__(self, version: int) -> None:
        self.version = version
        self._slots = np.empty(0, np.int32)
        """Of a row's vector, -1 where it is not here."""
        self._vectors: Stored = np.empty(0, np.dtype([]))
        self._count = 0

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return self._vectors.nbytes + self._slots.nbytes

    def lacking(self, rows: Rows) -> Rows:
        """Those of the rows that are not here."""
        return rows[self._slots_of(rows) < 0]

    def vectors(self, rows: Rows) -> tuple[Rows, Stored]:
        """Those of the rows that are here, and their vectors."""
        slots = self._slots_of(rows)
        there = slots >= 0
        if not there.all():
            rows, slots = rows[there], slots[there]
        return rows, self._vectors[slots]

    def add(self, rows: Rows, vectors: Stored) -> None:
        """Add the vectors of these rows; another thread may have been faster."""
        new = self._slots_of(rows) < 0
        rows, vectors = rows[new], vectors[new]
        if not len(rows):
            return
        end = self._count + len(rows)
        if end > len(self._vectors):
            grown = np.empty(max(_LEAST_ROOM, end + end // 2), vectors.dtype)
            if self._count:
                grown[: self._count] = self._vectors[: self._count]
            self._vectors = grown
        self._vectors[self._count : end] = vectors
        last = int(rows[-1])
        if last >= len(self._slots):
            longer = np.full(last + 1 + last // 2, -1, np.int32)
            longer[: len(self._slots)] = self._slots
            self._slots = longer
        self._slots[rows] = np.arange(self._count, end)
        self._count = end

    def _slots_of(self, rows: Rows) -> Rows:
        slots = np.full(len(rows), -1, np.int64)
        inside = int(np.searchsorted(rows, len(self._slots)))
        slots[:inside] = self._slots[rows[:inside]]
        return slots
