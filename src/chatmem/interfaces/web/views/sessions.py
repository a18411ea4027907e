"""All sessions, the one that was active last first, and the messages that were collected."""

from collections.abc import Iterable, Mapping
from typing import Final

from fastapi import Request
from nicegui import ui

from chatmem.engine.service import MemoryService
from chatmem.interfaces.web.layout import session_address
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import button, empty, hint, listed, redrawn
from chatmem.model import Page, Session
from chatmem.storage.values import StoredMessage

PER_PAGE: Final = 20
_LONGEST_TITLE: Final = 80
_ALL: Final = "all"
_COLLECTED: Final = "collected"
_LIST: Final = "w-full flex flex-col gap-2 sessions-list"


async def show(visit: Visit, request: Request) -> None:
    """The list."""
    words = visit.words
    if (deleted := _number(request.query_params.get("deleted"))) is not None:
        ui.notify(words.counted("sessions.deleted", deleted), type="positive")
    with ui.tabs().props("dense no-caps align=left inline-label").classes("w-full") as tabs:
        ui.tab(_ALL, label=words("sessions.all"), icon="forum")
        ui.tab(_COLLECTED, label=words("sessions.collected"), icon="star")
    pages = _Pages(visit)
    tabs.set_value(_ALL)
    tabs.on_value_change(lambda: pages.show(str(tabs.value), 1))
    await pages.show(_ALL, _number(request.query_params.get("page")) or 1)


class _Pages:
    """One page at a time of sessions, or of collected messages."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._place = ui.column().classes("w-full gap-3")

    async def show(self, what: str, page: int) -> None:
        """Draw this page of the sessions, or of the collected messages."""
        visit, sessions = self._visit, self._visit.memory.sessions
        start = (max(1, page) - 1) * PER_PAGE
        if what == _ALL:
            found = await visit.run(sessions.list, PER_PAGE, start)
            if start and not found.items:
                return await self.show(what, 1)
            begun = await visit.run(_beginnings, visit.memory, found.items)
            with redrawn(self._place):
                self._sessions(found, begun, page)
            return None
        # One more than fits says whether there is another page.
        some = await visit.run(sessions.collected, PER_PAGE + 1, start)
        with redrawn(self._place):
            self._collected(list(some), page)
        return None

    def _sessions(self, found: Page[Session], begun: Mapping[str, str], page: int) -> None:
        words, total = self._visit.words, found.total
        if not total:
            with ui.card().classes("w-full"):
                empty("forum", words("sessions.empty"), words("sessions.empty_how"))
            return
        hint(words.counted("sessions.count", total))
        for one in listed(found.items, _LIST, each=""):
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
            title, how = words("sessions.none_collected"), words("sessions.none_collected_how")
            with ui.card().classes("w-full"):
                empty("star_outline", title, how)
            return
        for one in listed(found[:PER_PAGE], _LIST, each=""):
            with ui.card().classes("w-full p-4 gap-1"):
                ui.label(one.content).classes("w-full break-words whitespace-pre-wrap")
                with ui.row().classes("items-center gap-2 text-sm muted"):
                    ui.label(words.moment(one.create_time))
                    address = session_address(one.session_id)
                    ui.link(words("sessions.to_session"), address).classes("frame-link")
        with ui.row().classes("gap-2"):
            if page > 1:
                button(words("sessions.newer"), lambda: self.show(_COLLECTED, page - 1))
            if len(found) > PER_PAGE:
                button(words("sessions.older"), lambda: self.show(_COLLECTED, page + 1))


def _beginnings(memory: MemoryService, sessions: Iterable[Session]) -> Mapping[str, str]:
    """The last message of sessions without a title, by session."""
    begun = {}
    for one in sessions:
        if one.title is None and one.message_count:
            messages = memory.sessions.messages(one.session_id, 2)
            begun[one.session_id] = " ".join(messages[0].content.split())[:_LONGEST_TITLE]
    return begun


def _entry(visit: Visit, session: Session, begun: str | None) -> None:
    words = visit.words
    with ui.card().classes("w-full p-4 gap-1 sessions-entry"):
        with ui.row(wrap=False).classes("w-full items-start gap-2"):
            title = session.title or begun or words("sessions.untitled")
            link = ui.link(title, session_address(session.session_id))
            link.classes("sessions-link font-semibold break-words min-w-0 grow")
            if session.ended_at is None:
                ui.label(words("sessions.running")).classes("sessions-running")
        if session.snippet:
            ui.label(session.snippet).classes("muted w-full break-words line-clamp-2")
        messages = words.counted("sessions.messages", session.message_count)
        hint(f"{messages} · {words.moment(session.updated_at)}")


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 7 else None
