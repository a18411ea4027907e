"""All memories in a table, filtered, sorted and paged by the store."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from fastapi import Request
from nicegui import ui

from chatmem.interfaces.web.layout import address
from chatmem.interfaces.web.saying import counted
from chatmem.interfaces.web.views.browse_filters import START, Filters, Whose, asked_for
from chatmem.interfaces.web.views.browse_pager import Pager
from chatmem.interfaces.web.views.browse_rows import Rows
from chatmem.interfaces.web.views.memory_card import open_card
from chatmem.interfaces.web.visit import Visit
from chatmem.model import MEMORY_SORTS, MemoryFilter, MemorySort

PER_PAGE: Final = 50
_TO_TOP: Final = """
const card = getHtmlElement(%d);
if (card && card.getBoundingClientRect().top < 0) card.scrollIntoView();
"""


async def show(visit: Visit, request: Request) -> None:
    """The table, with what the address asks for; `?memory=ID` opens that one's card."""
    memory = visit.memory
    everything = MemoryFilter(state="all")
    own = await visit.away(memory.browse, everything, descending=False, limit=1)
    shared = await visit.away(memory.browse, everything, descending=False, limit=1, shared=True)
    if not (own.total or shared.total):
        _nothing_yet(visit)
        return
    view = _Browse(visit)
    first = min(one.timestamp for one in (*own.items, *shared.items)).astimezone().date()
    asks_shared = request.query_params.get("whose") == "shared" or not own.total
    whose: Whose = "shared" if asks_shared else "mine"
    view.build(asked_for(request.query_params), first, whose if shared.total else None)
    await view.refresh()
    wanted = request.query_params.get("memory")
    if wanted:
        ui.timer(0, lambda: open_card(visit, wanted, view.refresh), once=True)


@dataclass(slots=True)
class _Order:
    sort: MemorySort = "timestamp"
    descending: bool = True


class _Browse:
    """The view of one window."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._order = _Order()
        self._offset = 0
        self._asked = 0

    def build(self, wanted: MemoryFilter, first: date, whose: Whose | None) -> None:
        """Put the controls and an empty table in their place."""
        self._filters = Filters(self._visit, wanted, first, self._filtered, whose=whose)
        with ui.card().classes("w-full p-0 gap-0 browse-card") as self._card:
            self._above()
            self._rows = Rows(self._visit, self._sort, self._open)
            self._none = ui.column().classes("w-full items-center text-center p-8 gap-2")
            with self._none:
                ui.icon("search_off", size="lg").classes("muted").props("aria-hidden=true")
                ui.label(self._visit.words("browse.none")).classes("font-semibold")
                self._advice = ui.label().classes("muted max-w-prose")
            self._pager = Pager(self._visit, PER_PAGE, self._turn)

    async def refresh(self) -> None:
        """Show what is there now."""
        self._asked += 1
        asked = self._asked
        page = await self._visit.away(
            self._visit.memory.browse,
            self._filters.wanted,
            sort=self._order.sort,
            descending=self._order.descending,
            limit=PER_PAGE,
            offset=self._offset,
            shared=self._filters.are_shared,
        )
        if asked != self._asked:
            return  # a newer question was answered, or is about to be
        if not page.items and page.total:
            self._offset = (page.total - 1) // PER_PAGE * PER_PAGE
            return await self.refresh()
        words = self._visit.words
        self._count.set_text(counted(words, "browse.count", page.total))
        self._rows.show(page.items, self._order.sort, self._order.descending)
        self._none.set_visibility(not page.total)
        if not page.total:
            unfiltered = self._filters.wanted == START and not self._filters.are_shared
            self._advice.set_text(
                words("browse.none_remembered" if unfiltered else "browse.none_how")
            )
        self._pager.show(page.offset, page.total)
        return None

    def _above(self) -> None:
        """How many there are; and, where there is no room for headers, what they are sorted by."""
        words = self._visit.words
        with ui.row().classes("w-full items-center gap-2 px-4 py-2 browse-above"):
            self._count = ui.label().classes("muted text-sm").props("role=status")
            ui.space()
            with ui.row(wrap=False).classes("items-center gap-1 browse-sorts"):
                self._by = ui.select(
                    {one: words(f"browse.sort_{one}") for one in MEMORY_SORTS},
                    label=words("browse.sort"),
                    value=self._order.sort,
                    on_change=lambda event: self._sort(event.value, turn=False),
                ).props("outlined dense options-dense")
                self._turned = ui.button(
                    icon="swap_vert", on_click=lambda: self._sort(self._order.sort)
                ).props(f'flat round dense aria-label="{words("browse.turn_round")}"')

    async def _sort(self, sort: MemorySort, *, turn: bool = True) -> None:
        """Sort by this; by the other end first where it was sorted so."""
        if sort == self._order.sort:
            if not turn:
                return
            self._order.descending = not self._order.descending
        else:
            self._order = _Order(sort, descending=sort != "content")
            self._by.set_value(sort)
        self._offset = 0
        await self.refresh()

    async def _filtered(self, wanted: MemoryFilter) -> None:
        self._offset = 0
        await self.refresh()

    async def _turn(self, offset: int) -> None:
        """Another page, from its first row on, whatever row of the last one was seen."""
        self._offset = offset
        await self.refresh()
        ui.run_javascript(_TO_TOP % self._card.id)

    async def _open(self, memory_id: str) -> None:
        await open_card(self._visit, memory_id, self.refresh)


def _nothing_yet(visit: Visit) -> None:
    words = visit.words
    with ui.card().classes("w-full items-center text-center p-8 gap-2"):
        ui.icon("inbox", size="lg").classes("muted").props("aria-hidden=true")
        ui.label(words("browse.empty")).classes("font-semibold")
        ui.label(words("browse.empty_how")).classes("muted max-w-prose")
        ui.link(words("browse.empty_where"), address("/")).classes("frame-link")
