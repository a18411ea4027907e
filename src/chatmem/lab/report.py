"""What reports are made of: tables, latencies, and progress of work that takes long."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import TypeAlias, TypeVar

import numpy as np
from rich import box
from rich.table import Table

Result = TypeVar("Result")
Progress: TypeAlias = Callable[[int, int], None]
"""Called with (done, total)."""
ProgressBar: TypeAlias = Callable[[str], AbstractContextManager[Progress]]
"""Opens a bar with this label."""


def no_progress_bar(label: str) -> AbstractContextManager[Progress]:
    """A bar that shows nothing."""
    del label
    return nullcontext(lambda done, total: None)


def table(header: Sequence[str], *, numbers: Sequence[int] = ()) -> Table:
    """An empty table; columns whose index is in `numbers` are set flush right and never broken."""
    made = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for index, title in enumerate(header):
        numeric = index in numbers
        made.add_column(title, justify="right" if numeric else "left", no_wrap=numeric)
    return made


@dataclass(frozen=True, slots=True)
class Latency:
    """Percentiles in milliseconds, and of how many samples."""

    p50_ms: float
    p95_ms: float
    p99_ms: float
    samples: int

    @classmethod
    def of(cls, samples_ms: Sequence[float]) -> "Latency":
        """The smallest samples that 50, 95 and 99 % of these, at least one, do not exceed."""
        found = np.percentile(samples_ms, (50, 95, 99), method="inverted_cdf")
        p50, p95, p99 = (round(float(one), 3) for one in found)
        return cls(p50, p95, p99, len(samples_ms))


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """What the work returns, and how many milliseconds it took."""
    start = perf_counter()
    result = work()
    return result, (perf_counter() - start) * 1000
