"""A clock and an embedder for tests of chatmem and of what uses it."""

import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from chatmem.model.time import as_utc
from chatmem.providers.embedding import Calibration, Vector, Vectors, embed_in_batches

__all__ = ["FakeClock", "FakeEmbedder"]

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""A Monday morning."""
DIMENSION = 64
_TOKEN = re.compile(r"[a-z0-9]+|[^\W\da-z_]")
"""A run of Latin letters and digits, or any other single letter (so, each Han character)."""


class FakeClock:
    """Called, it gives its time, aware and in UTC; only `advance`, `sleep` and `set` move it."""

    def __init__(self, start: datetime = START) -> None:
        self._now = as_utc(start)
        self._elapsed_seconds = 0.0

    def __call__(self) -> datetime:
        """The time."""
        return self._now

    def monotonic(self) -> float:
        """Seconds that it was advanced by, in place of `time.monotonic`."""
        return self._elapsed_seconds

    def sleep(self, seconds: float) -> None:
        """Advances at once, in place of `time.sleep`."""
        self.advance(seconds=seconds)

    def advance(self, *, days: float = 0, hours: float = 0, seconds: float = 0) -> datetime:
        """Moves forward and gives the new time.

        Raises:
            ValueError: it would move back; use `set`.
        """
        step = timedelta(days=days, hours=hours, seconds=seconds)
        if step < timedelta(0):
            raise ValueError(f"a clock does not run back: {step}")
        self._now += step
        self._elapsed_seconds += step.total_seconds()
        return self._now

    def set(self, moment: datetime) -> None:
        """Sets the time, earlier or later; `monotonic` does not change."""
        self._now = as_utc(moment)


class FakeEmbedder:
    """An embedder without weights: words and characters hashed into a short vector.

    Each token adds +1 or -1 to one component, both chosen by its hash: texts that share words are
    near, those without a common token are near 0 on average. It knows no synonyms and no second
    language. The same text always has the same vector.
    """

    def __init__(
        self, *, dimension: int = DIMENSION, floor: float = 0.3, name: str = "fake"
    ) -> None:
        """Another `name` or `dimension` makes another identity (`fake:1:64`)."""
        self.identity = f"{name}:1:{dimension}"
        self.dimension = dimension
        self.calibration = Calibration(0.0, floor, 1.0)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Normalised rows, (len(texts), dimension); zeros for a text without a letter or digit."""
        return embed_in_batches(
            texts, self._encode, dimension=self.dimension, batch_size=max(1, len(texts))
        )

    def embed_query(self, text: str) -> Vector:
        """The same as `embed` of one text."""
        vector: Vector = self.embed([text])[0]
        return vector

    def _encode(self, texts: list[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for token in _TOKEN.findall(text.lower()):
                number = int.from_bytes(hashlib.blake2b(token.encode(), digest_size=8).digest())
                row[(number >> 1) % self.dimension] += 1.0 if number & 1 else -1.0
        return vectors
