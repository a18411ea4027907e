"""Vectors of queries: remembered, several in one call, and before stored texts."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Condition, Lock

import numpy as np

from chatmem.providers.embedding import embeddable
from chatmem.providers.ports import Embedder, EmbedsQuestions, Vector, Vectors

DEFAULT_SIZE = 1_024
"""Queries remembered; two megabytes of vectors of 512 components."""


def question_vectors(embedder: Embedder, texts: Sequence[str]) -> list[Vector]:
    """The vectors of queries, in one call where the embedder takes several.

    Raises:
        ProviderError: the model is missing or failed.
    """
    if len(texts) > 1 and isinstance(embedder, EmbedsQuestions):
        return list(embedder.embed_queries(texts))
    return [embedder.embed_query(text) for text in texts]


class CachedEmbedder:
    """An embedder that remembers the vectors of the last queries.

    Stored texts pass through: each is embedded once, and the index keeps its vector by content.
    """

    def __init__(self, embedder: Embedder, *, size: int = DEFAULT_SIZE) -> None:
        self._embedder = embedder
        self._size = size
        self._lock = Lock()
        self._vectors: OrderedDict[str, Vector] = OrderedDict()

    @property
    def identity(self) -> str:
        """That of the embedder within."""
        return self._embedder.identity

    @property
    def dimension(self) -> int:
        """That of the embedder within."""
        return self._embedder.dimension

    @property
    def floor(self) -> float:
        """That of the embedder within."""
        return self._embedder.floor

    def embed(self, texts: Sequence[str]) -> Vectors:
        """What the embedder within gives."""
        return self._embedder.embed(texts)

    def embed_query(self, text: str) -> Vector:
        """The vector of a query, read-only. A failure is not remembered."""
        return self._known([text])[0]

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """The vectors of several queries; new ones are embedded together where that is possible."""
        return np.stack(self._known(texts))

    def _known(self, texts: Sequence[str]) -> list[Vector]:
        queries = [embeddable(text) for text in texts]
        with self._lock:
            known = {query: self._vectors[query] for query in queries if query in self._vectors}
            for query in known:
                self._vectors.move_to_end(query)
        new = list(dict.fromkeys(query for query in queries if query not in known))
        if new:
            # Outside the lock: two threads may embed the same new query, none waits for another.
            for query, vector in zip(new, question_vectors(self._embedder, new), strict=True):
                vector.flags.writeable = False
                known[query] = vector
            with self._lock:
                self._vectors.update((query, known[query]) for query in new)
                while len(self._vectors) > self._size:
                    self._vectors.popitem(last=False)
        return [known[query] for query in queries]


class QuestionsFirst:
    """A lock that stored texts get only while no query waits for it.

    With a plain lock, the thread that embeds an import takes it again before a thread that waits
    has woken up, and the query waits for the end of the import.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._is_taken = False
        self._questions = 0

    @property
    def questions_waiting(self) -> int:
        """How many queries wait for it."""
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
        with self._held():
            yield

    @contextmanager
    def for_stored(self) -> Iterator[None]:
        """Hold the lock for a batch of stored texts."""
        with self._changed:
            self._changed.wait_for(lambda: not (self._is_taken or self._questions))
            self._is_taken = True
        with self._held():
            yield

    @contextmanager
    def _held(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._changed:
                self._is_taken = False
                self._changed.notify_all()
