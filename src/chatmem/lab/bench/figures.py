"""The benchmark's figures, each beside its floor of the same run and what is wanted of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType

from chatmem.lab.report import table

_MIB = 1 << 20
MOST_COMPOSE_MS = 12
"""Wanted of 10,000 rows."""
MOST_EXTRACTION_MS = 5
MOST_HELP_MS = 300
_ALL = ("p50_ms", "p95_ms", "p99_ms")
_P95 = ("p95_ms",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One figure; `floor` is what it is compared with, and `ratio` how many times that it is.

    `at_least` and `at_most` are what is wanted: of the ratio where there is a floor, else of the
    value.
    """

    name: str
    value: float
    unit: str
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
            return f">= {_number(self.at_least)}{unit}"
        return None if self.at_most is None else f"<= {_number(self.at_most)}{unit}"

    def as_json(self) -> dict[str, object]:
        """The figure as an object."""
        return {
            "name": self.name,
            "value": round(self.value, 3),
            "unit": self.unit,
            "floor": None if self.floor is None else round(self.floor, 3),
            "floor_name": self.floor_name,
            "ratio": None if self.ratio is None else round(self.ratio, 3),
            "wanted": self.wanted,
            "fits": self.fits,
        }


def measures_of(results: Mapping[str, Any]) -> Iterator[Measure]:
    """The figures of one size, from what the tasks returned, by task."""
    yield from _writing(results["fill"], results["one_by_one"], results["embed"])
    yield from _searching(results["search"], results["compare"], results["embed"])
    yield from _composing(results["compose"])
    yield from _resources(results["fill"], results["search"])
    yield Measure(name="chatmem --help", value=results["help_ms"], unit="ms", at_most=MOST_HELP_MS)


def report(title: str, measures: Sequence[Measure]) -> Iterator[RenderableType]:
    """The figures of one size as a table, and what the floors are."""
    made = table(["figure", "value", "floor", "ratio", "wanted", ""], numbers=(1, 2, 3, 4))
    for one in measures:
        made.add_row(
            one.name,
            f"{_number(one.value)} {one.unit}",
            "" if one.floor is None else _number(one.floor),
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


def _writing(
    fill: Mapping[str, Any], single: Mapping[str, Any], embed: Mapping[str, Any]
) -> Iterator[Measure]:
    yield Measure(
        name="batch ingest, with vectors",
        value=fill["indexed_per_s"],
        unit="rows/s",
        floor=embed.get("texts_per_s"),
        floor_name="the embedder alone, in batch, on the same texts" if embed else None,
        at_least=0.8 if embed else None,
    )
    yield Measure(name="batch ingest, acknowledged", value=fill["saved_per_s"], unit="rows/s")
    rate = single["turns_per_s"]
    yield Measure(name="turns one by one", value=rate, unit="turns/s", at_least=1000)
    yield from _latencies("one turn {}", single["turn"])
    part = single["turn"]["p95_ms"] - single["plain_turn"]["p95_ms"]
    name = "extraction's part of one turn, p95"
    yield Measure(name=name, value=part, unit="ms", at_most=MOST_EXTRACTION_MS)
    rate = single["facts_per_s"]
    yield Measure(name="append_memory one by one", value=rate, unit="/s", at_least=300)
    yield from _latencies("one append_memory {}", single["fact"])


def _searching(
    search: Mapping[str, Any], beside: Mapping[str, Any], embed: Mapping[str, Any]
) -> Iterator[Measure]:
    vectors = "nearest" in beside
    legs = "bare queries, FTS5 + sqlite-vec" if vectors else "bare query, FTS5"
    floor = (f"{legs}, of the same questions", beside["with_nearest"])
    name = "search {}, vector known"
    yield from _latencies(name, beside["search"], _ALL, floor=floor, at_most={"p95_ms": 3})
    if vectors:
        floor = ("bare FTS5 query + one numpy dot product", beside["with_dot"])
        yield from _latencies("search {}, over the least", beside["search"], _P95, floor=floor)
    yield from _latencies("search {}", search["big"], _ALL, at_most={"p50_ms": 15})
    small = "search {}, of 1,000 rows"
    yield from _latencies(small, search["small"], _ALL, at_most={"p50_ms": 8})
    yield from _latencies("bare FTS5 query {}", beside["full_text"])
    if vectors:
        yield from _latencies("bare sqlite-vec query {}", beside["nearest"])
        yield from _latencies("bare dot product {}", beside["dot"])
    if embed:
        yield from _latencies("a question's embedding {}", embed["query"])


def _composing(compose: Mapping[str, Any]) -> Iterator[Measure]:
    floor = ("the search that it contains, of the same questions", compose["search"])
    name, taken = "compose {}, vector known", compose["compose"]
    yield from _latencies(name, taken, _ALL, floor=floor, at_most={"p95_ms": 2.5})
    yield from _latencies("compose {}", taken, _P95, at_most={"p95_ms": MOST_COMPOSE_MS})
    yield Measure(name="a prompt's size", value=compose["tokens"], unit="tokens")


def _resources(fill: Mapping[str, Any], search: Mapping[str, Any]) -> Iterator[Measure]:
    yield Measure(name="open", value=search["open_ms"], unit="ms", at_most=500)
    for name, task in (("peak memory, ingest", fill), ("peak memory, search", search)):
        if task["peak_bytes"] is not None:
            peak = task["peak_bytes"] / _MIB
            yield Measure(name=name, value=peak, unit="MiB", at_most=500e6 / _MIB)
    yield Measure(name="on disk", value=fill["bytes_per_row"], unit="bytes/row", at_most=6 * 1024)


def _latencies(
    name: str,
    latency: Mapping[str, float],
    percentiles: Sequence[str] = ("p50_ms", "p95_ms"),
    *,
    floor: tuple[str, Mapping[str, float]] | None = None,
    at_most: Mapping[str, float] | None = None,
) -> Iterator[Measure]:
    """A figure per percentile, formatted into the name; `floor` is a name and its figures."""
    for one in percentiles:
        yield Measure(
            name=name.format(one.removesuffix("_ms")),
            value=latency[one],
            unit="ms",
            floor=floor[1][one] if floor else None,
            floor_name=floor[0] if floor else None,
            at_most=(at_most or {}).get(one),
        )


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 or value == round(value, 1) else f"{value:.2f}"
