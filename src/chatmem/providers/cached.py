"""A memory for questions, which come again: from recall, from search, from a page as one types."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np

from chatmem.providers.batches import embeddable
from chatmem.providers.ports import Embedder, Vector, Vectors
from chatmem.providers.questions_first import question_vectors

DEFAULT_SIZE = 1_024
"""Questions remembered; two megabytes of vectors of 512 components."""


class CachedEmbedder:
    """An embedder that remembers the vectors of the last questions.

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
        """The vector of a question, read-only, from memory where it was asked lately.

        A failure is not remembered.
        """
        vector: Vector = self._asked([text])[0]
        return vector

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """The vectors of several questions; new ones are asked for together where that is known."""
        return np.stack(self._asked(texts))

    def _asked(self, texts: Sequence[str]) -> list[Vector]:
        asked = [embeddable(text) for text in texts]  # what it would read of it, and no more
        with self._lock:
            known = {one: self._vectors[one] for one in asked if one in self._vectors}
            for one in known:
                self._vectors.move_to_end(one)
        new = list(dict.fromkeys(one for one in asked if one not in known))
        if new:
            # Outside the lock: two threads may embed the same new question, none waits for another.
            for question, vector in zip(new, question_vectors(self._embedder, new), strict=True):
                vector.flags.writeable = False
                known[question] = vector
            with self._lock:
                self._vectors.update((one, known[one]) for one in new)
                while len(self._vectors) > self._size:
                    self._vectors.popitem(last=False)
        return [known[one] for one in asked]
