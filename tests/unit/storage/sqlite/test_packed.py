from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatmem.storage.sqlite.database import SqliteDatabase
from chatmem.storage.sqlite.migrate import migrate
from chatmem.storage.tables.packed_index import BLOCK_ROWS, PackedIndex
from chatmem.storage.values import ROW_DTYPE, Owner

OWNER = Owner(1, "default")
TERMS = ("a", "ab", "abc", "b", "猫", "猫咪", "x" * 64)

tokens = st.lists(st.sampled_from(TERMS), max_size=5)
near_a_border = st.integers(BLOCK_ROWS - 3, BLOCK_ROWS + 2)


@pytest.fixture
def index() -> Iterator[PackedIndex]:
    database = SqliteDatabase(Path(":memory:"))
    with database.transaction():
        migrate(database.writer, "memory")
        yield PackedIndex(database)
    database.close()


def _facts(lengths: list[int]) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    facts = np.zeros(len(lengths), ROW_DTYPE)
    facts["length"] = lengths
    return facts


def _agrees(index: PackedIndex, model: dict[int, list[str]]) -> None:
    for term in (*TERMS, "unheard"):
        expected = {row: words.count(term) for row, words in sorted(model.items()) if term in words}
        (found,) = index.postings(OWNER, [term])
        assert found.rows.tolist() == list(expected)
        assert found.counts.tolist() == list(expected.values())
    for prefix in ("a", "ab", "猫", "z"):
        counted = {row: Counter(words) for row, words in sorted(model.items())}
        sums = {
            row: sum(count for word, count in words.items() if word.startswith(prefix))
            for row, words in counted.items()
        }
        expected = {row: count for row, count in sums.items() if count}
        found = index.prefix_postings(OWNER, prefix)
        assert dict(zip(found.rows.tolist(), found.counts.tolist(), strict=True)) == expected


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_index_is_as_a_dictionary_would_be(data: st.DataObject) -> None:
    """Appended in packs over the border of two blocks, then edited in any order."""
    database = SqliteDatabase(Path(":memory:"))
    with database.transaction():
        migrate(database.writer, "memory")
        index = PackedIndex(database)
        model: dict[int, list[str]] = {}
        first = BLOCK_ROWS - 3
        index.append(OWNER, 0, _facts([0] * first), [])
        for _ in range(2):
            pack = data.draw(st.lists(tokens, min_size=3, max_size=3))
            rows = list(enumerate(pack, start=first))
            index.append(OWNER, first, _facts([len(words) for words in pack]), rows)
            model.update(rows)
            first += 3
        lengths = [0] * (BLOCK_ROWS - 3) + [len(words) for _, words in sorted(model.items())]
        _agrees(index, model)
        for row, words in data.draw(st.lists(st.tuples(near_a_border, tokens), max_size=6)):
            index.remove(OWNER, row, model[row])
            index.add(OWNER, row, words)
            index.put_row(OWNER, row, _facts([len(words)]))
            model[row] = words
            lengths[row] = len(words)
        _agrees(index, model)
        assert index.rows(OWNER)["length"].tolist() == lengths
    database.close()


def _word(number: int) -> bytes:
    return number.to_bytes(8, "little")


def test_codes_stand_at_their_rows_in_every_block(index: PackedIndex) -> None:
    """A block whose last rows have no vector is shorter; the next one must not move up."""
    index.put_codes(OWNER, [(0, _word(5)), (BLOCK_ROWS - 2, _word(6))])
    index.put_codes(OWNER, [(3 * BLOCK_ROWS + 1, _word(8)), (BLOCK_ROWS, _word(7))])

    codes = index.codes(OWNER, 1)

    assert codes.shape == (1, 3 * BLOCK_ROWS + 2)
    assert {int(row): int(codes[0, row]) for row in np.flatnonzero(codes[0])} == {
        0: 5,
        BLOCK_ROWS - 2: 6,
        BLOCK_ROWS: 7,
        3 * BLOCK_ROWS + 1: 8,
    }


def test_codes_are_written_over(index: PackedIndex) -> None:
    wide = np.arange(1, 7, dtype=np.uint64).reshape(3, 2)
    index.put_codes(OWNER, [(row, wide[row].tobytes()) for row in (2, 0, 1)])
    index.put_codes(OWNER, [(1, np.array([70, 80], np.uint64).tobytes())])

    assert index.codes(OWNER, 2).tolist() == [[1, 70, 5], [2, 80, 6]]
    index.put_codes(OWNER, [])
    assert index.codes(Owner(2, "other"), 2).shape == (2, 0)
