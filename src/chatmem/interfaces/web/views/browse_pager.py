"""Which part of a long table is shown, and the ways to the others."""

from collections.abc import Awaitable, Callable

from nicegui import events, ui

from chatmem.interfaces.web.visit import Visit


class Pager:
    """First, before, a number, next, last; `on_turn` gets the place of the first row wanted."""

    def __init__(
        self, visit: Visit, per_page: int, on_turn: Callable[[int], Awaitable[None]]
    ) -> None:
        self._words = visit.words
        self._per_page = per_page
        self._on_turn = on_turn
        self._page = self._pages = 1
        label = self._words("browse.pages")
        with ui.element("nav").props(f'aria-label="{label}"').classes("w-full browse-pager") as nav:
            self._range = ui.label().classes("muted text-sm")
            ui.space()
            self._first = self._button("first_page", "first", lambda: 1)
            self._before = self._button("chevron_left", "before", lambda: self._page - 1)
            self._number = ui.number(value=1, min=1, precision=0).props(
                f'outlined dense debounce=300 aria-label="{self._words("browse.page")}"'
            )
            self._number.classes("browse-page-number").on_value_change(self._typed)
            self._of = ui.label().classes("text-sm")
            self._next = self._button("chevron_right", "next", lambda: self._page + 1)
            self._last = self._button("last_page", "last", lambda: self._pages)
        self._nav = nav

    def show(self, offset: int, total: int) -> None:
        """Say where one is."""
        self._pages = max(1, -(-total // self._per_page))
        self._page = offset // self._per_page + 1
        end = min(offset + self._per_page, total)
        self._range.set_text(
            self._words(
                "browse.range", first=f"{offset + 1:,}", last=f"{end:,}", total=f"{total:,}"
            )
        )
        self._of.set_text(self._words("browse.of_pages", pages=f"{self._pages:,}"))
        self._number.set_value(self._page)
        self._number.max = self._pages
        for button in (self._first, self._before):
            button.set_enabled(self._page > 1)
        for button in (self._next, self._last):
            button.set_enabled(self._page < self._pages)
        self._nav.set_visibility(self._pages > 1)

    def _button(self, icon: str, name: str, page: Callable[[], int]) -> ui.button:
        button = ui.button(icon=icon, on_click=lambda: self._turn(page()))
        return button.props(f'flat round dense aria-label="{self._words(f"browse.{name}")}"')

    async def _typed(self, event: events.ValueChangeEventArguments[float | None]) -> None:
        if event.value and int(event.value) != self._page:
            await self._turn(int(event.value))

    async def _turn(self, page: int) -> None:
        chosen = min(max(1, page), self._pages)
        self._page = chosen
        await self._on_turn((chosen - 1) * self._per_page)
