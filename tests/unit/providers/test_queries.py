from collections.abc import Sequence

import numpy as np
import pytest

from chatmem.errors import ProviderError
from chatmem.providers import CachedEmbedder, Vector, Vectors
from chatmem.testing import FakeEmbedder


class CountingEmbedder(FakeEmbedder):
    """Counts what it is asked; fails as long as it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[str] = []
        self.failing = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        return super().embed(texts)

    def embed_query(self, text: str) -> Vector:
        self.questions.append(text)
        if self.failing:
            raise ProviderError("no answer")
        return super().embed_query(text)


def test_the_same_question_is_embedded_once() -> None:
    counting = CountingEmbedder()
    cached = CachedEmbedder(counting)

    first, second = cached.embed_query("去哪里？"), cached.embed_query("去哪里？ ")

    assert counting.questions == ["去哪里？"]
    assert np.array_equal(first, second)
    assert np.array_equal(first, FakeEmbedder().embed_query("去哪里？"))


def test_the_question_not_asked_for_longest_is_forgotten_first() -> None:
    counting = CountingEmbedder()
    cached = CachedEmbedder(counting, size=2)

    for question in ("a", "b", "a", "c", "a", "b"):
        cached.embed_query(question)

    assert counting.questions == ["a", "b", "c", "b"]


def test_nobody_can_change_what_is_remembered() -> None:
    cached = CachedEmbedder(FakeEmbedder())

    with pytest.raises(ValueError, match="read-only"):
        cached.embed_query("a")[0] = 7.0


def test_a_failure_is_not_remembered() -> None:
    counting = CountingEmbedder()
    cached = CachedEmbedder(counting)
    counting.failing = True
    with pytest.raises(ProviderError):
        cached.embed_query("a")

    counting.failing = False

    assert cached.embed_query("a").any()


def test_the_rest_is_that_of_the_embedder_within() -> None:
    within = FakeEmbedder(dimension=32, floor=0.4, name="other")
    cached = CachedEmbedder(within)

    assert (cached.identity, cached.dimension, cached.floor) == ("other:1:32", 32, 0.4)
    assert np.array_equal(cached.embed(["甲", "乙"]), within.embed(["甲", "乙"]))
