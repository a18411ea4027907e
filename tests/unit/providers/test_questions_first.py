"""Whoever has a question goes before stored texts, and waits for one batch at most."""

import threading
from collections.abc import Sequence

import numpy as np

from chatmem.providers.ports import Vectors
from chatmem.providers.queries import CachedEmbedder, QuestionsFirst, question_vectors
from chatmem.testing.embedder import FakeEmbedder


def test_a_question_goes_before_the_next_batch() -> None:
    turn = QuestionsFirst()
    order: list[str] = []
    first_batch, asked = threading.Event(), threading.Event()

    def import_all() -> None:
        for number in range(50):
            with turn.for_stored():
                order.append(f"batch {number}")
                if number == 0:
                    first_batch.set()
                    asked.wait(10)

    def ask() -> None:
        with turn.for_question():
            order.append("question")

    importing = threading.Thread(target=import_all)
    importing.start()
    first_batch.wait(10)
    asking = threading.Thread(target=ask)
    asking.start()
    while not turn.questions_waiting:
        pass
    asked.set()
    for one in (importing, asking):
        one.join(10)

    assert order[:2] == ["batch 0", "question"]
    assert len(order) == 51


def test_a_failure_frees_the_model() -> None:
    turn = QuestionsFirst()
    for hold in (turn.for_stored, turn.for_question):
        try:
            with hold():
                raise RuntimeError
        except RuntimeError:
            pass
    with turn.for_stored():
        assert turn.questions_waiting == 0


class _Counting(FakeEmbedder):
    """Takes several questions at once."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[list[str]] = []

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        return np.stack([self.embed_query(text) for text in texts])


def test_new_questions_are_embedded_in_one_call_and_known_ones_not_again() -> None:
    inner = _Counting()
    embedder = CachedEmbedder(inner)

    found = question_vectors(embedder, ["tea?", "I drink", "tea?"])
    again = question_vectors(embedder, ["tea?", "I drink"])

    assert inner.calls == [["tea?", "I drink"]]
    assert np.array_equal(found[0], found[2])
    assert np.array_equal(again[1], FakeEmbedder().embed_query("I drink"))


def test_an_embedder_of_single_questions_is_asked_one_by_one() -> None:
    plain = FakeEmbedder()
    found = question_vectors(CachedEmbedder(plain), ["tea?", "I drink"])
    assert np.array_equal(found[0], plain.embed_query("tea?"))
