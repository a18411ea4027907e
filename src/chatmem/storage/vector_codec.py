"""Vectors as BLOBs: one float32 scale and one signed byte a component.

A vector of 512 components takes 516 bytes instead of 2,048, and is read faster than float16. The
error of a cosine stays below 0.002; on LoCoMo it changes nothing.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatmem.storage.values import Vectors

Stored: TypeAlias = NDArray[np.void]
"""Vectors as they are stored: of each its `scale` and its `components`."""
_LARGEST = 127
_SCALE_BYTES = 4


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
