"""The daily logs: a calendar, a note for any day, and the log itself. Source: S5.1.2."""

from contextlib import suppress
from datetime import date, datetime
from functools import partial

from fastapi import Request
from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from chatmem.engine.checks import MOST_LISTED
from chatmem.engine.service import MemoryService
from chatmem.interfaces.web.views.document import DocumentEditor, Source
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import button, hint, icon_button, redrawn, section
from chatmem.interfaces.web.words import words


async def show(visit: Visit, request: Request) -> None:
    """The calendar, and the log of the day that the address names, today's by default."""
    try:
        day = date.fromisoformat(request.query_params.get("day", ""))
    except ValueError:
        day = date.today()
    await _Daily(visit, day).open(day)


class _Daily:
    """A calendar that marks the days with a log, a note for the open day, and its log."""

    def __init__(self, visit: Visit, day: date) -> None:
        self._visit = visit
        self._day = day
        self._days: list[date] = []
        self._editor: DocumentEditor | None = None
        with ui.element("div").classes("daily w-full"):
            with section(words("daily.calendar"), "calendar_month"):
                self._build_calendar()
            with ui.column().classes("w-full gap-4 min-w-0"):
                with section(words("daily.new"), "add_comment"):
                    with ui.row().classes("w-full items-start gap-2 no-wrap"):
                        self._note = ui.input(words("daily.note"))
                        self._note.props("outlined dense maxlength=4000").classes("flex-1 min-w-0")
                        self._note.on("keydown.enter", self._add)
                        add = button(words("daily.add"), self._add, icon="add", look="main")
                        add.classes("h-10")
                    self._hint = hint("")
                self._log = ui.column().classes("w-full min-w-0 gap-0")

    async def open(self, day: date) -> None:
        """Show the log of this day."""
        logs = self._visit.memory.daily_logs
        start = await self._visit.run(logs.read, day)
        if self._editor:
            self._editor.close()
        self._day = day
        self._hint.set_text(words("daily.hint_today" if day == date.today() else "daily.hint"))
        await self._show_days()
        source = Source(
            f"{day.isoformat()}.md",
            partial(logs.read, day),
            partial(logs.write, day, forget=True),  # the editor has asked
            on_saved=self._show_days,
            guards_memories=True,
        )
        title = words.day(datetime(day.year, day.month, day.day, 12))
        heading = words(f"daily.title_{day.isoweekday()}", day=title)
        with redrawn(self._log), section(heading, "edit_note"):
            self._editor = DocumentEditor(self._visit, source, start)

    async def _go(self, day: date) -> None:
        """Open another day, unless the person stays with unsaved text."""
        if day == self._day:
            return
        if self._editor and not await self._editor.may_be_left():
            self._calendar.set_value(self._day.isoformat())
            return
        await self.open(day)
        ui.navigate.history.replace(f"/daily?day={day.isoformat()}")

    def _build_calendar(self) -> None:
        self._calendar = ui.date(self._day.isoformat(), on_change=self._picked)
        self._calendar.props("flat minimal no-unset").classes("daily-calendar w-full")
        with ui.row().classes("w-full items-center justify-between gap-1"):
            self._before = icon_button(
                "chevron_left", words("daily.before"), partial(self._step, -1)
            )
            today = button(words("daily.today"), look="flat", dense=True)
            today.on_click(lambda: self._go(date.today()))
            self._after = icon_button("chevron_right", words("daily.after"), partial(self._step, 1))
        self._count = hint("")

    async def _picked(self, event: ValueChangeEventArguments[object]) -> None:
        with suppress(ValueError):
            await self._go(date.fromisoformat(str(event.value)))

    async def _step(self, by: int) -> None:
        """Open the next day with a log, where there is one; before this one for -1."""
        beyond = [one for one in self._days if by * (one - self._day).days > 0]
        await self._go(min(beyond, key=lambda one: abs(one - self._day), default=self._day))

    async def _show_days(self) -> None:
        """Mark the days that have a log, and the one that is open."""
        day = self._day
        self._days = days = await self._visit.run(days_with_logs, self._visit.memory)
        self._calendar.set_value(day.isoformat())
        self._calendar.props["events"] = [f"{one:%Y/%m/%d}" for one in days]
        self._before.set_enabled(bool(days) and days[0] < day)
        self._after.set_enabled(bool(days) and days[-1] > day)
        self._count.set_text(
            words.counted("daily.count", len(days)) if days else words("daily.none")
        )

    async def _add(self) -> None:
        entry = str(self._note.value or "").strip()
        if not entry:
            self._note.run_method("focus")
            return
        append = partial(self._visit.memory.daily_logs.append, self._day, entry)
        await self._visit.carry_out(append, "daily.added")
        self._note.set_value("")
        if self._editor:
            await self._editor.look()
        await self._show_days()


def days_with_logs(memory: MemoryService) -> list[date]:
    """Every day that has a log, the earliest first."""
    found: list[date] = []
    while True:
        page = memory.daily_logs.days(MOST_LISTED, len(found))
        found += page.items
        if not page.items or len(found) >= page.total:
            return sorted(found)
