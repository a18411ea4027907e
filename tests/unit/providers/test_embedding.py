"""Texts as a model takes them; vectors of queries: cached, in one call, before stored texts."""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

import numpy as np
import pytest

from chatmem.errors import ProviderError
from chatmem.providers import Vector, Vectors
from chatmem.providers.embedding import QueriesFirst, QueryVectors, embed_in_batches, embeddable
from chatmem.testing import FakeEmbedder


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


class CountingEmbedder(FakeEmbedder):
    """Counts what it is asked; fails as long as it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[str] = []
        self.failing = False

    def embed_query(self, text: str) -> Vector:
        self.questions.append(text)
        if self.failing:
            raise ProviderError("no answer")
        return super().embed_query(text)


def test_the_same_question_is_embedded_once() -> None:
    counting = CountingEmbedder()

    first, second = QueryVectors().of(counting, ["去哪里？", "去哪里？ "])

    assert counting.questions == ["去哪里？"]
    assert np.array_equal(first, second)
    assert np.array_equal(first, FakeEmbedder().embed_query("去哪里？"))


def test_the_question_not_asked_for_longest_is_forgotten_first() -> None:
    counting = CountingEmbedder()
    cache = QueryVectors(size=2)

    for question in ("a", "b", "a", "c", "a", "b"):
        cache.of(counting, [question])

    assert counting.questions == ["a", "b", "c", "b"]


def test_nobody_can_change_what_is_remembered() -> None:
    with pytest.raises(ValueError, match="read-only"):
        QueryVectors().of(FakeEmbedder(), ["a"])[0][0] = 7.0


def test_a_failure_is_not_remembered() -> None:
    counting = CountingEmbedder()
    cache = QueryVectors()
    counting.failing = True
    with pytest.raises(ProviderError):
        cache.of(counting, ["a"])

    counting.failing = False

    assert cache.of(counting, ["a"])[0].any()


class _Several(FakeEmbedder):
    """Takes several queries at once."""

    calls: ClassVar[list[list[str]]] = []

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        return np.stack([self.embed_query(text) for text in texts])


def test_new_queries_are_embedded_in_one_call_and_known_ones_not_again() -> None:
    embedder, cache = _Several(), QueryVectors()

    found = cache.of(embedder, ["tea?", "I drink", "tea?"])
    again = cache.of(embedder, ["tea?", "I drink"])

    assert _Several.calls == [["tea?", "I drink"]]
    assert np.array_equal(found[0], found[2])
    assert np.array_equal(again[1], FakeEmbedder().embed_query("I drink"))


def test_a_query_waits_for_a_batch_and_not_for_an_import() -> None:
    lock = QueriesFirst()
    order: list[str] = []
    begun = threading.Event()

    def import_all() -> None:
        for number in range(30):
            with lock.for_stored():
                begun.set()
                time.sleep(0.02)
                order.append(f"batch {number}")

    with ThreadPoolExecutor(2) as pool:
        for _ in range(2):
            pool.submit(import_all)
        begun.wait(10)
        with lock.for_query():
            order.append("query")

    assert "query" in order[:4]
    assert len(order) == 61


def test_a_failure_frees_the_model() -> None:
    lock = QueriesFirst()
    for hold in (lock.for_stored, lock.for_query):
        with pytest.raises(RuntimeError), hold():
            raise RuntimeError
    with lock.for_stored():
        pass
