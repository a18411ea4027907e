"""Parts of a view: a card with a heading, and names that a screen reader says."""

from typing import TypeVar

from nicegui import ui

from chatmem.errors import ChatmemError
from chatmem.interfaces.web.complaint import complaint_of, missing_of
from chatmem.interfaces.web.words import Words
from chatmem.model import Missing

Named = TypeVar("Named", bound=ui.element)


def section(title: str, icon: str) -> ui.card:
    """A card with a heading, to be filled."""
    card = ui.card().classes("w-full gap-3 p-4")
    with card, ui.row().classes("items-center gap-2 w-full no-wrap"):
        ui.icon(icon, size="sm").classes("muted").props("aria-hidden=true")
        ui.label(title).classes("text-lg font-semibold").props("role=heading aria-level=2")
    return card


def note_missing(words: Words, missing: Missing) -> None:
    """A line that says what could not be used, and why where that is not all of it."""
    told = missing_of(words, missing)
    with ui.row(wrap=False).classes("w-full items-start gap-2 muted text-sm"):
        ui.icon("info", size="xs").classes("mt-0.5").props("aria-hidden=true")
        with ui.column().classes("gap-0 min-w-0"):
            ui.label(told.text).classes("break-words")
            if told.detail:
                ui.label(told.detail).classes("text-xs break-words")


def complain(words: Words, error: ChatmemError) -> None:
    """What went wrong, where it belongs, and the engine's own sentence below it."""
    told = complaint_of(words, error)
    with ui.column().classes("w-full gap-1").props("role=alert"):
        ui.label(told.text).classes("field-error break-words")
        if told.detail:
            ui.label(told.detail).classes("muted text-sm break-words")


def named(element: Named, name: str) -> Named:
    """The element with the name that a screen reader says, whatever stands in it.

    `props` reads a text with quotes and backslashes in it as further properties.
    """
    element.props["aria-label"] = name
    return element
