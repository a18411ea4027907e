"""Settings: what memory does and how much, keys, taking things along, and starting afresh."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final, Literal, TypeAlias, cast, get_args, get_origin
from urllib.parse import urlencode

from annotated_types import Ge, Gt, Le
from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from nicegui import ui

from chatmem.config.groups import MemorySettings
from chatmem.engine.settings import TABLE, Origin
from chatmem.errors import InvalidInputError, SettingError
from chatmem.interfaces.rest.identity import LOGIN, PAGE
from chatmem.interfaces.rest.requests import ForOperators
from chatmem.interfaces.rest.routers import operation
from chatmem.interfaces.web import widgets
from chatmem.interfaces.web.views.file_import import ImportPanel, ProgressBar
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.words import complaint_of, words
from chatmem.model.people import ApiKey

EXPORT: Final = f"{PAGE}/export"
USER_EXPORT: Final = f"{PAGE}/users/export"
router = APIRouter(include_in_schema=False)
_MANY_SESSIONS: Final = 200
_USER_COLUMNS: Final = {"key_user": "", "messages": "", "memories": "", "user_do": "sr-only"}
_KEY_COLUMNS: Final = {"user": "", "may": "", "made": "", "id": "", "revoke": "sr-only"}
_InForce: TypeAlias = Mapping[str, tuple[object, Origin]]
"""Each setting's value and where that comes from, by its name."""
_ORIGIN_ICONS: Final[Mapping[Origin, str]] = {
    "stored": "edit",
    "set": "description",
    "default": "radio_button_unchecked",
}


@router.get(EXPORT)
def export(request: Request) -> StreamingResponse:
    """Everything of the user whose page this is, as the REST interface exports it."""
    return operation.export(request.state.memory)


@router.get(USER_EXPORT, dependencies=[ForOperators])
def export_user(user: str, request: Request) -> StreamingResponse:
    """A backup of what one user has, for operators."""
    return operation.export_user(user, request.state.memory)


async def show(visit: Visit, request: Request) -> None:
    """The view."""
    ui.label(words("settings.about")).classes("muted")
    await _list_settings(visit)
    if visit.is_operator:
        with widgets.section(words("settings.keys"), "vpn_key"):
            await _KeysPanel(visit).load()
        with widgets.section(words("settings.users"), "group"):
            widgets.hint(words("settings.users_about"))
            await _list_users(visit, ui.element("div").classes("w-full overflow-x-auto"))
    with widgets.section(words("settings.export_title"), "download"):
        widgets.hint(words("settings.export_about"))
        download = widgets.button(words("settings.export"), icon="download")
        download.props(f'tag=a href="{EXPORT}" download="chatmem.jsonl"')
    with widgets.section(words("settings.import_title"), "upload_file"):
        widgets.hint(words("settings.import_about"))
        ImportPanel(visit)
    with widgets.section(words("settings.danger"), "warning").classes("settings-danger"):
        bar = ProgressBar()
        _deed(visit, bar, "forget", visit.memory.forget_all)
        ui.separator()
        _deed(visit, bar, "delete", partial(_delete_conversations, visit, bar))


async def _list_settings(visit: Visit) -> None:
    """The settings that are kept with the data, in parts, changed one by one by an operator."""
    rows: list[_Row] = []

    async def refresh() -> None:
        in_force = await visit.run(_in_force, visit)
        for row in rows:
            row.show(in_force)
        ui.notify(words("settings.saved"), type="positive")

    in_force = await visit.run(_in_force, visit)
    if not visit.is_operator:
        ui.label(words("settings.read_only")).classes("muted")
    for part, names in MemorySettings.by_part().items():
        with ui.card().classes("w-full gap-0 p-0"):
            title = words(f"settings.group_{part}")
            widgets.heading(title, classes="text-lg font-semibold px-4 pt-4 pb-1")
            rows += [_Row(visit, name, in_force, refresh) for name in names]


def _in_force(visit: Visit) -> _InForce:
    config = visit.memory.config
    return {name: (value, config.origin(name)) for name, value in config.get().items()}


class _Row:
    """One setting: what it means on one side, its control on the other."""

    def __init__(
        self, visit: Visit, name: str, in_force: _InForce, on_change: Callable[[], Awaitable[None]]
    ) -> None:
        self._visit = visit
        self._config = visit.memory.config
        self._on_change = on_change
        self._name = TABLE + name
        self._field = MemorySettings.model_fields[name]
        title = words(f"settings.name_{name}")
        with ui.row().classes("settings-row w-full items-center gap-x-6 gap-y-2 px-4 py-3"):
            with ui.column().classes("gap-0.5 grow basis-48 min-w-0"):
                ui.label(title).classes("font-medium break-words")
                widgets.hint(words(f"settings.about_{name}"))
                with ui.row().classes("items-center gap-x-3 gap-y-0 text-xs muted"):
                    ui.label(self._name).classes("font-mono break-all")
                    with ui.row().classes("items-center gap-1 no-wrap"):
                        self._icon = ui.icon("edit").props("aria-hidden=true")
                        self._origin = ui.label()
            with ui.row().classes("items-center gap-1 no-wrap settings-control"):
                self._reset = widgets.icon_button(
                    "undo", words("settings.reset_short"), self._unset
                )
                widgets.named(self._reset, words("settings.reset", setting=title))
                self._value, _ = in_force[self._name]
                self._control = widgets.named(self._make_control(name), title)
                self._control.set_enabled(visit.is_operator)
        self.show(in_force)

    def show(self, in_force: _InForce) -> None:
        """Show what is in force now."""
        self._value, origin = in_force[self._name]
        self._control.value = self._value
        self._origin.set_text(words(f"settings.origin_{origin}"))
        self._icon.name = _ORIGIN_ICONS[origin]
        self._reset.visible = origin == "stored" and self._visit.is_operator

    def _make_control(self, name: str) -> ui.switch | ui.select | ui.number:
        if isinstance(self._value, bool):
            return ui.switch(value=self._value, on_change=self._settle)
        if get_origin(self._field.annotation) is Literal:
            values = get_args(self._field.annotation)
            options = {one: words(f"settings.{name}_{one}") for one in values}
            choice = ui.select(options, value=self._value, on_change=self._settle)
            return choice.props("outlined dense").classes("w-48")
        number = ui.number(value=cast(float | None, self._value), format="%.10g")
        number.props("outlined dense hide-bottom-space input-class=text-right")
        if self._field.default is None:
            number.props["placeholder"] = words("settings.no_limit")
        number.on("blur", self._settle).on("keydown.enter", self._settle)
        return number.classes("w-36 settings-number")

    async def _settle(self) -> None:
        """Store the control's value, if it is new."""
        value = self._control.value
        whole = not isinstance(self._field.default, float)
        if isinstance(value, float) and whole and value.is_integer():
            value = int(value)
        trouble = None
        if value is None and self._field.default is not None:
            trouble = self._takes()
        elif value != self._value:
            try:
                await self._change(lambda: self._config.set({self._name: value}))
            except SettingError:
                trouble = self._takes()
        self._complain(trouble)

    async def _unset(self) -> None:
        self._complain(None)
        await self._change(lambda: self._config.unset([self._name]))

    async def _change(self, call: Callable[[], None]) -> None:
        await self._visit.run_slow(call)
        await self._on_change()

    def _complain(self, text: str | None) -> None:
        if isinstance(self._control, ui.number):
            self._control.error = text

    def _takes(self) -> str:
        """The numbers that the setting takes, in the visitor's language."""
        bounds = self._field.metadata
        low: object = next((one.ge for one in bounds if isinstance(one, Ge)), 0)
        above = next((one.gt for one in bounds if isinstance(one, Gt)), None)
        high = next((one.le for one in bounds if isinstance(one, Le)), None)
        kind = "number" if isinstance(self._field.default, float) else "whole"
        name = f"settings.takes_{kind}"
        if above is not None:
            name, low = f"{name}_above", above
        return words(f"{name}_to" if high is not None else name, low=low, high=high)


class _KeysPanel:
    """The server's keys, for operators: listed, revoked, and a form for another."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        widgets.hint(words("settings.keys_about"))
        self._list = ui.element("div").classes("w-full overflow-x-auto")
        with ui.row().classes("w-full items-start gap-3"):
            self._user = ui.input(words("settings.key_user"), value=visit.memory.user_id)
            self._user.props("outlined dense hide-bottom-space").classes("w-64 max-w-full")
            self._admin = ui.checkbox(words("settings.key_admin"))
            widgets.button(words("settings.key_make"), self._make, icon="add")
        self._has_keys = False
        self._build_dialog()

    async def load(self) -> None:
        """Show the keys there are now."""
        found = await self._visit.run(self._visit.memory.keys.list)
        counting = [key for key in found if key.revoked_at is None]
        if not counting and not self._has_keys:
            self._admin.value = True  # the first one should be able to make the others
        self._has_keys = bool(counting)
        with widgets.redrawn(self._list):
            if not found:
                ui.label(words("settings.keys_none"))
                return
            titles = {words(f"settings.key_{name}"): look for name, look in _KEY_COLUMNS.items()}
            with widgets.table(titles):
                for key in found:
                    self._row(key)

    def _row(self, key: ApiKey) -> None:
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
                revoke = widgets.button(words("settings.key_revoke"), partial(self._revoke, key))
                revoke.props("dense color=negative size=sm padding='2px 10px'")
                widgets.named(revoke, words("settings.revoke_one", id=key.id, user=key.user_id))

    async def _make(self) -> None:
        self._user.error = None
        keys = self._visit.memory.keys
        user = str(self._user.value or "").strip()
        is_first = not self._has_keys
        try:
            key, _ = await self._visit.run_slow(keys.create, user, is_admin=self._admin.value)
        except InvalidInputError as error:
            self._user.error = str(complaint_of(error))
            return
        self._key.set_text(key)
        self._first.visible = is_first
        self._dialog.open()
        if not is_first:
            await self.load()

    def _build_dialog(self) -> None:
        """Shows a new key. Built with the page, which gets nothing more once a key exists."""
        with widgets.question(words("settings.key_new"), "max-w-lg") as self._dialog:
            ui.label(words("settings.key_once"))
            with ui.row().classes("w-full items-center no-wrap gap-2"):
                self._key = ui.label().classes("font-mono break-all grow p-2 settings-key")
                widgets.icon_button("content_copy", words("settings.copy"), self._copy)
            self._first = ui.label(words("settings.key_first"))
            with ui.row().classes("w-full justify-end"):
                ui.button(words("frame.close"), on_click=self._dialog.close).props("no-caps")
        self._dialog.props("persistent").on("hide", self._after)

    def _copy(self) -> None:
        ui.clipboard.write(self._key.text)
        ui.notify(words("settings.copied"), type="positive")

    def _after(self) -> None:
        """Forget the shown key; whoever made the first one has to sign in now."""
        self._key.set_text("")
        if self._first.visible:
            ui.navigate.to(LOGIN.removeprefix(PAGE))

    async def _revoke(self, key: ApiKey) -> None:
        title = words("settings.revoke_one", id=key.id, user=key.user_id)
        if await widgets.is_sure(title, words("settings.revoke_about"), "settings.key_revoke"):
            revoke = partial(self._visit.memory.keys.revoke, key.id)
            await self._visit.carry_out(revoke, "settings.revoke_done")
            await self.load()


async def _list_users(visit: Visit, place: ui.element) -> None:
    """Everybody, for operators: counted, exported, deleted."""
    users = visit.memory.users
    titles = {words(f"settings.{name}"): look for name, look in _USER_COLUMNS.items()}

    async def delete(title: str, user: str) -> None:
        warning = words("settings.user_warning", user=user)
        if await _has_typed(title, warning, user, "settings.user_go"):
            await visit.carry_out(partial(users.delete, user), "settings.user_deleted", user=user)
            await _list_users(visit, place)

    found = await visit.run(users.list)
    with widgets.redrawn(place), widgets.table(titles):
        for one in found:
            user = one.user_id
            with ui.element("tr"):
                for text in (user, f"{one.messages:,}", f"{one.memories:,}"):
                    with ui.element("td"):
                        ui.label(text).classes("break-all")
                with ui.element("td"), ui.row().classes("justify-end gap-1 no-wrap"):
                    name = words("settings.user_export", user=user)
                    export = widgets.icon_button("download", name).props("tag=a download=user.zip")
                    export.props["href"] = f"{USER_EXPORT}?{urlencode({'user': user})}"
                    name = words("settings.user_delete", user=user)
                    call = partial(delete, name, user)
                    widgets.icon_button("delete", name, call, "color=negative")


def _delete_conversations(visit: Visit, bar: ProgressBar) -> int:
    """Delete every session; their number."""
    sessions = visit.memory.sessions
    total = sessions.list(0).total
    done = 0
    while found := sessions.list(_MANY_SESSIONS).items:
        for session in found:
            sessions.delete(session.session_id)
            done += 1
            bar.note(done, max(total, done))
    return done


def _deed(visit: Visit, bar: ProgressBar, name: str, do: Callable[[], int]) -> None:

    async def ask() -> None:
        """Do it once the word was typed."""
        title, word = words(f"settings.{name}_title"), words(f"settings.{name}_word")
        warning = words(f"settings.{name}_warning", user=visit.memory.user_id)
        if await _has_typed(title, warning, word, f"settings.{name}_go"):
            with bar.during(words(f"settings.{name}_doing")):
                count = await visit.run_slow(do)
            ui.notify(words(f"settings.{name}_done", count=count), type="positive")

    with ui.row().classes("w-full items-center gap-x-6 gap-y-2"):
        with ui.column().classes("gap-0.5 grow basis-72 min-w-0"):
            ui.label(words(f"settings.{name}_title")).classes("font-medium")
            widgets.hint(words(f"settings.{name}_about"))
        widgets.button(words(f"settings.{name}_do"), ask, look="danger")


async def _has_typed(title: str, warning: str, word: str, go: str) -> bool:
    """True once the word was typed, and `go`, the name of a text, was chosen."""
    with widgets.question(title) as dialog:
        ui.label(warning).classes("break-words")
        typed = ui.input(words("settings.type_word", word=word)).classes("w-full")
        typed.props("outlined dense autofocus autocomplete=off")
        _, button = widgets.answers(dialog, ("frame.cancel", False, "flat"), (go, True, "danger"))
    meant = word.casefold()
    button.bind_enabled_from(typed, "value", lambda text: (text or "").strip().casefold() == meant)
    return bool(await widgets.answer_of(dialog))
