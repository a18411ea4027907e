"""Overview: how much is remembered, what is under way, what works, how fast it is."""

from dataclasses import dataclass

from fastapi import Request
from nicegui import ui

from chatmem.engine.diagnosis import Stats
from chatmem.interfaces.web.views.overview_growth import CategoryCounts, GrowthPanel, category_bars
from chatmem.interfaces.web.views.overview_latency import LatencyPanel
from chatmem.interfaces.web.views.overview_queue import QueuePanel
from chatmem.interfaces.web.views.overview_works import works_panel
from chatmem.interfaces.web.views.section import section
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.words import Words

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Numbers:
    stats: Stats
    categories: CategoryCounts


async def show(visit: Visit, request: Request) -> None:
    """The view."""
    words = visit.words
    numbers = await visit.away(_numbers, visit)
    with ui.element("dl").classes("tiles w-full"):
        _tiles(words, numbers.stats)
    with section(words("overview.growth"), "trending_up"):
        await GrowthPanel(visit).load()
    with ui.element("div").classes("overview-pairs w-full"):
        with ui.column().classes("w-full gap-4"):
            with section(words("overview.categories"), "category"):
                category_bars(words, numbers.categories)
            with section(words("overview.works"), "verified"):
                await works_panel(visit, numbers.stats)
        with ui.column().classes("w-full gap-4"):
            with section(words("overview.queue"), "pending_actions"):
                await QueuePanel(visit).load()
            with section(words("overview.latency"), "speed"):
                LatencyPanel(visit)


def _numbers(visit: Visit) -> _Numbers:
    return _Numbers(visit.memory.stats(), CategoryCounts.of(visit.memory))


def _tiles(words: Words, stats: Stats) -> None:
    tiles = (
        ("long_term", f"{stats.long_term:,}"),
        ("messages", f"{stats.messages:,}"),
        ("sessions", f"{stats.sessions:,}"),
        ("size", words("overview.mib", size=f"{stats.database_bytes / _MIB:.1f}")),
    )
    for name, value in tiles:
        with ui.element("div").classes("tile"):
            with ui.element("dt").classes("muted text-sm"):
                ui.label(words(f"overview.{name}"))
            with ui.element("dd").classes("tile-value m-0"):
                ui.label(value)
