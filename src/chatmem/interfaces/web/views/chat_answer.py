"""One answer in a conversation: its text as it comes, what it was made with, what came of it."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from chatmem.chat.reply import ChatReply
from chatmem.errors import ChatError, TurnNotSavedError
from chatmem.interfaces.web.complaint import complaint_of
from chatmem.interfaces.web.saying import counted
from chatmem.interfaces.web.views.prompt_result import list_told
from chatmem.interfaces.web.views.prompt_told import told_items
from chatmem.interfaces.web.views.rendered import rendered
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.words import Words
from chatmem.prompt.receipt import MEMORY_SECTIONS


def said_before(visit: Visit, role: str, text: str) -> None:
    """A message that stands."""
    if role == "user":
        with ui.element("div").classes("chat-user"):
            _speaker(visit, "user")
            ui.label(text).classes("break-words whitespace-pre-wrap")
        return
    with ui.element("div").classes("chat-answer w-full"):
        _speaker(visit, "assistant" if role == "assistant" else "system")
        rendered(text).classes("break-words w-full chat-markdown")


class Answer:
    """An answer on its way. `remembered` is where stands what came of it."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._text = ""
        with ui.element("div").classes("chat-answer w-full").props("aria-busy=true") as self._place:
            _speaker(visit, "assistant")
            self._body = ui.column().classes("w-full gap-2")
            with self._body:
                self._waiting = ui.spinner("dots", size="md").props(
                    f'role=status aria-label="{visit.words("chat.waiting")}"'
                )
                self._label = ui.label().classes("break-words whitespace-pre-wrap w-full")
            self.remembered = ui.column().classes("w-full gap-1")

    def go_on(self, piece: str) -> None:
        """More of it."""
        if piece:
            self._waiting.set_visibility(False)
            self._text += piece
            self._label.set_text(self._text)

    async def finish(self, reply: ChatReply) -> None:
        """It is whole."""
        self._settle(reply.text)
        told = await self._visit.away(told_items, self._visit, reply.receipt)
        used = [
            item
            for one in reply.receipt.sections
            if one.name in MEMORY_SECTIONS
            for item in one.items
        ]
        with self._body:
            for problem in reply.problems:
                ui.label(problem).classes("field-error text-sm break-words")
            if used:
                label = counted(self._visit.words, "chat.used", len(used))
                opened = ui.expansion(label).props("dense dense-toggle").classes("prompt-items")
                with opened:
                    list_told(self._visit, [told[one] for one in used])

    def stop(self) -> None:
        """A person asked for no more."""
        self._settle(self._text)
        with self._body:
            ui.label(self._visit.words("chat.stopped")).classes("muted text-sm")

    def break_off(
        self, error: ChatError | None, again: Callable[[], Awaitable[None]] | None
    ) -> None:
        """It failed; `again` asks once more."""
        self._settle(error.text if error else "")
        if error is None:
            return
        words = self._visit.words
        told = complaint_of(words, error)
        kept = "" if isinstance(error, TurnNotSavedError) else _kept(words, error)
        with self._body, ui.row().classes("w-full items-start gap-2 no-wrap").props("role=alert"):
            ui.icon("error_outline", size="sm").classes("field-error").props("aria-hidden=true")
            with ui.column().classes("gap-1 min-w-0 grow"):
                ui.label(f"{told.text}{kept}").classes("field-error break-words")
                ui.label(told.detail).classes("muted text-sm break-words")
            if again is not None:
                button = ui.button(self._visit.words("frame.try_again"), icon="refresh")
                button.props("outline no-caps dense").classes("px-3 shrink-0")
                button.on_click(lambda: (button.disable(), again())[1])

    def _settle(self, text: str) -> None:
        self._place.props("aria-busy=false")
        self._waiting.delete()
        self._label.delete()
        if text:
            with self._body:
                rendered(text).classes("break-words w-full chat-markdown")


def _kept(words: Words, error: ChatError) -> str:
    """Whether the turn was kept, to stand behind what went wrong."""
    kept = words("errors.turn_saved" if error.saved else "errors.turn_not_saved")
    return words("errors.and") + kept


def _speaker(visit: Visit, role: str) -> None:
    ui.label(visit.words(f"chat.role_{role}")).classes("font-semibold text-sm")
