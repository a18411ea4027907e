"""Every setting that is kept with the data: its meaning, its value, where that comes from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from annotated_types import Ge, Gt, Le
from nicegui import ui

from chatmem.config.groups import MemorySettings
from chatmem.engine.settings import Origin
from chatmem.errors import SettingError
from chatmem.interfaces.web.views.section import named
from chatmem.interfaces.web.visit import Visit

TABLE: Final = "memory."
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "whole": ("enabled", "auto_extract", "mask_secrets"),
    "recall": (
        "rag_top_n",
        "retrieval_limit",
        "enable_agentic_search",
        "scan_interval_seconds",
    ),
    "prompt": (
        "enable_user_profile",
        "context_limit",
        "session_summary_limit",
        "prompt_max_tokens",
        "memory_section_tokens",
        "main_section_tokens",
    ),
    "remember": (
        "min_new_messages",
        "extract_interval_seconds",
        "flush_threshold",
        "atomic_content_max_length",
        "dedup",
    ),
    "keep": (
        "main_max_tokens",
        "eviction_threshold",
        "working_memory_minutes",
        "archive_working_memory",
    ),
}
"""What stands together on the page."""
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {"dedup": ("prefix", "exact")}
_ORIGIN_ICONS: Final[Mapping[Origin, str]] = {
    "stored": "edit",
    "set": "description",
    "default": "radio_button_unchecked",
}


@dataclass(frozen=True, slots=True)
class _Known:
    """The values in force, and where each comes from, by the last part of the name."""

    values: Mapping[str, object]
    origins: Mapping[str, Origin]


class SettingsList:
    """The settings in groups, changed one by one; only an operator may."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._rows: list[_Row] = []

    async def load(self) -> None:
        """Build the list with what is in force."""
        visit = self._visit
        known = await visit.away(self._known)
        if not visit.is_operator:
            ui.label(visit.words("settings.read_only")).classes("muted")
        for group, names in GROUPS.items():
            with ui.card().classes("w-full gap-0 p-0"):
                title = ui.label(visit.words(f"settings.group_{group}"))
                title.classes("text-lg font-semibold px-4 pt-4 pb-1")
                title.props("role=heading aria-level=2")
                for name in names:
                    self._rows.append(_Row(self, visit, name, known))

    async def change(self, name: str, value: object) -> None:
        """Keep a value with the data.

        Raises:
            SettingError: a value that does not fit.
        """
        await self._visit.away_for_long(self._visit.memory.config.set, {TABLE + name: value})
        await self._show_again()

    async def unset(self, name: str) -> None:
        """Let the file, the environment or the default count again."""
        await self._visit.away_for_long(self._visit.memory.config.unset, [TABLE + name])
        await self._show_again()

    async def _show_again(self) -> None:
        known = await self._visit.away(self._known)
        for row in self._rows:
            row.show(known)
        ui.notify(self._visit.words("settings.saved"), type="positive")

    def _known(self) -> _Known:
        config = self._visit.memory.config
        values = {name.removeprefix(TABLE): value for name, value in config.get().items()}
        origins = {name: config.origin(TABLE + name) for name in values}
        return _Known(values, origins)


class _Row:
    """One setting: what it means on one side, its control on the other."""

    def __init__(self, owner: SettingsList, visit: Visit, name: str, known: _Known) -> None:
        self._owner = owner
        self._visit = visit
        self._name = name
        self._value = known.values[name]
        words = visit.words
        self._title = words(f"settings.name_{name}")
        with ui.row().classes("settings-row w-full items-center gap-x-6 gap-y-2 px-4 py-3"):
            with ui.column().classes("gap-0.5 grow basis-48 min-w-0"):
                ui.label(self._title).classes("font-medium break-words")
                ui.label(words(f"settings.about_{name}")).classes("muted text-sm break-words")
                with ui.row().classes("items-center gap-x-3 gap-y-0 text-xs muted"):
                    ui.label(TABLE + name).classes("font-mono break-all")
                    with ui.row().classes("items-center gap-1 no-wrap"):
                        self._icon = ui.icon("edit").props("aria-hidden=true")
                        self._origin = ui.label()
            with ui.row().classes("items-center gap-1 no-wrap settings-control"):
                self._reset = ui.button(icon="undo", on_click=self._unset).props("flat round dense")
                label = words("settings.reset", setting=self._title)
                named(self._reset, label).tooltip(words("settings.reset_short"))
                self._control = self._make_control()
        self.show(known)

    def show(self, known: _Known) -> None:
        """Show what is in force now."""
        self._value = known.values[self._name]
        origin = known.origins[self._name]
        self._control.value = self._value
        self._origin.set_text(self._visit.words(f"settings.origin_{origin}"))
        self._icon.name = _ORIGIN_ICONS[origin]
        may = origin == "stored" and self._visit.is_operator
        self._reset.visible = may

    def _make_control(self) -> ui.switch | ui.select | ui.number:
        control: ui.switch | ui.select | ui.number
        if isinstance(self._value, bool):
            control = ui.switch(value=self._value, on_change=self._settle)
        elif self._name in CHOICES:
            options = {one: self._visit.words(f"settings.{self._name}_{one}") for one in
                       CHOICES[self._name]}  # fmt: skip
            control = ui.select(options, value=self._value, on_change=self._settle)
            control.props("outlined dense").classes("w-48")
        else:
            control = self._number()
        named(control, self._title)
        if not self._visit.is_operator:
            control.disable()
        return control

    def _number(self) -> ui.number:
        value = cast(float | None, self._value)
        field = ui.number(value=value, format="%.10g").classes("w-36 settings-number")
        field.props("outlined dense hide-bottom-space input-class=text-right")
        if self._takes_nothing():
            field.props["placeholder"] = self._visit.words("settings.no_limit")
        field.on("blur", self._settle).on("keydown.enter", self._settle)
        return field

    def _takes_nothing(self) -> bool:
        return MemorySettings.model_fields[self._name].default is None

    async def _settle(self) -> None:
        """Keep what the control has, if that is new."""
        value = self._control.value
        whole = not isinstance(MemorySettings.model_fields[self._name].default, float)
        if isinstance(value, float) and whole and value.is_integer():
            value = int(value)
        if value == self._value:
            self._complain(None)
            return
        if value is None and not self._takes_nothing():
            self._complain(self._takes())
            return
        try:
            await self._owner.change(self._name, value)
        except SettingError:
            self._complain(self._takes())
        else:
            self._complain(None)

    async def _unset(self) -> None:
        self._complain(None)
        await self._owner.unset(self._name)

    def _complain(self, text: str | None) -> None:
        if isinstance(self._control, ui.number):
            self._control.error = text

    def _takes(self) -> str:
        """What a number has to be, in the visitor's words."""
        field = MemorySettings.model_fields[self._name]
        low = next((bound for bound in field.metadata if isinstance(bound, Ge | Gt)), None)
        high = next((bound.le for bound in field.metadata if isinstance(bound, Le)), None)
        kind = "number" if isinstance(field.default, float) else "whole"
        if isinstance(low, Gt):
            name = f"settings.takes_{kind}_above" + ("_to" if high is not None else "")
            return self._visit.words(name, low=low.gt, high=high)
        least = low.ge if low is not None else 0
        name = f"settings.takes_{kind}" + ("_to" if high is not None else "")
        return self._visit.words(name, low=least, high=high)
