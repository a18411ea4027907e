"""All sessions, the one that was active last first, and the messages that were collected."""

from collections.abc import Iterable, Mapping
from typing import Final

from fastapi import Request
from nicegui import ui

from chatmem.engine.service import MemoryService
from chatmem.interfaces.web.visit import Visit, session_address
from chatmem.interfaces.web.widgets import button, empty, hint, listed, one_line, redrawn
from chatmem.model import Session

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
    lists = _Lists(visit)
    tabs.set_value(_ALL)
    tabs.on_value_change(lambda: lists.sessions() if tabs.value == _ALL else lists.collected())
    await lists.sessions(_number(request.query_params.get("page")) or 1)


class _Lists:
    """One page at a time of sessions, or of collected messages."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._place = ui.column().classes("w-full gap-3")

    async def sessions(self, page: int = 1) -> None:
        """Show this page of the sessions; the first where there is none."""
        visit, words = self._visit, self._visit.words
        found = await visit.run(visit.memory.sessions.list, PER_PAGE, (page - 1) * PER_PAGE)
        if page > 1 and not found.items:
            await self.sessions()
            return
        begun = await visit.run(_beginnings, visit.memory, found.items)
        with redrawn(self._place):
            if not found.total:
                with ui.card().classes("w-full"):
                    empty("forum", words("sessions.empty"), words("sessions.empty_how"))
                return
            hint(words.counted("sessions.count", found.total))
            for one in listed(found.items, _LIST, each=""):
                _entry(visit, one, begun.get(one.session_id))
            pages = -(-found.total // PER_PAGE)
            if pages > 1:
                turner = ui.pagination(1, pages, direction_links=True, value=page)
                turner.props(f'max-pages=6 boundary-numbers aria-label="{words("sessions.pages")}"')
                turner.on_value_change(lambda event: self.sessions(int(event.value)))

    async def collected(self, page: int = 1) -> None:
        """Show this page of the collected messages."""
        visit, words = self._visit, self._visit.words
        # One more than fits says whether there is another page.
        some = await visit.run(visit.memory.sessions.collected, PER_PAGE + 1, (page - 1) * PER_PAGE)
        with redrawn(self._place):
            if not some and page == 1:
                how = words("sessions.none_collected_how")
                with ui.card().classes("w-full"):
                    empty("star_outline", words("sessions.none_collected"), how)
                return
            for one in listed(some[:PER_PAGE], _LIST, each=""):
                with ui.card().classes("w-full p-4 gap-1"):
                    ui.label(one.content).classes("w-full break-words whitespace-pre-wrap")
                    with ui.row().classes("items-center gap-2 text-sm muted"):
                        ui.label(words.moment(one.create_time))
                        address = session_address(one.session_id)
                        ui.link(words("sessions.to_session"), address).classes("frame-link")
            with ui.row().classes("gap-2"):
                if page > 1:
                    button(words("sessions.newer"), lambda: self.collected(page - 1))
                if len(some) > PER_PAGE:
                    button(words("sessions.older"), lambda: self.collected(page + 1))


def _beginnings(memory: MemoryService, sessions: Iterable[Session]) -> Mapping[str, str]:
    """The last message of sessions without a title, by session."""
    begun = {}
    for one in sessions:
        if one.title is None and one.message_count:
            messages = memory.sessions.messages(one.session_id, 2)
            begun[one.session_id] = one_line(messages[0].content, _LONGEST_TITLE)
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
