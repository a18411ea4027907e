"""A part of a memory's card: a heading, and what stands under it."""

from nicegui import ui


def part(title: str, icon: str) -> ui.column:
    """A part with its heading, to be filled."""
    place = ui.column().classes("w-full gap-2 card-part")
    with place, ui.row(wrap=False).classes("items-center gap-2"):
        ui.icon(icon, size="xs").classes("muted").props("aria-hidden=true")
        ui.label(title).classes("font-semibold").props("role=heading aria-level=3")
    return place
