"""How fast this memory answers: its everyday calls, made now and timed."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from nicegui import ui

from chatmem.engine.service import MemoryService
from chatmem.interfaces.web.visit import Visit

SAMPLES: Final = 12
_ASKED_CHARS: Final = 60
_USUAL: Final = ("What do I like?", "我住在哪里？")
"""Asked where nothing is kept that could be asked for."""


@dataclass(frozen=True, slots=True)
class Timed:
    """Median and slowest of some calls, in milliseconds."""

    name: str
    median_ms: float
    slowest_ms: float


def measure(memory: MemoryService) -> list[Timed]:
    """How long a search, a recall, a page of the table and MEMORY.md take; nothing is changed."""
    newest = memory.list_memories(None, SAMPLES).items
    asked = tuple(one.content[:_ASKED_CHARS] for one in newest) or _USUAL
    memory.search_memories(asked[0])  # what is loaded once is not what it costs each time
    return [
        _timed("search", [partial(memory.search_memories, text) for text in asked]),
        _timed("recall", [partial(memory.get_relevant_memories, text) for text in asked]),
        _timed("browse", [memory.browse] * SAMPLES),
        _timed("main", [memory.read_main] * SAMPLES),
    ]


def _timed(name: str, calls: Sequence[Callable[[], object]]) -> Timed:
    taken = []
    for call in calls:
        began_s = time.perf_counter()
        call()
        taken.append((time.perf_counter() - began_s) * 1000)
    taken.sort()
    return Timed(name, taken[(len(taken) - 1) // 2], taken[-1])


class LatencyPanel:
    """Bars on a logarithmic scale, measured once the page is there, and on request."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        words = visit.words
        ui.label(words("overview.latency_about", count=SAMPLES)).classes("muted text-sm")
        self._place = ui.column().classes("w-full gap-2")
        with self._place:
            ui.label(words("overview.measuring")).classes("muted")
        self._button = ui.button(words("overview.measure"), icon="replay", on_click=self.measure)
        self._button.props("flat dense no-caps")
        ui.timer(0.1, self.measure, once=True)

    async def measure(self) -> None:
        """Time the calls, and show what came of it."""
        words = self._visit.words
        self._button.disable()
        try:
            found = await self._visit.away(measure, self._visit.memory)
        finally:
            self._button.enable()
        most = max(one.slowest_ms for one in found)
        self._place.clear()
        with self._place, ui.element("dl").classes("bars w-full m-0"):
            for one in found:
                with ui.element("dt"):
                    ui.label(words(f"overview.call_{one.name}"))
                with ui.element("dd").classes("m-0"):
                    with ui.element("div").classes("bar").props("aria-hidden=true"):
                        for name, value in (("slow", one.slowest_ms), ("usual", one.median_ms)):
                            width = f"width: {100 * _width(value, most):.1f}%"
                            ui.element("div").classes(f"bar-{name}").style(width)
                    text = words(
                        "overview.took", median=_shown(one.median_ms), most=_shown(one.slowest_ms)
                    )
                    ui.label(text).classes("bar-number")


def _width(value_ms: float, most_ms: float) -> float:
    """In [0.02, 1]: by the logarithm, since calls differ by a thousand times."""
    share = math.log1p(value_ms * 10) / math.log1p(max(most_ms, 0.1) * 10)
    return min(1.0, max(0.02, share))


def _shown(milliseconds: float) -> str:
    if milliseconds < 0.1:
        return "< 0.1"
    return f"{milliseconds:.0f}" if milliseconds >= 10 else f"{milliseconds:.1f}"
