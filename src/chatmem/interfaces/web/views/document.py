"""An editor of a Markdown document, with a preview.

Changes made elsewhere are followed while nothing is unsaved; otherwise the versions are compared
before anything is written.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from difflib import unified_diff
from itertools import islice
from typing import Final, NamedTuple

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from chatmem.errors import ChatmemError, StaleEtagError
from chatmem.interfaces.web import markdown, widgets
from chatmem.interfaces.web.merge import SIDES, Side, merged, rebased
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.words import words
from chatmem.model import DocumentText
from chatmem.model.time import utc_now
from chatmem.text.bullets import parse, visible_text

LOOK_SECONDS: Final = 2.0
_SETTLE_SECONDS: Final = 0.35
_TRIES: Final = 40
_TRY_SECONDS: Final = 0.15
_MOST_NAMED: Final = 8
_LOOKS: Final = {" ": "merge-kept", "+": "merge-new", "-": "merge-gone", "@": "merge-far"}
_ICONS: Final = {"saved": "check", "unsaved": "edit", "saving": "sync"}


class Source(NamedTuple):
    """A document to edit.

    `write` takes text and etag, and may raise StaleEtagError; `on_text` gets the text after a pause
    in typing; with `guards_memories`, a save that drops memories asks first.
    """

    name: str
    read: Callable[[], DocumentText]
    write: Callable[[str, str], DocumentText]
    on_text: Callable[[str], Awaitable[None]] | None = None
    on_saved: Callable[[], Awaitable[None]] | None = None
    guards_memories: bool = False


class DocumentEditor:
    """The editor of one document, built where it is made."""

    def __init__(
        self, visit: Visit, source: Source, start: DocumentText, *, writable: bool = True
    ) -> None:
        self._visit = visit
        self._source = source
        self._writable = writable
        self._base = markdown.with_plain_ends(start.content)
        self._etag = start.etag
        self._edition = 0
        self._work = asyncio.Lock()
        self._build()
        self._timer = ui.timer(LOOK_SECONDS, self.look, immediate=False)

    @property
    def text(self) -> str:
        """What stands in the editor."""
        return str(self._editor.value)

    @property
    def unsaved(self) -> bool:
        """True when the editor holds something that is not in the document."""
        return self.text.strip() != self._base.strip()

    async def save(self) -> None:
        """Write what is in the editor; compare first where the document has changed."""
        async with self._work:
            if self._writable and self.unsaved:
                self._show()
                await self._save()
        self._show()
        self._editor.take_lost_focus()

    async def look(self) -> None:
        """See whether the document has changed elsewhere."""
        if self._work.locked():
            return
        etag = self._etag
        with suppress(ChatmemError):
            found = await self._visit.run(self._source.read)
            if self._work.locked() or self._etag != etag:
                return
            if found.etag == etag:
                self._outside_change.set_visibility(False)
            elif self.unsaved:
                self._outside_change.set_visibility(True)
            else:
                before = self.text
                followed = await self._take_over(before, found, tries=1)
                if followed and self._base.strip() != before.strip():
                    message = words("editor.followed", document=self._source.name)
                    ui.notify(message, type="info")

    async def may_be_left(self) -> bool:
        """True when nothing is unsaved any more, or the person does not want to keep it."""
        if not self.unsaved:
            return True
        with widgets.question(words("editor.leave_title")) as dialog:
            ui.label(words("editor.leave_about")).classes("muted")
            widgets.answers(
                dialog,
                ("editor.leave_stay", None, "flat"),
                ("editor.leave_drop", "leave", "danger"),
                ("editor.save", "save", "main"),
            )
        answer = await widgets.answer_of(dialog)
        if answer == "save":
            await self.save()
            return not self.unsaved
        return answer == "leave"

    def close(self) -> None:
        """Look no more: another document takes its place."""
        self._timer.cancel()
        self._editor.guard(unsaved=False)

    def _build(self) -> None:
        name = self._source.name
        state = "saved" if self._base.strip() else "nothing_yet"
        self._saved_state = words(f"editor.{state if self._writable else 'read_only'}")
        with ui.element("div").classes("document w-full"):
            with ui.row().classes("items-center gap-2 w-full document-bar"):
                panes = {"write": words("editor.write"), "read": words("editor.read")}
                pane = widgets.toggle(panes, "write", "dense padding='xs md'").classes(
                    "document-choice"
                )
                with ui.row(wrap=False).classes("items-center gap-2 grow document-state"):
                    self._icon = widgets.decoration(_ICONS["saved"] if self._writable else "lock")
                    self._state = widgets.hint(self._saved_state).props("role=status")
                self._discard = widgets.button(words("editor.discard"), self._reset, look="flat")
                self._discard.classes("document-discard")
                self._save_button = widgets.button(
                    words("editor.save"), self.save, icon="save", look="main"
                ).classes("document-save")
                widgets.named(self._save_button, words("editor.save_named", document=name))
                for one in (self._discard, self._save_button):
                    one.set_visibility(self._writable)
            with ui.row().classes("document-hint items-center gap-3 w-full p-3") as changed:
                ui.icon("sync_problem", size="sm").props("aria-hidden=true")
                message = words("editor.changed_elsewhere", document=name)
                ui.label(message).classes("flex-1 min-w-48 break-words")
                widgets.button(words("editor.compare"), self.save, icon="difference")
            changed.props("role=alert").set_visibility(False)
            self._outside_change = changed
            with ui.element("div").classes("document-panes") as both:
                self._editor = markdown.MarkdownEditor(
                    self._base,
                    words("editor.text", document=name),
                    on_change=self._typed,
                    on_save=self.save,
                )
                self._editor.set_enabled(self._writable)
                preview = widgets.named(ui.element("div"), words("editor.preview", document=name))
                with preview.classes("document-preview break-words"):
                    self._cut = widgets.hint(words("editor.preview_cut"))
                    self._empty = ui.label(words("editor.preview_empty")).classes("muted")
                    self._preview = markdown.rendered(self._base)
                preview.props("role=region tabindex=0")
            if self._writable:
                ui.label(words("editor.save_hint")).classes("muted text-xs max-sm:hidden")
        pane.on_value_change(lambda: both.classes(toggle="document-reads"))
        self._show_preview(self._base)
        self._show()

    def _show_preview(self, text: str) -> None:
        content = markdown.preview_text(text)
        self._preview.set_content(content)
        self._empty.set_visibility(not content.strip())
        self._cut.set_visibility(len(text) > markdown.PREVIEW_CHARS)

    async def _save(self) -> None:
        sent = self.text
        if self._source.guards_memories and not await self._may_forget(sent):
            return
        try:
            written = await self._visit.run_slow(self._source.write, sent, self._etag)
        except StaleEtagError:
            await self._compare()
            return
        await self._take_over(sent, written)
        self._saved_state = words("editor.saved_at", time=words.clock(utc_now()))
        ui.notify(words("editor.saved"), type="positive")
        if self._source.on_saved:
            await self._source.on_saved()

    async def _may_forget(self, after: str) -> bool:
        """True when the text drops no memory of the version read, or the person confirms it."""
        remaining = {bullet.id for bullet in parse(after).bullets}
        bullets = parse(self._base).bullets
        gone = [one.content for one in bullets if one.id and one.id not in remaining]
        if not gone:
            return True
        with widgets.question(words.counted("editor.forget", len(gone)), "max-w-lg") as dialog:
            for content in widgets.listed(gone[:_MOST_NAMED], "forget-list", each=""):
                ui.label(content).classes("break-words line-clamp-3")
            if len(gone) > _MOST_NAMED:
                widgets.hint(words("editor.forget_more", count=len(gone) - _MOST_NAMED))
            widgets.hint(words("editor.forget_about"))
            widgets.answers(
                dialog, ("editor.forget_not", False, "flat"), ("editor.forget_save", True, "danger")
            )
        return bool(await widgets.answer_of(dialog))

    async def _compare(self) -> None:
        theirs = await self._visit.run(self._source.read)
        content, mine = markdown.with_plain_ends(theirs.content), self.text
        if content.strip() == mine.strip():
            await self._take_over(mine, theirs)
            return
        result = await ask_for_result(self._source.name, (self._base, mine, content))
        if result is None or not await self._editor.swap(mine, result):
            self._outside_change.set_visibility(True)
            return
        self._base, self._etag = content, theirs.etag
        self._outside_change.set_visibility(False)
        if self.unsaved:
            await self._save()
        else:
            await self._take_over(result, theirs)

    async def _take_over(self, before: str, written: DocumentText, tries: int = _TRIES) -> bool:
        """Put what was made of `before` into the editor; what was typed since stays.

        True when it stands there; False where the person typed at each of the tries.
        Until then the version read stays the base, so that a later save merges both.
        """
        content = markdown.with_plain_ends(written.content)
        # The blanks at the end stay: the cursor may be behind them.
        after = content.rstrip() + before[len(before.rstrip()) :]
        for _ in range(tries):
            current = self.text
            if await self._editor.swap(current, rebased(before, after, current)):
                self._base, self._etag = content, written.etag
                self._outside_change.set_visibility(False)
                await self._settle()
                return True
            await asyncio.sleep(_TRY_SECONDS)
        return False

    async def _reset(self) -> None:
        if await self._editor.swap(self.text, self._base):
            self._editor.take_lost_focus()
            ui.notify(words("editor.discarded"), type="info")

    async def _typed(self) -> None:
        self._edition += 1
        edition = self._edition
        self._show()
        await asyncio.sleep(_SETTLE_SECONDS)
        if edition == self._edition:
            await self._settle()

    async def _settle(self) -> None:
        text = self.text
        self._show()
        self._show_preview(text)
        if self._source.on_text:
            await self._source.on_text(text)

    def _show(self) -> None:
        """Show whether everything is saved, and enable what can be done."""
        unsaved = self.unsaved
        self._editor.guard(unsaved=unsaved)
        if not self._writable:
            return
        state = "saving" if self._work.locked() else "unsaved" if unsaved else "saved"
        saved = state == "saved"
        self._state.set_text(self._saved_state if saved else words(f"editor.{state}"))
        self._icon.set_name(_ICONS[state])
        self._save_button.set_enabled(state == "unsaved")
        self._discard.set_visibility(state == "unsaved")


async def ask_for_result(name: str, versions: tuple[str, str, str]) -> str | None:
    """What the person made of base, mine and theirs; None when they would rather go on writing."""
    results = {side: merged(*versions, keep=side) for side in SIDES}
    proposed = results["both"]

    def choose(event: ValueChangeEventArguments[Side]) -> None:
        """Take another side; what was typed into the result stays."""
        nonlocal proposed
        before, proposed = proposed, results[event.value]
        result.set_value(rebased(before, proposed, str(result.value)))

    title = words("editor.merge_title", document=name)
    with widgets.question(title, "merge") as dialog:
        ui.label(words("editor.merge_about")).classes("muted")
        with ui.element("div").classes("merge-sides w-full"):
            for side, text in zip(("mine", "theirs"), versions[1:], strict=True):
                _show_side(side, versions[0], text)
        if results["mine"] != proposed:
            with ui.row().classes("items-center gap-2 w-full"):
                widgets.hint(words("editor.merge_keep"))
                radio = ui.radio({one: words(f"editor.merge_{one}") for one in SIDES}, value="both")
                widgets.named(radio.props("inline dense"), words("editor.merge_keep"))
                radio.on_value_change(choose)
        widgets.heading(words("editor.merge_result"), 3)
        widgets.hint(words("editor.merge_result_about"))
        result = markdown.MarkdownEditor(proposed, words("editor.merge_result"))
        with ui.row().classes("merge-actions w-full items-center justify-end gap-2"):
            widgets.button(words("editor.merge_cancel"), lambda: dialog.submit(None), look="flat")
            save = widgets.button(words("editor.merge_save"), icon="save", look="main")
            save.on_click(lambda: dialog.submit(result.value))
    dialog.props("maximized")
    answer = await widgets.answer_of(dialog)
    return answer if isinstance(answer, str) else None


def _show_side(side: str, base: str, text: str) -> None:
    """What one side changed, each with the line before and behind it; ids and the like aside."""
    old, new = (visible_text(one).split("\n") for one in (base, text))
    with ui.element("section").classes("merge-side"):
        widgets.heading(words(f"editor.merge_{side}"), 3, "font-medium")
        if old == new:
            widgets.hint(words("editor.merge_unchanged"), "italic")
        for line in islice(unified_diff(old, new, n=1, lineterm=""), 2, None):
            shown = "…" if line[0] == "@" else line[1:]
            ui.label(shown).classes(f"merge-line {_LOOKS[line[0]]} break-words")
