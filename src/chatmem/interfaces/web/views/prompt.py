"""The prompt that a message would get: exactly, counted by section, with what was left out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from fastapi import Request
from nicegui import ui

from chatmem.engine.context import ChatContextBuilder, PromptComposer
from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError
from chatmem.interfaces.web.complaint import complaint_of
from chatmem.interfaces.web.views.prompt_receipt import PromptPreview, described_items, show_prompt
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import button, named
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
    choices = await visit.run(_choices, visit.memory)

    async def compose() -> None:
        if not (form.message.value or "").strip():
            form.refuse(words("prompt.needs_message"))
            return
        form.go.props("loading")
        try:
            composed = await visit.run(form.composed)
            items = await visit.run(described_items, visit, composed.receipt)
        except ChatmemError as error:
            form.refuse(str(complaint_of(words, error)))
            return
        finally:
            form.go.props(remove="loading")
        result.clear()
        with result:
            show_prompt(visit, composed, items)

    form = _Form(visit, choices, request.query_params.get("session", _NONE), compose)
    result = ui.column().classes("w-full gap-4")
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

    def __init__(
        self, visit: Visit, choices: _Choices, session_id: str, on_go: Callable[[], object]
    ) -> None:
        self._visit = visit
        self._most_tokens = choices.most_tokens
        words = visit.words
        with ui.card().classes("w-full p-4 gap-3"):
            self.message = ui.textarea(words("prompt.message")).props("outlined autogrow autofocus")
            self.message.classes("w-full").on_value_change(lambda: self.refuse(""))
            self.message.props('input-style="min-height: 3.5rem; max-height: 16rem"')
            for key in ("ctrl", "meta"):
                self.message.on(f"keydown.{key}.enter.prevent", on_go)
            with ui.element("div").classes("prompt-form w-full"):
                # A running session by what it is about; the one of the address is among them.
                sessions = {_NONE: words("prompt.no_session")}
                for one in choices.sessions:
                    sessions[one.session_id] = one.title or words.moment(one.updated_at)
                sessions.setdefault(session_id, session_id)
                self._session = self._select("session", sessions, session_id)
                personas = self._templates("persona", choices.personas)
                self._persona = self._select("persona", personas, DEFAULT_PERSONA)
                scenarios = {_NONE: words("prompt.no_scenario")}
                scenarios |= self._templates("scenario", choices.scenarios)
                self._scenario = self._select("scenario", scenarios, _NONE)
                self._tokens = ui.number(
                    words("prompt.most_tokens"), value=choices.most_tokens, min=1, precision=0
                ).props("outlined dense")
            with ui.row().classes("w-full items-center gap-3"):
                forms = {one: words(f"prompt.as_{one}") for one in ("messages", "text")}
                self._form = named(ui.toggle(forms, value="messages"), words("prompt.form"))
                self._form.props("no-caps unelevated").classes("choice prompt-choice")
                ui.space()
                self.go = button(words("prompt.go"), on_go, icon="fact_check", look="main")

    def refuse(self, why: str) -> None:
        """Say it below the message; "" takes it away."""
        self.message.error = why or None

    def composed(self) -> PromptPreview:
        """The prompt."""
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
            return PromptPreview([("text", str(text))], text.receipt, text.missing, limit)
        made = ChatContextBuilder(memory).build_messages(self.message.value, session_id, **wishes)
        messages = [(one["role"], one["content"]) for one in made]
        return PromptPreview(messages, made.receipt, made.missing, limit)

    def _templates(self, kind: str, names: Sequence[str]) -> dict[str, str]:
        """Personas or scenarios as a person calls them; the user's own by their names."""
        return {one: self._visit.words.get(f"prompt.{kind}_{one}", one) for one in names}

    def _select(self, name: str, options: Mapping[str, str], value: str) -> ui.select:
        field = ui.select(dict(options), label=self._visit.words(f"prompt.{name}"), value=value)
        return field.props("outlined dense options-dense")
