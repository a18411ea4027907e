"""A composed prompt: its tokens as a bar, its text, what is in it and what is not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from nicegui import ui

from chatmem.interfaces.web.saying import counted
from chatmem.interfaces.web.views.memory_card import open_card
from chatmem.interfaces.web.views.prompt_told import Told, reason_told
from chatmem.interfaces.web.views.section import note_missing, section
from chatmem.interfaces.web.views.session_address import address_of
from chatmem.interfaces.web.visit import Visit
from chatmem.model import Missing
from chatmem.prompt.receipt import Receipt, ReceiptSection

_FEW: Final = 6
_ROLES: Final = frozenset(("system", "user", "assistant", "tool"))


@dataclass(frozen=True, slots=True)
class Composed:
    """A prompt: messages as roles and texts, or one text under `text`; and its receipt."""

    said: Sequence[tuple[str, str]]
    receipt: Receipt
    missing: tuple[Missing, ...]
    limit: int


def show_result(visit: Visit, composed: Composed, told: Mapping[str, Told]) -> None:
    """All of it, the bar first."""
    for lacking in composed.missing:
        note_missing(visit.words, lacking)
    _tokens(visit, composed, told)
    _left_out(visit, composed, told)
    _text(visit, composed)


def _tokens(visit: Visit, composed: Composed, told: Mapping[str, Told]) -> None:
    words, receipt = visit.words, composed.receipt
    shown = [one for one in receipt.sections if one.tokens > 0]
    with section(words("prompt.tokens"), "data_usage"):
        ui.label(
            words(
                "prompt.tokens_of",
                count=f"{receipt.total_tokens:,}",
                limit=f"{composed.limit:,}",
                share=_share(receipt.total_tokens, composed.limit),
            )
        )
        summary = "; ".join(f"{_name(visit, one)} {one.tokens:,}" for one in shown)
        bar = (
            ui.element("div").classes("prompt-bar w-full").props(f'role=img aria-label="{summary}"')
        )
        with bar:
            for one in shown:
                part = ui.element("div").classes(f"prompt-part prompt-{one.name}")
                part.style(f"flex-grow: {one.tokens}")
                with part:
                    ui.tooltip(
                        f"{_name(visit, one)} · {counted(words, 'prompt.count', one.tokens)}"
                    )
        with ui.element("table").classes("plain-table prompt-table w-full"):
            with ui.element("thead"), ui.element("tr"):
                for column in ("section", "column_tokens", "share"):
                    with ui.element("th").props("scope=col"):
                        ui.label(words(f"prompt.{column}"))
            with ui.element("tbody"):
                for one in shown:
                    _row(visit, one, receipt.total_tokens, told)


def _row(visit: Visit, one: ReceiptSection, total: int, told: Mapping[str, Told]) -> None:
    with ui.element("tr"):
        with ui.element("th").props("scope=row").classes("w-full"):
            with ui.row(wrap=False).classes("items-center gap-2"):
                ui.element("span").classes(f"prompt-swatch prompt-{one.name}")
                ui.label(_name(visit, one)).classes("break-words min-w-0")
            if one.items:
                label = counted(visit.words, "prompt.items", len(one.items))
                opened = ui.expansion(label).props("dense dense-toggle").classes("prompt-items")
                with opened:
                    list_told(visit, [told[item] for item in one.items])
        for text in (f"{one.tokens:,}", _share(one.tokens, total)):
            with ui.element("td"):
                ui.label(text)


def list_told(visit: Visit, items: Sequence[Told]) -> None:
    """The things as a list; those that can be opened are buttons and links."""
    with ui.element("ul").classes("prompt-list w-full"):
        for one in items:
            with ui.element("li"):
                _item(visit, one)


def _left_out(visit: Visit, composed: Composed, told: Mapping[str, Told]) -> None:
    words, left = visit.words, composed.receipt.left_out
    with section(words("prompt.left_out"), "content_cut"):
        if not left:
            ui.label(words("prompt.nothing_left_out")).classes("muted")
            return
        by_reason: dict[str, list[Told]] = {}
        for one in left:
            by_reason.setdefault(one.reason, []).append(told[one.id])
        for reason, items in by_reason.items():
            with ui.column().classes("w-full gap-1 prompt-left"):
                ui.label(reason_told(words, reason))
                if len(items) <= _FEW:
                    list_told(visit, items)
                    continue
                label = counted(words, "prompt.items", len(items))
                opened = ui.expansion(label).props("dense dense-toggle").classes("prompt-items")
                with opened:
                    list_told(visit, items)


def _text(visit: Visit, composed: Composed) -> None:
    words = visit.words
    with section(words("prompt.exact"), "subject"):
        ui.label(words("prompt.exact_about")).classes("muted text-sm")
        for role, text in composed.said:
            name = words(f"sessions.role_{role}" if role in _ROLES else "prompt.whole_text")
            with ui.element("section").classes("w-full prompt-said").props(f'aria-label="{name}"'):
                with ui.row(wrap=False).classes("w-full items-center gap-2"):
                    ui.label(name).classes("font-semibold text-sm")
                    ui.space()
                    _copy(visit, text)
                ui.label(text).classes("prompt-text whitespace-pre-wrap break-words w-full")


def _copy(visit: Visit, text: str) -> None:
    label = visit.words("prompt.copy")

    def copy() -> None:
        ui.clipboard.write(text)
        ui.notify(visit.words("prompt.copied"))

    ui.button(icon="content_copy", on_click=copy).props(
        f'flat round dense size=sm aria-label="{label}"'
    ).tooltip(label)


def _item(visit: Visit, told: Told) -> None:
    """What it says; one that can be opened is a button or a link."""
    if told.memory_id is not None:
        ui.button(told.text, on_click=partial(open_card, visit, told.memory_id)).props(
            "flat no-caps align=left dense"
        ).classes("session-memory text-left max-w-full")
    elif told.session_id is not None:
        ui.link(told.text, address_of(told.session_id)).classes("frame-link break-words")
    else:
        ui.label(told.text).classes("break-words")


def _share(tokens: int, total: int) -> str:
    return f"{tokens / total:.0%}" if tokens * 100 >= total else "<1%"


def _name(visit: Visit, one: ReceiptSection) -> str:
    return visit.words(f"prompt.section_{one.name}")
