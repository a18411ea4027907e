"""Vectors of packed rows are read once, as long as the packed rows stay as they are."""

from collections.abc import Iterable, Sequence

import pytest

from chatmem.storage.tables import dense as module
from chatmem.storage.tables.dense import Blobs, VectorCache

WITHOUT = 3
"""A row that has no vector."""


class _Table:
    """A table of vectors that counts what is read of it."""

    def __init__(self, name: str = "") -> None:
        self.asked: list[list[int]] = []
        self._name = name

    def read(self, rows: Sequence[int]) -> Blobs:
        self.asked.append(list(rows))
        return self.of(row for row in rows if row != WITHOUT)

    def of(self, rows: Iterable[int]) -> Blobs:
        return {row: f"{self._name}{row}".ljust(12).encode() for row in rows}


def test_only_what_is_not_kept_is_read() -> None:
    table, kept = _Table(), VectorCache()

    first = kept.of(1, 7, [2, 3, 9], table.read)
    again = kept.of(1, 7, [2, 5, 9, 4_000], table.read)

    assert first == table.of([2, 9])
    assert again == table.of([2, 5, 9, 4_000])
    assert list(again) == [2, 5, 9, 4_000]
    assert table.asked == [[2, 3, 9], [5, 4_000]]


def test_other_packed_rows_and_other_owners_are_read_anew() -> None:
    old, new, kept = _Table(), _Table("new"), VectorCache()
    kept.of(1, 7, [2, 9], old.read)

    assert kept.of(1, 8, [2, 9], new.read) == new.of([2, 9])
    assert kept.of(2, 8, [2], old.read) == old.of([2])


def test_no_more_is_kept_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    table, kept = _Table(), VectorCache()
    monkeypatch.setattr(module, "CACHE_BYTES", 10_000)
    everything = [row for row in range(2_000) if row != WITHOUT]

    for _ in range(2):  # too many to be kept, and told all the same
        assert len(kept.of(1, 1, everything, table.read)) == 1_999
    kept.of(2, 1, [5], table.read)
    kept.of(2, 1, [5], table.read)

    assert [len(rows) for rows in table.asked] == [1_999, 1_999, 1]
