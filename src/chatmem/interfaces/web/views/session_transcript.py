"""What was said in a session, the newest part first loaded, older parts as they are asked for."""

from functools import partial
from typing import Final

from nicegui import ui

from chatmem.interfaces.web.saying import clock, counted, day
from chatmem.interfaces.web.views.memory_card import open_card
from chatmem.interfaces.web.views.section import section
from chatmem.interfaces.web.visit import Visit
from chatmem.model import Session
from chatmem.storage.values import StoredMessage

AT_ONCE: Final = 100
_MOST: Final = 1_000
_ROLES: Final = frozenset({"user", "assistant", "system", "tool"})


class Transcript:
    """The messages of one session."""

    def __init__(self, visit: Visit, session: Session) -> None:
        self._visit = visit
        self._session = session
        self._shown = AT_ONCE

    async def show(self) -> None:
        """The messages in a card."""
        with section(self._visit.words("sessions.transcript"), "forum"):
            await self._messages()

    @ui.refreshable_method
    async def _messages(self) -> None:
        words, visit = self._visit.words, self._visit
        found = await visit.away(
            visit.memory.sessions.messages, self._session.session_id, self._shown
        )
        if not found:
            ui.label(words("sessions.nothing_said")).classes("muted")
            return
        earlier = self._session.message_count - len(found)
        if earlier > 0 and self._shown < _MOST:
            ui.button(
                counted(words, "sessions.earlier", earlier),
                icon="expand_less",
                on_click=self._show_more,
            ).props("flat no-caps")
        before = ""
        with ui.element("ol").classes("w-full flex flex-col gap-3 session-messages"):
            for one in found:
                today = day(words, one.create_time)
                with ui.element("li").classes("w-full"):
                    if today != before:
                        ui.label(today).classes("muted text-sm session-day")
                        before = today
                    self._message(one)

    async def _show_more(self) -> None:
        self._shown = min(_MOST, self._shown * 4)
        self._messages.refresh()

    def _message(self, message: StoredMessage) -> None:
        words = self._visit.words
        with ui.element("div").classes(f"session-message session-{_role(message.role)}"):
            with ui.row(wrap=False).classes("w-full items-center gap-2"):
                ui.label(_who(self._visit, message)).classes("font-semibold text-sm break-words")
                ui.label(clock(message.create_time)).classes("muted text-sm")
                ui.space()
                if message.memory_id:
                    label = words("sessions.open_memory")
                    opened = ui.button(icon="psychology").props(
                        f'flat round dense size=sm aria-label="{label}"'
                    )
                    opened.tooltip(label)
                    opened.on_click(partial(self._open, message.memory_id))
                _Star(self._visit, message)
            ui.label(message.content).classes("break-words whitespace-pre-wrap w-full")

    async def _open(self, memory_id: str) -> None:
        await open_card(self._visit, memory_id, self._messages.refresh)


class _Star:
    """The button that collects a message, and lets it go."""

    def __init__(self, visit: Visit, message: StoredMessage) -> None:
        self._visit = visit
        self._message = message
        self._is_on = message.is_collected
        self._button = ui.button(on_click=self._turn).props("flat round dense size=sm")
        with self._button:
            self._tooltip = ui.tooltip()
        self._draw()

    def _draw(self) -> None:
        label = self._visit.words("sessions.let_go" if self._is_on else "sessions.collect")
        self._button.set_icon("star" if self._is_on else "star_outline")
        pressed = "true" if self._is_on else "false"
        self._button.props(f'aria-label="{label}" aria-pressed={pressed}')
        self._tooltip.set_text(label)

    async def _turn(self) -> None:
        wanted = not self._is_on
        sessions, message = self._visit.memory.sessions, self._message
        await self._visit.away_for_long(sessions.collect, message.session_id, message.id, wanted)
        self._is_on = wanted
        self._draw()
        ui.notify(self._visit.words("sessions.was_collected" if wanted else "sessions.was_let_go"))


def _role(role: str) -> str:
    return role if role in _ROLES else "system"


def _who(visit: Visit, message: StoredMessage) -> str:
    return message.speaker or visit.words(f"sessions.role_{_role(message.role)}")
