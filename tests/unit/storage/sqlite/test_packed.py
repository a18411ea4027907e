from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.given import delete, edit, keep_contents, memory

from chatmem.storage.sqlite.database import SqliteDatabase
from chatmem.storage.sqlite.migrate import migrate
from chatmem.storage.sqlite.store import SqliteStore
from chatmem.storage.tables.dense import decode, encode, stacked
from chatmem.storage.tables.packed_index import BLOCK_ROWS, PackedIndex, VersionCache
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
        (found,) = index.postings(OWNER, 0, [term])
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
        index.append(OWNER, 0, _facts([0] * first), [[]] * first)
        for _ in range(2):
            pack = data.draw(st.lists(tokens, min_size=3, max_size=3))
            index.append(OWNER, first, _facts([len(words) for words in pack]), pack)
            model.update(enumerate(pack, start=first))
            first += 3
        lengths = [0] * (BLOCK_ROWS - 3) + [len(words) for _, words in sorted(model.items())]
        _agrees(index, model)
        for row, words in data.draw(st.lists(st.tuples(near_a_border, tokens), max_size=6)):
            index.put_tokens(OWNER, row, dict.fromkeys(model[row], 0))
            index.put_tokens(OWNER, row, Counter(words))
            index.put("row", OWNER, [(row, _facts([len(words)]).tobytes())])
            model[row] = words
            lengths[row] = len(words)
        _agrees(index, model)
        assert index.rows(OWNER, 0)["length"].tolist() == lengths
    database.close()


def _word(number: int) -> bytes:
    return number.to_bytes(8, "little")


def test_codes_stand_at_their_rows_in_every_block(index: PackedIndex) -> None:
    """A block whose last rows have no vector is shorter; the next one must not move up."""
    index.put("code", OWNER, [(0, _word(5)), (BLOCK_ROWS - 2, _word(6))])
    index.put("code", OWNER, [(3 * BLOCK_ROWS + 1, _word(8)), (BLOCK_ROWS, _word(7))])

    codes = index.codes(OWNER, 0, 1)

    assert codes.shape == (1, 3 * BLOCK_ROWS + 2)
    assert {int(row): int(codes[0, row]) for row in np.flatnonzero(codes[0])} == {
        0: 5,
        BLOCK_ROWS - 2: 6,
        BLOCK_ROWS: 7,
        3 * BLOCK_ROWS + 1: 8,
    }


def test_a_value_is_that_of_its_key_and_version() -> None:
    cache = VersionCache[str](100, len)
    cache.put("rows", 7, "facts")

    assert cache.get("rows", 7) == "facts"
    assert cache.get("rows", 8) is None
    assert cache.get("codes", 7) is None
    cache.put("rows", 8, "others")
    assert (cache.get("rows", 7), cache.get("rows", 8)) == (None, "others")


@given(st.integers(1, 40), st.integers(1, 5), st.integers(0, 99))
def test_a_vector_comes_back_almost_as_it_was(dimension: int, count: int, seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)

    blobs = encode(vectors)
    again = decode(stacked(blobs))

    assert {len(blob) for blob in blobs} == {4 + dimension}
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    assert (np.abs(again - vectors) <= largest / 127 / 2 + 1e-6).all()


@pytest.mark.vec
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("change", ["delete", "edit"])
def test_a_vector_and_its_code_leave_the_file_with_their_text(
    tmp_path: Path, packed: bool, change: str
) -> None:
    store = SqliteStore(tmp_path / "chatmem.db", pack_every=4)
    owner = store.owner("mei")
    keep_contents(store, owner, *(f"note {place}" for place in range(6)))
    store.dense.use("random", 512)
    queued = store.dense.queued(9)
    vectors = np.random.default_rng(5).normal(size=(6, 512)).astype(np.float32)
    with store.transaction():
        store.dense.put(queued, range(6), vectors)
    if packed:
        assert store.pack() == 4
    (vector,) = encode(vectors[:1])
    code = np.packbits((decode(stacked([vector]))[0] if packed else vectors[0]) > 0).tobytes()

    def files() -> bytes:
        store.purge()
        return b"".join(part.read_bytes() for part in tmp_path.iterdir())

    assert vector in files()
    assert code in files()
    if change == "delete":
        delete(store, owner, "mei0")
    else:
        edit(store, owner, memory("mei0", "other"))
    assert vector not in files()
    assert code not in files()
    store.close()
