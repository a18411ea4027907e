"""Vectors as they are stored, their sign codes, and those of packed rows in memory.

A vector is a BLOB of one float32 scale and one signed byte a component: 516 bytes for 512
components instead of 2,048, and read faster than float16. The error of a cosine stays below 0.002;
on LoCoMo it changes nothing.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatmem.storage.values import Rows, Vectors

Blobs: TypeAlias = dict[int, bytes]
"""By row, in the order of rows."""
CACHE_BYTES = 16 << 20
"""32,000 vectors of 512 components, of all owners together."""
_LARGEST = 127
_SCALE_BYTES = 4
_FAR = 8_192  # further than any two codes of up to 8,191 bits


def encode(vectors: Vectors) -> list[bytes]:
    """One BLOB a row of `vectors`, (n, dimension)."""
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    scales = (np.where(largest > 0, largest, 1.0) / _LARGEST).astype("<f4")
    whole = np.rint(vectors / scales[:, None]).astype(np.int8)
    return [scale.tobytes() + row.tobytes() for scale, row in zip(scales, whole, strict=True)]


def decode(blobs: Sequence[bytes]) -> Vectors:
    """The vectors, (n, dimension), float32; all BLOBs are of one dimension."""
    if not blobs:
        return np.empty((0, 0), np.float32)
    dimension = len(blobs[0]) - _SCALE_BYTES
    layout = np.dtype([("scale", "<f4"), ("components", np.int8, (dimension,))])
    stored = np.frombuffer(b"".join(blobs), layout)
    vectors: Vectors = stored["components"].astype(np.float32)
    vectors *= stored["scale"][:, None]
    return vectors


class VectorCache:
    """BLOBs by owner and row, of one state of each owner's packed rows; thread-safe.

    A prompt compares a thousand vectors, and the next one mostly the same. Those of packed rows
    stay as they are until the owner's packed rows change, once in `packed_index.PACK_EVERY` rows.
    Those of the owners that were asked least lately go first.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._owners: OrderedDict[int, tuple[int, Blobs]] = OrderedDict()

    def of(
        self, owner: int, version: int, rows: Sequence[int], read: Callable[[Sequence[int]], Blobs]
    ) -> Blobs:
        """Those of the rows (ascending, all packed) that have a vector.

        `version` is that of the owner's packed rows; `read` is asked for what is not in memory.
        """
        with self._lock:
            before, known = self._owners.pop(owner, (version, {}))
            if before != version:
                known = {}
            self._owners[owner] = version, known  # behind all others
            found = {row: known[row] for row in rows if row in known}
        if len(found) == len(rows):
            return found
        more = read([row for row in rows if row not in found])
        with self._lock:
            known.update(more)
            while sum(_size(blobs) for _, blobs in self._owners.values()) > CACHE_BYTES:
                self._owners.popitem(last=False)
        found |= more
        return {row: found[row] for row in rows if row in found}


def _size(blobs: Mapping[int, bytes]) -> int:
    """Bytes of the BLOBs, which are of one length."""
    return len(blobs) * len(next(iter(blobs.values()), b""))


def sign_code(vector: Vectors) -> bytes:
    """The vector's signs, one bit each, filled up to whole words of 64 bits."""
    bits = np.packbits(np.asarray(vector) > 0)
    return bits.tobytes().ljust(-(-len(bits) // 8) * 8, b"\0")


def code_distances(codes: NDArray[np.uint64], code: bytes) -> NDArray[np.uint16]:
    """In how many bits each of the codes differs from this one; `codes` has a row for each word."""
    distance = np.zeros(codes.shape[1], np.uint16)
    for index, word in enumerate(np.frombuffer(code, np.uint64)):
        distance += np.bitwise_count(codes[index] ^ word)
    return distance


def nearest(distance: NDArray[np.uint16], limit: int, eligible: NDArray[np.bool_]) -> Rows:
    """Indices of the `limit` least distances that are eligible, and of those as far as the last."""
    distance = np.where(eligible, distance, np.uint16(_FAR))
    # How many rows lie within each distance says how far the nearest `limit` reach.
    within = np.cumsum(np.bincount(distance, minlength=_FAR + 1)[:_FAR])
    reach = int(np.searchsorted(within, limit))
    return np.flatnonzero(distance <= min(reach, _FAR - 1))
