"""The prompt that a message would get: exactly, counted by section, with what was left out."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from fastapi import Request
from nicegui import ui

from chatmem.engine.context import ChatContextBuilder, PromptComposer
from chatmem.errors import ChatmemError, MemoryNotFoundError, SessionNotFoundError
from chatmem.interfaces.web import widgets
from chatmem.interfaces.web.views.memories.card import memory_button
from chatmem.interfaces.web.visit import Visit, session_address
from chatmem.interfaces.web.words import complaint_of, words
from chatmem.prompt.compose import ContextMessages, ContextText
from chatmem.prompt.receipt import SUMMARIES, Receipt
from chatmem.prompt.templates import DEFAULT_PERSONA

_SESSIONS: Final = 50
_NONE: Final = ""
_FEW: Final = 6
_TOP_K: Final = re.compile(r"(?:semantic|episodic)_top_k: ([0-9]+) are better")
_INDEXED: Final = re.compile(r"(window|rag)\[([0-9]+)\]")
_REASONS: Final = {
    "main_tokens: MEMORY.md is cut": "main_cut",
    "the same text is there already": "twice",
}
Composed: TypeAlias = ContextMessages | ContextText


class Described(NamedTuple):
    """One thing of a receipt, in words; `memory_id` and `session_id` say what it opens."""

    text: str
    memory_id: str | None = None
    session_id: str | None = None


Items = Mapping[str, Described]


async def show(visit: Visit, request: Request) -> None:
    """The form, and below it what came of it."""
    query = request.query_params
    ui.label(words("prompt.about")).classes("muted max-w-prose")
    options = await visit.run(_options, visit)
    settings = await visit.run(lambda: visit.memory.settings)
    # A running session by what it is about; the one of the address is among them.
    session_id = query.get("session", _NONE)
    options["session"].setdefault(session_id, session_id)
    inspector = _Inspector(visit, options, session_id, settings.memory.prompt_max_tokens)
    if message := query.get("message", "").strip():
        inspector.message.set_value(message)
        await inspector.compose()


def _options(visit: Visit) -> dict[str, dict[str, str]]:
    """The options of each field: values and their labels."""
    templates = visit.memory.context.templates()
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


class _Inspector:
    """A form for a prompt, and the prompt below it."""

    def __init__(
        self, visit: Visit, options: Mapping[str, dict[str, str]], session_id: str, most_tokens: int
    ) -> None:
        self._visit = visit
        self._most_tokens = most_tokens
        with ui.card().classes("w-full p-4 gap-3"):
            self.message = ui.textarea(words("prompt.message")).props("outlined autogrow autofocus")
            self.message.classes("w-full").on_value_change(lambda: self._refuse(None))
            self.message.props('input-style="min-height: 3.5rem; max-height: 16rem"')
            for key in ("ctrl", "meta"):
                self.message.on(f"keydown.{key}.enter.prevent", self.compose)
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
                self._form = widgets.named(widgets.toggle(forms, "messages"), words("prompt.form"))
                ui.space()
                go = words("prompt.go")
                self._go = widgets.button(go, self.compose, icon="fact_check", look="main")
        self._result = ui.column().classes("w-full gap-4")

    async def compose(self) -> None:
        """Show the prompt that the message would get, or why there is none."""
        if not (self.message.value or "").strip():
            self._refuse(words("prompt.needs_message"))
            return
        self._go.props("loading")
        try:
            composed = await self._visit.run(self._composed)
            items = await self._visit.run(described_items, self._visit, composed.receipt)
        except ChatmemError as error:
            self._refuse(str(complaint_of(error)))
            return
        finally:
            self._go.props(remove="loading")
        with widgets.redrawn(self._result):
            for lacking in composed.missing:
                widgets.note_missing(lacking)
            _show_tokens(self._visit, composed.receipt, items, self._limit)
            _show_left_out(self._visit, composed.receipt, items)
            _show_text(composed)

    def _refuse(self, why: str | None) -> None:
        self.message.error = why

    @property
    def _limit(self) -> int:
        return int(self._tokens.value or self._most_tokens)

    def _composed(self) -> Composed:
        memory = self._visit.memory
        wishes = {
            "persona": self._chosen["persona"].value,
            "scenario": self._chosen["scenario"].value or None,
            "budget": {"total_tokens": self._limit},
            "counts_access": False,
        }
        asked = self.message.value, self._chosen["session"].value or None
        if self._form.value == "text":
            return PromptComposer(memory).compose(*asked, **wishes)
        return ChatContextBuilder(memory).build_messages(*asked, **wishes)


def described_items(visit: Visit, receipt: Receipt) -> Items:
    """Everything that a receipt names, by its id."""
    summaries = {item for one in receipt.sections if one.name == SUMMARIES for item in one.items}
    items = [item for one in receipt.sections for item in one.items]
    items += [one.id for one in receipt.left_out]
    return {one: _describe(visit, one, one in summaries) for one in items}


def _describe(visit: Visit, item: str, is_summary: bool) -> Described:
    if (match := _INDEXED.fullmatch(item)) is not None:
        return Described(words(f"prompt.item_{match[1]}", number=int(match[2]) + 1))
    if not is_summary:
        with suppress(MemoryNotFoundError):
            return Described(visit.memory.get(item).content, memory_id=item)
    try:
        session = visit.memory.sessions.get(item)
    except SessionNotFoundError:
        return Described(words.get(f"prompt.section_{item}", item))
    title = session.title or words("sessions.untitled")
    return Described(words("prompt.item_summary", title=title), session_id=item)


def _reason(reason: str) -> str:
    """Why something was left out, in the visitor's language; an unknown reason as it is."""
    if reason in _REASONS:
        return words(f"prompt.reason_{_REASONS[reason]}")
    if (match := _TOP_K.fullmatch(reason)) is not None:
        return words("prompt.reason_top_k", count=match[1])
    limit, _, how = reason.partition(": ")
    text = words.get(f"prompt.reason_{limit}", reason)
    return words("prompt.reason_cut", reason=text) if how == "cut" else text


def _list_items(visit: Visit, items: Iterable[Described]) -> None:
    for one in widgets.listed(items, "prompt-list w-full", each=""):
        if one.memory_id is not None:
            memory_button(visit, one.memory_id, one.text)
        elif one.session_id is not None:
            link = ui.link(one.text, session_address(one.session_id))
            link.classes("frame-link break-words")
        else:
            ui.label(one.text).classes("break-words")


def list_folded(visit: Visit, name: str, items: Sequence[Described]) -> None:
    """The list below its count, the text `name`, which opens it."""
    label = words.counted(name, len(items))
    with ui.expansion(label).props("dense dense-toggle").classes("prompt-items"):
        _list_items(visit, items)


def _show_tokens(visit: Visit, receipt: Receipt, items: Items, limit: int) -> None:
    total = receipt.total_tokens
    sections = [
        (one, words(f"prompt.section_{one.name}")) for one in receipt.sections if one.tokens > 0
    ]
    with widgets.section(words("prompt.tokens"), "data_usage"):
        share = _share(total, limit)
        ui.label(words("prompt.tokens_of", count=f"{total:,}", limit=f"{limit:,}", share=share))
        bar = ui.element("div").classes("prompt-bar w-full").props("role=img")
        with widgets.named(bar, "; ".join(f"{name} {one.tokens:,}" for one, name in sections)):
            for one, name in sections:
                part = ui.element("div").classes(f"prompt-part prompt-{one.name}")
                with part.style(f"flex-grow: {one.tokens}"):
                    ui.tooltip(f"{name} · {words.counted('prompt.count', one.tokens)}")
        titles = [words(f"prompt.{column}") for column in ("section", "column_tokens", "share")]
        with widgets.table(dict.fromkeys(titles, ""), "prompt-table"):
            for one, name in sections:
                with ui.element("tr"):
                    with ui.element("th").props("scope=row").classes("w-full"):
                        with ui.row(wrap=False).classes("items-center gap-2"):
                            ui.element("span").classes(f"prompt-swatch prompt-{one.name}")
                            ui.label(name).classes("break-words min-w-0")
                        if one.items:
                            found = [items[item] for item in one.items]
                            list_folded(visit, "prompt.items", found)
                    for text in (f"{one.tokens:,}", _share(one.tokens, total)):
                        with ui.element("td"):
                            ui.label(text)


def _show_left_out(visit: Visit, receipt: Receipt, items: Items) -> None:
    with widgets.section(words("prompt.left_out"), "content_cut"):
        if not receipt.left_out:
            ui.label(words("prompt.nothing_left_out")).classes("muted")
        by_reason: dict[str, list[Described]] = {}
        for one in receipt.left_out:
            by_reason.setdefault(one.reason, []).append(items[one.id])
        for reason, found in by_reason.items():
            with ui.column().classes("w-full gap-1 prompt-left"):
                ui.label(_reason(reason))
                if len(found) <= _FEW:
                    _list_items(visit, found)
                else:
                    list_folded(visit, "prompt.items", found)


def _show_text(composed: Composed) -> None:
    blocks = (
        [(words("prompt.whole_text"), str(composed))]
        if isinstance(composed, ContextText)
        else [(words(f"sessions.role_{one['role']}"), one["content"]) for one in composed]
    )
    with widgets.section(words("prompt.exact"), "subject"):
        widgets.hint(words("prompt.exact_about"))
        for name, text in blocks:
            with widgets.named(ui.element("section"), name).classes("w-full prompt-block"):
                with ui.row(wrap=False).classes("w-full items-center gap-2"):
                    ui.label(name).classes("font-semibold text-sm")
                    ui.space()
                    copy = partial(_copy, text)
                    widgets.icon_button("content_copy", words("prompt.copy"), copy, "size=sm")
                ui.label(text).classes("prompt-text whitespace-pre-wrap break-words w-full")


def _copy(text: str) -> None:
    ui.clipboard.write(text)
    ui.notify(words("prompt.copied"))


def _share(tokens: int, total: int) -> str:
    return f"{tokens / total:.0%}" if tokens * 100 >= total else "<1%"
