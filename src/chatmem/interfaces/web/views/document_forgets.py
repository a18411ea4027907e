"""The question before a save that takes memories out for good."""

from nicegui import ui

from chatmem.interfaces.web.saying import counted
from chatmem.interfaces.web.views.question import answer_to, question
from chatmem.interfaces.web.visit import Visit
from chatmem.text.bullets import parse

MOST_NAMED = 8


def forgotten(before: str, after: str) -> list[str]:
    """What the memories say that stand in the one text and no longer in the other."""
    kept = {bullet.id for bullet in parse(after).bullets}
    return [one.content for one in parse(before).bullets if one.id and one.id not in kept]


async def may_forget(visit: Visit, before: str, after: str) -> bool:
    """True when nothing is forgotten by this change, or the person wants it so."""
    gone = forgotten(before, after)
    return not gone or await _ask(visit, gone)


async def _ask(visit: Visit, gone: list[str]) -> bool:
    words = visit.words
    with question(counted(words, "editor.forget", len(gone)), "max-w-lg") as dialog:
        with ui.element("ul").classes("forget-list"):
            for content in gone[:MOST_NAMED]:
                with ui.element("li"):
                    ui.label(content).classes("break-words line-clamp-3")
        if len(gone) > MOST_NAMED:
            more = words("editor.forget_more", count=len(gone) - MOST_NAMED)
            ui.label(more).classes("muted text-sm")
        ui.label(words("editor.forget_about")).classes("muted text-sm")
        with ui.row().classes("w-full justify-end gap-2"):
            keep = ui.button(words("editor.forget_not"), on_click=lambda: dialog.submit(False))
            keep.props("flat no-caps")
            go_on = ui.button(words("editor.forget_save"), on_click=lambda: dialog.submit(True))
            go_on.props("outline no-caps color=negative")
    return bool(await answer_to(dialog))
