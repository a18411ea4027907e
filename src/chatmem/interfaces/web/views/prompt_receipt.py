"""A composed prompt: its tokens as a bar, its text, what is in it and what is not."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from nicegui import ui

from chatmem.errors import MemoryNotFoundError, SessionNotFoundError
from chatmem.interfaces.web.layout import session_address
from chatmem.interfaces.web.views.memories.card import memory_button
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import (
    hint,
    icon_button,
    listed,
    named,
    note_missing,
    section,
    table,
)
from chatmem.interfaces.web.words import Words
from chatmem.model import Missing
from chatmem.prompt.receipt import SUMMARIES, Receipt

_FEW: Final = 6
_ROLES: Final = frozenset(("system", "user", "assistant", "tool"))
_TOP_K: Final = re.compile(r"(?:semantic|episodic)_top_k: ([0-9]+) are better")
_INDEXED: Final = re.compile(r"(window|rag)\[([0-9]+)\]")
_REASONS: Final = {
    "main_tokens: MEMORY.md is cut": "main_cut",
    "the same text is there already": "twice",
}
_LIMITS: Final = frozenset((
    "total_tokens", "memory_tokens", "main_tokens", "household_tokens", "profile_tokens",
    "rag_tokens", "window_messages", "max_entries",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class PromptPreview:
    """A prompt: messages as roles and texts, or one text under `text`; and its receipt."""

    messages: Sequence[tuple[str, str]]
    receipt: Receipt
    missing: tuple[Missing, ...]
    limit: int


@dataclass(frozen=True, slots=True)
class Described:
    """One thing of a receipt, in words; `memory_id` and `session_id` say what it opens."""

    text: str
    memory_id: str | None = None
    session_id: str | None = None


Items = Mapping[str, Described]


def described_items(visit: Visit, receipt: Receipt) -> Items:
    """Everything that a receipt names, by its id."""
    summaries = {item for one in receipt.sections if one.name == SUMMARIES for item in one.items}
    items = [item for one in receipt.sections for item in one.items]
    items += [one.id for one in receipt.left_out]
    return {one: _describe(visit, one, one in summaries) for one in items}


def _describe(visit: Visit, item: str, is_summary: bool) -> Described:
    words = visit.words
    if (match := _INDEXED.fullmatch(item)) is not None:
        return Described(words(f"prompt.item_{match[1]}", number=int(match[2]) + 1))
    if not is_summary:
        try:
            return Described(visit.memory.get(item).content, memory_id=item)
        except MemoryNotFoundError:
            pass
    try:
        session = visit.memory.sessions.get(item)
    except SessionNotFoundError:
        return Described(words.get(f"prompt.section_{item}", item))
    title = session.title or words("sessions.untitled")
    return Described(words("prompt.item_summary", title=title), session_id=item)


def reason_in_words(words: Words, reason: str) -> str:
    """Why something was left out, as a person says it; an unknown reason as it is."""
    if reason in _REASONS:
        return words(f"prompt.reason_{_REASONS[reason]}")
    if (match := _TOP_K.fullmatch(reason)) is not None:
        return words("prompt.reason_top_k", count=match[1])
    limit, _, how = reason.partition(": ")
    if limit not in _LIMITS:
        return reason
    text = words(f"prompt.reason_{limit}")
    return words("prompt.reason_cut", reason=text) if how == "cut" else text


def show_prompt(visit: Visit, composed: PromptPreview, items: Items) -> None:
    """All of it, the bar first."""
    for lacking in composed.missing:
        note_missing(visit.words, lacking)
    _show_tokens(visit, composed, items)
    _show_left_out(visit, composed.receipt, items)
    _show_text(visit.words, composed)


def list_items(visit: Visit, items: Iterable[Described]) -> None:
    """The things as a list; those that can be opened are buttons and links."""
    for one in listed(items, "prompt-list w-full", each=""):
        if one.memory_id is not None:
            memory_button(visit, one.memory_id, one.text)
        elif one.session_id is not None:
            link = ui.link(one.text, session_address(one.session_id))
            link.classes("frame-link break-words")
        else:
            ui.label(one.text).classes("break-words")


def list_folded(visit: Visit, name: str, items: Sequence[Described]) -> None:
    """The list below its count, the text `name`, which opens it."""
    label = visit.words.counted(name, len(items))
    with ui.expansion(label).props("dense dense-toggle").classes("prompt-items"):
        list_items(visit, items)


def _show_tokens(visit: Visit, composed: PromptPreview, items: Items) -> None:
    words, total = visit.words, composed.receipt.total_tokens
    sections = [
        (one, words(f"prompt.section_{one.name}"))
        for one in composed.receipt.sections
        if one.tokens > 0
    ]
    with section(words("prompt.tokens"), "data_usage"):
        count, limit = f"{total:,}", f"{composed.limit:,}"
        share = _share(total, composed.limit)
        ui.label(words("prompt.tokens_of", count=count, limit=limit, share=share))
        bar = ui.element("div").classes("prompt-bar w-full").props("role=img")
        with named(bar, "; ".join(f"{name} {one.tokens:,}" for one, name in sections)):
            for one, name in sections:
                part = ui.element("div").classes(f"prompt-part prompt-{one.name}")
                with part.style(f"flex-grow: {one.tokens}"):
                    ui.tooltip(f"{name} · {words.counted('prompt.count', one.tokens)}")
        titles = [words(f"prompt.{column}") for column in ("section", "column_tokens", "share")]
        with table(dict.fromkeys(titles, ""), "prompt-table"):
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
    words = visit.words
    with section(words("prompt.left_out"), "content_cut"):
        if not receipt.left_out:
            ui.label(words("prompt.nothing_left_out")).classes("muted")
        by_reason: dict[str, list[Described]] = {}
        for one in receipt.left_out:
            by_reason.setdefault(one.reason, []).append(items[one.id])
        for reason, found in by_reason.items():
            with ui.column().classes("w-full gap-1 prompt-left"):
                ui.label(reason_in_words(words, reason))
                if len(found) <= _FEW:
                    list_items(visit, found)
                else:
                    list_folded(visit, "prompt.items", found)


def _show_text(words: Words, composed: PromptPreview) -> None:
    with section(words("prompt.exact"), "subject"):
        hint(words("prompt.exact_about"))
        for role, text in composed.messages:
            name = words(f"sessions.role_{role}" if role in _ROLES else "prompt.whole_text")
            with named(ui.element("section"), name).classes("w-full prompt-said"):
                with ui.row(wrap=False).classes("w-full items-center gap-2"):
                    ui.label(name).classes("font-semibold text-sm")
                    ui.space()
                    copy = partial(_copy, words, text)
                    icon_button("content_copy", words("prompt.copy"), copy, "size=sm")
                ui.label(text).classes("prompt-text whitespace-pre-wrap break-words w-full")


def _copy(words: Words, text: str) -> None:
    ui.clipboard.write(text)
    ui.notify(words("prompt.copied"))


def _share(tokens: int, total: int) -> str:
    return f"{tokens / total:.0%}" if tokens * 100 >= total else "<1%"
