"""One model, used by one thread at a time: whoever has a question goes before stored texts.

A plain lock is not enough. The thread that embeds an import, batch after batch, takes it again
before a thread that waits has woken up, and the question waits for the end of the import.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Condition

from chatmem.providers.ports import Embedder, EmbedsQuestions, Vector


def question_vectors(embedder: Embedder, texts: Sequence[str]) -> list[Vector]:
    """The vectors of questions, in one call where the embedder takes several.

    Raises:
        ProviderError: the model is missing or failed.
    """
    if len(texts) > 1 and isinstance(embedder, EmbedsQuestions):
        return list(embedder.embed_queries(texts))
    return [embedder.embed_query(text) for text in texts]


class QuestionsFirst:
    """A lock that stored texts get only while no question waits for it."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._is_taken = False
        self._questions = 0

    @property
    def questions_waiting(self) -> int:
        """How many questions wait for it."""
        return self._questions

    @contextmanager
    def for_question(self) -> Iterator[None]:
        """Hold the lock; behind whoever has it now, and before all stored texts."""
        with self._changed:
            self._questions += 1
            try:
                self._changed.wait_for(lambda: not self._is_taken)
                self._is_taken = True
            finally:
                self._questions -= 1
        try:
            yield
        finally:
            self._free()

    @contextmanager
    def for_stored(self) -> Iterator[None]:
        """Hold the model for a batch of stored texts."""
        with self._changed:
            self._changed.wait_for(lambda: not (self._is_taken or self._questions))
            self._is_taken = True
        try:
            yield
        finally:
            self._free()

    def _free(self) -> None:
        with self._changed:
            self._is_taken = False
            self._changed.notify_all()
