"""How long things took, over many samples."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Latency:
    """Percentiles in milliseconds, and of how many samples."""

    p50_ms: float
    p95_ms: float
    p99_ms: float
    samples: int

    @classmethod
    def of(cls, samples_ms: Sequence[float]) -> "Latency":
        """The percentiles of these samples.

        Raises:
            ValueError: there are none.
        """
        p50, p95, p99 = (round(percentile(samples_ms, share), 3) for share in (0.5, 0.95, 0.99))
        return cls(p50, p95, p99, len(samples_ms))


def percentile(samples: Sequence[float], share: float) -> float:
    """The smallest sample that at least `share` of all samples do not exceed, 0 < share <= 1.

    Raises:
        ValueError: there are no samples.
    """
    if not samples:
        raise ValueError("no samples, so no percentile")
    return sorted(samples)[math.ceil(share * len(samples)) - 1]


def timed(work: Callable[[], Answer]) -> tuple[Answer, float]:
    """What the work returns, and how many milliseconds it took."""
    start = perf_counter()
    answer = work()
    return answer, (perf_counter() - start) * 1000
