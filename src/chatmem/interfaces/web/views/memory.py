"""MEMORY.md: an editor, and how much of it reaches a prompt; for a new user a welcome.

Source: S5.9.1, S5.9.2, S2.6.1.
"""

from contextlib import suppress
from functools import partial
from typing import Final

from fastapi import Request
from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from chatmem.engine.importing import ImportReport
from chatmem.errors import ChatmemError
from chatmem.interfaces.web.views.document import DocumentEditor, Source
from chatmem.interfaces.web.views.file_import import ImportPanel, ProgressBar
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import button, heading, hint, listed, named, section
from chatmem.interfaces.web.words import words
from chatmem.lab.demo import play
from chatmem.text.languages import SCRIPTS

_AUTO_EXTRACT: Final = "memory.auto_extract"
_ENABLED: Final = "memory.enabled"
_LOOK_SECONDS: Final = 5.0
_STEPS: Final = (("forum", "talk"), ("auto_awesome", "remember"), ("edit_note", "change"))


async def show(visit: Visit, request: Request) -> None:
    """The editor, the switch and the meter; where nothing is kept yet, a welcome before them."""
    memory = visit.memory
    stats = await visit.run(memory.stats)
    if not (stats.messages or stats.short_term or stats.long_term):
        _welcome(visit)
    start = await visit.run(memory.main.read)
    with ui.element("div").classes("memory-top w-full"):
        automatic = AutomaticMemory(visit)
        meter = BudgetMeter(visit)
    await automatic.look()
    await meter.weigh(start.content)
    with section(words("memory.file"), "description"):
        hint(words("memory.file_about"), "-mt-2")
        main = memory.main
        write = partial(main.write, forget=True)  # the editor has asked
        source = Source("MEMORY.md", main.read, write, meter.weigh, guards_memories=True)
        DocumentEditor(visit, source, start)


class AutomaticMemory:
    """The switch that lets chatmem remember by itself; it follows changes made elsewhere."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._stored: bool | None = None
        with section(words("memory.automatic"), "auto_awesome"):
            self._switch = ui.switch(words("memory.automatic_switch"), on_change=self._changed)
            self._switch.classes("-ml-2").set_enabled(visit.is_operator)
            self._about = hint("")
            if not visit.is_operator:
                hint(words("memory.automatic_operator"))
        ui.timer(_LOOK_SECONDS, self.look, immediate=False)

    async def look(self) -> None:
        """Show the setting as it is now."""
        with suppress(ChatmemError):
            values = await self._visit.run(self._visit.memory.config.get)
            self._stored = bool(values[_AUTO_EXTRACT])
            self._switch.set_value(self._stored)
            name = "none" if not values[_ENABLED] else "on" if self._stored else "off"
            self._about.set_text(words(f"memory.automatic_about_{name}"))

    async def _changed(self, event: ValueChangeEventArguments[bool | None]) -> None:
        wanted = bool(event.value)
        if wanted == self._stored:
            return
        try:
            await self._visit.run_slow(self._visit.memory.config.set, {_AUTO_EXTRACT: wanted})
        finally:
            await self.look()
        ui.notify(words(f"memory.automatic_is_{'on' if wanted else 'off'}"))


class BudgetMeter:
    """A bar of how much of MEMORY.md reaches a prompt. Source: S5.6.1, S5.9.1."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        title = words("memory.budget")
        with section(title, "data_usage"):
            with named(ui.element("div"), title).classes("budget-track") as self._track:
                self._used = ui.element("div").classes("budget-used")
                self._rest = ui.element("div").classes("budget-rest")
                self._mark = ui.element("div").classes("budget-mark")
            self._track.props("role=meter aria-valuemin=0")
            self._size = ui.label().classes("font-medium")
            self._reach = hint("")
            self._full = ui.label(words("memory.budget_full")).classes("budget-full text-sm")

    async def weigh(self, text: str) -> None:
        """Show how much of this text would reach a prompt."""
        language = SCRIPTS[words.language].code
        reach = await self._visit.run(self._visit.memory.main.reach, text, language)
        is_whole = reach.shown == reach.memories and reach.tokens <= reach.most_shown
        taken = reach.tokens if is_whole else min(reach.shown_tokens, reach.tokens)
        scale = max(reach.most, reach.tokens, 1)
        self._used.style(f"width: {taken / scale:.2%}")
        self._rest.style(f"width: {(reach.tokens - taken) / scale:.2%}")
        self._mark.style(f"left: {min(reach.most_shown, scale) / scale:.2%}")
        size = words("memory.budget_size", tokens=f"{reach.tokens:,}", most=f"{reach.most:,}")
        self._size.set_text(size)
        name = "empty" if not reach.tokens else "whole" if is_whole else "part"
        message = words(
            f"memory.budget_{name}",
            shown=f"{reach.shown:,}",
            memories=f"{reach.memories:,}",
            tokens=f"{reach.shown_tokens:,}",
            most=f"{reach.most_shown:,}",
        )
        self._reach.set_text(message)
        self._full.set_visibility(reach.tokens > reach.most)
        self._track.props(f"aria-valuenow={reach.tokens} aria-valuemax={scale}")
        self._track.props["aria-valuetext"] = f"{size}. {message}"


def _welcome(visit: Visit) -> None:

    async def fill() -> None:
        with bar.during(words("first_run.playing"), start):
            await visit.run_slow(play, visit.memory, bar.note)
        ui.navigate.reload()

    with ui.card().classes("w-full gap-4 p-4"):
        heading(words("first_run.title"), classes="text-xl font-semibold")
        ui.label(words("first_run.about")).classes("muted")
        for icon, step in listed(_STEPS, "first-run-steps w-full", "ol", "gap-1 flex flex-col"):
            ui.icon(icon, size="md", color="primary").props("aria-hidden=true")
            ui.label(words(f"first_run.{step}")).classes("font-medium")
            hint(words(f"first_run.{step}_about"))
    with ui.element("div").classes("first-run-ways w-full"):
        with _way("demo"):
            start = button(words("first_run.play"), fill, icon="play_arrow", look="main")
            bar = ProgressBar()
        with _way("import"):
            ImportPanel(visit, _go_on)
        with _way("connect"):
            button(words("first_run.chat"), lambda: ui.navigate.to("/chat"), icon="chat_bubble")
            for command in ("chatmem chat", "chatmem mcp"):
                ui.label(command).classes("font-mono text-sm settings-key px-2 py-1")


def _way(name: str) -> ui.card:
    card = ui.card().classes("w-full gap-3 p-4")
    with card:
        heading(words(f"first_run.{name}"))
        hint(words(f"first_run.{name}_about"))
    return card


async def _go_on(report: ImportReport) -> None:
    if report.messages or report.memories:
        ui.navigate.reload()
