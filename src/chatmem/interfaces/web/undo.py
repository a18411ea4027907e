"""Forgetting that can be taken back for ten seconds, and the bar that counts them.

A memory goes when its time is up, also with the window closed; at once when the server stops.
"""

import asyncio
import inspect
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final
from weakref import WeakKeyDictionary

from nicegui import Client, app, background_tasks, ui

from chatmem.errors import MemoryNotFoundError
from chatmem.interfaces.web.visit import Visit, notify_error
from chatmem.interfaces.web.widgets import button, one_line
from chatmem.interfaces.web.words import words
from chatmem.model import AtomicMemoryRecord

HELD_SECONDS: Final = 10.0
OnChange = Callable[[], object]
"""Called when a memory was changed, or is gone; what it returns is awaited where that is needed."""
_TICK_S: Final = 0.25


class PendingForget:
    """One memory on its way out."""

    def __init__(self, visit: Visit, memory_id: str) -> None:
        self.ends_s = time.monotonic() + HELD_SECONDS
        self.is_kept = False
        self.decided = asyncio.Event()
        """Set when there is no more to wait for."""
        self.task = background_tasks.create(self._run(visit, memory_id), name=f"forget {memory_id}")
        """Done when the memory is gone, or stays; its exception says why it could not go."""

    async def take_back(self) -> None:
        """Keep the memory, unless it is too late; returns when that is over."""
        self.is_kept |= not self.decided.is_set()
        self.decided.set()
        await asyncio.wait([self.task])

    async def _run(self, visit: Visit, memory_id: str) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.decided.wait(), HELD_SECONDS)
        self.decided.set()
        try:
            if not self.is_kept:
                with suppress(MemoryNotFoundError):  # somebody was faster
                    await visit.run_slow(visit.memory.forget, memory_id)
        finally:
            _held.pop((visit.memory.user_id, memory_id), None)


_held: dict[tuple[str, str], PendingForget] = {}
"""By user and memory: what every window of the user shows as on its way out."""
_bars: WeakKeyDictionary[Client, ui.element] = WeakKeyDictionary()
"""Where each window has its bars."""


def pending_forget(visit: Visit, memory_id: str) -> PendingForget | None:
    """The memory's last seconds, None where nobody wants to forget it."""
    return _held.get((visit.memory.user_id, memory_id))


async def notify(on_change: OnChange | None) -> None:
    """Call it where there is one; return when it is done."""
    if on_change is not None:
        result = on_change()
        if inspect.isawaitable(result):
            await result


def forget(visit: Visit, memory: AtomicMemoryRecord, on_change: OnChange | None) -> None:
    """Begin the memory's last ten seconds, unless they have begun; this window shows their bar."""
    client = ui.context.client
    held = pending_forget(visit, memory.id) or PendingForget(visit, memory.id)
    _held[visit.memory.user_id, memory.id] = held
    if client not in _bars:
        with client.content:
            _bars[client] = ui.element("div").classes("undo-bars")
    with _bars[client], ui.row(wrap=False).classes("undo-bar items-center gap-3") as bar:
        seconds = ui.label().classes("undo-seconds").props("aria-hidden=true")
        with ui.column().classes("gap-0 min-w-0 grow"):
            ui.label(words("card.forgetting")).classes("font-semibold").props("role=status")
            ui.label(one_line(memory.content)).classes("text-sm truncate max-w-full")

        async def look() -> None:
            seconds.set_text(str(max(1, round(held.ends_s - time.monotonic()))))
            if not held.task.done():
                return
            timer.cancel()
            with client.content:
                if error := held.task.exception():
                    notify_error(error)
                elif held.is_kept:
                    ui.notify(words("card.kept"), type="positive")
                else:
                    ui.notify(words("card.forgotten"), type="info")
                await notify(on_change)
            bar.delete()

        async def take_back() -> None:
            await held.take_back()
            await look()

        back = button(words("card.keep_it"), take_back, icon="undo", look="main")
        back.classes("shrink-0")
        timer = ui.timer(_TICK_S, look)
    ui.run_javascript(f"getHtmlElement({back.id})?.focus()")


async def _finish() -> None:
    """Forget at once whatever waits to be forgotten."""
    for held in list(_held.values()):
        held.decided.set()
        await asyncio.wait([held.task])


app.on_shutdown(_finish)
