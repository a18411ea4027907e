"""A calendar in which the days that have a log stand out."""

from bisect import bisect_left, bisect_right
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import date, datetime

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from chatmem.engine.remember.markdown import MOST_LISTED
from chatmem.engine.service import MemoryService
from chatmem.interfaces.web.saying import counted
from chatmem.interfaces.web.visit import Visit


def days_with_logs(memory: MemoryService) -> list[date]:
    """Every day that has a log, the earliest first. To be called away."""
    found: list[date] = []
    while True:
        page = memory.daily_logs.days(MOST_LISTED, len(found))
        found += page.items
        if not page.items or len(found) >= page.total:
            return sorted(found)


class Calendar:
    """The calendar, and the steps to the log before and the log behind the day that is open."""

    def __init__(self, visit: Visit, day: date, go: Callable[[date], Awaitable[None]]) -> None:
        self._visit = visit
        self._go = go
        self._day = day
        self._days: Sequence[date] = ()
        words = visit.words
        self._calendar = ui.date(day.isoformat(), on_change=self._picked)
        self._calendar.props("flat minimal no-unset").classes("daily-calendar w-full")
        with ui.row().classes("w-full items-center justify-between gap-1"):
            self._before = self._step("chevron_left", words("daily.before"), self._go_before)
            today = ui.button(words("daily.today"), on_click=self._go_today)
            today.props("flat dense no-caps")
            self._after = self._step("chevron_right", words("daily.after"), self._go_after)
        self._count = ui.label().classes("muted text-sm")

    def show(self, day: date, days: Sequence[date]) -> None:
        """Mark the days that have a log, and the one that is open."""
        self._day, self._days = day, days
        self.set(day)
        self._calendar.props["events"] = [one.strftime("%Y/%m/%d") for one in days]
        self._before.set_enabled(bool(days) and days[0] < day)
        self._after.set_enabled(bool(days) and days[-1] > day)
        words = self._visit.words
        self._count.set_text(
            counted(words, "daily.count", len(days)) if days else words("daily.none")
        )

    def set(self, day: date) -> None:
        """Show this day as the one that is open."""
        self._day = day
        self._calendar.set_value(day.isoformat())

    def _step(self, icon: str, label: str, go: Callable[[], Awaitable[None]]) -> ui.button:
        button = ui.button(icon=icon, on_click=go).props("flat round dense")
        button.props["aria-label"] = label
        button.tooltip(label)
        return button

    async def _picked(self, event: ValueChangeEventArguments[object]) -> None:
        with suppress(ValueError):
            day = date.fromisoformat(str(event.value))
            if day != self._day:
                await self._go(day)

    async def _go_today(self) -> None:
        await self._go(datetime.now().astimezone().date())

    async def _go_before(self) -> None:
        place = bisect_left(self._days, self._day)
        if place:
            await self._go(self._days[place - 1])

    async def _go_after(self) -> None:
        place = bisect_right(self._days, self._day)
        if place < len(self._days):
            await self._go(self._days[place])
