"""What a search may find: type, category, kind, source, session and time, as the page asks it."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, date, datetime, time
from typing import Any, Final

from nicegui import ui

from chatmem.interfaces.web.visit import Visit
from chatmem.model import (
    CATEGORIES,
    KINDS,
    MEMORY_TYPES,
    SOURCES,
    AtomicMemoryRecord,
    MemoryFilter,
    Session,
)

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "memory_type": MEMORY_TYPES,
    "category": CATEGORIES,
    "kind": KINDS,
    "source": SOURCES,
}
_PREFIXES: Final = {"memory_type": "type"}
_SESSIONS: Final = 200
_TITLE_CHARS: Final = 60


class SearchFilters:
    """The row of filters; `changed` is called with each change."""

    def __init__(
        self, visit: Visit, sessions: list[Session], changed: Callable[[], Awaitable[None]]
    ) -> None:
        words = visit.words
        self._changed = changed
        self._clearing = False
        self._chosen: dict[str, ui.select] = {}
        show = ui.button(words("search.filters"), icon="filter_list", on_click=self._fold)
        show.props("flat dense no-caps").classes("search-unfold self-start")
        self._grid = ui.element("div").classes("search-filters folded w-full")
        with self._grid:
            for name, choices in _CHOICES.items():
                prefix = _PREFIXES.get(name, name)
                options = {one: words(f"card.{prefix}_{one}") for one in choices}
                label = "search.type" if name == "memory_type" else f"card.{name}"
                self._chosen[name] = self._select(words(label), options)
            self.titles = {one.session_id: _title(one) for one in sessions}
            self._chosen["session_id"] = self._select(words("search.session"), self.titles)
            self._from = self._day(words("search.from"))
            self._to = self._day(words("search.to"))
        self._clear_button = ui.button(words("search.clear"), icon="filter_alt_off")
        self._clear_button.props("flat dense no-caps").on_click(self._clear)
        self._clear_button.visible = False

    @property
    def wanted(self) -> MemoryFilter:
        """What is chosen."""
        chosen: dict[str, Any] = {name: one.value for name, one in self._chosen.items()}
        begin, end = _date_of(self._from.value), _date_of(self._to.value)
        return MemoryFilter(
            **chosen,
            time_from=_local(begin, time.min) if begin else None,
            time_to=_local(end, time.max) if end else None,
        )

    @property
    def are_set(self) -> bool:
        """True when anything is chosen."""
        return self.wanted != MemoryFilter()

    def _fold(self) -> None:
        """On a phone they are shown when they are asked for."""
        self._grid.classes(toggle="folded")

    def _select(self, label: str, options: dict[str, str]) -> ui.select:
        select = ui.select(options, label=label, clearable=True, on_change=self._settle)
        return select.props("outlined dense options-dense").classes("w-full")

    def _day(self, label: str) -> ui.input:
        field = ui.input(label, on_change=self._settle).classes("w-full")
        return field.props("outlined dense stack-label type=date debounce=300 clearable")

    async def _settle(self) -> None:
        if not self._clearing:
            self._clear_button.visible = self.are_set
            await self._changed()

    async def _clear(self) -> None:
        self._clearing = True
        try:
            for select in self._chosen.values():
                select.value = None
            self._from.value = self._to.value = ""
        finally:
            self._clearing = False
        await self._settle()


def sessions_of(visit: Visit) -> list[Session]:
    """The newest sessions, for the choice of one; to be called away."""
    return list(visit.memory.sessions.list(_SESSIONS).items)


def takes(wanted: MemoryFilter, memory: AtomicMemoryRecord) -> bool:
    """True where a recalled memory is among those that are wanted."""
    for name in (*_CHOICES, "session_id"):
        value = getattr(wanted, name)
        if value is not None and getattr(memory, name) != value:
            return False
    begin, end = wanted.time_from, wanted.time_to
    if begin is not None and memory.timestamp < begin:
        return False
    return end is None or memory.timestamp <= end


def _title(session: Session) -> str:
    title = " ".join((session.title or session.session_id).split())
    return title if len(title) <= _TITLE_CHARS else f"{title[:_TITLE_CHARS]}…"


def _date_of(value: object) -> date | None:
    """The day that a date field has; None while it is being typed."""
    try:
        return date.fromisoformat(str(value or ""))
    except ValueError:
        return None


def _local(day: date, moment: time) -> datetime:
    return datetime.combine(day, moment).astimezone(UTC)
