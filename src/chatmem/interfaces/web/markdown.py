"""Markdown, rendered without anything that acts or loads, and the editor in which it is written.

HTML in it is shown as text; links to web pages and mail addresses stay; pictures become links. The
editor is CodeMirror with a name for screen readers, Tab to leave it, both themes; what it does in
the browser stands in `markdown_editor.js`.
"""

import json
from collections.abc import Callable
from html import escape
from typing import Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from nicegui import ui
from nicegui.awaitable_response import AwaitableResponse

from chatmem.interfaces.web.merge import edits
from chatmem.text.bullets import visible_text
from chatmem.text.clean import without_surrogates

PREVIEW_CHARS: Final = 60_000
"""Characters; rendering holds up the page, and nobody reads more of a preview."""
_HEADINGS: Final = {f"h{level}": f"h{min(level + 2, 6)}" for level in range(1, 7)}
"""The page has the first level, and the card around the text the second."""
_SCHEMES: Final = frozenset(("http", "https", "mailto"))
_RENDERER: Final = MarkdownIt().enable(["table", "strikethrough"])


def rendered(text: str) -> ui.html:
    """The text as a reader sees it, without chatmem's comments."""
    return ui.html(preview_text(text), sanitize=safe_html).classes("nicegui-markdown")


def preview_text(text: str) -> str:
    """What `rendered` shows of a text; for its `set_content`."""
    return visible_text(text[:PREVIEW_CHARS])


def safe_html(markdown: str) -> str:
    """The Markdown as HTML that neither acts nor loads anything."""
    return str(_RENDERER.render(without_surrogates(markdown)))


def _restrict(state: StateCore) -> None:
    """Change headings, links, pictures and HTML among the tokens that are to be rendered."""
    for token in state.tokens:
        token.tag = _HEADINGS.get(token.tag, token.tag)
        _show_as_text(token)
        leads_out = False
        for one in token.children or ():
            _show_as_text(one)
            if one.type == "link_open":
                leads_out = _leads_out(target := str(one.attrGet("href")))
                one.type, one.content = "html_inline", _link(target) if leads_out else ""
            elif one.type == "link_close" and not leads_out:
                one.type = "html_inline"
            elif one.type == "image":
                source, text = str(one.attrGet("src")), escape(one.content)
                link = f"{_link(source)}{text or escape(source)}</a>"
                one.type, one.content = "html_inline", link if _leads_out(source) else text


def _show_as_text(token: Token) -> None:
    """Escape a token of HTML; a comment is left out."""
    if token.type in ("html_block", "html_inline"):
        token.content = "" if token.content.startswith("<!--") else escape(token.content)


def _link(target: str) -> str:
    return f'<a href="{escape(target)}" target="_blank" rel="noopener noreferrer">'


def _leads_out(target: str) -> bool:
    try:
        return urlsplit(target.strip()).scheme.lower() in _SCHEMES
    except ValueError:
        return False


_RENDERER.core.ruler.push("restrict", _restrict)

_SWAP_SECONDS: Final = 5.0


class MarkdownEditor(ui.codemirror):
    """A Markdown editor; every line of its `value` ends alike, whatever came in."""

    _guarded = False

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
        if unsaved != self._guarded:
            self._guarded = unsaved
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
