"""The prompt that a message would get: exactly, counted by section, with what was left out."""

from collections.abc import Callable, Mapping
from typing import Final

from fastapi import Request
from nicegui import ui

from chatmem.engine.context import ChatContextBuilder, PromptComposer
from chatmem.errors import ChatmemError
from chatmem.interfaces.web.complaint import complaint_of
from chatmem.interfaces.web.views.prompt_receipt import PromptPreview, described_items, show_prompt
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import button, named, redrawn, toggle
from chatmem.prompt.templates import DEFAULT_PERSONA

_SESSIONS: Final = 50
_NONE: Final = ""


async def show(visit: Visit, request: Request) -> None:
    """The form, and below it what came of it."""
    words = visit.words
    ui.label(words("prompt.about")).classes("muted max-w-prose")
    options = await visit.run(_options, visit)
    most_tokens = (await visit.run(lambda: visit.memory.settings)).memory.prompt_max_tokens

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
        with redrawn(result):
            show_prompt(visit, composed, items)

    # A running session by what it is about; the one of the address is among them.
    session_id = request.query_params.get("session", _NONE)
    options["session"].setdefault(session_id, session_id)
    form = _Form(visit, options, session_id, most_tokens, compose)
    result = ui.column().classes("w-full gap-4")
    if message := request.query_params.get("message", "").strip():
        form.message.set_value(message)
        await compose()


def _options(visit: Visit) -> dict[str, dict[str, str]]:
    """What a person may choose from, by field: values and what they are called."""
    words, templates = visit.words, visit.memory.context().templates()
    sessions = visit.memory.sessions.list(_SESSIONS).items
    personas = sorted(templates.personas, key=lambda name: (name != DEFAULT_PERSONA, name))
    scenarios = sorted(templates.scenarios)
    return {
        "session": {_NONE: words("prompt.no_session")}
        | {one.session_id: one.title or words.moment(one.updated_at) for one in sessions},
        "persona": {one: words.get(f"prompt.persona_{one}", one) for one in personas},
        "scenario": {_NONE: words("prompt.no_scenario")}
        | {one: words.get(f"prompt.scenario_{one}", one) for one in scenarios},
    }


class _Form:
    """What a person says about the prompt."""

    def __init__(
        self,
        visit: Visit,
        options: Mapping[str, dict[str, str]],
        session_id: str,
        most_tokens: int,
        on_go: Callable[[], object],
    ) -> None:
        self._visit = visit
        self._most_tokens = most_tokens
        words = visit.words
        with ui.card().classes("w-full p-4 gap-3"):
            self.message = ui.textarea(words("prompt.message")).props("outlined autogrow autofocus")
            self.message.classes("w-full").on_value_change(lambda: self.refuse(""))
            self.message.props('input-style="min-height: 3.5rem; max-height: 16rem"')
            for key in ("ctrl", "meta"):
                self.message.on(f"keydown.{key}.enter.prevent", on_go)
            with ui.element("div").classes("prompt-form w-full"):
                chosen = {"session": session_id, "persona": DEFAULT_PERSONA, "scenario": _NONE}
                self._chosen = {
                    name: ui.select(options[name], label=words(f"prompt.{name}"), value=value)
                    for name, value in chosen.items()
                }
                for field in self._chosen.values():
                    field.props("outlined dense options-dense")
                label = words("prompt.most_tokens")
                self._tokens = ui.number(label, value=most_tokens, min=1, precision=0)
                self._tokens.props("outlined dense")
            with ui.row().classes("w-full items-center gap-3"):
                forms = {one: words(f"prompt.as_{one}") for one in ("messages", "text")}
                self._form = named(toggle(forms, "messages"), words("prompt.form"))
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
            "persona": self._chosen["persona"].value,
            "scenario": self._chosen["scenario"].value or None,
            "budget": {"total_tokens": limit},
            "counts_access": False,
        }
        session_id = self._chosen["session"].value or None
        if self._form.value == "text":
            text = PromptComposer(memory).compose(self.message.value, session_id, **wishes)
            return PromptPreview([("text", str(text))], text.receipt, text.missing, limit)
        made = ChatContextBuilder(memory).build_messages(self.message.value, session_id, **wishes)
        messages = [(one["role"], one["content"]) for one in made]
        return PromptPreview(messages, made.receipt, made.missing, limit)
