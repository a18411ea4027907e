"""Talking to the configured model, with memory; or how to configure one.

Below each answer stands what memory keeps of its turn.
"""

import time
import uuid
from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import Request
from nicegui import ui

from chatmem.chat.pipeline import ChatPipeline, choose_endpoint
from chatmem.chat.turn import ChatReply, ChatStream
from chatmem.errors import ChatError, ChatmemError, TurnNotSavedError
from chatmem.interfaces.web.markdown import rendered
from chatmem.interfaces.web.views.memories.card import memory_list
from chatmem.interfaces.web.views.prompt import described_items, list_folded
from chatmem.interfaces.web.visit import SignedOutError, Visit, notify_error
from chatmem.interfaces.web.widgets import button, empty, hint, named, redrawn, section
from chatmem.interfaces.web.words import complaint_of, words
from chatmem.model import AtomicMemoryRecord
from chatmem.model.search import MemoryFilter
from chatmem.prompt.receipt import MEMORY_SECTIONS
from chatmem.providers.chat_model import ChatEndpoint

_BEFORE: Final = 40
"""Messages of a session that is gone on with; the sessions' own view has the rest."""
_LOOK_SECONDS: Final = 1.0
_QUIET_LOOKS: Final = 5
"""After so many without work at hand no more is expected."""
_MOST: Final = 50
_READING: Final = frozenset(("extraction", "session_end", "flush"))
_BATCH_SECONDS: Final = 0.08
_ENTER: Final = """(event) => {
  if (!event.shiftKey && !event.isComposing) { event.preventDefault(); emit(); }
}"""
_TO_END: Final = "window.scrollTo({top: document.body.scrollHeight})"
_FOLLOW: Final = (
    f"if (window.innerHeight + window.scrollY > document.body.scrollHeight - 300) {_TO_END}"
)
"""Scrolls to the end, where the visitor is near it."""
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


def _show_message(role: str, text: str) -> None:
    """A message that stands."""
    if role == "user":
        with ui.element("div").classes("chat-user"):
            _speaker("user")
            ui.label(text).classes("break-words whitespace-pre-wrap")
        return
    with ui.element("div").classes("chat-answer w-full"):
        _speaker("assistant" if role == "assistant" else "system")
        rendered(text).classes("break-words w-full chat-markdown")


def _speaker(role: str) -> None:
    ui.label(words(f"chat.role_{role}")).classes("font-semibold text-sm")


class AnswerView:
    """An answer on its way; below it what came of its turn, whose memories may still come."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._text = ""
        with ui.element("div").classes("chat-answer w-full").props("aria-busy=true") as self._place:
            _speaker("assistant")
            self._body = ui.column().classes("w-full gap-2")
            with self._body:
                self._waiting = ui.spinner("dots", size="md").props("role=status")
                named(self._waiting, words("chat.waiting"))
                self._label = ui.label().classes("break-words whitespace-pre-wrap w-full")
            self.remembered = ui.column().classes("w-full gap-1")
        self.messages: frozenset[str] = frozenset()
        self.memories: list[AtomicMemoryRecord] = []
        self.drawn: object = None
        """What is told there: drawn again it would lose the focus."""

    def go_on(self, piece: str) -> None:
        """More of it."""
        if piece:
            self._waiting.set_visibility(False)
            self._text += piece
            self._label.set_text(self._text)

    async def finish(self, reply: ChatReply) -> None:
        """It is whole."""
        self.settle(reply.text)
        items = await self._visit.run(described_items, self._visit, reply.receipt)
        sections = (one for one in reply.receipt.sections if one.name in MEMORY_SECTIONS)
        used = [items[item] for one in sections for item in one.items]
        with self._body:
            for problem in reply.problems:
                ui.label(problem).classes("field-error text-sm break-words")
            if used:
                list_folded(self._visit, "chat.used", used)

    def stop(self) -> None:
        """A person asked for no more."""
        self.settle(self._text)
        with self._body:
            hint(words("chat.stopped"))

    def break_off(self, error: ChatError, again: Callable[[], Awaitable[None]]) -> None:
        """It failed; `again` asks once more."""
        self.settle(error.text)
        complaint = complaint_of(error)
        saved = ""
        if not isinstance(error, TurnNotSavedError):
            saved = words("errors.turn_saved" if error.saved else "errors.turn_not_saved")
            saved = words("errors.and") + saved
        with self._body, ui.row().classes("w-full items-start gap-2 no-wrap").props("role=alert"):
            ui.icon("error_outline", size="sm").classes("field-error").props("aria-hidden=true")
            with ui.column().classes("gap-1 min-w-0 grow"):
                ui.label(f"{complaint.text}{saved}").classes("field-error break-words")
                hint(complaint.detail)
            retry = button(words("frame.try_again"), icon="refresh", dense=True)
            retry.classes("px-3 shrink-0").on_click(lambda: (retry.disable(), again())[1])

    def settle(self, text: str) -> None:
        """No more of it comes; this is what there is."""
        self._place.props("aria-busy=false")
        self._waiting.delete()
        self._label.delete()
        if text:
            with self._body:
                rendered(text).classes("break-words w-full chat-markdown")


class ChatRoom:
    """One session with one model: what was said, a field, and the answer as it comes.

    Once in a second it looks for what was remembered of the session.
    """

    def __init__(self, visit: Visit, pipeline: ChatPipeline, model: str, session_id: str) -> None:
        self._visit = visit
        self._pipeline = pipeline
        self._model = model
        self._session_id = session_id
        self._client = ui.context.client
        self._known: set[str] = set()
        self._turns: list[AnswerView] = []
        self._quiet = 0
        self._is_answering = False
        self._is_stopping = False
        self._client.on_delete(self._leave)

    async def show(self) -> None:
        """The conversation so far, and the field."""
        with ui.row().classes("w-full items-center gap-2"):
            hint(words("chat.with", model=self._model), "grow")
            new = button(words("chat.new"), lambda: ui.navigate.to("/chat"), icon="add", dense=True)
            new.classes("px-3")
        self._log = named(ui.column(), words("frame.chat")).props("role=log")
        with self._log.classes("w-full gap-4 chat-log"):
            window = self._visit.memory.sessions.window
            found = await self._visit.run(window, self._session_id, _BEFORE)
            for one in found:
                _show_message(one.role, one.content)
            welcome = words("chat.welcome"), words("chat.welcome_how")
            self._welcome = None if found else empty("chat_bubble_outline", *welcome)
        came, *_ = await self._visit.run(self._look)
        self._known |= {memory.id for memory, _ in came}  # from before
        self._timer = ui.timer(_LOOK_SECONDS, self._again, active=False)
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
        named(self._button, words("chat.stop" if self._is_answering else "chat.send"))
        self._button.set_icon("stop" if self._is_answering else "send")

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
            _show_message("user", message)
            answer = AnswerView(self._visit)
        ui.run_javascript(_TO_END)
        stream = self._pipeline.stream(message, self._session_id)
        try:
            await self._read(stream, answer)
        except ChatError as error:
            answer.break_off(error, lambda: self._ask(message))
        except (ChatmemError, SignedOutError) as error:
            answer.settle("")
            notify_error(error)
        finally:
            self._is_answering = False
            if self._client.is_deleted:
                self._pipeline.close()
            else:
                self._button.enable()
                self._draw()
                ui.run_javascript(_TO_END)

    async def _read(self, stream: ChatStream, answer: AnswerView) -> None:
        is_over = False
        while not (is_over or self._is_stopping):
            piece, is_over = await self._visit.run_slow(_batch, stream)
            if not self._client.is_deleted:
                answer.go_on(piece)
                ui.run_javascript(_FOLLOW)
        if not is_over:
            await self._visit.run_slow(stream.close)
            answer.stop()
        elif not self._client.is_deleted:
            await answer.finish(stream.reply)
            self._watch(answer, stream.reply)

    def _leave(self) -> None:
        """The window is gone; an answer on its way is still finished and saved."""
        if not self._is_answering:
            self._pipeline.close()

    def _watch(self, turn: AnswerView, reply: ChatReply) -> None:
        """Show below the answer what came of its turn, now and later."""
        if reply.saved is None:
            return
        self._known |= {one.id for one in reply.memories}
        turn.messages, turn.memories = frozenset(reply.saved.ids), list(reply.memories)
        self._turns.append(turn)
        for one in self._turns[-2:]:
            self._draw_turn(one)
        self._quiet = 0
        self._timer.activate()

    async def _again(self) -> None:
        new, is_reading, is_on = await self._visit.run(self._look)
        for memory, messages in new:
            self._known.add(memory.id)
            of = (one for one in self._turns if messages & one.messages)
            next(of, self._turns[-1]).memories.append(memory)
            ui.run_javascript(_FOLLOW)
        for turn in self._turns:
            self._draw_turn(turn, is_reading=is_reading, is_on=is_on)
        self._quiet = 0 if is_reading else self._quiet + 1
        if self._quiet >= _QUIET_LOOKS:
            self._timer.deactivate()

    def _look(self) -> tuple[list[tuple[AtomicMemoryRecord, set[str | None]]], bool, bool]:
        """New memories with the messages they came from; if more is on its way; if it is on."""
        memory = self._visit.memory
        # The jobs first: what one that is done has left is then among the memories.
        jobs = [one for one in memory.jobs.list() if one.session_id == self._session_id]
        wanted = MemoryFilter(session_id=self._session_id, memory_type="long_term")
        found = memory.browse(wanted, sort="create_time", limit=_MOST).items
        settings = memory.settings.memory
        new = [
            (one, {message.memory_id for message in memory.origin(one.id)})
            for one in found
            if one.id not in self._known
        ]
        is_reading = any(one.kind in _READING and one.state != "failed" for one in jobs)
        return new, is_reading, settings.enabled and settings.auto_extract

    def _draw_turn(self, turn: AnswerView, *, is_reading: bool = True, is_on: bool = True) -> None:
        """The turn's memories; while there are none, why, or an offer to read the turn now."""
        is_last = turn is self._turns[-1]
        drawn = (len(turn.memories), is_reading, is_on, is_last)
        if drawn == turn.drawn:
            return
        turn.drawn = drawn

        async def now() -> None:
            await self._visit.run_slow(self._visit.memory.sessions.end, self._session_id)
            self._draw_turn(turn)
            self._quiet = 0
            self._timer.activate()

        with redrawn(turn.remembered):
            if turn.memories:
                ui.label(words("chat.remembered")).classes("font-semibold text-sm")
                memory_list(self._visit, turn.memories, icon="psychology")
                return
            if is_reading or not is_on:
                hint(words("chat.reading" if is_reading else "chat.off"))
                return
            with ui.row().classes("items-center gap-2"):
                hint(words("chat.nothing_yet"))
                if is_last:
                    read = button(words("chat.remember_now"), now, look="flat", dense=True)
                    read.classes("text-sm px-2")


def _batch(stream: ChatStream) -> tuple[str, bool]:
    """The pieces of the next moment, and whether the stream is over."""
    until = time.monotonic() + _BATCH_SECONDS
    pieces: list[str] = []
    for piece in stream:
        pieces.append(piece)
        if time.monotonic() >= until:
            return "".join(pieces), False
    return "".join(pieces), True
