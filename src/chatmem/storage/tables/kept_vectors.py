"""Vectors of packed rows, kept in memory as they are stored.

A prompt compares a thousand vectors, and the next one mostly the same. Those of packed rows stay as
they are until the owner's packed rows change, once in `packed.PACK_EVERY` rows; so each is read
once for many prompts. The newest rows are read each time.
"""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TypeAlias

import numpy as np

from chatmem.storage.values import Rows
from chatmem.storage.vector_codec import Stored

KEPT_BYTES = 16 << 20
"""32,000 vectors of 512 components, of all owners together."""
_LEAST_ROOM = 1_024

Read: TypeAlias = Callable[[Rows], tuple[Rows, Stored]]
"""Those of the rows (ascending) that have a vector, and the vectors."""


class KeptVectors:
    """Vectors by owner and row, of one state of each owner's packed rows; thread-safe.

    Those of the owners that were asked least lately go first.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[int, _Kept] = OrderedDict()

    def of(self, owner: int, version: int, rows: Rows, read: Read) -> tuple[Rows, Stored]:
        """Those of the rows (ascending, all packed) that have a vector, and the vectors.

        `version` is that of the owner's packed rows; `read` is asked for what is not kept.
        """
        with self._lock:
            kept = self._kept.pop(owner, None)
            if kept is None or kept.version != version:
                kept = _Kept(version)
            self._kept[owner] = kept  # behind all others
            lacking = kept.lacking(rows)
        had, vectors = read(lacking) if len(lacking) else (lacking, None)
        with self._lock:
            if vectors is not None and len(had):
                kept.add(had, vectors)
                while sum(one.size for one in self._kept.values()) > KEPT_BYTES:
                    self._kept.popitem(last=False)
            return kept.vectors(rows)


class _Kept:
    """Vectors of one owner, in the order in which they were read."""

    def __init__(self, version: int) -> None:
        self.version = version
        self._place = np.empty(0, np.int32)
        """Of a row's vector, -1 where it is not kept."""
        self._vectors: Stored = np.empty(0, np.dtype([]))
        self._count = 0

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return self._vectors.nbytes + self._place.nbytes

    def lacking(self, rows: Rows) -> Rows:
        """Those of the rows that are not kept."""
        return rows[self._places(rows) < 0]

    def vectors(self, rows: Rows) -> tuple[Rows, Stored]:
        """Those of the rows that are kept, and their vectors."""
        places = self._places(rows)
        there = places >= 0
        if not there.all():
            rows, places = rows[there], places[there]
        return rows, self._vectors[places]

    def add(self, rows: Rows, vectors: Stored) -> None:
        """Keep the vectors of these rows; another thread may have been faster."""
        new = self._places(rows) < 0
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
        if last >= len(self._place):
            longer = np.full(last + 1 + last // 2, -1, np.int32)
            longer[: len(self._place)] = self._place
            self._place = longer
        self._place[rows] = np.arange(self._count, end)
        self._count = end

    def _places(self, rows: Rows) -> Rows:
        places = np.full(len(rows), -1, np.int64)
        inside = int(np.searchsorted(rows, len(self._place)))
        places[:inside] = self._place[rows[:inside]]
        return places
