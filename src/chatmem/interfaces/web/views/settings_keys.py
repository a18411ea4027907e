"""Keys of the server: made, shown once, revoked. For operators."""

from functools import partial
from typing import Final

from nicegui import ui

from chatmem.errors import InvalidInputError
from chatmem.interfaces.rest.page_sessions import LOGIN, PAGE
from chatmem.interfaces.web.complaint import complaint_of
from chatmem.interfaces.web.views.section import named
from chatmem.interfaces.web.visit import Visit
from chatmem.model.key import ApiKey

_WAY_IN: Final = LOGIN.removeprefix(PAGE)
"""To sign in, below the page's own address."""


class KeysPanel:
    """The keys there are, and a form for another."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        words = visit.words
        ui.label(words("settings.keys_about")).classes("muted text-sm")
        self._list = ui.element("div").classes("w-full overflow-x-auto")
        with ui.row().classes("w-full items-start gap-3"):
            self._user = ui.input(words("settings.key_user"), value=visit.memory.user_id)
            self._user.props("outlined dense hide-bottom-space").classes("w-64 max-w-full")
            self._admin = ui.checkbox(words("settings.key_admin"))
            self._button = ui.button(words("settings.key_make"), icon="add", on_click=self._make)
            self._button.props("outline no-caps")
        self._has_keys = False
        self._dialog, self._shown, self._first = self._make_dialog()

    async def load(self) -> None:
        """Show the keys there are now."""
        found = await self._visit.away(self._visit.memory.keys.list)
        counting = [key for key in found if key.revoked_at is None]
        if not counting and not self._has_keys:
            self._admin.value = True  # the first one should be able to make the others
        self._has_keys = bool(counting)
        self._list.clear()
        with self._list:
            if found:
                self._table(found)
            else:
                ui.label(self._visit.words("settings.keys_none"))

    def _table(self, keys: list[ApiKey]) -> None:
        words = self._visit.words
        with ui.element("table").classes("plain-table w-full"):
            with ui.element("thead"), ui.element("tr"):
                for name in ("user", "may", "made", "id", "revoke"):
                    with ui.element("th").props('scope="col"'):
                        hidden = "sr-only" if name == "revoke" else ""
                        ui.label(words(f"settings.key_{name}")).classes(hidden)
            with ui.element("tbody"):
                for key in keys:
                    self._line(key)

    def _line(self, key: ApiKey) -> None:
        words = self._visit.words
        gone = key.revoked_at is not None
        with ui.element("tr").classes("muted" if gone else ""):
            with ui.element("td"):
                ui.label(key.user_id).classes("break-all")
            with ui.element("td"):
                ui.label(words("settings.may_all" if key.is_admin else "settings.may_own"))
            with ui.element("td"):
                ui.label(f"{key.created_at.astimezone():%Y-%m-%d}").classes("whitespace-nowrap")
            with ui.element("td"):
                ui.label(key.id).classes("font-mono text-sm")
            with ui.element("td").classes("text-right"):
                if gone:
                    ui.label(words("settings.revoked"))
                else:
                    button = ui.button(
                        words("settings.key_revoke"), on_click=partial(self._ask_revoke, key)
                    )
                    button.props("outline dense no-caps color=negative size=sm padding='2px 10px'")
                    label = words("settings.revoke_one", id=key.id, user=key.user_id)
                    named(button, label)

    async def _make(self) -> None:
        self._user.error = None
        keys = self._visit.memory.keys
        user = str(self._user.value or "").strip()
        is_first = not self._has_keys
        try:
            key, _ = await self._visit.away_for_long(keys.create, user, is_admin=self._admin.value)
        except InvalidInputError as error:
            self._user.error = str(complaint_of(self._visit.words, error))
            return
        self._show_once(key, is_first=is_first)
        if not is_first:
            await self.load()

    def _make_dialog(self) -> tuple[ui.dialog, ui.label, ui.label]:
        """Where a new key is shown: built with the page, for with the first key the server gives
        this page nothing more before somebody signs in.
        """  # noqa: D205
        words = self._visit.words
        title = words("settings.key_new")
        with (
            named(ui.dialog(), title).props("persistent") as dialog,
            ui.card().classes("w-full max-w-lg gap-3"),
        ):
            ui.label(title).classes("text-lg font-semibold")
            ui.label(words("settings.key_once"))
            with ui.row().classes("w-full items-center no-wrap gap-2"):
                shown = ui.label().classes("font-mono break-all grow p-2 settings-key")
                button = ui.button(icon="content_copy", on_click=self._copy)
                named(button.props("flat round dense"), words("settings.copy"))
            first = ui.label(words("settings.key_first"))
            with ui.row().classes("w-full justify-end"):
                ui.button(words("frame.close"), on_click=dialog.close).props("no-caps")
        dialog.on("hide", self._after)
        return dialog, shown, first

    def _copy(self) -> None:
        ui.clipboard.write(self._shown.text)
        ui.notify(self._visit.words("settings.copied"), type="positive")

    def _after(self) -> None:
        """The key is out of sight; whoever made the first one has to sign in now."""
        self._shown.set_text("")
        if self._first.visible:
            ui.navigate.to(_WAY_IN)

    def _show_once(self, key: str, *, is_first: bool) -> None:
        self._shown.set_text(key)
        self._first.visible = is_first
        self._dialog.open()

    def _ask_revoke(self, key: ApiKey) -> None:
        words = self._visit.words

        async def revoke() -> None:
            dialog.close()
            await self._visit.away_for_long(self._visit.memory.keys.revoke, key.id)
            ui.notify(words("settings.revoke_done"), type="positive")
            await self.load()

        title = words("settings.revoke_one", id=key.id, user=key.user_id)
        with (
            named(ui.dialog(), title) as dialog,
            ui.card().classes("w-full max-w-md gap-3"),
        ):
            ui.label(title).classes("text-lg font-semibold break-words")
            ui.label(words("settings.revoke_about"))
            with ui.row().classes("w-full justify-end gap-2"):
                ui.button(words("frame.cancel"), on_click=dialog.close).props("flat no-caps")
                ui.button(words("settings.key_revoke"), on_click=revoke).props(
                    "outline no-caps color=negative"
                )
        dialog.open()
