"""The prompt that a message would get: exactly, counted by section, with what was left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fastapi import Request
from nicegui import ui

from chatmem.engine.context import ChatContextBuilder, PromptComposer
from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError
from chatmem.interfaces.web.complaint import complaint_of
from chatmem.interfaces.web.saying import day_and_clock
from chatmem.interfaces.web.views.prompt_result import Composed, show_result
from chatmem.interfaces.web.views.prompt_told import told_items
from chatmem.interfaces.web.visit import Visit
from chatmem.model import Session
from chatmem.prompt.templates import DEFAULT_PERSONA

_SESSIONS: Final = 50
_NONE: Final = ""


@dataclass(frozen=True, slots=True)
class _Choices:
    """What a person may choose from, and the limit that counts where none is given."""

    sessions: Sequence[Session]
    personas: Sequence[str]
    scenarios: Sequence[str]
    most_tokens: int


async def show(visit: Visit, request: Request) -> None:
    """The form, and below it what came of it."""
    words = visit.words
    ui.label(words("prompt.about")).classes("muted max-w-prose")
    choices = await visit.away(_choices, visit.memory)
    form = _Form(visit, choices, request.query_params.get("session", _NONE))
    result = ui.column().classes("w-full gap-4")

    async def compose() -> None:
        if not form.is_complete():
            return
        try:
            with form.busy():
                composed = await visit.away(form.composed)
                told = await visit.away(told_items, visit, composed.receipt)
        except ChatmemError as error:
            form.refuse(str(complaint_of(words, error)))
            return
        result.clear()
        with result:
            show_result(visit, composed, told)

    form.on_go(compose)
    if message := request.query_params.get("message", "").strip():
        form.message.set_value(message)
        await compose()


def _choices(memory: MemoryService) -> _Choices:
    templates = memory.context().templates()
    return _Choices(
        memory.sessions.list(_SESSIONS).items,
        sorted(templates.personas, key=lambda name: (name != DEFAULT_PERSONA, name)),
        sorted(templates.scenarios),
        memory.settings.memory.prompt_max_tokens,
    )


class _Form:
    """What a person says about the prompt."""

    def __init__(self, visit: Visit, choices: _Choices, session_id: str) -> None:
        self._visit = visit
        self._most_tokens = choices.most_tokens
        words = visit.words
        with ui.card().classes("w-full p-4 gap-3"):
            self.message = ui.textarea(words("prompt.message")).props("outlined autogrow autofocus")
            self.message.classes("w-full").on_value_change(lambda: self.refuse(""))
            self.message.props('input-style="min-height: 3.5rem; max-height: 16rem"')
            with ui.element("div").classes("prompt-form w-full"):
                self._session = self._select("session", _sessions(visit, choices, session_id))
                self._session.set_value(session_id)
                self._persona = self._select(
                    "persona", {one: _named(visit, "persona", one) for one in choices.personas}
                )
                self._persona.set_value(DEFAULT_PERSONA)
                scenarios = {_NONE: words("prompt.no_scenario")}
                self._scenario = self._select(
                    "scenario",
                    scenarios | {one: _named(visit, "scenario", one) for one in choices.scenarios},
                )
                self._scenario.set_value(_NONE)
                self._tokens = ui.number(
                    words("prompt.most_tokens"), value=choices.most_tokens, min=1, precision=0
                ).props("outlined dense")
            with ui.row().classes("w-full items-center gap-3"):
                self._form = (
                    ui.toggle(
                        {"messages": words("prompt.as_messages"), "text": words("prompt.as_text")},
                        value="messages",
                    )
                    .props(f'no-caps unelevated aria-label="{words("prompt.form")}"')
                    .classes("choice")
                    .classes("prompt-choice")
                )
                ui.space()
                self._go = ui.button(words("prompt.go"), icon="fact_check")
                self._go.props("unelevated no-caps")

    def on_go(self, handler: object) -> None:
        """Call it for the button, and for Ctrl+Enter in the message."""
        self._go.on_click(handler)  # type: ignore[arg-type]
        self.message.on("keydown.ctrl.enter.prevent", handler)  # type: ignore[arg-type]
        self.message.on("keydown.meta.enter.prevent", handler)  # type: ignore[arg-type]

    def busy(self) -> "_Busy":
        """While the prompt is being composed."""
        return _Busy(self._go)

    def is_complete(self) -> bool:
        """True where there is a message."""
        if (self.message.value or "").strip():
            return True
        self.refuse(self._visit.words("prompt.needs_message"))
        return False

    def refuse(self, why: str) -> None:
        """Say it below the message; "" takes it away."""
        self.message.error = why or None

    def composed(self) -> Composed:
        """The prompt; to be called away."""
        memory = self._visit.memory
        limit = int(self._tokens.value or self._most_tokens)
        wishes = {
            "persona": self._persona.value,
            "scenario": self._scenario.value or None,
            "budget": {"total_tokens": limit},
            "counts_access": False,
        }
        session_id = self._session.value or None
        if self._form.value == "text":
            text = PromptComposer(memory).compose(self.message.value, session_id, **wishes)
            return Composed([("text", str(text))], text.receipt, text.missing, limit)
        made = ChatContextBuilder(memory).build_messages(self.message.value, session_id, **wishes)
        said = [(one["role"], one["content"]) for one in made]
        return Composed(said, made.receipt, made.missing, limit)

    def _select(self, name: str, options: dict[str, str]) -> ui.select:
        return ui.select(options, label=self._visit.words(f"prompt.{name}")).props(
            "outlined dense options-dense"
        )


class _Busy:
    """A button that waits."""

    def __init__(self, button: ui.button) -> None:
        self._button = button

    def __enter__(self) -> None:
        self._button.props("loading")

    def __exit__(self, *_: object) -> None:
        self._button.props(remove="loading")


def _sessions(visit: Visit, choices: _Choices, chosen: str) -> dict[str, str]:
    """Running sessions by what they are about; the one that an address names is among them."""
    options = {_NONE: visit.words("prompt.no_session")}
    for one in choices.sessions:
        title = one.title or day_and_clock(visit.words, one.updated_at)
        options[one.session_id] = title
    if chosen not in options:
        options[chosen] = chosen
    return options


def _named(visit: Visit, kind: str, name: str) -> str:
    """A persona or scenario as a person calls it; one of the user's own by its name."""
    try:
        return visit.words(f"prompt.{kind}_{name}")
    except KeyError:
        return name
