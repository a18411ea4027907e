"""An embedder without weights: words and characters hashed into a short vector."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from chatmem.providers.embedding import embed_in_batches
from chatmem.providers.ports import Vector, Vectors

DIMENSION = 64
_TOKEN = re.compile(r"[a-z0-9]+|[^\W\da-z_]")
"""A run of Latin letters and digits, or any other single letter (so, each Han character)."""


class FakeEmbedder:
    """Texts that share words or characters are near; the same text always has the same vector.

    Each token adds +1 or -1 to one component, both chosen by its hash, so that texts without a
    common token are near 0 on average. It knows no synonyms and no second language.
    """

    def __init__(
        self, *, dimension: int = DIMENSION, floor: float = 0.3, name: str = "fake"
    ) -> None:
        """Takes another `name` or `dimension` to be another embedder, as an index sees it."""
        self._dimension = dimension
        self._floor = floor
        self._name = name

    @property
    def identity(self) -> str:
        """`fake:1:64`, or with the name and dimension it was given."""
        return f"{self._name}:1:{self._dimension}"

    @property
    def dimension(self) -> int:
        """64, or what it was given."""
        return self._dimension

    @property
    def floor(self) -> float:
        """0.3, or what it was given."""
        return self._floor

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Normalised rows, (len(texts), dimension); zeros for a text without a letter or digit."""
        return embed_in_batches(
            texts, self._encode, dimension=self._dimension, batch_size=max(1, len(texts))
        )

    def embed_query(self, text: str) -> Vector:
        """The same as `embed` of one text."""
        vector: Vector = self.embed([text])[0]
        return vector

    def _encode(self, texts: list[str]) -> Vectors:
        vectors = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for token in _TOKEN.findall(text.lower()):
                number = int.from_bytes(hashlib.blake2b(token.encode(), digest_size=8).digest())
                row[(number >> 1) % self._dimension] += 1.0 if number & 1 else -1.0
        return vectors
