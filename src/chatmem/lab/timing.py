"""How long work took, and progress of work that takes long."""

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import TypeAlias, TypeVar

Result = TypeVar("Result")
Progress: TypeAlias = Callable[[int, int], None]
"""Called with (done, total)."""
ProgressBar: TypeAlias = Callable[[str], AbstractContextManager[Progress]]
"""Opens a bar with this label."""


def no_progress_bar(label: str) -> AbstractContextManager[Progress]:
    """A bar that shows nothing."""
    del label
    return nullcontext(lambda done, total: None)


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


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """What the work returns, and how many milliseconds it took."""
    start = perf_counter()
    result = work()
    return result, (perf_counter() - start) * 1000
