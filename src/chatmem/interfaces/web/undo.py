"""Forgetting that can be taken back for ten seconds, and the bar that counts them.

A memory goes when its time is up, also with the window closed; at once when the server stops.
"""

import asyncio
import inspect
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias
from weakref import WeakKeyDictionary

from nicegui import Client, app, background_tasks, ui

from chatmem.errors import ChatmemError, MemoryNotFoundError
from chatmem.interfaces.web.visit import SignedOutError, Visit, notify_error
from chatmem.interfaces.web.widgets import button

HELD_SECONDS: Final = 10.0
OnChange = Callable[[], object]
"""Called when a memory was changed, or is gone; what it returns is awaited where that is needed."""
Outcome: TypeAlias = Literal["waiting", "taken_back", "forgotten", "failed"]
_LINE_CHARS: Final = 60
_TICK_S: Final = 0.25


@dataclass(slots=True)
class PendingForget:
    """One memory on its way out."""

    memory_id: str
    ends_s: float
    """When it goes, by the monotonic clock."""
    outcome: Outcome = "waiting"
    error: Exception | None = None
    decided: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there is no more to wait for."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it is forgotten, or taken back."""

    @property
    def seconds_left(self) -> int:
        """Whole seconds in which it can be taken back, at least one while it waits."""
        return max(1, round(self.ends_s - time.monotonic()))

    def take_back(self) -> bool:
        """True when it stays after all; False when it is gone already."""
        if self.outcome == "waiting" and not self.decided.is_set():
            self.outcome = "taken_back"
            self.decided.set()
        return self.outcome == "taken_back"

    async def run(self, visit: Visit) -> None:
        """Wait, and forget unless it was taken back."""
        try:
            await asyncio.wait_for(self.decided.wait(), self.ends_s - time.monotonic())
        except TimeoutError:
            self.decided.set()
        try:
            if self.outcome == "waiting":
                await self._forget(visit)
        finally:
            _held.pop((visit.memory.user_id, self.memory_id), None)
            self.over.set()

    async def _forget(self, visit: Visit) -> None:
        try:
            with suppress(MemoryNotFoundError):  # somebody was faster
                await visit.run_slow(visit.memory.forget, self.memory_id)
            self.outcome = "forgotten"
        except (ChatmemError, SignedOutError) as error:
            self.outcome, self.error = "failed", error


_held: dict[tuple[str, str], PendingForget] = {}
"""By user and memory: what every window of the user shows as on its way out."""
_bars: WeakKeyDictionary[Client, ui.element] = WeakKeyDictionary()
"""Where each window has its bars."""


def begin_forget(visit: Visit, memory_id: str) -> PendingForget:
    """The memory's last ten seconds, which begin now unless they have begun."""
    key = visit.memory.user_id, memory_id
    if key not in _held:
        _held[key] = PendingForget(memory_id, time.monotonic() + HELD_SECONDS)
        background_tasks.create(_held[key].run(visit), name=f"forget {memory_id}")
    return _held[key]


def pending_forget(visit: Visit, memory_id: str) -> PendingForget | None:
    """The memory's last seconds, None where nobody wants to forget it."""
    return _held.get((visit.memory.user_id, memory_id))


async def notify(on_change: OnChange | None) -> None:
    """Call it where there is one; return when it is done."""
    if on_change is not None:
        result = on_change()
        if inspect.isawaitable(result):
            await result


def show_undo(visit: Visit, held: PendingForget, content: str, on_change: OnChange | None) -> None:
    """Show the bar in this window until the memory is gone, or stays."""
    words, client = visit.words, ui.context.client
    if client not in _bars:
        with client.content:
            _bars[client] = ui.element("div").classes("undo-bars")
    with _bars[client], ui.row(wrap=False).classes("undo-bar items-center gap-3") as bar:
        seconds = ui.label().classes("undo-seconds").props("aria-hidden=true")
        with ui.column().classes("gap-0 min-w-0 grow"):
            ui.label(words("card.forgetting")).classes("font-semibold").props("role=status")
            ui.label(_short(content)).classes("text-sm truncate max-w-full")

        async def look() -> None:
            seconds.set_text(str(held.seconds_left))
            if held.outcome == "waiting":
                return
            timer.cancel()
            with client.content:
                _notify_outcome(visit, held)
                await notify(on_change)
            bar.delete()

        async def take_back() -> None:
            held.take_back()
            await look()

        back = button(words("card.keep_it"), take_back, icon="undo", look="main")
        back.classes("shrink-0")
        timer = ui.timer(_TICK_S, look)
    ui.run_javascript(f"getHtmlElement({back.id})?.focus()")


def _notify_outcome(visit: Visit, held: PendingForget) -> None:
    if held.outcome == "forgotten":
        ui.notify(visit.words("card.forgotten"), type="info")
    elif held.outcome == "taken_back":
        ui.notify(visit.words("card.kept"), type="positive")
    elif held.error is not None:
        notify_error(visit, held.error)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LINE_CHARS else line[: _LINE_CHARS - 1] + "…"


async def _finish() -> None:
    """Forget at once whatever waits to be forgotten."""
    waiting = list(_held.values())
    for held in waiting:
        held.decided.set()
    for held in waiting:
        await held.over.wait()


app.on_shutdown(_finish)
