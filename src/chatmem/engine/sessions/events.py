"""Events of a conversation, as a host reports them: messages, usage, compactions, finished turns.

    memory.handle_event({"type": "turn_end", "session_id": "s1"})
    memory.handle_event({"type": "usage", "session_id": "s1",
                         "data": {"currentTokens": 96_000, "tokenLimit": 128_000}})

Source: S5.4, S5.5; decisions 4; interfaces.md (events).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple, get_args

from pydantic.alias_generators import to_snake

from chatmem.engine.checks import checked_choice, checked_number, checked_text
from chatmem.engine.remember.append import MemoryAppender
from chatmem.engine.remember.extract import EXTRACTION, FLUSH, Transition, extracts, step_flush
from chatmem.engine.sessions.turns import save_message
from chatmem.engine.sessions.working_memory import retire_if_idle
from chatmem.engine.space import Space, SpacePart
from chatmem.errors import InvalidInputError
from chatmem.extraction import flush
from chatmem.model import Role
from chatmem.model.time import moment_or_now
from chatmem.storage.values import index_entry
from chatmem.text.clean import clean_text

ALIASES: Mapping[str, str] = {
    "stream:idle": "turn_end",
    "session.idle": "turn_end",
    "session.usage_info": "usage",
    "session.compaction_start": "compaction_start",
    "session.compaction_complete": "compaction_end",
    "session.context_cleared": "context_cleared",
}
"""Other hosts' names of our types."""
_EVENT_ID_LIFETIME = timedelta(days=7)
_MOST_TOKENS = 1e15


@dataclass(frozen=True, slots=True)
class HandledEvent:
    """What followed from an event.

    `type` is our name of it. `is_duplicate` is True for one that was handled before; nothing
    followed then. `asked_for` are the kinds of background work that it asked for. `memory_ids` are
    the memories that it wrote: the message's, or those of a tool's writes.
    """

    type: str
    session_id: str
    is_duplicate: bool = False
    asked_for: tuple[str, ...] = ()
    memory_ids: tuple[str, ...] = ()


class EventHandler(SpacePart):
    """Handles the events of this user's conversations."""

    def handle_event(
        self, event: Mapping[str, Any], *, now: datetime | None = None
    ) -> HandledEvent:
        """What followed from an event of a conversation: `{"type", "session_id", "data", "id"?}`.

        Types: message, usage, compaction_start, compaction_end, turn_end, tool_result,
        context_cleared, and `ALIASES`. Unknown fields are ignored; an `id` that was handled before
        has no effect. Background work is left as jobs, never waited for; a handled event survives
        a crash.

        Source: S4.3.2, S5.4.1, S5.5.1, S5.5.2.
        """
        self._engine.note_caller()
        read = _read(self._space, event, moment_or_now(now))
        # What writes a file, or reads a long text, comes before the transaction.
        written: tuple[str, ...] = ()
        if read.type == "message":
            retire_if_idle(self._space, read.session_id, read.now)
            index_entry(clean_text(str(read.data.get("content"))))
        elif read.type == "tool_result" and not _was_handled(read):
            written = _written(read)
        with self._store.transaction():
            is_first = _is_first(read)
            handled = _HANDLERS[read.type](read) if is_first else read.handled(is_duplicate=True)
        if is_first and written:
            handled = replace(handled, memory_ids=written)
        if handled.memory_ids:
            self._engine.wake.set()
        if handled.memory_ids or handled.asked_for:
            self._engine.jobs_wake.set()
        return handled


def types() -> tuple[str, ...]:
    """Every type and alias that an event may have."""
    return (*_HANDLERS, *ALIASES)


class _Event(NamedTuple):
    space: Space
    type: str
    session_id: str
    event_id: str | None
    data: Mapping[str, Any]
    now: datetime

    @property
    def mark(self) -> str:
        """What a second delivery of the event is known by."""
        return f"{self.type} {self.event_id}"

    def handled(self, **outcome: Any) -> HandledEvent:  # noqa: ANN401 - fields of the result
        return HandledEvent(self.type, self.session_id, **outcome)


def _read(space: Space, event: Mapping[str, Any], now: datetime) -> _Event:
    if not isinstance(event, Mapping):
        raise InvalidInputError(
            f'event: got {type(event).__name__}, takes {{"type", "session_id", "data"}}'
        )
    given = _in_snake_case(event)
    named = given.get("type")
    kind = ALIASES.get(str(named), str(named))
    if kind not in _HANDLERS:
        raise InvalidInputError(f"event type: got {named!r}, takes one of {', '.join(types())}")
    data = given.get("data", {})
    if not isinstance(data, Mapping):
        raise InvalidInputError(f"event data: got {type(data).__name__}, takes an object")
    data = _in_snake_case(data)
    session = given.get("session_id") or data.get("session_id")
    if session is None:
        raise InvalidInputError('event: no "session_id"; every event belongs to a session')
    event_id = given.get("id", data.get("id") if kind == "message" else None)
    return _Event(
        space=space,
        type=kind,
        session_id=checked_text(session, "session_id"),
        event_id=None if event_id is None else str(event_id),
        data=data,
        now=now,
    )


def _message(event: _Event) -> HandledEvent:
    role = checked_choice(event.data.get("role"), "event data: role", get_args(Role))
    content = checked_text(event.data.get("content"), "event data: content")
    saved = save_message(event.space, role, content, event.session_id, event.now)
    return event.handled(memory_ids=(saved.id,))


def _turn_end(event: _Event) -> HandledEvent:
    """The worker reads the session when it is due."""
    extraction = (EXTRACTION,) if extracts(event.space.engine) else ()
    kinds = ("analysis", *extraction)
    for kind in kinds:
        event.space.store.jobs.put(event.space.owner, kind, event.session_id, event.now)
    return event.handled(asked_for=kinds)


def _usage(event: _Event) -> HandledEvent:
    current, limit = (
        checked_number(event.data.get(to_snake(name)), f"event data: {name}", 0, _MOST_TOKENS)
        for name in ("currentTokens", "tokenLimit")
    )
    threshold = event.space.engine.settings.memory.flush_threshold
    return _flush_step(event, lambda state: flush.on_usage(state, current, limit, threshold))


def _compaction_end(event: _Event) -> HandledEvent:
    success = event.data.get("success", True)
    if not isinstance(success, bool):
        raise InvalidInputError(f"event data: success: got {success!r}, takes true or false")
    return _flush_step(event, lambda state: flush.on_compaction_end(state, success))


def _flush_step(event: _Event, transition: Transition) -> HandledEvent:
    space = event.space
    asked = step_flush(space.store, space.owner, event.session_id, transition, event.now)
    return event.handled(asked_for=(FLUSH,) if asked else ())


def _written(event: _Event) -> tuple[str, ...]:
    """The memories that a tool's result asked to be written."""
    writes = event.data.get("memory_writes", ())
    if not isinstance(writes, (list, tuple)):
        raise InvalidInputError(
            f"event data: memory_writes: got {type(writes).__name__}, takes a list"
        )
    of_session = [
        {"session_id": event.session_id, **one} if isinstance(one, Mapping) else one
        for one in writes
    ]
    # The memories' ids follow from the event's: delivered again after a crash, it writes nothing.
    mark = None if event.event_id is None else f"{event.session_id}\n{event.mark}"
    written = MemoryAppender(event.space).apply_writes(
        of_session, now=event.now, mark=mark, source="inferred"
    )
    return tuple(one.id for one in written)


_HANDLERS: Mapping[str, Callable[[_Event], HandledEvent]] = {
    "message": _message,
    "usage": _usage,
    "compaction_start": partial(_flush_step, transition=flush.on_compaction_start),
    "compaction_end": _compaction_end,
    "turn_end": _turn_end,
    "tool_result": _Event.handled,
    "context_cleared": partial(_flush_step, transition=flush.on_context_cleared),
}
"""What each does, inside the transaction that handles it."""


def _was_handled(event: _Event) -> bool:
    table, owner = event.space.store.extraction, event.space.owner
    return event.event_id is not None and table.is_handled(owner, event.session_id, event.mark)


def _is_first(event: _Event) -> bool:
    """False for an event that was handled before; inside the transaction that handles it."""
    if event.event_id is None:
        return True
    table = event.space.store.extraction
    table.forget_events(event.now - _EVENT_ID_LIFETIME)
    return table.handle(event.space.owner, event.session_id, event.mark, event.now)


def _in_snake_case(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is given, by our names; nulls are left out."""
    return {to_snake(str(name)): value for name, value in given.items() if value is not None}
