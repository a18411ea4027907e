"""Search: as you type, with what was found, and why it was found."""

import time
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, TypeAlias

from fastapi import Request
from nicegui import ui

from chatmem.interfaces.web.saying import counted
from chatmem.interfaces.web.views.search_filters import SearchFilters, sessions_of, takes
from chatmem.interfaces.web.views.search_hits import Shown, memory_card_of
from chatmem.interfaces.web.views.section import note_missing
from chatmem.interfaces.web.visit import Visit
from chatmem.model import AtomicMemoryRecord, Hit, MemoryFilter, Missing

Way: TypeAlias = Literal["search", "recall"]
_WAIT_MS: Final = 200
_STEP: Final = 20
_MOST: Final = 200
_RECALL_POOL: Final = 100


async def show(visit: Visit, request: Request) -> None:
    """The view; `?q=` begins with a search."""
    sessions = await visit.away(sessions_of, visit)
    view = _Search(visit)
    words = visit.words
    with ui.row().classes("w-full items-center gap-3"):
        view.field = ui.input(
            label=words("search.ask"), value=request.query_params.get("q", ""), on_change=view.begin
        )
        view.field.props(f"outlined clearable debounce={_WAIT_MS} type=search autofocus")
        view.field.classes("grow basis-80").on("keydown.enter", view.begin)
        with view.field.add_slot("prepend"):
            ui.icon("search").props("aria-hidden=true")
        ways = {one: words(f"search.way_{one}") for one in ("search", "recall")}
        view.way = ui.toggle(ways, value="search", on_change=view.begin)
        view.way.props("no-caps unelevated toggle-color=primary").classes("choice")
    view.way_told = ui.label(words("search.way_search_about")).classes("muted text-sm")
    view.filters = SearchFilters(visit, sessions, view.begin)
    asked = bool(request.query_params.get("q"))
    view.status = (
        ui.label(words("frame.loading") if asked else "")
        .classes("muted text-sm")
        .props("role=status aria-live=polite")
    )
    view.results = ui.element("ul").classes("search-results w-full")
    ui.timer(0.01, view.begin, once=True)


@dataclass(frozen=True, slots=True)
class _Found:
    """What a search found: hits with their scores, or memories where only filters ask."""

    hits: tuple[Hit, ...]
    memories: tuple[AtomicMemoryRecord, ...]
    total: int | None
    missing: tuple[Missing, ...]
    milliseconds: float


class _Search:
    """One page's search: what is asked for, and what stands below."""

    field: ui.input
    way: ui.toggle
    way_told: ui.label
    filters: SearchFilters
    status: ui.label
    results: ui.element

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._asked = 0

    async def begin(self) -> None:
        """Look for what the field and the filters say now."""
        await self._look(_STEP)

    async def _look(self, limit: int) -> None:
        words = self._visit.words
        self._asked += 1
        number = self._asked
        query = str(self.field.value or "").strip()
        way: Way = "recall" if self.way.value == "recall" else "search"
        self.way_told.set_text(words(f"search.way_{way}_about"))
        wanted = self.filters.wanted
        if not query and wanted == MemoryFilter():
            self._begin_words()
            return
        found = await self._visit.away(_find, self._visit, query, way, wanted, limit)
        if number == self._asked:  # else somebody has typed on
            self._show(query, found, limit)

    def _advice(self, found: _Found) -> str:
        """What may help where nothing was found, by its name among the words."""
        if self.filters.are_set:
            return "search.none_filtered"
        return "search.none_words" if found.missing else "search.none_about"

    def _begin_words(self) -> None:
        words = self._visit.words
        self.status.set_text("")
        self.results.clear()
        with self.results, ui.element("li").classes("w-full"):
            _nothing("manage_search", words("search.begin"), words("search.begin_about"))

    def _show(self, query: str, found: _Found, limit: int) -> None:
        words = self._visit.words
        count = len(found.hits) + len(found.memories)
        name = "search.found" if found.total is None else "search.found_of"
        least = found.total is None and count >= limit
        self.status.set_text(
            counted(
                words,
                "search.found_least" if least else name,
                count,
                total=f"{found.total or 0:,}",
                ms=f"{found.milliseconds:.0f}",
            )
        )
        self.results.clear()
        with self.results:
            for one in found.missing:
                with ui.element("li").classes("w-full"):
                    note_missing(words, one)
            shown = Shown(self._visit, query, self.begin, self.filters.titles)
            for hit in found.hits:
                memory_card_of(shown, hit.memory, hit)
            for memory in found.memories:
                memory_card_of(shown, memory)
            if not count:
                with ui.element("li").classes("w-full"):
                    _nothing("search_off", words("search.none"), words(self._advice(found)))
            elif count >= limit and limit < _MOST and found.total != count:
                with ui.element("li").classes("w-full flex justify-center"):
                    more = ui.button(words("frame.more"), icon="expand_more")
                    more.props("outline no-caps").on_click(partial(self._look, limit + _STEP))


def _find(visit: Visit, query: str, way: Way, wanted: MemoryFilter, limit: int) -> _Found:
    """What there is; without words, what the filters want, the newest first."""
    memory = visit.memory
    began_s = time.perf_counter()
    hits: tuple[Hit, ...] = ()
    memories: tuple[AtomicMemoryRecord, ...] = ()
    total: int | None = None
    missing: tuple[Missing, ...] = ()
    if not query:
        page = memory.browse(wanted, limit=limit)
        memories, total = page.items, page.total
    elif way == "recall":
        recalled = memory.get_relevant_memories(query, _RECALL_POOL)
        missing = recalled.missing
        hits = tuple(hit for hit in recalled if takes(wanted, hit.memory))[:limit]
    else:
        results = memory.search_memories(as_typed(query), limit=limit, only=wanted)
        hits, missing = results.hits, results.missing
    return _Found(hits, memories, total, missing, (time.perf_counter() - began_s) * 1000)


def as_typed(query: str) -> str:
    """The query, whose last word may not be finished yet."""
    return f"{query}*" if query[-1:].isascii() and query[-1:].isalnum() else query


def _nothing(icon: str, title: str, about: str) -> None:
    """What stands where nothing is found."""
    with ui.column().classes("w-full items-center gap-1 py-10 text-center"):
        ui.icon(icon, size="xl").classes("muted").props("aria-hidden=true")
        ui.label(title).classes("font-medium")
        ui.label(about).classes("muted text-sm max-w-md")
