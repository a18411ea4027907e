"""What a person sees of a document: the editor, the preview beside it, and what they can do."""

from collections.abc import Awaitable, Callable
from typing import Final, Literal

from nicegui import ui

from chatmem.interfaces.web.views.markdown_editor import MarkdownEditor
from chatmem.interfaces.web.views.rendered import MOST_SHOWN, rendered, shown
from chatmem.interfaces.web.visit import Visit

_ICONS: Final = {"saved": "check", "unsaved": "edit", "saving": "sync"}


class Panes:
    """Editor and preview; on a narrow screen one of them at a time."""

    def __init__(  # noqa: PLR0913
        self,
        visit: Visit,
        name: str,
        text: str,
        *,
        writable: bool,
        on_change: Callable[[], Awaitable[None]],
        on_save: Callable[[], Awaitable[None]],
        on_discard: Callable[[], Awaitable[None]],
        on_compare: Callable[[], Awaitable[None]],
    ) -> None:
        self._words = visit.words
        self._writable = writable
        state = "saved" if text.strip() else "nothing_yet"
        self.state = visit.words(f"editor.{state if writable else 'read_only'}")
        with ui.element("div").classes("document w-full"):
            with ui.row().classes("items-center gap-2 w-full document-bar"):
                self._choice()
                with ui.row(wrap=False).classes("items-center gap-2 grow document-state"):
                    self._icon = ui.icon(_ICONS["saved"] if writable else "lock", size="xs")
                    self._icon.classes("muted").props("aria-hidden=true")
                    self._state = ui.label(self.state).classes("muted text-sm")
                    self._state.props("role=status")
                self._discard = ui.button(visit.words("editor.discard"), on_click=on_discard)
                self._discard.props("flat no-caps").classes("document-discard")
                self._save = ui.button(visit.words("editor.save"), icon="save", on_click=on_save)
                self._save.props("unelevated no-caps").classes("document-save")
                self._save.props["aria-label"] = visit.words("editor.save_named", document=name)
                for button in (self._discard, self._save):
                    button.set_visibility(writable)
            self._banner = self._outside_hint(name, on_compare)
            with ui.element("div").classes("document-panes") as self._panes:
                self.editor = MarkdownEditor(
                    visit,
                    text,
                    visit.words("editor.text", document=name),
                    on_change=on_change,
                    on_save=on_save,
                )
                self.editor.set_writable(writable)
                self._build_preview(name, text)
            if writable:
                ui.label(visit.words("editor.save_hint")).classes("muted text-xs max-sm:hidden")
        self.show_state("saved")

    @property
    def told_of_change(self) -> bool:
        """Whether the hint stands there that the document has changed elsewhere."""
        return bool(self._banner.visible)

    @told_of_change.setter
    def told_of_change(self, told: bool) -> None:
        if told != self._banner.visible:
            self._banner.set_visibility(told)

    def show_state(self, state: Literal["saved", "unsaved", "saving"]) -> None:
        """Say whether everything is saved, and offer what can be done."""
        if not self._writable:
            return
        said = self.state if state == "saved" else self._words(f"editor.{state}")
        self._state.set_text(said)
        self._icon.set_name(_ICONS[state])
        self._save.set_enabled(state == "unsaved")
        self._discard.set_visibility(state == "unsaved")

    def show_preview(self, text: str) -> None:
        """The preview of this text."""
        content = shown(text)
        self._preview.set_content(content)
        self._empty.set_visibility(not content.strip())
        self._cut.set_visibility(len(text) > MOST_SHOWN)

    def _choice(self) -> None:
        names = {"write": self._words("editor.write"), "read": self._words("editor.read")}
        toggle = ui.toggle(names, value="write", on_change=lambda event: self._choose(event.value))
        toggle.props("unelevated no-caps dense toggle-color=primary padding='xs md'")
        toggle.classes("choice document-choice")

    def _choose(self, pane: str) -> None:
        reads = pane == "read"
        self._panes.classes(
            **({"add": "document-reads"} if reads else {"remove": "document-reads"})
        )

    def _outside_hint(self, name: str, on_compare: Callable[[], Awaitable[None]]) -> ui.row:
        with ui.row().classes("document-hint items-center gap-3 w-full p-3") as hint:
            ui.icon("sync_problem", size="sm").props("aria-hidden=true")
            said = self._words("editor.changed_elsewhere", document=name)
            ui.label(said).classes("flex-1 min-w-48 break-words")
            compare = ui.button(self._words("editor.compare"), icon="difference")
            compare.props("outline no-caps").on_click(on_compare)
        hint.props("role=alert").set_visibility(False)
        return hint

    def _build_preview(self, name: str, text: str) -> None:
        label = self._words("editor.preview", document=name)
        with ui.element("div").classes("document-preview break-words") as box:
            self._cut = ui.label(self._words("editor.preview_cut")).classes("muted text-sm")
            self._empty = ui.label(self._words("editor.preview_empty")).classes("muted")
            self._preview = rendered(text)
        box.props("role=region tabindex=0").props["aria-label"] = label
        self._empty.set_visibility(not shown(text).strip())
        self._cut.set_visibility(len(text) > MOST_SHOWN)
