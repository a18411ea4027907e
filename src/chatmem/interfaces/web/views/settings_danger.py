"""What cannot be taken back: forgetting everything, deleting every conversation."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from chatmem.interfaces.web.views.section import named
from chatmem.interfaces.web.views.settings_import import Progress, ProgressBar
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.waiting import away_for_long

_MANY_SESSIONS = 200


def danger_panel(visit: Visit) -> None:
    """Two deeds, each with what it does and a button that asks first."""
    words = visit.words
    bar = ProgressBar(visit)

    async def forget() -> None:
        bar.begin(words("settings.forgetting"))
        try:
            count = await away_for_long(visit, visit.memory.forget_all)
        finally:
            bar.end()
        ui.notify(words("settings.forgot", count=count), type="positive")

    async def delete() -> None:
        progress = bar.begin(words("settings.deleting"))
        try:
            count = await away_for_long(visit, _delete_conversations, visit, progress)
        finally:
            bar.end()
        ui.notify(words("settings.deleted", count=count), type="positive")

    _deed(visit, "forget", forget)
    ui.separator()
    _deed(visit, "delete", delete)


def _delete_conversations(visit: Visit, progress: Progress) -> int:
    """How many sessions are gone, with everything that came from them."""
    sessions = visit.memory.sessions
    total = sessions.list(0).total
    done = 0
    while found := sessions.list(_MANY_SESSIONS).items:
        for session in found:
            sessions.delete(session.session_id)
            done += 1
            progress.note(done, max(total, done))
    return done


def _deed(visit: Visit, name: str, do: Callable[[], Awaitable[None]]) -> None:
    words = visit.words
    with ui.row().classes("w-full items-center gap-x-6 gap-y-2"):
        with ui.column().classes("gap-0.5 grow basis-72 min-w-0"):
            ui.label(words(f"settings.{name}_title")).classes("font-medium")
            ui.label(words(f"settings.{name}_about")).classes("muted text-sm")
        button = ui.button(words(f"settings.{name}_do"), on_click=lambda: _ask(visit, name, do))
        button.props("outline no-caps color=negative")


def _ask(visit: Visit, name: str, do: Callable[[], Awaitable[None]]) -> None:
    """A dialog that does it once the word was typed."""
    words = visit.words
    wanted = words(f"settings.{name}_word")
    title = words(f"settings.{name}_title")

    async def go() -> None:
        dialog.close()
        await do()

    with (
        named(ui.dialog(), title) as dialog,
        ui.card().classes("w-full max-w-md gap-3"),
    ):
        ui.label(title).classes("text-lg font-semibold")
        ui.label(words(f"settings.{name}_warning", user=visit.memory.user_id))
        typed = ui.input(words("settings.type_word", word=wanted)).classes("w-full")
        typed.props("outlined dense autofocus autocomplete=off")
        with ui.row().classes("w-full justify-end gap-2"):
            ui.button(words("frame.cancel"), on_click=dialog.close).props("flat no-caps")
            button = ui.button(words(f"settings.{name}_go"), on_click=go)
            button.props("outline no-caps color=negative").disable()

    def look() -> None:
        button.set_enabled(str(typed.value or "").strip().casefold() == wanted.casefold())

    typed.on_value_change(look)
    dialog.open()
