"""Forgetting that can be taken back for ten seconds: held here, then done, whoever is looking.

A memory that is held still stands where it stood. It goes when its time is up, also when the window
was closed by then, and at once when the server stops.
"""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from nicegui import app, background_tasks

from chatmem.errors import ChatmemError, MemoryNotFoundError
from chatmem.interfaces.web.visit import SignedOutError, Visit

HELD_SECONDS: Final = 10.0

Outcome: TypeAlias = Literal["waiting", "taken_back", "forgotten", "failed"]


@dataclass(slots=True)
class Held:
    """One memory on its way out."""

    memory_id: str
    ends_s: float
    """When it goes, by the monotonic clock."""
    outcome: Outcome = "waiting"
    error: Exception | None = None
    _decided: asyncio.Event = field(default_factory=asyncio.Event)
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def seconds_left(self) -> int:
        """Whole seconds in which it can be taken back, at least one while it waits."""
        return max(1, round(self.ends_s - time.monotonic()))

    def take_back(self) -> bool:
        """True when it stays after all; False when it is gone already."""
        if self.outcome == "waiting" and not self._decided.is_set():
            self.outcome = "taken_back"
            self._decided.set()
        return self.outcome == "taken_back"

    def hurry(self) -> None:
        """Do not wait any longer."""
        self._decided.set()

    async def over(self) -> None:
        """Return when it is forgotten, or taken back."""
        await self._over.wait()

    async def run(self, visit: Visit) -> None:
        """Wait, and forget unless it was taken back."""
        try:
            await asyncio.wait_for(self._decided.wait(), self.ends_s - time.monotonic())
        except TimeoutError:
            self._decided.set()
        try:
            if self.outcome == "waiting":
                await self._forget(visit)
        finally:
            _held.pop((visit.memory.user_id, self.memory_id), None)
            self._over.set()

    async def _forget(self, visit: Visit) -> None:
        try:
            await visit.away_for_long(visit.memory.forget, self.memory_id)
        except MemoryNotFoundError:
            self.outcome = "forgotten"  # somebody was faster
        except (ChatmemError, SignedOutError) as error:
            self.outcome, self.error = "failed", error
        else:
            self.outcome = "forgotten"


_held: dict[tuple[str, str], Held] = {}
"""By user and memory: what every window of the user shows as on its way out."""


def hold(visit: Visit, memory_id: str) -> Held:
    """The memory's last ten seconds, which begin now unless they have begun."""
    key = visit.memory.user_id, memory_id
    known = _held.get(key)
    if known is not None:
        return known
    held = Held(memory_id, time.monotonic() + HELD_SECONDS)
    _held[key] = held
    background_tasks.create(held.run(visit), name=f"forget {memory_id}")
    return held


def held_of(visit: Visit, memory_id: str) -> Held | None:
    """The memory's last seconds, None where nobody wants to forget it."""
    return _held.get((visit.memory.user_id, memory_id))


async def _finish() -> None:
    """Forget at once what somebody has asked to be forgotten."""
    waiting = list(_held.values())
    for held in waiting:
        held.hurry()
    for held in waiting:
        await held.over()


app.on_shutdown(_finish)
