"""One memory in a dialog, from wherever it is met: what it says, who sees it, where it came from.

Every view opens it with `open_card`. What a person does here is done at once, but forgetting, which
waits ten seconds.
"""

from typing import Final

from nicegui import ui

from chatmem.engine.remember.lifecycle import last_change
from chatmem.errors import ChatmemError
from chatmem.interfaces.web.forgetting import held_of, hold
from chatmem.interfaces.web.undo_bar import OnChange, show_undo, told
from chatmem.interfaces.web.views.browse_rows import kind_of
from chatmem.interfaces.web.views.card_about import Known, read_all
from chatmem.interfaces.web.views.card_doubt import show_doubt
from chatmem.interfaces.web.views.card_edit import edit_form
from chatmem.interfaces.web.views.card_facts import show_facts
from chatmem.interfaces.web.views.card_history import show_history
from chatmem.interfaces.web.views.card_origin import show_origin
from chatmem.interfaces.web.views.card_sharing import show_sharing
from chatmem.interfaces.web.visit import SignedOutError, Visit, tell

_TITLE: Final = "memory-card-title"


async def open_card(visit: Visit, memory_id: str, on_change: OnChange | None = None) -> None:
    """Show the memory; `on_change` is called whenever it was changed here, or is gone."""
    client = ui.context.client
    try:
        known = await visit.away(read_all, visit.memory, memory_id)
    except (ChatmemError, SignedOutError) as error:
        with client.content:
            tell(visit, error)
        return
    with client.content:
        _Card(visit, known, on_change).open()


class _Card:
    """The dialog of one memory."""

    def __init__(self, visit: Visit, known: Known, on_change: OnChange | None) -> None:
        self._visit = visit
        self._known = known
        self._on_change = on_change
        self._client = ui.context.client
        self._dialog = ui.dialog().props(f'aria-labelledby="{_TITLE}"')
        self._dialog.on("hide", self._dialog.delete)
        with self._dialog, ui.card().classes("memory-card p-0 gap-0 no-wrap"):
            self._place = ui.column().classes("w-full gap-0 no-wrap memory-card-inner")
        self._build()

    def open(self) -> None:
        """Show it."""
        self._dialog.open()

    def _build(self, *, editing: bool = False) -> None:
        visit, known = self._visit, self._known
        if self._dialog.is_deleted:
            return
        self._place.clear()
        with self._place:
            self._head()
            with ui.column().classes("w-full gap-4 px-4 py-4 sm:px-6 memory-card-body"):
                if editing:
                    edit_form(visit, known.memory, self._changed, lambda: self._build())
                    return
                self._says()
                show_doubt(visit, known, self._show_other, self._changed)
                show_facts(visit, known, self._show_other)
                if not known.is_own:
                    return
                show_sharing(visit, known, self._changed)
                show_origin(visit, known)
                show_history(visit, known)
            self._actions()

    def _head(self) -> None:
        words, memory = self._visit.words, self._known.memory
        with ui.row(wrap=False).classes(
            "w-full items-center gap-2 px-4 py-2 sm:px-6 memory-card-head"
        ):
            title = ui.label(words("card.title")).classes("text-lg font-semibold shrink-0")
            title.props(f'role=heading aria-level=2 id="{_TITLE}"')
            ui.label(kind_of(words, memory)).classes(
                f"browse-tag browse-tag-{memory.category or memory.memory_type}"
            )
            if not memory.is_valid:
                ui.label(words("card.past")).classes("browse-tag")
            ui.space()
            ui.button(icon="close", on_click=self._dialog.close).props(
                f'flat round dense aria-label="{words("frame.close")}"'
            )

    def _says(self) -> None:
        """What it says, in its own words."""
        words, known = self._visit.words, self._known
        if not known.is_own:
            ui.label(words("card.shared_by", user=known.memory.user_id)).classes("muted text-sm")
        with ui.row(wrap=False).classes("w-full items-start gap-2"):
            ui.label(known.memory.content).classes(
                "text-base whitespace-pre-wrap break-words min-w-0 grow memory-card-content"
            )
            if known.is_own:
                ui.button(
                    words("card.edit"), icon="edit", on_click=lambda: self._build(editing=True)
                ).props(f'flat dense no-caps aria-label="{words("card.edit")}"').classes(
                    "shrink-0 card-edit"
                )

    def _actions(self) -> None:
        words, known = self._visit.words, self._known
        with ui.row().classes("w-full items-center gap-2 px-4 py-3 sm:px-6 memory-card-actions"):
            if known.memory.memory_type == "short_term":
                ui.button(words("card.promote"), icon="push_pin", on_click=self._promote).props(
                    "unelevated no-caps color=primary"
                )
            self._ways_back()
            ui.space()
            if held_of(self._visit, known.memory.id) is not None:
                ui.button(words("card.keep_it"), icon="undo", on_click=self._keep).props(
                    "unelevated no-caps color=primary"
                )
            else:
                ui.button(words("card.forget"), icon="delete_forever", on_click=self._forget).props(
                    "outline no-caps color=negative"
                )

    def _ways_back(self) -> None:
        """What undoes the last change; of a replacement, also so that both stay."""
        words, known = self._visit.words, self._known
        change = last_change(known.history)
        if change is None:
            return
        ui.button(words("card.restore"), icon="restore", on_click=self._restore).props(
            "outline no-caps color=primary"
        )
        successor = known.successor
        if change.action == "supersede" and successor is not None and successor.is_valid:
            ui.button(words("card.restore_both"), icon="join_full", on_click=self._keep_both).props(
                "outline no-caps color=primary"
            )

    async def _promote(self) -> None:
        await self._visit.away_for_long(self._visit.memory.promote, self._known.memory.id)
        await self._changed(self._visit.words("card.promoted"))

    async def _restore(self) -> None:
        await self._visit.away_for_long(self._visit.memory.restore, self._known.memory.id)
        await self._changed(self._visit.words("card.restored"))

    async def _keep_both(self) -> None:
        visit = self._visit
        await visit.away_for_long(visit.memory.restore, self._known.memory.id, keep_both=True)
        await self._changed(visit.words("card.restored_both"))

    async def _forget(self) -> None:
        """Nothing is gone yet: a bar counts ten seconds down, and takes it back."""
        memory = self._known.memory
        show_undo(self._visit, hold(self._visit, memory.id), memory.content, self._on_change)
        self._dialog.props("no-refocus")  # the bar has the focus now
        self._dialog.close()
        with self._client.content:
            await told(self._on_change)

    async def _keep(self) -> None:
        held = held_of(self._visit, self._known.memory.id)
        if held is not None:
            held.take_back()
            await held.over()
        await self._changed(self._visit.words("card.kept"))

    async def _changed(self, said: str) -> None:
        """Say what was done, show it, and tell the list behind, also when the dialog is closed."""
        with self._client.content:
            ui.notify(said, type="positive")
            await told(self._on_change)
        if not self._dialog.is_deleted:
            self._known = await self._visit.away(
                read_all, self._visit.memory, self._known.memory.id
            )
            self._build()

    async def _show_other(self, memory_id: str) -> None:
        """The memory that took this one's place, in this one's place."""
        self._known = await self._visit.away(read_all, self._visit.memory, memory_id)
        self._build()
