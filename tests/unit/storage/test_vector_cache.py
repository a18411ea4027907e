"""Vectors of packed rows are read once, as long as the packed rows stay as they are."""

import numpy as np
import pytest

from chatmem.storage.tables import vectors as module
from chatmem.storage.tables.vectors import Stored, VectorCache, encode, stored, vectors_of
from chatmem.storage.values import Rows

DIMENSION = 8
WITHOUT = 3
"""A row that has no vector."""


class _Table:
    """A table of vectors that counts what is read of it."""

    def __init__(self, shift: float = 0.0) -> None:
        self.asked: list[list[int]] = []
        self._shift = shift

    def read(self, rows: Rows) -> tuple[Rows, Stored]:
        self.asked.append(rows.tolist())
        had = rows[rows != WITHOUT]
        return had, self.of(had)

    def of(self, rows: Rows) -> Stored:
        angles = np.outer(rows + 1, np.arange(1, DIMENSION + 1))
        return stored(encode((np.sin(angles) + self._shift).astype(np.float32)))


def _rows(*rows: int) -> Rows:
    return np.array(rows, np.int64)


def test_only_what_is_not_kept_is_read() -> None:
    table, kept = _Table(), VectorCache()

    first, vectors = kept.of(1, 7, _rows(2, 3, 9), table.read)
    again, same = kept.of(1, 7, _rows(2, 5, 9, 4_000), table.read)

    assert first.tolist() == [2, 9]
    assert np.array_equal(vectors_of(vectors), vectors_of(table.of(_rows(2, 9))))
    assert again.tolist() == [2, 5, 9, 4_000]
    assert np.array_equal(vectors_of(same), vectors_of(table.of(_rows(2, 5, 9, 4_000))))
    assert table.asked == [[2, 3, 9], [5, 4_000]]


def test_other_packed_rows_and_other_owners_are_read_anew() -> None:
    old, new, kept = _Table(), _Table(shift=0.5), VectorCache()
    kept.of(1, 7, _rows(2, 9), old.read)

    _, changed = kept.of(1, 8, _rows(2, 9), new.read)
    _, others = kept.of(2, 8, _rows(2), old.read)

    assert np.array_equal(vectors_of(changed), vectors_of(new.of(_rows(2, 9))))
    assert np.array_equal(vectors_of(others), vectors_of(old.of(_rows(2))))


def test_nothing_to_read_and_nothing_found() -> None:
    table, kept = _Table(), VectorCache()
    assert kept.of(1, 0, _rows(), table.read)[0].tolist() == []
    assert kept.of(1, 0, _rows(WITHOUT), table.read)[0].tolist() == []
    assert table.asked == [[WITHOUT]]


def test_no_more_is_kept_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    table, kept = _Table(), VectorCache()
    monkeypatch.setattr(module, "CACHE_BYTES", 40_000)
    everything = np.arange(2_000)

    for _ in range(2):  # too many to be kept, and told all the same
        had, vectors = kept.of(1, 1, everything[everything != WITHOUT], table.read)
        assert len(had) == len(vectors) == 1_999
    kept.of(2, 1, _rows(5), table.read)
    kept.of(2, 1, _rows(5), table.read)

    assert [len(rows) for rows in table.asked] == [1_999, 1_999, 1]
