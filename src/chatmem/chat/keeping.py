"""What is kept of a turn, and who is told that it is over.

Source: S1.2, S3.2.1, S4.3.2, S5.4.1, S5.5.1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from chatmem.chat.turn import Turn
from chatmem.chat.updates import write_of
from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError, TurnNotSavedError
from chatmem.model import SavedTurn
from chatmem.model.write import MemoryWrite

CUT_MARK: Final = " […]"
"""Ends an answer that was saved without its end."""


def save(memory: MemoryService, turn: Turn, text: str) -> SavedTurn | None:
    """The turn as saved; None where nothing is to be kept.

    Raises:
        TurnNotSavedError: it cannot be written.
    """
    if not turn.remembers:
        return None
    try:
        return memory.save_conversation_turn(
            turn.message, text, turn.session_id, turn.app_type, now=turn.now
        )
    except (ChatmemError, OSError) as error:
        raise TurnNotSavedError(f"the answer is there, but {error}", text=text) from error


def save_cut(memory: MemoryService, turn: Turn) -> bool:
    """True when there was something to save of an answer that broke off, and it is saved.

    A cut answer's `memory_update` is not obeyed: it is not known what else it would have said.
    """
    if not turn.shown.text:
        return False
    try:
        saved = save(memory, turn, turn.shown.text + CUT_MARK)
    except TurnNotSavedError:
        return False
    raise_events(memory, turn, saved)
    return saved is not None


def remember_updates(memory: MemoryService, turn: Turn) -> None:
    """Hand over what the answer itself says is to be remembered. Source: S3.2.1."""
    writes = [write for update in turn.updates if (write := write_of(update)) is not None]
    apply_writes(memory, turn, writes)


def apply_writes(
    memory: MemoryService, turn: Turn, writes: Sequence[MemoryWrite | Mapping[str, Any]]
) -> None:
    """Hand writes to the memory, which settles them against what it knows; they are the session's.

    Each by itself: one that does not fit keeps no other from being written. With memory switched
    off, nothing is. Source: S4.3.2.
    """
    if not turn.remembers or not memory.settings.memory.enabled:
        return
    for write in writes:
        try:
            turn.memories += memory.apply_writes([_of_session(write, turn)], now=turn.now)
        except (ChatmemError, OSError) as error:
            turn.problems.append(f"not remembered: {error}")


def raise_events(memory: MemoryService, turn: Turn, saved: SavedTurn | None) -> None:
    """Tell of the tokens used, where the server counts them, and of the turn's end.

    Nothing else happens on the caller's time: the worker does the rest. Source: S5.4.1, S5.5.1.
    """
    if saved is None:
        return
    events: list[tuple[str, dict[str, Any]]] = [("turn_end", {})]
    if turn.usages:
        last = turn.usages[-1]
        used = last.prompt_tokens + last.completion_tokens
        events.insert(0, ("usage", {"currentTokens": used, "tokenLimit": turn.limit_tokens}))
    for kind, data in events:
        event = {"type": kind, "data": data, "session_id": turn.session_id}
        try:
            memory.handle_event(event, now=turn.now)
        except (ChatmemError, OSError) as error:
            turn.problems.append(f"event {kind}: {error}")


def _of_session(write: object, turn: Turn) -> Any:  # noqa: ANN401 - as a tool gave it
    """The write with the session that it came from; what is no write, memory itself refuses."""
    if isinstance(write, MemoryWrite):
        return replace(write, session_id=write.session_id or turn.session_id)
    if not isinstance(write, Mapping) or write.get("sessionId"):
        return write
    return {**write, "session_id": write.get("session_id") or turn.session_id}
