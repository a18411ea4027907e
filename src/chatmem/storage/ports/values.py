"""What goes between the engine and a store: arrays of rows, owners, postings."""

from dataclasses import dataclass
from enum import IntFlag
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chatmem.storage.documents.ports import Stamp

Rows: TypeAlias = NDArray[np.int64]
Place: TypeAlias = tuple[int, int]
"""An owner's number and one of that owner's rows."""
Vector: TypeAlias = NDArray[np.float32]
Vectors: TypeAlias = NDArray[np.float32]

ROW_DTYPE = np.dtype(
    [
        ("length", "<u2"),
        ("session", "<i4"),
        ("previous", "<i4"),
        ("speaker", "<i2"),
        ("flags", "u1"),
        ("state", "u1"),
        ("time", "<i8"),
    ]
)
"""What ranking knows of a row: tokens, session number, the row before it in its session (-1: none),
speaker number (-1: none), `TextFlags`, `RowState`, and the time in milliseconds since 1970."""


class RowState(IntFlag):
    """Where a row stands; 0 is a deleted one."""

    LIVE = 1
    LONG_TERM = 2
    SUPERSEDED = 4
    SHARED = 8


@dataclass(frozen=True, slots=True)
class Owner:
    """A user, and the number that leads the user's row ids."""

    number: int
    user_id: str


@dataclass(frozen=True, slots=True)
class Postings:
    """The rows that hold a term, ascending, and how often each does."""

    rows: Rows
    counts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A Markdown file as it was when it was last folded in; `held` says why a change was not."""

    path: str
    etag: str
    stamp: Stamp
    held: str | None = None
