"""All memories in one table: filtered and paged (`/browse`), or ranked (`/search`)."""

import time
from collections.abc import Mapping, Sequence
from typing import Final

from fastapi import Request
from nicegui import events, ui

from chatmem import model
from chatmem.engine.service import MemoryService
from chatmem.interfaces.web import widgets
from chatmem.interfaces.web.views.memories.card import open_card
from chatmem.interfaces.web.views.memories.filters import Filters, Mode, Scope, Whose
from chatmem.interfaces.web.views.memories.rows import Order, Rows
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.words import words

PER_PAGE: Final = 50
_STEP: Final = 20
_MOST: Final = 200
_SESSIONS: Final = 200
_TO_TOP: Final = """
const card = getHtmlElement(%d);
if (card && card.getBoundingClientRect().top < 0) card.scrollIntoView();
"""


async def show(visit: Visit, request: Request, *, mode: Mode) -> None:
    """The table or the search that the address asks for; `?memory=ID` opens that one's card."""
    query = request.query_params
    scope = await visit.run(_scope, visit.memory, query.get("whose"))
    if scope is None:
        nothing = (words("browse.empty"), words("browse.empty_how"))
        with ui.card().classes("w-full"), widgets.empty("inbox", *nothing):
            ui.link(words("browse.empty_where"), "/").classes("frame-link")
        return
    view = _Memories(visit, scope, mode, query)
    if mode == "list":
        await view.refresh()
    else:  # it may have to wait for the model that makes vectors
        ui.timer(0, view.refresh, once=True)
    if wanted := query.get("memory"):
        ui.timer(0, lambda: open_card(visit, wanted, view.refresh), once=True)


def _scope(memory: MemoryService, wanted: str | None) -> Scope | None:
    """What there is to choose from; None where there are no memories."""
    everything = model.MemoryFilter(state="all")
    own = memory.browse(everything, descending=False, limit=1)
    shared = memory.browse(everything, descending=False, limit=1, shared=True)
    if not (own.total or shared.total):
        return None
    first = min(one.timestamp for one in (*own.items, *shared.items)).astimezone().date()
    sessions = {
        one.session_id: widgets.one_line(one.title or one.session_id)
        for one in memory.sessions.list(_SESSIONS).items
    }
    whose: Whose | None = None
    if shared.total:
        whose = "shared" if wanted == "shared" or not own.total else "mine"
    return Scope(sessions, first, whose)


class _Memories:
    def __init__(self, visit: Visit, scope: Scope, mode: Mode, query: Mapping[str, str]) -> None:
        self._visit = visit
        self._order: Order = ("timestamp", True)
        self._offset = 0
        self._limit = _STEP
        self._requests = 0
        self._filters = Filters(scope, mode, query, self._begin)
        with ui.card().classes("w-full p-0 gap-0 browse-card") as self._card:
            with ui.row().classes("w-full items-center gap-2 px-4 py-2 browse-above"):
                self._status = widgets.hint("").props("role=status aria-live=polite")
                ui.space()
                with ui.row(wrap=False).classes("items-center gap-1 browse-sorts") as self._sorts:
                    self._by = ui.select(
                        {one: words(f"browse.sort_{one}") for one in model.MEMORY_SORTS},
                        label=words("browse.sort"),
                        value=self._order[0],
                        on_change=lambda event: self._sort(event.value, turn=False),
                    ).props("outlined dense options-dense")
                    turn = words("browse.turn_round")
                    widgets.icon_button("swap_vert", turn, lambda: self._sort(self._order[0]))
            self._missing = ui.column().classes("w-full gap-1 px-4 py-2")
            self._rows = Rows(
                visit, scope.sessions, self._sort, lambda one: open_card(visit, one, self.refresh)
            )
            self._none = ui.column().classes("w-full")
            self._more = widgets.button(words("frame.more"), self._extend, icon="expand_more")
            self._more.classes("self-center my-3")
            with ui.row().classes("w-full browse-pager") as self._pager:
                self._range = widgets.hint("")
                ui.space()
                pages = ui.pagination(1, 1, direction_links=True, on_change=self._turn)
                widgets.named(pages.props("input boundary-links"), words("browse.pages"))
                self._pages = pages
        self._rows.show([])
        self._show_rest(words("frame.loading"), None)

    async def refresh(self) -> None:
        """Show what is there now."""
        self._requests += 1
        number, filters = self._requests, self._filters
        if filters.mode != "list" and filters.text:
            found, took_ms = await self._visit.run(self._rank)
            if number == self._requests:  # else a newer request is, or will be, answered
                self._show_ranked(found, took_ms)
            return
        if filters.mode != "list" and not filters.are_set:
            self._rows.show([])
            self._show_rest("", ("manage_search", "search.begin", "search.begin_about"))
            return
        page = await self._visit.run(
            self._visit.memory.browse,
            filters.wanted,
            sort=self._order[0],
            descending=self._order[1],
            limit=PER_PAGE,
            offset=self._offset,
            shared=filters.whose == "shared",
        )
        if number != self._requests:
            return
        if not page.items and page.total:
            self._offset = (page.total - 1) // PER_PAGE * PER_PAGE
            await self.refresh()
            return
        is_filtered = filters.are_set or filters.text or filters.whose == "shared"
        none = "browse.none_how" if is_filtered else "browse.none_remembered"
        self._rows.show(page.items, self._order)
        self._show_rest(
            words.counted("browse.count", page.total),
            None if page.total else ("search_off", "browse.none", none),
            page=page,
        )

    def _rank(self) -> tuple[model.SearchResults, float]:
        """The best hits that fit the filters, or come nearest, and the milliseconds it took."""
        memory, text, wanted = self._visit.memory, self._filters.text, self._filters.besides
        began_s = time.perf_counter()
        if self._filters.mode == "recall":
            found = memory.get_relevant_memories(text, self._limit, as_of=wanted.as_of, only=wanted)
        else:
            found = memory.search_memories(as_typed(text), limit=self._limit, only=wanted)
        return found, (time.perf_counter() - began_s) * 1000

    def _show_ranked(self, found: model.SearchResults, took_ms: float) -> None:
        hits, missing = found.hits or found.nearest, found.missing
        is_full = len(hits) >= self._limit
        name = "search.found_least" if is_full else "search.found"
        if found.nearest:
            name = "search.nearest"
        advice = "filtered" if self._filters.are_set else "words" if missing else "about"
        self._rows.show_hits(hits, self._filters.text)
        self._show_rest(
            words.counted(name, len(hits), ms=f"{took_ms:.0f}"),
            None if hits else ("search_off", "search.none", f"search.none_{advice}"),
            missing=missing,
            has_more=is_full and self._limit < _MOST,
        )

    def _show_rest(
        self,
        status: str,
        nothing: tuple[str, str, str] | None,
        *,
        page: model.Page[model.AtomicMemoryRecord] | None = None,
        missing: Sequence[model.Missing] = (),
        has_more: bool = False,
    ) -> None:
        """Draw what is around the rows; `nothing` is icon, title and text where there are none."""
        self._status.set_text(status)
        self._missing.set_visibility(bool(missing))
        with widgets.redrawn(self._missing):
            for one in missing:
                widgets.note_missing(one)
        with widgets.redrawn(self._none):
            if nothing is not None:
                icon, title, about = nothing
                widgets.empty(icon, words(title), words(about))
        self._sorts.set_visibility(page is not None)
        self._more.set_visibility(has_more)
        self._pager.set_visibility(page is not None and page.total > PER_PAGE)
        if page is not None and page.items:
            first, last = page.offset + 1, page.offset + len(page.items)
            numbers = {"first": f"{first:,}", "last": f"{last:,}", "total": f"{page.total:,}"}
            self._range.set_text(words("browse.range", **numbers))
            self._pages.max = -(-page.total // PER_PAGE)
            self._pages.set_value(page.offset // PER_PAGE + 1)

    async def _sort(self, sort: model.MemorySort, *, turn: bool = True) -> None:
        """Sort by this column; the other way round where it is sorted by already."""
        before, descending = self._order
        if sort == before and not turn:
            return
        self._order = (sort, not descending if sort == before else sort != "content")
        self._by.set_value(sort)
        await self._begin()

    async def _begin(self) -> None:
        """Show the first page of another query."""
        self._offset, self._limit = 0, _STEP
        await self.refresh()

    async def _extend(self) -> None:
        self._limit += _STEP
        await self.refresh()

    async def _turn(self, event: events.ValueChangeEventArguments[int | None]) -> None:
        """Show the page of this number, from its top."""
        offset = ((event.value or 1) - 1) * PER_PAGE
        if offset != self._offset:
            self._offset = offset
            await self.refresh()
            ui.run_javascript(_TO_TOP % self._card.id)


def as_typed(query: str) -> str:
    """The query, whose last word may not be finished yet."""
    return f"{query}*" if query[-1:].isascii() and query[-1:].isalnum() else query
