"""The Markdown editor: CodeMirror with a name for screen readers, Tab to leave it, both themes."""

import json
from collections.abc import Callable
from typing import Final

from nicegui import ui

from chatmem.interfaces.web.merge import edits

_SET_UP: Final = """
(async () => {
  for (let tries = 0; tries < 200; tries++) {
    const found = getElement(%(id)d);
    if (found?.editorPromise) {
      const view = await found.editorPromise;
      const CM = await import("nicegui-codemirror");
      const attributes = {
        "aria-label": %(label)s, spellcheck: "true", tabindex: "0", "data-gramm": "false",
      };
      const readOnly = {"aria-readonly": "true"};
      const notes = new CM.MatchDecorator({
        regexp: /<!-- (?:[a-z_]+=.*?)?-->/g,
        decoration: CM.Decoration.mark({class: "document-note"}),
      });
      const dimmed = CM.ViewPlugin.fromClass(class {
        constructor(view) { this.decorations = notes.createDeco(view); }
        update(update) { this.decorations = notes.updateDeco(update, this.decorations); }
      }, {decorations: (plugin) => plugin.decorations});
      view.dispatch({effects: CM.StateEffect.appendConfig.of([
        dimmed,
        CM.EditorView.contentAttributes.of((view) => ({
          ...attributes,
          ...(view.state.facet(CM.EditorView.editable) ? {} : readOnly),
        })),
      ])});
      view.setTabFocusMode?.(true);
      const dress = () => {
        const theme = Quasar.Dark.isActive ? "githubDark" : "githubLight";
        if (view.dom.isConnected) found.setTheme(theme);
      };
      dress();
      const system = matchMedia("(prefers-color-scheme: dark)");
      system.addEventListener("change", () => setTimeout(dress));
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
})();
"""
_SWAP: Final = """
const CM = await import("nicegui-codemirror");
const view = getElement(%(id)d)?.editor;
if (!view || view.state.doc.toString() !== %(expected)s) return false;
view.dispatch({changes: %(changes)s, annotations: CM.isolateHistory.of("full")});
return true;
"""
_FOCUS: Final = """
setTimeout(() => {
  const view = getElement(%(id)d)?.editor, active = document.activeElement;
  const isLost = !active || active === document.body || active.closest("[disabled]");
  if (!view || !isLost) return;
  if (matchMedia("(pointer: coarse)").matches) getSelection().removeAllRanges();
  else view.focus();
}, 60);
"""
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
        ui.run_javascript(_SET_UP % {"id": self.id, "label": json.dumps(label)})

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
                "insert": one.text,
            }
            for one in edits(expected, wanted)
        ]
        values = {
            "id": self.id,
            "expected": json.dumps(expected),
            "changes": json.dumps(changes),
        }
        try:
            done = await ui.run_javascript(_SWAP % values, timeout=_SWAP_SECONDS)
        except TimeoutError:  # the window is gone, or asleep
            return False
        return bool(done)

    def take_lost_focus(self) -> None:
        """Focus the editor where a disabled button had the focus; not on a touch screen."""
        ui.run_javascript(_FOCUS % {"id": self.id})


def with_plain_ends(text: str) -> str:
    """The text as the editor has it: it knows one kind of line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _units(text: str, index: int) -> int:
    """An index into the text in UTF-16 units, as a browser counts."""
    return len(text[:index].encode("utf-16-le", "surrogatepass")) // 2
