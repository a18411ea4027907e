"""The switch that lets chatmem remember by itself. Source: S5.9.2."""

from contextlib import suppress

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from chatmem.errors import ChatmemError
from chatmem.interfaces.web.views.section import section
from chatmem.interfaces.web.visit import Visit

SETTING = "memory.auto_extract"
ALL_OF_IT = "memory.enabled"
LOOK_SECONDS = 5.0


class AutomaticMemory:
    """A card with the switch; it follows when the setting is changed elsewhere."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._stored: bool | None = None
        words = visit.words
        with section(words("memory.automatic"), "auto_awesome"):
            self._switch = ui.switch(words("memory.automatic_switch"), on_change=self._changed)
            self._switch.classes("-ml-2").set_enabled(visit.is_operator)
            self._about = ui.label().classes("muted text-sm")
            if not visit.is_operator:
                ui.label(words("memory.automatic_operator")).classes("muted text-sm")
        ui.timer(LOOK_SECONDS, self.look, immediate=False)

    async def look(self) -> None:
        """Show the setting as it is now."""
        with suppress(ChatmemError):
            values = await self._visit.away(self._visit.memory.config.get)
            self._stored = bool(values[SETTING])
            self._switch.set_value(self._stored)
            self._describe(self._stored, everything=bool(values[ALL_OF_IT]))

    async def _changed(self, event: ValueChangeEventArguments[bool | None]) -> None:
        wanted = bool(event.value)
        if wanted == self._stored:
            return
        before, self._stored = self._stored, wanted
        words = self._visit.words
        try:
            await self._visit.away_for_long(self._visit.memory.config.set, {SETTING: wanted})
        except ChatmemError:
            self._stored = before
            self._switch.set_value(bool(before))
            raise
        await self.look()
        ui.notify(words("memory.automatic_is_on" if wanted else "memory.automatic_is_off"))

    def _describe(self, on: bool, *, everything: bool) -> None:
        name = "about_none" if not everything else "about_on" if on else "about_off"
        self._about.set_text(self._visit.words(f"memory.automatic_{name}"))
