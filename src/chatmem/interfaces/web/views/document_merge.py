"""Two versions of a document side by side, and the result that a person makes of them."""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias, get_args

from nicegui import ui

from chatmem.interfaces.web.merge import Stretch, merge, rebased
from chatmem.interfaces.web.views.markdown_editor import MarkdownEditor
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import QuestionDialog, button, heading, hint, named
from chatmem.text.bullets import visible_text

Side: TypeAlias = Literal["mine", "theirs", "both"]
SIDES: Final[tuple[Side, ...]] = get_args(Side)
_BY: Final = {"mine": "mine", "theirs": "theirs", "both": "both", "conflict": "both"}


async def ask_for_result(visit: Visit, name: str, versions: tuple[str, str, str]) -> str | None:
    """What the person made of base, mine and theirs; None when they would rather go on writing."""
    stretches = merge(*versions)
    with QuestionDialog(
        visit.words, visit.words("editor.merge_title", document=name), "merge"
    ) as dialog:
        _Merge(visit, stretches, dialog.dialog.submit)
    dialog.dialog.props("maximized")
    result = await dialog.answer()
    return result if isinstance(result, str) else None


class _Merge:
    def __init__(
        self, visit: Visit, stretches: list[Stretch], submit: Callable[[object], None]
    ) -> None:
        self._words = visit.words
        self._stretches = stretches
        self._chosen = {n: _proposal(one) for n, one in enumerate(stretches)}
        self._computed = self._compute()
        words = self._words
        ui.label(words("editor.merge_about")).classes("muted")
        places = [n for n, one in enumerate(stretches) if one.changed != "same"]
        for number, n in enumerate(places, 1):
            self._place(n, words("editor.merge_place", number=number, count=len(places)))
        heading(words("editor.merge_result"), 3)
        hint(words("editor.merge_result_about"))
        self._result = MarkdownEditor(self._computed, words("editor.merge_result"))
        with ui.row().classes("merge-actions w-full items-center gap-2"):
            self._left = ui.label().classes("flex-1 min-w-48 muted").props("role=status")
            button(words("editor.merge_cancel"), lambda: submit(None), look="flat")
            self._save = button(words("editor.merge_save"), icon="save", look="main")
            self._save.on_click(lambda: submit(self._result.value))
        self._count_left()

    def _place(self, n: int, title: str) -> None:
        one, words = self._stretches[n], self._words
        with ui.element("section").classes("merge-place w-full"):
            with ui.row().classes("items-center gap-2 w-full px-3 pt-2"):
                heading(title, 3, "font-medium")
                hint(words(f"editor.merge_by_{_BY[one.changed]}"))
            with ui.element("div").classes("merge-sides"):
                self._side("mine", one.base, one.mine)
                self._side("theirs", one.base, one.theirs)
            with ui.row().classes("items-center gap-2 px-3 pb-2"):
                hint(words("editor.merge_keep"))
                options = {side: words(f"editor.merge_{side}") for side in SIDES}
                radio = ui.radio(options, value=self._chosen[n]).props("inline dense")
                named(radio, f"{title}: {words('editor.merge_keep')}")
                radio.on_value_change(lambda event: self._choose(n, event.value))

    def _side(self, side: Side, base: tuple[str, ...], lines: tuple[str, ...]) -> None:
        words, text = self._words, "\n".join(lines)
        note = ""
        if lines == base:
            note = "unchanged"
        elif not text.strip():
            note = "removed"
        elif visible_text(text) == visible_text("\n".join(base)):
            note = "technical"
        with ui.element("div").classes("merge-side"):
            hint(words(f"editor.merge_{side}"))
            if note:
                hint(words(f"editor.merge_{note}"), "italic")
            for line in lines:
                _line(line, "kept" if line in base else "new")
            for line in base:
                if line not in lines:
                    _line(line, "gone")

    def _choose(self, n: int, side: Side) -> None:
        """Choose another side for one place; what was typed into the result stays."""
        self._chosen[n] = side
        before, self._computed = self._computed, self._compute()
        self._result.set_value(rebased(before, self._computed, self._result.value))
        self._count_left()

    def _count_left(self) -> None:
        left = sum(1 for side in self._chosen.values() if side is None)
        name = {0: "merge_none_left", 1: "merge_one_left"}.get(left, "merge_left")
        self._left.set_text(self._words(f"editor.{name}", count=left))
        self._save.set_enabled(left == 0)

    def _compute(self) -> str:
        lines: list[str] = []
        for n, one in enumerate(self._stretches):
            lines += _lines_of(one, self._chosen[n])
        return "\n".join(lines)


def _line(line: str, kind: str) -> None:
    if line.strip():
        ui.label(visible_text(line) or line).classes(f"merge-line merge-{kind} break-words")


def _proposal(one: Stretch) -> Side | None:
    """What is chosen at first; None where one side would lose what it wrote."""
    if one.changed == "conflict":
        return "both" if one.only_added else None
    return "theirs" if one.changed == "theirs" else "mine"


def _lines_of(one: Stretch, side: Side | None) -> tuple[str, ...]:
    if one.changed == "same" or side == "mine":
        return one.mine
    if side == "theirs":
        return one.theirs
    there = set(one.theirs)
    return one.theirs + tuple(line for line in one.mine if line not in there or not line.strip())
