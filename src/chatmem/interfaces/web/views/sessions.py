"""All sessions, the one that was active last first, and the messages that were collected."""

from collections.abc import Iterable, Mapping
from typing import Final

from fastapi import Request
from nicegui import ui

from chatmem.engine.service import MemoryService
from chatmem.errors import SessionNotFoundError
from chatmem.interfaces.web.layout import address
from chatmem.interfaces.web.saying import counted, day_and_clock
from chatmem.interfaces.web.views.session_address import address_of
from chatmem.interfaces.web.views.session_open import OpenSession
from chatmem.interfaces.web.visit import Visit
from chatmem.model import Page, Session
from chatmem.storage.values import StoredMessage

PER_PAGE: Final = 20
_LONGEST_TITLE: Final = 80
_ALL: Final = "all"
_COLLECTED: Final = "collected"


async def show(visit: Visit, request: Request) -> None:
    """The list."""
    words = visit.words
    if (deleted := _number(request.query_params.get("deleted"))) is not None:
        ui.notify(counted(words, "sessions.deleted", deleted), type="positive")
    with ui.tabs().props("dense no-caps align=left inline-label").classes("w-full") as tabs:
        ui.tab(_ALL, label=words("sessions.all"), icon="forum")
        ui.tab(_COLLECTED, label=words("sessions.collected"), icon="star")
    place = ui.column().classes("w-full gap-3")
    listed = _Listed(visit, place)

    async def change() -> None:
        await listed.show(str(tabs.value), 1)

    tabs.set_value(_ALL)
    tabs.on_value_change(change)
    await listed.show(_ALL, _number(request.query_params.get("page")) or 1)


async def show_one(visit: Visit, request: Request) -> None:
    """One session, or that there is none."""
    session_id = request.path_params["session_id"]
    ui.link(visit.words("sessions.back"), address("/sessions")).classes("frame-link text-sm")
    try:
        session = await visit.away(visit.memory.sessions.get, session_id)
    except SessionNotFoundError:
        with ui.card().classes("w-full items-center text-center p-8 gap-2"):
            ui.icon("search_off", size="lg").classes("muted")
            ui.label(visit.words("sessions.none_of_it")).classes("break-words max-w-full")
        return
    await OpenSession(visit, session).show()


class _Listed:
    """A page of sessions or of collected messages, which another one takes the place of."""

    def __init__(self, visit: Visit, place: ui.column) -> None:
        self._visit = visit
        self._place = place

    async def show(self, what: str, page: int) -> None:
        """That page of what is wanted."""
        start = (max(1, page) - 1) * PER_PAGE
        if what == _ALL:
            found = await self._visit.away(self._visit.memory.sessions.list, PER_PAGE, start)
            if start and not found.items:
                return await self.show(what, 1)
            begun = await self._visit.away(_beginnings, self._visit.memory, found.items)
            self._place.clear()
            with self._place:
                self._sessions(found, begun, page)
            return None
        # One more than is shown says whether there is another page.
        some = await self._visit.away(self._visit.memory.sessions.collected, PER_PAGE + 1, start)
        self._place.clear()
        with self._place:
            self._collected(list(some), page)
        return None

    def _sessions(self, found: Page[Session], begun: Mapping[str, str], page: int) -> None:
        words, total = self._visit.words, found.total
        if not total:
            _empty("forum", words("sessions.empty"), words("sessions.empty_how"))
            return
        ui.label(counted(words, "sessions.count", total)).classes("muted text-sm")
        with ui.element("ul").classes("w-full flex flex-col gap-2 sessions-list"):
            for one in found.items:
                _entry(self._visit, one, begun.get(one.session_id))
        pages = -(-total // PER_PAGE)
        if pages > 1:
            label = words("sessions.pages")
            turner = ui.pagination(1, pages, direction_links=True, value=page)
            turner.props(f'max-pages=6 boundary-numbers aria-label="{label}"')
            turner.on_value_change(lambda event: self.show(_ALL, int(event.value)))

    def _collected(self, found: list[StoredMessage], page: int) -> None:
        words = self._visit.words
        if not found and page == 1:
            _empty("star_outline", words("sessions.none_collected"),
                   words("sessions.none_collected_how"))  # fmt: skip
            return
        with ui.element("ul").classes("w-full flex flex-col gap-2 sessions-list"):
            for one in found[:PER_PAGE]:
                with ui.element("li"), ui.card().classes("w-full p-4 gap-1"):
                    ui.label(one.content).classes("w-full break-words whitespace-pre-wrap")
                    with ui.row().classes("items-center gap-2 text-sm muted"):
                        ui.label(day_and_clock(words, one.create_time))
                        ui.link(words("sessions.to_session"), address_of(one.session_id)).classes(
                            "frame-link"
                        )
        with ui.row().classes("gap-2"):
            if page > 1:
                ui.button(
                    words("sessions.newer"), on_click=lambda: self.show(_COLLECTED, page - 1)
                ).props("outline no-caps")
            if len(found) > PER_PAGE:
                ui.button(
                    words("sessions.older"), on_click=lambda: self.show(_COLLECTED, page + 1)
                ).props("outline no-caps")


def _beginnings(memory: MemoryService, sessions: Iterable[Session]) -> Mapping[str, str]:
    """What was said last in those that have no title yet, by their ids. To be called away."""
    begun = {}
    for one in sessions:
        if one.title is None and one.message_count:
            said = memory.sessions.messages(one.session_id, 2)
            begun[one.session_id] = " ".join(said[0].content.split())[:_LONGEST_TITLE]
    return begun


def _entry(visit: Visit, session: Session, begun: str | None) -> None:
    words = visit.words
    with ui.element("li"), ui.card().classes("w-full p-4 gap-1 sessions-entry"):
        with ui.row(wrap=False).classes("w-full items-start gap-2"):
            title = session.title or begun or words("sessions.untitled")
            ui.link(title, address_of(session.session_id)).classes(
                "sessions-link font-semibold break-words min-w-0 grow"
            )
            if session.ended_at is None:
                ui.label(words("sessions.running")).classes("sessions-running")
        if session.snippet:
            ui.label(session.snippet).classes("muted w-full break-words line-clamp-2")
        told = [
            counted(words, "sessions.messages", session.message_count),
            day_and_clock(words, session.updated_at),
        ]
        ui.label(" · ".join(told)).classes("muted text-sm")


def _empty(icon: str, text: str, how: str) -> None:
    with ui.card().classes("w-full items-center text-center p-8 gap-2"):
        ui.icon(icon, size="lg").classes("muted").props("aria-hidden=true")
        ui.label(text).classes("font-semibold")
        ui.label(how).classes("muted max-w-prose")


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 7 else None
