"""A memory for questions, which come again: from recall, from search, from a page as one types."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from chatmem.providers.batches import embeddable
from chatmem.providers.ports import Embedder, Vector, Vectors

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
        question = embeddable(text)  # what the embedder would read of it, and no more
        with self._lock:
            known = self._vectors.get(question)
            if known is not None:
                self._vectors.move_to_end(question)
                return known
        # Outside the lock: two threads may embed the same new question, none waits for another.
        vector = self._embedder.embed_query(question)
        vector.flags.writeable = False
        with self._lock:
            self._vectors[question] = vector
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
        return vector
