"""One answer of a conversation: its text as it comes, and what memory keeps of the turn."""

from collections.abc import Awaitable, Callable
from typing import Final

from nicegui import ui

from chatmem.chat.turn import ChatReply
from chatmem.errors import ChatError, TurnNotSavedError
from chatmem.interfaces.web.markdown import rendered
from chatmem.interfaces.web.views.memories.card import memory_list
from chatmem.interfaces.web.views.prompt import described_items, list_folded
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import button, hint, named, redrawn
from chatmem.interfaces.web.words import Words, complaint_of
from chatmem.model import AtomicMemoryRecord
from chatmem.model.search import MemoryFilter
from chatmem.prompt.receipt import MEMORY_SECTIONS

_LOOK_SECONDS: Final = 1.0
_QUIET_LOOKS: Final = 5
"""After so many without work at hand no more is expected."""
_MOST: Final = 50
_READING: Final = frozenset(("extraction", "session_end", "flush"))


def show_message(words: Words, role: str, text: str) -> None:
    """A message that stands."""
    if role == "user":
        with ui.element("div").classes("chat-user"):
            _speaker(words, "user")
            ui.label(text).classes("break-words whitespace-pre-wrap")
        return
    with ui.element("div").classes("chat-answer w-full"):
        _speaker(words, "assistant" if role == "assistant" else "system")
        rendered(text).classes("break-words w-full chat-markdown")


def _speaker(words: Words, role: str) -> None:
    ui.label(words(f"chat.role_{role}")).classes("font-semibold text-sm")


class AnswerView:
    """An answer on its way; below it what came of its turn, whose memories may still come."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._text = ""
        with ui.element("div").classes("chat-answer w-full").props("aria-busy=true") as self._place:
            _speaker(visit.words, "assistant")
            self._body = ui.column().classes("w-full gap-2")
            with self._body:
                self._waiting = ui.spinner("dots", size="md").props("role=status")
                named(self._waiting, visit.words("chat.waiting"))
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
        self._settle(reply.text)
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
        self._settle(self._text)
        with self._body:
            hint(self._visit.words("chat.stopped"))

    def break_off(
        self, error: ChatError | None, again: Callable[[], Awaitable[None]] | None
    ) -> None:
        """It failed; `again` asks once more."""
        self._settle(error.text if error else "")
        if error is None:
            return
        words = self._visit.words
        complaint = complaint_of(words, error)
        saved = ""
        if not isinstance(error, TurnNotSavedError):
            saved = words("errors.turn_saved" if error.saved else "errors.turn_not_saved")
            saved = words("errors.and") + saved
        with self._body, ui.row().classes("w-full items-start gap-2 no-wrap").props("role=alert"):
            ui.icon("error_outline", size="sm").classes("field-error").props("aria-hidden=true")
            with ui.column().classes("gap-1 min-w-0 grow"):
                ui.label(f"{complaint.text}{saved}").classes("field-error break-words")
                hint(complaint.detail)
            if again is not None:
                retry = button(words("frame.try_again"), icon="refresh", dense=True)
                retry.classes("px-3 shrink-0").on_click(lambda: (retry.disable(), again())[1])

    def _settle(self, text: str) -> None:
        self._place.props("aria-busy=false")
        self._waiting.delete()
        self._label.delete()
        if text:
            with self._body:
                rendered(text).classes("break-words w-full chat-markdown")


class Remembering:
    """Looks, once in a second, for what was remembered of a session."""

    def __init__(self, visit: Visit, session_id: str, follow: Callable[[], None]) -> None:
        self._visit = visit
        self._follow = follow
        self._session_id = session_id
        self._known: set[str] = set()
        self._turns: list[AnswerView] = []
        self._quiet = 0

    async def begin(self) -> None:
        """What is known already came from before."""
        new, *_ = await self._visit.run(self._look)
        self._known |= {memory.id for memory, _ in new}
        self._timer = ui.timer(_LOOK_SECONDS, self._again, active=False)

    def watch(self, turn: AnswerView, reply: ChatReply) -> None:
        """Show below the answer what came of its turn, now and later."""
        if reply.saved is None:
            return
        self._known |= {one.id for one in reply.memories}
        turn.messages, turn.memories = frozenset(reply.saved.ids), list(reply.memories)
        self._turns.append(turn)
        for one in self._turns[-2:]:
            self._draw(one)
        self._expect()

    def _expect(self) -> None:
        self._quiet = 0
        self._timer.activate()

    async def _again(self) -> None:
        new, is_reading, is_on = await self._visit.run(self._look)
        for memory, messages in new:
            self._known.add(memory.id)
            of = (one for one in self._turns if messages & one.messages)
            next(of, self._turns[-1]).memories.append(memory)
            self._follow()
        for turn in self._turns:
            self._draw(turn, is_reading=is_reading, is_on=is_on)
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

    def _draw(self, turn: AnswerView, *, is_reading: bool = True, is_on: bool = True) -> None:
        """The turn's memories; while there are none, why."""
        words = self._visit.words
        is_last = turn is self._turns[-1]
        drawn = (len(turn.memories), is_reading, is_on, is_last)
        if drawn == turn.drawn:
            return
        turn.drawn = drawn
        with redrawn(turn.remembered):
            if turn.memories:
                ui.label(words("chat.remembered")).classes("font-semibold text-sm")
                memory_list(self._visit, turn.memories, icon="psychology")
            elif is_reading or not is_on:
                hint(words("chat.reading" if is_reading else "chat.off"))
            else:
                self._offer(turn, is_last=is_last)

    def _offer(self, turn: AnswerView, *, is_last: bool) -> None:
        """Offer to read the turn now."""
        words = self._visit.words

        async def now() -> None:
            await self._visit.run_slow(self._visit.memory.sessions.end, self._session_id)
            self._draw(turn)
            self._expect()

        with ui.row().classes("items-center gap-2"):
            hint(words("chat.nothing_yet"))
            if is_last:
                read = button(words("chat.remember_now"), now, look="flat", dense=True)
                read.classes("text-sm px-2")
