"""A dialog that asks one question and gives its answer."""

from collections.abc import Iterator
from contextlib import contextmanager

from nicegui import ui

from chatmem.interfaces.web.views.section import named


@contextmanager
def question(title: str, classes: str = "max-w-md") -> Iterator[ui.dialog]:
    """A dialog for the content of the block, below its title; it is submitted with the answer."""
    with ui.dialog() as dialog, ui.card().classes(f"w-full gap-3 p-4 {classes}"):
        heading = ui.label(title).classes("text-lg font-semibold break-words max-w-full")
        heading.props("role=heading aria-level=2")
        yield dialog
    named(dialog, title).props("role=dialog aria-modal=true")


async def answer_to(dialog: ui.dialog) -> object:
    """What the dialog was submitted with, None where it was closed; then the dialog is gone."""
    try:
        return await dialog
    finally:
        if not dialog.is_deleted:  # it is when the window was closed
            dialog.delete()
