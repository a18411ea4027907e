"""Keys of the server: made, shown once, revoked. For operators."""

from functools import partial
from typing import Final

from nicegui import ui

from chatmem.errors import InvalidInputError
from chatmem.interfaces.rest.page_sessions import LOGIN, PAGE
from chatmem.interfaces.web.complaint import complaint_of
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import (
    QuestionDialog,
    button,
    hint,
    icon_button,
    is_sure,
    named,
    redrawn,
    table,
)
from chatmem.model.people import ApiKey

_COLUMNS: Final = {"user": "", "may": "", "made": "", "id": "", "revoke": "sr-only"}


class KeysPanel:
    """The keys there are, and a form for another."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        words = visit.words
        hint(words("settings.keys_about"))
        self._list = ui.element("div").classes("w-full overflow-x-auto")
        with ui.row().classes("w-full items-start gap-3"):
            self._user = ui.input(words("settings.key_user"), value=visit.memory.user_id)
            self._user.props("outlined dense hide-bottom-space").classes("w-64 max-w-full")
            self._admin = ui.checkbox(words("settings.key_admin"))
            button(words("settings.key_make"), self._make, icon="add")
        self._has_keys = False
        self._build_dialog()

    async def load(self) -> None:
        """Show the keys there are now."""
        found = await self._visit.run(self._visit.memory.keys.list)
        counting = [key for key in found if key.revoked_at is None]
        if not counting and not self._has_keys:
            self._admin.value = True  # the first one should be able to make the others
        self._has_keys = bool(counting)
        words = self._visit.words
        with redrawn(self._list):
            if not found:
                ui.label(words("settings.keys_none"))
                return
            titles = {words(f"settings.key_{name}"): look for name, look in _COLUMNS.items()}
            with table(titles):
                for key in found:
                    self._row(key)

    def _row(self, key: ApiKey) -> None:
        words = self._visit.words
        gone = key.revoked_at is not None
        with ui.element("tr").classes("muted" if gone else ""):
            for text, classes in (
                (key.user_id, "break-all"),
                (words("settings.may_all" if key.is_admin else "settings.may_own"), ""),
                (f"{key.created_at.astimezone():%Y-%m-%d}", "whitespace-nowrap"),
                (key.id, "font-mono text-sm"),
            ):
                with ui.element("td"):
                    ui.label(text).classes(classes)
            with ui.element("td").classes("text-right"):
                if gone:
                    ui.label(words("settings.revoked"))
                    return
                revoke = button(words("settings.key_revoke"), partial(self._revoke, key))
                revoke.props("dense color=negative size=sm padding='2px 10px'")
                named(revoke, words("settings.revoke_one", id=key.id, user=key.user_id))

    async def _make(self) -> None:
        self._user.error = None
        keys = self._visit.memory.keys
        user = str(self._user.value or "").strip()
        is_first = not self._has_keys
        try:
            key, _ = await self._visit.run_slow(keys.create, user, is_admin=self._admin.value)
        except InvalidInputError as error:
            self._user.error = str(complaint_of(self._visit.words, error))
            return
        self._shown.set_text(key)
        self._first.visible = is_first
        self._dialog.open()
        if not is_first:
            await self.load()

    def _build_dialog(self) -> None:
        """Where a new key is shown.

        It is built with the page: with the first key the server gives this page nothing more before
        somebody signs in.
        """
        words = self._visit.words
        with QuestionDialog(words, words("settings.key_new"), "max-w-lg") as question:
            self._dialog = question.dialog
            ui.label(words("settings.key_once"))
            with ui.row().classes("w-full items-center no-wrap gap-2"):
                self._shown = ui.label().classes("font-mono break-all grow p-2 settings-key")
                icon_button("content_copy", words("settings.copy"), self._copy)
            self._first = ui.label(words("settings.key_first"))
            with ui.row().classes("w-full justify-end"):
                ui.button(words("frame.close"), on_click=self._dialog.close).props("no-caps")
        self._dialog.props("persistent").on("hide", self._after)

    def _copy(self) -> None:
        ui.clipboard.write(self._shown.text)
        ui.notify(self._visit.words("settings.copied"), type="positive")

    def _after(self) -> None:
        """Forget the shown key; whoever made the first one has to sign in now."""
        self._shown.set_text("")
        if self._first.visible:
            ui.navigate.to(LOGIN.removeprefix(PAGE))

    async def _revoke(self, key: ApiKey) -> None:
        words = self._visit.words
        title = words("settings.revoke_one", id=key.id, user=key.user_id)
        if await is_sure(words, title, words("settings.revoke_about"), "settings.key_revoke"):
            revoke = partial(self._visit.memory.keys.revoke, key.id)
            await self._visit.carry_out(revoke, "settings.revoke_done")
            await self.load()
