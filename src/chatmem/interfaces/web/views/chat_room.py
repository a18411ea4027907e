"""A conversation: what was said, a field for what is said next, and the answer as it comes."""

import time
from typing import Final

from nicegui import ui

from chatmem.chat.pipeline import ChatPipeline
from chatmem.chat.reply import ChatStream
from chatmem.errors import ChatError, ChatmemError, SessionNotFoundError
from chatmem.interfaces.web.layout import address
from chatmem.interfaces.web.views.chat_answer import Answer, said_before
from chatmem.interfaces.web.views.chat_remembered import Remembering
from chatmem.interfaces.web.visit import SignedOutError, Visit, tell

_BEFORE: Final = 40
"""Messages of a session that is gone on with; the sessions' own view has the rest."""
_BATCH_SECONDS: Final = 0.08
_APP: Final = "chat"


class ChatRoom:
    """One session with one model."""

    def __init__(self, visit: Visit, pipeline: ChatPipeline, model: str, session_id: str) -> None:
        self._visit = visit
        self._pipeline = pipeline
        self._model = model
        self._session_id = session_id
        self._client = ui.context.client
        self._remembering = Remembering(visit, session_id, self._follow)
        self._is_answering = False
        self._is_stopping = False
        self._client.on_delete(self._leave)

    async def show(self) -> None:
        """The conversation so far, and the field."""
        words = self._visit.words
        with ui.row().classes("w-full items-center gap-2"):
            ui.label(words("chat.with", model=self._model)).classes(
                "muted text-sm break-words grow"
            )
            ui.button(
                words("chat.new"), icon="add", on_click=lambda: ui.navigate.to(address("/chat"))
            ).props("outline no-caps dense").classes("px-3")
        self._log = (
            ui.column()
            .classes("w-full gap-4 chat-log")
            .props(f'role=log aria-label="{words("frame.chat")}"')
        )
        with self._log:
            self._welcome = await self._before()
        await self._remembering.begin()
        with ui.card().classes("w-full p-2 gap-1 chat-input"):
            with ui.row(wrap=False).classes("w-full items-end gap-2"):
                self._field = ui.textarea(words("chat.message")).props(
                    'outlined dense autogrow autofocus input-style="max-height: 12rem"'
                )
                self._field.classes("grow")
                self._field.on(
                    "keydown.enter", self._send,
                    js_handler="(event) => { if (!event.shiftKey && !event.isComposing) "
                    "{ event.preventDefault(); emit(); } }",
                )  # fmt: skip
                self._button = ui.button(icon="send", on_click=self._press)
                self._button.props("unelevated round")
            ui.label(words("chat.keys")).classes("muted text-xs px-1")
        self._draw()

    def _draw(self) -> None:
        label = self._visit.words("chat.stop" if self._is_answering else "chat.send")
        self._button.set_icon("stop" if self._is_answering else "send")
        self._button.props(f'aria-label="{label}"')

    async def _before(self) -> ui.element | None:
        """What was said in this session before; words of welcome where nothing was."""
        words, sessions = self._visit.words, self._visit.memory.sessions
        try:
            found = await self._visit.away(sessions.messages, self._session_id, _BEFORE)
        except SessionNotFoundError:
            found = []
        for one in found:
            said_before(self._visit, one.role, one.content)
        if found:
            return None
        with ui.column().classes("w-full items-center text-center p-8 gap-2") as welcome:
            ui.icon("chat_bubble_outline", size="lg").classes("muted").props("aria-hidden=true")
            ui.label(words("chat.welcome")).classes("font-semibold")
            ui.label(words("chat.welcome_how")).classes("muted max-w-prose")
        return welcome

    async def _press(self) -> None:
        if self._is_answering:
            self._is_stopping = True
            self._button.disable()
        else:
            await self._send()

    async def _send(self) -> None:
        message = (self._field.value or "").strip()
        if not message or self._is_answering:
            return
        self._field.set_value("")
        await self._ask(message)

    async def _ask(self, message: str) -> None:
        """One turn, from the message to what was remembered of it."""
        if self._welcome is not None:
            self._welcome.delete()
            self._welcome = None
        self._is_answering, self._is_stopping = True, False
        self._draw()
        with self._log:
            said_before(self._visit, "user", message)
            answer = Answer(self._visit)
        self._scroll()
        stream = self._pipeline.stream(message, self._session_id, app_type=_APP)
        try:
            await self._read(stream, answer)
        except ChatError as error:
            answer.break_off(error, lambda: self._ask(message))
        except (ChatmemError, SignedOutError) as error:
            answer.break_off(None, None)
            tell(self._visit, error)
        finally:
            self._is_answering = False
            if self._client.is_deleted:
                self._pipeline.close()
            else:
                self._button.enable()
                self._draw()
                self._scroll()

    async def _read(self, stream: ChatStream, answer: Answer) -> None:
        is_over = False
        while not (is_over or self._is_stopping):
            piece, is_over = await self._visit.away_for_long(_batch, stream)
            if not self._client.is_deleted:
                answer.go_on(piece)
                self._follow()
        if not is_over:
            await self._visit.away_for_long(stream.close)
            answer.stop()
            return
        if not self._client.is_deleted:
            await answer.finish(stream.reply)
            self._remembering.watch(answer.remembered, stream.reply)

    def _scroll(self) -> None:
        ui.run_javascript("window.scrollTo({top: document.body.scrollHeight})")

    def _follow(self) -> None:
        """More came at the end: show it to whoever looks at the end."""
        ui.run_javascript(
            "if (window.innerHeight + window.scrollY > document.body.scrollHeight - 300)"
            " window.scrollTo({top: document.body.scrollHeight})"
        )

    def _leave(self) -> None:
        """The window is gone: an answer that is on its way is still finished, and kept."""
        if not self._is_answering:
            self._pipeline.close()


def _batch(stream: ChatStream) -> tuple[str, bool]:
    """What comes within a moment, and whether that was all. To be called away."""
    until = time.monotonic() + _BATCH_SECONDS
    pieces: list[str] = []
    for piece in stream:
        pieces.append(piece)
        if time.monotonic() >= until:
            return "".join(pieces), False
    return "".join(pieces), True
