from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.given import delete, edit, keep_contents, memory

from chatmem.storage.sqlite.store import SqliteStore
from chatmem.storage.tables.dense import decode, encode


@given(st.integers(1, 40), st.integers(1, 5), st.integers(0, 99))
def test_a_vector_comes_back_almost_as_it_was(dimension: int, count: int, seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)

    blobs = encode(vectors)
    again = decode(blobs)

    assert {len(blob) for blob in blobs} == {4 + dimension}
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    assert (np.abs(again - vectors) <= largest / 127 / 2 + 1e-6).all()


def test_zeros_stay_zeros_and_nothing_stays_nothing() -> None:
    assert decode(encode(np.zeros((2, 3), np.float32))).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert decode([]).shape == (0, 0)


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
    code = np.packbits((decode([vector])[0] if packed else vectors[0]) > 0).tobytes()

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
