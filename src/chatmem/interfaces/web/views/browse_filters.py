"""What a person wants to see of all memories: text, kinds, times, and the moment to look from."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any, Final, Literal, TypeAlias, get_args

from nicegui import events, ui

from chatmem.interfaces.web.saying import day
from chatmem.interfaces.web.visit import Visit
from chatmem.model import (
    CATEGORIES,
    KINDS,
    MEMORY_STATES,
    MEMORY_TYPES,
    SOURCES,
    VISIBILITIES,
    MemoryFilter,
)

ANY: Final = "any"
"""What a choice says that asks for nothing."""
START: Final = MemoryFilter(memory_type="long_term")
"""What is shown first: what is remembered, not all that was ever said."""
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "memory_type": MEMORY_TYPES,
    "category": CATEGORIES,
    "state": MEMORY_STATES,
    "kind": KINDS,
    "source": SOURCES,
    "visibility": VISIBILITIES,
}
Whose: TypeAlias = Literal["mine", "shared"]
WHOSE: Final[tuple[Whose, ...]] = get_args(Whose)
_FIELD: Final = "outlined dense"
_DEBOUNCE_MS: Final = 100
_SENT: Final = "(event) => emit(event.target.value)"


def asked_for(query: Mapping[str, str]) -> MemoryFilter:
    """The filter that an address asks for: `?memory_type=any&category=fact&text=tea`."""
    values: dict[str, Any] = {}
    for name, choices in _CHOICES.items():
        chosen = query.get(name)
        if chosen in choices:
            values[name] = chosen
        elif chosen == ANY and name != "state":
            values[name] = None
    for name in ("text", "session_id"):
        if query.get(name):
            values[name] = query[name]
    if "session_id" in values:
        values.setdefault("memory_type", None)
    return replace(START, **values)


class Filters:
    """The controls; `on_change` gets the filter that they ask for."""

    def __init__(
        self,
        visit: Visit,
        wanted: MemoryFilter,
        first: date | None,
        on_change: Callable[[MemoryFilter], Awaitable[None]],
        *,
        whose: Whose | None = None,
    ) -> None:
        """`first` is the day of the oldest memory, None where there is none.

        `whose` are shown at first; None where nobody shares anything, and there is no choice.
        """
        self._visit = visit
        self._wanted = wanted
        self._begins_with = self._whose = whose or "mine"
        self._on_change = on_change
        self._fields: dict[str, ui.input | ui.select] = {}
        self._owners: ui.select | None = None
        words = visit.words
        with ui.card().classes("w-full p-3 sm:p-4 gap-3"):
            with ui.element("div").classes("browse-filters"):
                self._text("text", icon="search").classes("browse-wide")
                if whose is not None:
                    self._of(whose)
                for name in ("memory_type", "category", "state"):
                    self._choice(name)
            with (
                ui.expansion(words("browse.more_filters"), icon="tune").classes(
                    "w-full browse-more"
                ),
                ui.element("div").classes("browse-filters browse-rest pt-2"),
            ):
                for name in ("kind", "source", "visibility"):
                    self._choice(name)
                self._text("session_id")
                self._date("time_from", time.min)
                self._date("time_to", time.max)
            with ui.row().classes("w-full items-center gap-x-4 gap-y-1"):
                self._slider(first)
                self._clear = ui.button(
                    words("browse.clear"), icon="filter_alt_off", on_click=self._start_again
                ).props("flat dense no-caps")
        self._note()

    @property
    def wanted(self) -> MemoryFilter:
        """The filter as it stands."""
        return self._wanted

    @property
    def are_shared(self) -> bool:
        """True when what others share is asked for."""
        return self._whose == "shared"

    def _of(self, whose: Whose) -> None:
        words = self._visit.words
        options = {one: words(f"browse.whose_{one}") for one in WHOSE}

        async def choose(event: events.ValueChangeEventArguments[Whose]) -> None:
            if event.value != self._whose:
                self._whose = event.value
                self._note()
                await self._on_change(self._wanted)

        field = ui.select(options, label=words("browse.whose"), value=whose, on_change=choose)
        self._owners = field.props(f"{_FIELD} options-dense")

    def _text(self, name: str, icon: str | None = None) -> ui.input:
        field = ui.input(
            self._visit.words(f"browse.{name}"),
            value=getattr(self._wanted, name) or "",
            on_change=lambda event: self._set(name, event.value or None),
        )
        field.props(f"{_FIELD} clearable debounce={_DEBOUNCE_MS}")
        if icon:
            with field.add_slot("prepend"):
                ui.icon(icon).props("aria-hidden=true")
        self._fields[name] = field
        return field

    def _choice(self, name: str) -> None:
        words = self._visit.words
        options = {} if name == "state" else {ANY: words(f"browse.any_{name}")}
        options |= {one: words(f"card.{_word(name)}_{one}") for one in _CHOICES[name]}
        field = ui.select(
            options,
            label=words(f"browse.{name}"),
            value=getattr(self._wanted, name) or ANY,
            on_change=lambda event: self._set(name, None if event.value == ANY else event.value),
        )
        self._fields[name] = field.props(f"{_FIELD} options-dense")

    def _date(self, name: str, of_day: time) -> None:
        def change(event: events.ValueChangeEventArguments[str | None]) -> Awaitable[None]:
            return self._set(name, _moment(event.value, of_day))

        field = ui.input(self._visit.words(f"browse.{name}"), on_change=change)
        self._fields[name] = field.props(f"{_FIELD} type=date stack-label debounce={_DEBOUNCE_MS}")

    def _slider(self, first: date | None) -> None:
        """The moment to look from: a day between the oldest memory's and this one."""
        words = self._visit.words
        today = datetime.now().astimezone().date()
        self._last = today.toordinal()
        with ui.row(wrap=False).classes("grow items-center gap-3 browse-as-of"):
            ui.icon("history", size="sm").classes("muted").props("aria-hidden=true")
            self._seen_from = ui.label().classes("text-sm shrink-0 browse-seen-from")
            self._slide = ui.element("input").props(
                f"type=range min={(first or today).toordinal()} max={self._last} step=1 "
                f'aria-label="{words("browse.as_of")}"'
            )
            self._slide.classes("grow browse-slide")
            self._slide.on("input", self._slid, throttle=0.05, js_handler=_SENT)
            self._slide.on("change", self._look_back, js_handler=_SENT)
        if first is None or first >= today:
            self._slide.props("disabled")
        self._put(self._last)

    def _put(self, chosen: int) -> None:
        """Say which day is chosen, where it is seen and where it is heard."""
        words, text = self._visit.words, self._visit.words("browse.as_of_now")
        if chosen < self._last:
            noon = datetime.combine(date.fromordinal(chosen), time(12))
            text = words("browse.as_of_day", day=day(words, noon))
        self._seen_from.set_text(text)
        self._slide.props["value"] = chosen
        self._slide.props["aria-valuetext"] = text

    def _slid(self, event: events.GenericEventArguments) -> None:
        self._put(_ordinal(event.args, self._last))

    async def _look_back(self, event: events.GenericEventArguments) -> None:
        chosen = _ordinal(event.args, self._last)
        self._put(chosen)
        begins_next = datetime.combine(date.fromordinal(chosen) + timedelta(days=1), time.min)
        end_of_day = begins_next - timedelta(milliseconds=1)
        await self._set("as_of", None if chosen >= self._last else end_of_day)

    async def _set(self, name: str, value: object) -> None:
        changed = replace(self._wanted, **{name: value})  # type: ignore[arg-type]
        if changed != self._wanted:
            self._wanted = changed
            self._note()
            await self._on_change(changed)

    async def _start_again(self) -> None:
        """Everything as it was at first."""
        self._wanted, self._whose = START, self._begins_with
        if self._owners:
            self._owners.set_value(self._whose)
        for name, field in self._fields.items():
            value = getattr(START, name)
            field.set_value(value or (ANY if name in _CHOICES else ""))
        self._put(self._last)
        self._note()
        await self._on_change(START)

    def _note(self) -> None:
        """What has no meaning now is switched off; starting again is offered where it matters."""
        self._fields["state"].set_enabled(self._wanted.as_of is None)
        self._fields["session_id"].set_enabled(not self.are_shared)
        is_start = self._wanted == START and self._whose == self._begins_with
        self._clear.set_visibility(not is_start)


def _word(name: str) -> str:
    return "type" if name == "memory_type" else name


def _ordinal(sent: object, last: int) -> int:
    """The day that the slider stands on, whatever a browser sends."""
    text = str(sent)
    return min(max(1, int(text)), last) if text.isascii() and text.isdigit() else last


def _moment(text: str | None, of_day: time) -> datetime | None:
    try:
        return datetime.combine(date.fromisoformat(text), of_day) if text else None
    except ValueError:  # half typed
        return None
