"""The daily logs: a calendar of the days that have one, a note for any day, and the log itself.

Source: S5.1.2.
"""

from datetime import date, datetime

from fastapi import Request
from nicegui import ui

from chatmem.interfaces.web.layout import address
from chatmem.interfaces.web.saying import day as written_day
from chatmem.interfaces.web.views.daily_calendar import Calendar, days_with_logs
from chatmem.interfaces.web.views.document import DocumentEditor, Hooks, Source
from chatmem.interfaces.web.views.document_forgets import may_forget
from chatmem.interfaces.web.views.document_unsaved import may_leave
from chatmem.interfaces.web.views.section import section
from chatmem.interfaces.web.visit import Visit


async def show(visit: Visit, request: Request) -> None:
    """The calendar, and the log of the day that the address names, today's by default."""
    view = _Daily(visit, _asked_for(request.query_params.get("day", "")))
    await view.open(view.day)


class _Daily:
    """The view with one day open."""

    def __init__(self, visit: Visit, day: date) -> None:
        self._visit = visit
        self.day = day
        self._editor: DocumentEditor | None = None
        words = visit.words
        with ui.element("div").classes("daily w-full"):
            with section(words("daily.calendar"), "calendar_month"):
                self._calendar = Calendar(visit, day, self.go)
            with ui.column().classes("w-full gap-4 min-w-0"):
                self._note_card()
                self._log = ui.column().classes("w-full min-w-0 gap-0")

    async def go(self, day: date) -> None:
        """Open another day, unless the person would rather stay with what is unsaved."""
        if day == self.day:
            return
        if self._editor and not await may_leave(self._visit, self._editor):
            self._calendar.set(self.day)
            return
        await self.open(day)
        ui.navigate.history.replace(f"{address('/daily')}?day={day.isoformat()}")

    async def open(self, day: date) -> None:
        """Show the log of this day."""
        logs = self._visit.memory.daily_logs
        start = await self._visit.away(logs.read, day)
        if self._editor:
            self._editor.close()
        self.day = day
        is_today = day == datetime.now().astimezone().date()
        self._hint.set_text(self._visit.words("daily.hint_today" if is_today else "daily.hint"))
        await self._show_days()
        source = Source(
            f"{day.isoformat()}.md",
            lambda: logs.read(day),
            lambda text, etag: logs.write(day, text, etag),
        )
        self._log.clear()
        with self._log, section(_title(self._visit, day), "edit_note"):
            hooks = Hooks(may_save=self._may_save, on_saved=self._show_days)
            self._editor = DocumentEditor(self._visit, source, start, hooks=hooks)

    async def _show_days(self) -> None:
        days = await self._visit.away(days_with_logs, self._visit.memory)
        self._calendar.show(self.day, days)

    async def _may_save(self, before: str, after: str) -> bool:
        return await may_forget(self._visit, before, after)

    def _note_card(self) -> None:
        words = self._visit.words
        with section(words("daily.new"), "add_comment"):
            with ui.row().classes("w-full items-start gap-2 no-wrap"):
                self._note = ui.input(words("daily.note")).props("outlined dense maxlength=4000")
                self._note.classes("flex-1 min-w-0").on("keydown.enter", self._add)
                add = ui.button(words("daily.add"), icon="add", on_click=self._add)
                add.props("unelevated no-caps").classes("h-10")
            self._hint = ui.label().classes("muted text-sm")

    async def _add(self) -> None:
        entry = str(self._note.value or "").strip()
        if not entry:
            self._note.run_method("focus")
            return
        await self._visit.away_for_long(self._visit.memory.daily_logs.append, self.day, entry)
        self._note.set_value("")
        ui.notify(self._visit.words("daily.added"), type="positive")
        if self._editor:
            await self._editor.look()
        await self._show_days()


def _asked_for(given: str) -> date:
    try:
        return date.fromisoformat(given)
    except ValueError:
        return datetime.now().astimezone().date()


def _title(visit: Visit, day: date) -> str:
    said = written_day(visit.words, datetime(day.year, day.month, day.day, 12))
    return visit.words(f"daily.title_{day.isoweekday()}", day=said)
