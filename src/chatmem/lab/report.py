"""What reports are made of: tables, latencies, progress; figures beside their floors."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import KW_ONLY, dataclass
from time import perf_counter
from typing import TypeAlias, TypeVar

import numpy as np
from rich import box
from rich.console import RenderableType
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


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure; `floor` is what it is compared with, and `ratio` how many times that it is.

    `at_least` and `at_most` are what is wanted: of the ratio where there is a floor, else of the
    value.
    """

    name: str
    value: float
    unit: str
    _: KW_ONLY
    floor: float | None = None
    floor_name: str | None = None
    at_least: float | None = None
    at_most: float | None = None

    @property
    def ratio(self) -> float | None:
        """`value / floor`."""
        return self.value / self.floor if self.floor else None

    @property
    def fits(self) -> bool | None:
        """Whether it is as good as wanted; None where nothing is wanted."""
        judged = self.value if self.ratio is None else self.ratio
        if self.at_least is not None:
            return judged >= self.at_least
        return None if self.at_most is None else judged <= self.at_most

    @property
    def wanted(self) -> str | None:
        """What is wanted, as text: `<= 3x`."""
        unit = "x" if self.floor else ""
        if self.at_least is not None:
            return f">= {number(self.at_least)}{unit}"
        return None if self.at_most is None else f"<= {number(self.at_most)}{unit}"

    def as_json(self) -> dict[str, object]:
        """The figure as an object."""
        names = ("name", "value", "unit", "floor", "floor_name", "ratio", "wanted", "fits")
        shown = {name: getattr(self, name) for name in names}
        return {
            name: round(one, 3) if isinstance(one, float) else one for name, one in shown.items()
        }


def report(title: str, measures: Sequence[Measure]) -> Iterator[RenderableType]:
    """The figures of one size as a table, and what the floors are."""
    made = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    made.add_column("figure")
    for column in ("value", "floor", "ratio", "wanted"):
        made.add_column(column, justify="right", no_wrap=True)
    made.add_column("")
    for one in measures:
        made.add_row(
            one.name,
            f"{number(one.value)} {one.unit}",
            "" if one.floor is None else number(one.floor),
            "" if one.ratio is None else f"{one.ratio:.2f}x",
            one.wanted or "",
            {True: "ok", False: "MISSED", None: ""}[one.fits],
        )
    yield title
    yield made
    floors = {one.floor_name: one.name for one in reversed(measures) if one.floor_name}
    for floor, name in floors.items():
        yield f"floor of {name}: {floor}"
    yield ""


def latencies(
    name: str,
    samples_ms: Sequence[float],
    percentiles: Sequence[int] = (50, 95),
    *,
    floor: tuple[str, Sequence[float]] | None = None,
    at_most: Mapping[int, float] | None = None,
) -> Iterator[Measure]:
    """A figure per percentile, formatted into the name; `floor` is a name and its samples."""
    taken = Latency.of(samples_ms)
    least = Latency.of(floor[1]) if floor else None
    for one in percentiles:
        yield Measure(
            name.format(f"p{one}"),
            getattr(taken, f"p{one}_ms"),
            "ms",
            floor=getattr(least, f"p{one}_ms", None),
            floor_name=floor[0] if floor else None,
            at_most=(at_most or {}).get(one),
        )


def number(value: float) -> str:
    """As many digits as tell something."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 or value == round(value, 1) else f"{value:.2f}"
