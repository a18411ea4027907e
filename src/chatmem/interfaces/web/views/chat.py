"""Talking to the configured model, with memory; or how to configure one."""

import time
import uuid
from typing import Final

from fastapi import Request
from nicegui import ui

from chatmem.chat.discover import choose_endpoint
from chatmem.chat.pipeline import ChatPipeline
from chatmem.chat.turn import ChatStream
from chatmem.errors import ChatError, ChatmemError
from chatmem.interfaces.web.views.chat_answer import AnswerView, Remembering, show_message
from chatmem.interfaces.web.visit import SignedOutError, Visit, notify_error
from chatmem.interfaces.web.widgets import button, empty, hint, named, redrawn, section
from chatmem.providers.chat_model import ChatEndpoint

_BEFORE: Final = 40
"""Messages of a session that is gone on with; the sessions' own view has the rest."""
_BATCH_SECONDS: Final = 0.08
_ENTER: Final = """(event) => {
  if (!event.shiftKey && !event.isComposing) { event.preventDefault(); emit(); }
}"""
_VARIABLES: Final = """\
CHATMEM_LLM_BASE_URL=http://127.0.0.1:11434/v1
CHATMEM_LLM_MODEL=qwen3:4b
CHATMEM_LLM_API_KEY=..."""
_TABLE: Final = """\
[llm]
base_url = "http://127.0.0.1:11434/v1"
model = "qwen3:4b\""""


async def show(visit: Visit, request: Request) -> None:
    """The conversation, a new one unless an address names it."""
    words = visit.words
    session_id = request.query_params.get("session") or uuid.uuid4().hex
    place = ui.column().classes("w-full gap-4 grow")

    async def talk(endpoint: ChatEndpoint | None, name: str) -> None:
        with redrawn(place):
            room = ChatRoom(visit, ChatPipeline(visit.memory, endpoint), name, session_id)
            await room.show()

    async def look() -> None:
        """Look for a model on this machine, and talk to it."""
        search.props("loading")
        try:
            endpoint = await visit.run(choose_endpoint, None, None)
        except ChatmemError:
            ui.notify(words("chat.none_local"), type="warning", multi_line=True)
            return
        finally:
            search.props(remove="loading")
        await talk(endpoint, endpoint.name)

    llm = (await visit.run(lambda: visit.memory.settings)).llm
    if llm.base_url is not None and llm.model is not None:
        await talk(None, llm.model)
        return
    with place, section(words("chat.no_model"), "power_off"):
        ui.label(words("chat.no_model_how")).classes("max-w-prose")
        for title, text in ((words("chat.variables"), _VARIABLES), (words("chat.table"), _TABLE)):
            hint(title)
            ui.label(text).classes("chat-code whitespace-pre-wrap break-words w-full")
        hint(words("chat.then"))
        if visit.is_operator:
            ui.label(words("chat.local_about")).classes("max-w-prose pt-2")
            search = button(words("chat.look"), look, icon="travel_explore", look="main")


class ChatRoom:
    """One session with one model: what was said, a field, and the answer as it comes."""

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
            hint(words("chat.with", model=self._model), "grow")
            new = button(words("chat.new"), icon="add", dense=True).classes("px-3")
            new.on_click(lambda: ui.navigate.to("/chat"))
        self._log = named(ui.column(), words("frame.chat")).props("role=log")
        with self._log.classes("w-full gap-4 chat-log"):
            self._welcome = await self._before()
        await self._remembering.begin()
        with ui.card().classes("w-full p-2 gap-1 chat-input"):
            with ui.row(wrap=False).classes("w-full items-end gap-2"):
                self._field = ui.textarea(words("chat.message")).classes("grow")
                self._field.props(
                    'outlined dense autogrow autofocus input-style="max-height:12rem"'
                )
                self._field.on("keydown.enter", self._send, js_handler=_ENTER)
                self._button = ui.button(icon="send", on_click=self._press)
                self._button.props("unelevated round")
            ui.label(words("chat.keys")).classes("muted text-xs px-1")
        self._draw()

    def _draw(self) -> None:
        named(self._button, self._visit.words("chat.stop" if self._is_answering else "chat.send"))
        self._button.set_icon("stop" if self._is_answering else "send")

    async def _before(self) -> ui.element | None:
        """Draw the last messages of the session; where there are none, a welcome, returned."""
        words, sessions = self._visit.words, self._visit.memory.sessions
        found = await self._visit.run(sessions.window, self._session_id, _BEFORE)
        for one in found:
            show_message(words, one.role, one.content)
        if found:
            return None
        return empty("chat_bubble_outline", words("chat.welcome"), words("chat.welcome_how"))

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
        if self._welcome is not None:
            self._welcome.delete()
            self._welcome = None
        self._is_answering, self._is_stopping = True, False
        self._draw()
        with self._log:
            show_message(self._visit.words, "user", message)
            answer = AnswerView(self._visit)
        self._scroll()
        stream = self._pipeline.stream(message, self._session_id)
        try:
            await self._read(stream, answer)
        except ChatError as error:
            answer.break_off(error, lambda: self._ask(message))
        except (ChatmemError, SignedOutError) as error:
            answer.break_off(None, None)
            notify_error(self._visit, error)
        finally:
            self._is_answering = False
            if self._client.is_deleted:
                self._pipeline.close()
            else:
                self._button.enable()
                self._draw()
                self._scroll()

    async def _read(self, stream: ChatStream, answer: AnswerView) -> None:
        is_over = False
        while not (is_over or self._is_stopping):
            piece, is_over = await self._visit.run_slow(_batch, stream)
            if not self._client.is_deleted:
                answer.go_on(piece)
                self._follow()
        if not is_over:
            await self._visit.run_slow(stream.close)
            answer.stop()
        elif not self._client.is_deleted:
            await answer.finish(stream.reply)
            self._remembering.watch(answer, stream.reply)

    def _scroll(self) -> None:
        ui.run_javascript("window.scrollTo({top: document.body.scrollHeight})")

    def _follow(self) -> None:
        """Scroll to the end, where the visitor is near it."""
        ui.run_javascript(
            "if (window.innerHeight + window.scrollY > document.body.scrollHeight - 300)"
            " window.scrollTo({top: document.body.scrollHeight})"
        )

    def _leave(self) -> None:
        """The window is gone; an answer on its way is still finished and saved."""
        if not self._is_answering:
            self._pipeline.close()


def _batch(stream: ChatStream) -> tuple[str, bool]:
    """The pieces of the next moment, and whether the stream is over."""
    until = time.monotonic() + _BATCH_SECONDS
    pieces: list[str] = []
    for piece in stream:
        pieces.append(piece)
        if time.monotonic() >= until:
            return "".join(pieces), False
    return "".join(pieces), True
