"""The Markdown editor: CodeMirror with a name for screen readers, Tab to leave it, both themes.

What it does in the browser stands in `markdown_editor.js`.
"""

import json
from collections.abc import Callable
from typing import Final

from nicegui import ui
from nicegui.awaitable_response import AwaitableResponse

from chatmem.interfaces.web.merge import edits

_SWAP_SECONDS: Final = 5.0


class MarkdownEditor(ui.codemirror):
    """A Markdown editor; every line of its `value` ends alike, whatever came in."""

    def __init__(
        self,
        value: str,
        label: str,
        *,
        on_change: Callable[[], object] | None = None,
        on_save: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(
            with_plain_ends(value),
            language="Markdown",
            theme="githubLight",
            line_wrapping=True,
            indent="  ",
            on_change=on_change,
            keymap={"Mod-s": on_save} if on_save else None,
        )
        self.classes("markdown-editor")
        self._call("setUp", label)

    async def swap(self, expected: str, wanted: str) -> bool:
        """True when the text was `expected` and now is `wanted`; False when somebody typed.

        The browser itself compares, so that no keystroke is lost. Cursor and undo stay.
        """
        if expected == wanted:
            return bool(self.value == expected)
        changes = [
            {
                "from": _units(expected, one.start),
                "to": _units(expected, one.end),
                "insert": one.new,
            }
            for one in edits(expected, wanted)
        ]
        try:
            done = await self._call("swap", expected, changes, timeout=_SWAP_SECONDS)
        except TimeoutError:  # the window is gone, or asleep
            return False
        return bool(done)

    def take_lost_focus(self) -> None:
        """Focus the editor where a disabled button had the focus; not on a touch screen."""
        self._call("takeLostFocus")

    def guard(self, *, unsaved: bool) -> None:
        """Let the browser ask before a window with unsaved text is closed."""
        self._call("guard", unsaved)

    def _call(self, name: str, *given: object, timeout: float = 1.0) -> AwaitableResponse:
        arguments = ", ".join(json.dumps(one) for one in (self.id, *given))
        return ui.run_javascript(f"chatmemEditor.{name}({arguments})", timeout=timeout)


def with_plain_ends(text: str) -> str:
    """The text as the editor has it: it knows one kind of line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _units(text: str, index: int) -> int:
    """An index into the text in UTF-16 units, as a browser counts."""
    return len(text[:index].encode("utf-16-le", "surrogatepass")) // 2
