"""The question before a document with unsaved text is left for another one."""

from nicegui import ui

from chatmem.interfaces.web.views.document import DocumentEditor
from chatmem.interfaces.web.views.question import answer_to, question
from chatmem.interfaces.web.visit import Visit


async def may_leave(visit: Visit, editor: DocumentEditor) -> bool:
    """True when nothing is unsaved any more, or the person does not want to keep it."""
    if not editor.unsaved:
        return True
    chosen = await _ask(visit)
    if chosen == "save":
        await editor.save()
        return not editor.unsaved
    return chosen == "leave"


async def _ask(visit: Visit) -> str | None:
    words = visit.words
    with question(words("editor.leave_title")) as dialog:
        ui.label(words("editor.leave_about")).classes("muted")
        with ui.row().classes("w-full justify-end gap-2"):
            stay = ui.button(words("editor.leave_stay"), on_click=lambda: dialog.submit(None))
            stay.props("flat no-caps")
            leave = ui.button(words("editor.leave_drop"), on_click=lambda: dialog.submit("leave"))
            leave.props("outline no-caps color=negative")
            save = ui.button(words("editor.save"), on_click=lambda: dialog.submit("save"))
            save.props("unelevated no-caps")
    answer = await answer_to(dialog)
    return answer if isinstance(answer, str) else None
