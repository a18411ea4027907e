"""Parts of a view: a card with a heading, and names that a screen reader says."""

from typing import TypeVar

from nicegui import ui

Named = TypeVar("Named", bound=ui.element)


def section(title: str, icon: str) -> ui.card:
    """A card with a heading, to be filled."""
    card = ui.card().classes("w-full gap-3 p-4")
    with card, ui.row().classes("items-center gap-2 w-full no-wrap"):
        ui.icon(icon, size="sm").classes("muted").props("aria-hidden=true")
        ui.label(title).classes("text-lg font-semibold").props("role=heading aria-level=2")
    return card


def named(element: Named, name: str) -> Named:
    """The element with the name that a screen reader says, whatever stands in it.

    `props` reads a text with quotes and backslashes in it as further properties.
    """
    element.props["aria-label"] = name
    return element
