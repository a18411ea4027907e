"""What memory keeps of a conversation, below the answer that it came with, as it comes to be."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from nicegui import ui

from chatmem.chat.reply import ChatReply
from chatmem.engine.service import MemoryService
from chatmem.interfaces.web.views.memory_card import open_card
from chatmem.interfaces.web.visit import Visit
from chatmem.model import AtomicMemoryRecord
from chatmem.model.filter import MemoryFilter

_EVERY_SECONDS: Final = 1.0
_QUIET_LOOKS: Final = 5
"""After so many without work at hand no more is expected."""
_MOST: Final = 50
_READING: Final = frozenset(("extraction", "session_end", "flush"))


@dataclass(slots=True)
class _Turn:
    """A turn whose memories may still come."""

    place: ui.column
    said: frozenset[str]
    memories: list[AtomicMemoryRecord] = field(default_factory=list)
    shown: object = None
    """What is drawn there: drawn again it would lose the focus."""


@dataclass(frozen=True, slots=True)
class _State:
    """What is known of a session's memories: new ones with the messages that they came from."""

    new: list[tuple[AtomicMemoryRecord, frozenset[str]]]
    is_reading: bool
    is_on: bool


class Remembering:
    """Looks, once in a second, for what was remembered of a session."""

    def __init__(self, visit: Visit, session_id: str, follow: Callable[[], None]) -> None:
        self._visit = visit
        self._follow = follow
        self._session_id = session_id
        self._known: set[str] = set()
        self._turns: list[_Turn] = []
        self._quiet = 0

    async def begin(self) -> None:
        """What is known already came from before."""
        state = await self._visit.away(self._look)
        self._known |= {memory.id for memory, _ in state.new}
        self._timer = ui.timer(_EVERY_SECONDS, self._again, active=False)

    def watch(self, place: ui.column, reply: ChatReply) -> None:
        """Show in this place what came of the turn, now and later."""
        if reply.saved is None:
            return
        turn = _Turn(place, frozenset(reply.saved.ids), list(reply.memories))
        self._known |= {one.id for one in reply.memories}
        self._turns.append(turn)
        for one in self._turns[-2:]:
            self._draw(one, None)
        self._begin_to_look()

    def _begin_to_look(self) -> None:
        self._quiet = 0
        self._timer.activate()

    async def _again(self) -> None:
        state = await self._visit.away(self._look)
        for memory, said in state.new:
            self._known.add(memory.id)
            of = (one for one in self._turns if said & one.said)
            turn = next(of, self._turns[-1])
            turn.memories.append(memory)
            self._follow()
        for turn in self._turns:
            self._draw(turn, state)
        self._quiet = 0 if state.is_reading else self._quiet + 1
        if self._quiet >= _QUIET_LOOKS:
            self._timer.deactivate()

    def _look(self) -> _State:
        memory = self._visit.memory
        # The jobs first: what one that is done has left is then among the memories.
        jobs = [one for one in memory.jobs.list() if one.session_id == self._session_id]
        wanted = MemoryFilter(session_id=self._session_id, memory_type="long_term")
        found = memory.browse(wanted, sort="create_time", limit=_MOST).items
        settings = memory.settings.memory
        return _State(
            [(one, _said(memory, one)) for one in found if one.id not in self._known],
            any(one.kind in _READING and one.state != "failed" for one in jobs),
            settings.enabled and settings.auto_extract,
        )

    def _draw(self, turn: _Turn, state: _State | None) -> None:
        words = self._visit.words
        is_last = turn is self._turns[-1]
        reading = state is None or state.is_reading
        shown = (len(turn.memories), reading, state is None or state.is_on, is_last)
        if shown == turn.shown:
            return
        turn.shown = shown
        turn.place.clear()
        with turn.place:
            if turn.memories:
                ui.label(words("chat.remembered")).classes("font-semibold text-sm")
                with ui.element("ul").classes("w-full flex flex-col session-learned"):
                    for one in turn.memories:
                        with ui.element("li").classes("w-full"):
                            ui.button(
                                one.content, icon="psychology",
                                on_click=partial(open_card, self._visit, one.id),
                            ).props("flat no-caps align=left dense").classes(
                                "session-memory text-left max-w-full"
                            )  # fmt: skip
            elif state is None or state.is_reading:
                ui.label(words("chat.reading")).classes("muted text-sm")
            elif not state.is_on:
                ui.label(words("chat.off")).classes("muted text-sm")
            else:
                self._later(turn)

    def _later(self, turn: _Turn) -> None:
        """Nothing was read yet, as too little is new: it can be asked for."""
        words = self._visit.words

        async def now() -> None:
            await self._visit.away_for_long(self._visit.memory.sessions.end, self._session_id)
            self._draw(turn, None)
            self._begin_to_look()

        with ui.row().classes("items-center gap-2"):
            ui.label(words("chat.nothing_yet")).classes("muted text-sm")
            if turn is self._turns[-1]:
                ui.button(words("chat.remember_now"), on_click=now).props(
                    "flat dense no-caps"
                ).classes("text-sm px-2")


def _said(memory: MemoryService, one: AtomicMemoryRecord) -> frozenset[str]:
    return frozenset(message.memory_id for message in memory.origin(one.id) if message.memory_id)
