"""The benchmark's figures, each beside its floor of the same run and what is wanted of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType

from chatmem.lab.layout import table

_MIB = 1 << 20
MOST_COMPOSE_MS = 12
"""Wanted of 10,000 rows."""
MOST_EXTRACTION_MS = 5
MOST_HELP_MS = 300
_PERCENTILES = ("p50_ms", "p95_ms", "p99_ms")


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
    yield Measure(
        name="turns one by one", value=single["turns_per_s"], unit="turns/s", at_least=1000
    )
    yield from _percentiles("one turn", single["turn"])
    yield Measure(
        name="extraction's part of one turn, p95",
        value=single["turn"]["p95_ms"] - single["plain_turn"]["p95_ms"],
        unit="ms",
        at_most=MOST_EXTRACTION_MS,
    )
    yield Measure(
        name="append_memory one by one", value=single["facts_per_s"], unit="/s", at_least=300
    )
    yield from _percentiles("one append_memory", single["fact"])


def _searching(
    search: Mapping[str, Any], beside: Mapping[str, Any], embed: Mapping[str, Any]
) -> Iterator[Measure]:
    vectors = "nearest" in beside
    legs = "bare queries, FTS5 + sqlite-vec" if vectors else "bare query, FTS5"
    for percentile in _PERCENTILES:
        yield Measure(
            name=f"search {percentile[:3]}, vector known",
            value=beside["search"][percentile],
            unit="ms",
            floor=beside["with_nearest"][percentile],
            floor_name=f"{legs}, of the same questions",
            at_most=3 if percentile == "p95_ms" else None,
        )
    if vectors:
        yield Measure(
            name="search p95, over the least",
            value=beside["search"]["p95_ms"],
            unit="ms",
            floor=beside["with_dot"]["p95_ms"],
            floor_name="bare FTS5 query + one numpy dot product",
        )
    for user, wanted in (("big", 15), ("small", 8)):
        for percentile in _PERCENTILES:
            yield Measure(
                name=f"search {percentile[:3]}" + (", of 1,000 rows" if user == "small" else ""),
                value=search[user][percentile],
                unit="ms",
                at_most=wanted if percentile == "p50_ms" else None,
            )
    yield from _percentiles("bare FTS5 query", beside["full_text"])
    if vectors:
        yield from _percentiles("bare sqlite-vec query", beside["nearest"])
        yield from _percentiles("bare dot product", beside["dot"])
    if embed:
        yield from _percentiles("a question's embedding", embed["query"])


def _composing(compose: Mapping[str, Any]) -> Iterator[Measure]:
    for percentile in _PERCENTILES:
        yield Measure(
            name=f"compose {percentile[:3]}, vector known",
            value=compose["compose"][percentile],
            unit="ms",
            floor=compose["search"][percentile],
            floor_name="the search that it contains, of the same questions",
            at_most=2.5 if percentile == "p95_ms" else None,
        )
    yield Measure(
        name="compose p95", value=compose["compose"]["p95_ms"], unit="ms", at_most=MOST_COMPOSE_MS
    )
    yield Measure(name="a prompt's size", value=compose["tokens"], unit="tokens")


def _resources(fill: Mapping[str, Any], search: Mapping[str, Any]) -> Iterator[Measure]:
    yield Measure(name="open", value=search["open_ms"], unit="ms", at_most=500)
    for name, task in (("peak memory, ingest", fill), ("peak memory, search", search)):
        if task["peak_bytes"] is not None:
            peak = task["peak_bytes"] / _MIB
            yield Measure(name=name, value=peak, unit="MiB", at_most=500e6 / _MIB)
    yield Measure(name="on disk", value=fill["bytes_per_row"], unit="bytes/row", at_most=6 * 1024)


def _percentiles(name: str, latency: Mapping[str, float]) -> Iterator[Measure]:
    for percentile in ("p50_ms", "p95_ms"):
        yield Measure(name=f"{name} {percentile[:3]}", value=latency[percentile], unit="ms")


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 or value == round(value, 1) else f"{value:.2f}"
