"""How memory grew, day by day, and of which categories it is."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from nicegui import ui

from chatmem.engine.service import MemoryService
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import hint, named, redrawn, toggle
from chatmem.interfaces.web.words import Words
from chatmem.model import CATEGORIES, GrowthDay, MemoryFilter

_ALL_DAYS: Final = 3_650
_OTHER: Final = "other"
"""Stands for memories without a category."""
_BARS: Final = (*CATEGORIES, _OTHER)
_PALETTE: Final = ("#db2777", "#0d9488", "#6366f1", "#a16207", "#be123c", "#4d7c0f")
_COLOURS: Final[dict[str, str]] = {
    **dict(zip(CATEGORIES, _PALETTE, strict=False)),
    _OTHER: "#94a3b8",
    "turns": "#0369a1",
    "so_far": "#d97706",
}
_MUTED, _LINE, _SURFACE, _TEXT = (
    f"getComputedStyle(document.body).getPropertyValue('--{name}').trim()"
    for name in ("muted", "line", "surface", "text")
)


class GrowthPanel:
    """A plot of what was stored on each day and of all there was by then."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._days: list[GrowthDay] = []
        words = visit.words
        spans = {days: words("overview.days", days=days) for days in (30, 90, 365)}
        whats = {what: words(f"overview.{what}") for what in ("memories", "messages")}
        with ui.row().classes("gap-3"):
            self._what = self._choice(whats, "memories", words("overview.what"))
            self._span = self._choice(spans, 90, words("overview.span"))
        self._place = ui.column().classes("w-full gap-2")

    async def load(self) -> None:
        """Read what was stored, and show the chosen span of it."""
        self._days = await self._visit.run(self._visit.memory.growth, _ALL_DAYS)
        self._show()

    def _choice(self, options: dict[Any, str], value: object, name: str) -> ui.toggle:
        made = toggle(options, value, "dense padding='2px 12px' role=group")
        return named(made, name).on_value_change(self._show)

    def _show(self) -> None:
        words = self._visit.words
        span = int(self._span.value)
        names = _BARS if self._what.value == "memories" else ("turns",)
        days = self._days[-span:]
        before = sum(_of_day(day, names) for day in self._days[:-span])
        with redrawn(self._place):
            counts = {
                "memories": sum(day.long_term for day in days),
                "messages": sum(day.turns for day in days),
            }
            name = "grew" if any(counts.values()) else "grew_not"
            said = {what: f"{count:,}" for what, count in counts.items()}
            message = words(f"overview.{name}", days=len(days), **said)
            if any(_of_day(day, names) for day in days):
                plot = ui.echart(_options(words, days, names, before), renderer="svg")
                named(plot, message).props("role=img").classes("w-full h-64")
            hint(message)


def _of_day(day: GrowthDay, names: Sequence[str]) -> int:
    counts: dict[str, int] = {name or _OTHER: count for name, count in day.by_category.items()}
    counts["turns"] = day.turns
    return sum(counts.get(name, 0) for name in names)


def _label(words: Words, name: str) -> str:
    return words(f"card.category_{name}" if name in CATEGORIES else f"overview.category_{name}")


def _options(
    words: Words, days: Sequence[GrowthDay], names: Sequence[str], before: int
) -> dict[str, Any]:
    """The plot: a day's counts as stacked bars, their sum as a line."""

    def series(name: str, label: str, data: list[int], **look: object) -> dict[str, Any]:
        return {"name": label, "data": data, "itemStyle": {"color": _COLOURS[name]}, **look}

    columns = {name: [_of_day(day, (name,)) for day in days] for name in names}
    bars = [
        series(name, _label(words, name), data, type="bar", stack="day", barMinWidth=2)
        for name, data in columns.items()
        if any(data)
    ]
    sums = list(accumulate((_of_day(day, names) for day in days), initial=before))[1:]
    line = series(
        "so_far", words("overview.so_far"), sums,
        type="line", yAxisIndex=1, showSymbol=False, symbol="circle", lineStyle={"width": 2},
    )  # fmt: skip
    return {
        "animation": False,
        "grid": {"left": 44, "right": 52, "top": 56, "bottom": 28},
        "legend": {"top": 0, "left": 0, "type": "scroll", "textStyle": {":color": _MUTED}},
        "tooltip": {
            "trigger": "axis",
            "renderMode": "richText",
            ":backgroundColor": _SURFACE,
            ":borderColor": _LINE,
            "textStyle": {":color": _TEXT},
        },
        "xAxis": {
            "type": "category",
            "data": [words.short_day(day.day) for day in days],
            "axisLabel": {":color": _MUTED, "hideOverlap": True},
            "axisLine": {"lineStyle": {":color": _LINE}},
            "axisTick": {"show": False},
        },
        "yAxis": [
            _axis(words("overview.a_day"), "left", has_lines=True),
            _axis(words("overview.so_far"), "right", has_lines=False),
        ],
        "series": [*bars, line],
    }


def _axis(name: str, place: str, *, has_lines: bool) -> dict[str, Any]:
    return {
        "type": "value",
        "name": name,
        "nameTextStyle": {":color": _MUTED, "align": place},
        "position": place,
        "minInterval": 1,
        "axisLabel": {":color": _MUTED},
        "splitLine": {"show": has_lines, "lineStyle": {":color": _LINE}},
    }


def category_counts(memory: MemoryService) -> dict[str, int]:
    """How many valid long-term memories there are by category; `other` have none."""
    every = memory.browse(MemoryFilter(memory_type="long_term"), limit=0).total
    counts: dict[str, int] = {
        one: memory.browse(MemoryFilter(memory_type="long_term", category=one), limit=0).total
        for one in CATEGORIES
    }
    other = every - sum(counts.values())
    return counts | {_OTHER: other} if other > 0 else counts


def category_bars(words: Words, counts: Mapping[str, int]) -> None:
    """A bar for each category."""
    most = max(counts.values())
    if not most:
        ui.label(words("overview.no_memories")).classes("muted")
        return
    with ui.element("dl").classes("bars w-full m-0"):
        for name, count in counts.items():
            with ui.element("dt"):
                ui.label(_label(words, name))
            with ui.element("dd").classes("m-0"):
                with ui.element("div").classes("bar").props("aria-hidden=true"):
                    width = 100 * count / most
                    ui.element("div").style(f"width: {width:.1f}%; background: {_COLOURS[name]}")
                ui.label(f"{count:,}").classes("bar-number")
