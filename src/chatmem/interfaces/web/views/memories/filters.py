"""What a person wants to see of all memories: words, kinds, times, and the moment to look from."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from nicegui import events, ui

from chatmem import model
from chatmem.interfaces.web.widgets import button, decoration, hint, named, toggle
from chatmem.interfaces.web.words import words
from chatmem.model import MemoryFilter

Whose: TypeAlias = Literal["mine", "shared"]
Mode: TypeAlias = Literal["list", "search", "recall"]
"""A table of what contains the words, a search for them, or what would be recalled for them."""
ANY: Final = "any"
"""What a choice says that asks for nothing."""
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "memory_type": model.MEMORY_TYPES,
    "category": model.CATEGORIES,
    "state": model.MEMORY_STATES,
    "kind": model.KINDS,
    "source": model.SOURCES,
    "visibility": model.VISIBILITIES,
}
_OF_DAY: Final = {"time_from": time.min, "time_to": time.max}
_FIELD: Final = "outlined dense"
_DEBOUNCE_MS: Final = 100
_SENT: Final = "(event) => emit(event.target.value)"


class Scope(NamedTuple):
    """What there is to choose from.

    `sessions` are titles by id, `first` the day of the oldest memory; `whose` is what is shown
    first, None where nobody shares anything.
    """

    sessions: Mapping[str, str]
    first: date
    whose: Whose | None


def filter_of(query: Mapping[str, str], start: MemoryFilter) -> MemoryFilter:
    """The filter that an address asks for: `?memory_type=any&category=fact&session_id=s1`."""
    values: dict[str, Any] = {}
    for name, choices in _CHOICES.items():
        chosen = query.get(name)
        if chosen in choices:
            values[name] = chosen
        elif chosen == ANY and name != "state":
            values[name] = None
    if query.get("session_id"):
        values["session_id"] = query["session_id"]
        values.setdefault("memory_type", None)
    return replace(start, **values)


class Filters:
    """The controls; `on_change` is called when something else is asked for.

    At first a table shows what is remembered, a search all that was ever said, as far as the
    address's query does not ask for something else.
    """

    def __init__(
        self,
        scope: Scope,
        mode: Mode,
        query: Mapping[str, str],
        on_change: Callable[[], Awaitable[None]],
    ) -> None:
        self._scope = scope
        self._on_change = on_change
        self._fields: dict[str, ui.input | ui.select] = {}
        self._start = MemoryFilter(memory_type="long_term" if mode == "list" else None)
        text = query.get("text" if mode == "list" else "q", "").strip()
        self.wanted = replace(filter_of(query, self._start), text=text or None)
        self.mode = mode
        self.whose: Whose = scope.whose or "mine"
        self._as_of: datetime | None = None
        with ui.card().classes("w-full p-3 sm:p-4 gap-3"):
            with ui.row().classes("w-full items-center gap-3"):
                self._text = ui.input(value=text, on_change=self._changed)
                self._text.classes("grow basis-80")
                self._text.props(f"{_FIELD} clearable debounce={_DEBOUNCE_MS}")
                if self.mode != "list":
                    self._text.props("autofocus")
                with self._text.add_slot("prepend"):
                    decoration("search", "sm")
                modes = {one: words(f"search.way_{one}") for one in ("list", "search", "recall")}
                self._mode = toggle(modes, self.mode).on_value_change(self._changed)
            self._way_about = hint("")
            with ui.element("div").classes("browse-filters"):
                if scope.whose is not None:
                    options = {one: words(f"browse.whose_{one}") for one in ("mine", "shared")}
                    self._select("whose", options, scope.whose)
                for name in ("memory_type", "category", "state"):
                    self._choice(name)
            more = ui.expansion(words("browse.more_filters"), icon="tune")
            with (
                more.classes("w-full browse-more"),
                ui.element("div").classes("browse-filters browse-rest pt-2"),
            ):
                for name in ("kind", "source", "visibility"):
                    self._choice(name)
                chosen = self.wanted.session_id  # by its title, or by an id that is typed
                known = {**({chosen: chosen} if chosen else {}), **scope.sessions}
                typed = {"with_input": True, "new_value_mode": "add-unique", "key_generator": str}
                self._select("session_id", known, chosen, clearable=True, **typed)
                for name in _OF_DAY:
                    field = ui.input(words(f"browse.{name}"), on_change=self._changed)
                    field.props(f"{_FIELD} type=date stack-label debounce={_DEBOUNCE_MS}")
                    self._fields[name] = field
            with ui.row().classes("w-full items-center gap-x-4 gap-y-1"):
                self._slider()
                self._clear = button(
                    words("browse.clear"),
                    self._reset,
                    icon="filter_alt_off",
                    look="flat",
                    dense=True,
                )
        self._show_state()

    @property
    def are_set(self) -> bool:
        """True where more is asked for than at first, words aside."""
        return self.besides != self._start or self.whose != (self._scope.whose or "mine")

    @property
    def text(self) -> str:
        """The words that are looked for."""
        return self.wanted.text or ""

    @property
    def besides(self) -> MemoryFilter:
        """What is wanted besides the words."""
        return replace(self.wanted, text=None)

    async def _changed(self) -> None:
        """Read the controls; where they say something else than before, ask for it."""
        before = self.mode, self.whose, self.wanted
        said = {name: field.value for name, field in self._fields.items()}
        self.mode, self.whose = self._mode.value, said.pop("whose", self.whose)
        asked: dict[str, Any] = {
            name: None if value == ANY else value or None for name, value in said.items()
        }
        for name, of_day in _OF_DAY.items():
            asked[name] = None
            with suppress(TypeError, ValueError):  # nothing there, or half typed
                asked[name] = datetime.combine(date.fromisoformat(said[name]), of_day)
        text = (self._text.value or "").strip() or None
        self.wanted = MemoryFilter(**asked, text=text, as_of=self._as_of)
        if before != (self.mode, self.whose, self.wanted):
            self._show_state()
            await self._on_change()

    def _select(
        self,
        name: str,
        options: Mapping[str, str],
        value: str | None,
        **more: Any,  # noqa: ANN401 - the library's
    ) -> None:
        label = words(f"browse.{name}")
        field = ui.select(dict(options), label=label, value=value, on_change=self._changed, **more)
        self._fields[name] = field.props(f"{_FIELD} options-dense")

    def _choice(self, name: str) -> None:
        options = {} if name == "state" else {ANY: words(f"browse.any_{name}")}
        options |= {one: words(f"card.{name}_{one}") for one in _CHOICES[name]}
        self._select(name, options, getattr(self.wanted, name) or ANY)

    def _slider(self) -> None:
        first, self._last = self._scope.first.toordinal(), date.today().toordinal()
        with ui.row(wrap=False).classes("grow items-center gap-3 browse-as-of"):
            decoration("history", "sm")
            self._seen_from = ui.label().classes("text-sm shrink-0 browse-seen-from")
            self._slide = named(ui.element("input"), words("browse.as_of"))
            self._slide.props(f"type=range min={first} max={self._last} step=1")
            self._slide.classes("grow browse-slide")
            self._slide.on(
                "input", lambda event: self._put(int(event.args)), throttle=0.05, js_handler=_SENT
            )
            self._slide.on("change", self._look_back, js_handler=_SENT)
        if first >= self._last:
            self._slide.props("disabled")
        self._put(self._last)

    def _put(self, chosen: int) -> None:
        """Show the chosen day, also to screen readers."""
        text = words("browse.as_of_now")
        if chosen < self._last:
            noon = datetime.combine(date.fromordinal(chosen), time(12))
            text = words("browse.as_of_day", day=words.day(noon))
        self._seen_from.set_text(text)
        self._slide.props["value"] = chosen
        self._slide.props["aria-valuetext"] = text

    async def _look_back(self, event: events.GenericEventArguments) -> None:
        chosen = int(event.args)
        self._put(chosen)
        begins_next = datetime.combine(date.fromordinal(chosen) + timedelta(days=1), time.min)
        end_of_day = begins_next - timedelta(milliseconds=1)
        self._as_of = None if chosen >= self._last else end_of_day
        await self._changed()

    async def _reset(self) -> None:
        """Everything as at first, but the words of a search."""
        for name, field in self._fields.items():
            first = self._scope.whose if name == "whose" else getattr(self._start, name)
            field.set_value(first or (ANY if name in _CHOICES else None))
        if self.mode == "list":
            self._text.set_value("")
        self._put(self._last)
        self._as_of = None
        await self._changed()

    def _show_state(self) -> None:
        """Disable what does not apply, and offer a reset where something is set."""
        in_list = self.mode == "list"
        self._text.props["label"] = words("browse.text" if in_list else "search.ask")
        self._way_about.set_text(words(f"search.way_{self.mode}_about"))
        self._fields["state"].set_enabled(self.wanted.as_of is None)
        self._fields["session_id"].set_enabled(self.whose == "mine")
        if "whose" in self._fields:
            self._fields["whose"].set_visibility(in_list)  # a search is in both
        self._clear.set_visibility(self.are_set or (in_list and bool(self.text)))
