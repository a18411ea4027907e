"""A Markdown document that a person edits: editor and preview, saved over the version they read.

What changes outside meanwhile is followed while nothing is unsaved; otherwise it is told, and the
versions are compared before anything is written.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from nicegui import ui

from chatmem.errors import ChatmemError, StaleEtagError
from chatmem.interfaces.web.saying import clock
from chatmem.interfaces.web.views.document_merge import ask_for_result
from chatmem.interfaces.web.views.document_panes import Panes
from chatmem.interfaces.web.views.markdown_editor import MarkdownEditor, with_plain_ends
from chatmem.interfaces.web.visit import Visit
from chatmem.model.time import utc_now
from chatmem.text.merge import rebased

LOOK_SECONDS: Final = 2.0
_SETTLE_SECONDS: Final = 0.35
_TRIES: Final = 40
_TRY_SECONDS: Final = 0.15
_GUARD: Final = """
window.chatmemUnsaved ??= new Set();
window.chatmemGuard ??= (addEventListener("beforeunload", (event) => {
  if (window.chatmemUnsaved.size) event.preventDefault();
}), true);
window.chatmemUnsaved.%s(%d);
"""


class Text(Protocol):
    """A document's text and the mark of its version."""

    @property
    def content(self) -> str:
        """The text, comments included."""
        ...

    @property
    def etag(self) -> str:
        """The mark; "" where there is no document yet."""
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """Where the document comes from; `write` takes text and etag, and may raise StaleEtagError."""

    name: str
    read: Callable[[], Text]
    write: Callable[[str, str], Text]


@dataclass(frozen=True, slots=True)
class Hooks:
    """What a view does around editing.

    `on_text` gets the text when nobody types for a moment. `may_save` is asked with the text as it
    was read and as it would be saved.
    """

    on_text: Callable[[str], Awaitable[None]] | None = None
    may_save: Callable[[str, str], Awaitable[bool]] | None = None
    on_saved: Callable[[], Awaitable[None]] | None = None


class DocumentEditor:
    """The editor of one document, built where it is made."""

    def __init__(
        self,
        visit: Visit,
        source: Source,
        start: Text,
        *,
        writable: bool = True,
        hooks: Hooks | None = None,
    ) -> None:
        self._visit = visit
        self._source = source
        self._hooks = hooks or Hooks()
        self._writable = writable
        self._base = with_plain_ends(start.content)
        self._etag = start.etag
        self._edition = 0
        self._work = asyncio.Lock()
        self._asked_again = False
        self._guarded = False
        self._panes = Panes(
            visit,
            source.name,
            self._base,
            writable=writable,
            on_change=self._typed,
            on_save=self.save,
            on_discard=self._discard,
            on_compare=self.compare,
        )
        self._timer = ui.timer(LOOK_SECONDS, self.look, immediate=False)

    @property
    def text(self) -> str:
        """What stands in the editor."""
        return self._editor.value

    @property
    def unsaved(self) -> bool:
        """True when the editor holds something that is not in the document."""
        return self.text.strip() != self._base.strip()

    @property
    def _editor(self) -> MarkdownEditor:
        return self._panes.editor

    async def save(self) -> None:
        """Write what is in the editor; where the document has changed, compare first.

        Who asks while a save is on its way gets another one behind it.
        """
        if self._work.locked():
            self._asked_again = True
            return
        async with self._work:
            self._asked_again = True
            while self._asked_again and self._writable and self.unsaved:
                self._asked_again = False
                self._show()
                await self._save()
        self._show()
        self._editor.take_lost_focus()

    async def compare(self) -> None:
        """Show what changed elsewhere beside what is in the editor, and save what is chosen."""
        if self._work.locked():
            return
        async with self._work:
            await self._compare()
        self._show()

    def close(self) -> None:
        """Look no more: another document takes its place."""
        self._timer.cancel()
        self._guard(unsaved=False)

    async def _save(self) -> None:
        sent, base = self.text, self._base
        if self._hooks.may_save and not await self._hooks.may_save(base, sent):
            return
        try:
            written = await self._visit.away_for_long(self._source.write, sent, self._etag)
        except StaleEtagError:
            await self._compare()
            return
        await self._take_over(sent, written)
        words = self._visit.words
        self._panes.state = words("editor.saved_at", time=clock(utc_now()))
        ui.notify(words("editor.saved"), type="positive")
        if self._hooks.on_saved:
            await self._hooks.on_saved()

    async def _compare(self) -> None:
        theirs = await self._visit.away(self._source.read)
        content, mine = with_plain_ends(theirs.content), self.text
        if content.strip() == mine.strip():
            await self._take_over(mine, theirs)
            return
        result = await ask_for_result(self._visit, self._source.name, (self._base, mine, content))
        if result is None or not await self._editor.swap(mine, result):
            self._panes.told_of_change = True
            return
        self._base, self._etag = content, theirs.etag
        self._panes.told_of_change = False
        if self.unsaved:
            await self._save()
        else:
            await self._take_over(result, theirs)

    async def _take_over(self, before: str, written: Text) -> None:
        """The editor shows what was made of `before`; what was typed since then stays.

        Until it does, the version that was read stays the one to compare with: a later save then
        brings both together.
        """
        content = with_plain_ends(written.content)
        after = _ending_like(before, content)
        for _ in range(_TRIES):
            current = self.text
            if await self._editor.swap(current, rebased(before, after, current)):
                self._base, self._etag = content, written.etag
                self._panes.told_of_change = False
                await self._settled()
                return
            await asyncio.sleep(_TRY_SECONDS)

    async def look(self) -> None:
        """See whether the document has changed elsewhere."""
        if self._work.locked():
            return
        etag = self._etag
        with suppress(ChatmemError):
            found = await self._visit.away(self._source.read)
            if self._work.locked() or self._etag != etag:
                return
            if found.etag == etag:
                self._panes.told_of_change = False
            elif self.unsaved:
                self._panes.told_of_change = True
            else:
                await self._follow(found)

    async def _follow(self, found: Text) -> None:
        """Show the newest version in the place of one that nobody has changed here."""
        content, before = with_plain_ends(found.content), self.text
        if self.unsaved or not await self._editor.swap(before, content):
            return
        moved = content.strip() != before.strip()
        self._base, self._etag = content, found.etag
        await self._settled()
        if moved:
            said = self._visit.words("editor.followed", document=self._source.name)
            ui.notify(said, type="info")

    async def _discard(self) -> None:
        if await self._editor.swap(self.text, self._base):
            self._editor.take_lost_focus()
            ui.notify(self._visit.words("editor.discarded"), type="info")

    async def _typed(self) -> None:
        self._edition += 1
        edition = self._edition
        self._show()
        await asyncio.sleep(_SETTLE_SECONDS)
        if edition == self._edition:
            await self._settled()

    async def _settled(self) -> None:
        text = self.text
        self._show()
        self._panes.show_preview(text)
        if self._hooks.on_text:
            await self._hooks.on_text(text)

    def _show(self) -> None:
        state: Literal["saving", "unsaved", "saved"]
        state = "saving" if self._work.locked() else "unsaved" if self.unsaved else "saved"
        self._panes.show_state(state)
        self._guard(unsaved=self.unsaved)

    def _guard(self, *, unsaved: bool) -> None:
        """Let the browser ask before a window with unsaved text is left."""
        if unsaved != self._guarded:
            self._guarded = unsaved
            method = "add" if unsaved else "delete"
            ui.run_javascript(_GUARD % (method, self._editor.element.id))


def _ending_like(before: str, content: str) -> str:
    """The content with the blanks that stood at the end: the cursor may be behind them."""
    return content.rstrip() + before[len(before.rstrip()) :]
