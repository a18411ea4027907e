"""A bar at the foot of the page for each memory that is about to go, with its way back."""

import inspect
from collections.abc import Callable
from typing import Final
from weakref import WeakKeyDictionary

from nicegui import Client, ui

from chatmem.interfaces.web.forgetting import Held
from chatmem.interfaces.web.visit import Visit, tell

OnChange = Callable[[], object]
"""Called when a memory was changed, or is gone; what it returns is awaited where that is needed."""
_SHOWN_CHARS: Final = 60
_TICK_S: Final = 0.25

_places: WeakKeyDictionary[Client, ui.element] = WeakKeyDictionary()
"""Where each window has its bars."""


async def told(on_change: OnChange | None) -> None:
    """Return when the caller's list was told."""
    if on_change is not None:
        result = on_change()
        if inspect.isawaitable(result):
            await result


def show_undo(visit: Visit, held: Held, content: str, on_change: OnChange | None) -> None:
    """Show the bar in this window until the memory is gone, or stays."""
    words, client = visit.words, ui.context.client
    if client not in _places:
        with client.content:
            _places[client] = ui.element("div").classes("undo-bars")
    with _places[client], ui.row(wrap=False).classes("undo-bar items-center gap-3") as bar:
        seconds = ui.label().classes("undo-seconds").props("aria-hidden=true")
        with ui.column().classes("gap-0 min-w-0 grow"):
            ui.label(words("card.forgetting")).classes("font-semibold").props("role=status")
            ui.label(_short(content)).classes("text-sm truncate max-w-full")

        async def take_back() -> None:
            held.take_back()
            await look()

        button = ui.button(words("card.keep_it"), icon="undo", on_click=take_back)
        button.props("unelevated no-caps color=primary").classes("shrink-0")

        async def look() -> None:
            seconds.set_text(str(held.seconds_left))
            if held.outcome == "waiting":
                return
            timer.cancel()
            with client.content:
                _say(visit, held)
                await told(on_change)
            bar.delete()

        timer = ui.timer(_TICK_S, look)
    ui.run_javascript(f"getHtmlElement({button.id})?.focus()")


def _say(visit: Visit, held: Held) -> None:
    words = visit.words
    if held.outcome == "forgotten":
        ui.notify(words("card.forgotten"), type="info")
    elif held.outcome == "taken_back":
        ui.notify(words("card.kept"), type="positive")
    elif held.error is not None:
        tell(visit, held.error)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_CHARS else line[: _SHOWN_CHARS - 1] + "…"
