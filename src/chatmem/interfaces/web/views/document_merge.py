"""Two versions of a document side by side, and the result that a person makes of them."""

from difflib import unified_diff
from itertools import islice
from typing import Final

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from chatmem.interfaces.web.markdown import MarkdownEditor
from chatmem.interfaces.web.merge import SIDES, Side, merged, rebased
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import QuestionDialog, button, heading, hint, named
from chatmem.interfaces.web.words import Words
from chatmem.text.bullets import visible_text

_LOOKS: Final = {" ": "merge-kept", "+": "merge-new", "-": "merge-gone", "@": "merge-far"}


async def ask_for_result(visit: Visit, name: str, versions: tuple[str, str, str]) -> str | None:
    """What the person made of base, mine and theirs; None when they would rather go on writing."""
    words = visit.words
    results = {side: merged(*versions, keep=side) for side in SIDES}
    proposed = results["both"]

    def choose(event: ValueChangeEventArguments[Side]) -> None:
        """Take another side; what was typed into the result stays."""
        nonlocal proposed
        before, proposed = proposed, results[event.value]
        result.set_value(rebased(before, proposed, str(result.value)))

    title = words("editor.merge_title", document=name)
    with QuestionDialog(words, title, "merge") as dialog:
        ui.label(words("editor.merge_about")).classes("muted")
        with ui.element("div").classes("merge-sides w-full"):
            for side, text in zip(("mine", "theirs"), versions[1:], strict=True):
                _show_side(words, side, versions[0], text)
        if results["mine"] != proposed:
            with ui.row().classes("items-center gap-2 w-full"):
                hint(words("editor.merge_keep"))
                radio = ui.radio({one: words(f"editor.merge_{one}") for one in SIDES}, value="both")
                named(radio.props("inline dense"), words("editor.merge_keep"))
                radio.on_value_change(choose)
        heading(words("editor.merge_result"), 3)
        hint(words("editor.merge_result_about"))
        result = MarkdownEditor(proposed, words("editor.merge_result"))
        with ui.row().classes("merge-actions w-full items-center justify-end gap-2"):
            button(words("editor.merge_cancel"), lambda: dialog.dialog.submit(None), look="flat")
            save = button(words("editor.merge_save"), icon="save", look="main")
            save.on_click(lambda: dialog.dialog.submit(result.value))
    dialog.dialog.props("maximized")
    answer = await dialog.answer()
    return answer if isinstance(answer, str) else None


def _show_side(words: Words, side: str, base: str, text: str) -> None:
    """What one side changed, each with the line before and behind it; ids and the like aside."""
    old, new = (visible_text(one).split("\n") for one in (base, text))
    with ui.element("section").classes("merge-side"):
        heading(words(f"editor.merge_{side}"), 3, "font-medium")
        if old == new:
            hint(words("editor.merge_unchanged"), "italic")
        for line in islice(unified_diff(old, new, n=1, lineterm=""), 2, None):
            shown = "…" if line[0] == "@" else line[1:]
            ui.label(shown).classes(f"merge-line {_LOOKS[line[0]]} break-words")
