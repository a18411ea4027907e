"""When a session is extracted from: in its time, and before its context is cut away.

Its turns are read when enough time has passed and enough was said (`next_extraction`). A flush
reads what is left, once in a cycle: it is asked for when usage reaches the threshold or a
compaction begins. A finished compaction, a cleared context, or usage 10 points below the threshold
begins the next cycle. One that was given up is owed, and asked for with the next event.

Transitions are pure: each gives the state to save, and whether a flush is to be started now. Save
the state, and the job that was asked for, with the event, in one transaction: the job outlives a
crash, and is tried again by itself.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import inf
from typing import Final

from chatmem.errors import InvalidInputError


def next_extraction(
    extracted_at: datetime | None, new_messages: int, now: datetime, interval_s: float, min_new: int
) -> datetime | None:
    """The moment from which an extraction is due, perhaps past; None if too little was said.

    due = extracted_at + interval_s, or `now` if there was no extraction yet

    It is never later than `now + interval_s`: a clock that was set back must not stop extraction
    until it has caught up.

    `new_messages` counts those after the last that was read: a count of all would go wrong when
    messages are deleted, imported, or read by a flush. Without any, nothing is ever due.

    Source: S5.4.2, decisions 4.
    """
    if new_messages < max(1, min_new):
        return None
    return min(extracted_at, now) + timedelta(seconds=interval_s) if extracted_at else now


REARM_POINTS: Final = 0.10
"""How far usage has to fall below the threshold to begin a new cycle. Source: decisions 4."""
_ROUNDING: Final = 9  # .75 - .10 is not .65 in binary


@dataclass(frozen=True, slots=True)
class FlushState:
    """The state of a session, saved as its fields; a new one starts with the defaults."""

    asked: bool = False
    """This cycle has asked for its flush."""
    owed: bool = False
    """A flush was given up, of this cycle or an earlier one, and not asked for since."""
    compacting: bool = False
    """A compaction has begun and its end was not seen yet."""
    heard: bool = False
    """A message came since it began."""


@dataclass(frozen=True, slots=True)
class FlushStep:
    """The state after an event, and whether a flush is to be started now."""

    state: FlushState
    asks: bool = False


def on_usage(
    state: FlushState, current_tokens: float, token_limit: float, threshold: float
) -> FlushStep:
    """The step after a report of usage, which is current_tokens / token_limit.

    With a limit of 0, which the host does not know (yet), the report is an event like any other.
    `threshold` is in (0, 1].

    Raises:
        InvalidInputError: a negative or infinite number, or none.

    Source: S5.5.1.
    """
    for name, number in {"currentTokens": current_tokens, "tokenLimit": token_limit}.items():
        if not 0 <= number < inf:  # NaN as well
            raise InvalidInputError(f"{name}: got {number!r}, takes a number from 0")
    if not token_limit:
        return _owed(state)
    usage = current_tokens / token_limit
    if usage >= threshold:
        return _due(state)
    low = round(usage, _ROUNDING) <= round(max(0.0, threshold - REARM_POINTS), _ROUNDING)
    # Still compacting: the report may come before the event that says it has ended.
    return _owed(replace(state, asked=state.asked and not low))


def on_compaction_start(state: FlushState) -> FlushStep:
    """The step after a compaction has begun: the last chance of this cycle.

    A second start without an end is the same event again, or, when a message came in between, the
    next compaction, the end of the first being lost.

    Source: S5.5.2.
    """
    if state.compacting and state.heard:
        state = FlushState(owed=state.owed)
    return _due(replace(state, compacting=True))


def on_compaction_end(state: FlushState, success: bool) -> FlushStep:
    """The step after a compaction has ended; without success nothing was cut: the cycle goes on.

    An end whose start was not seen counts as both: some hosts send only the end.
    """
    ended = replace(state, compacting=False, heard=False)
    step = _owed(ended) if state.compacting or state.asked else _due(ended)
    return replace(step, state=FlushState()) if success else step


def on_context_cleared(state: FlushState) -> FlushStep:
    """The step after the host has emptied its context: a new cycle."""
    return _owed(FlushState(owed=state.owed))


def on_message(state: FlushState) -> FlushStep:
    """The step after a message was saved, whichever way it came."""
    return _owed(replace(state, heard=state.compacting))


def on_flush_given_up(state: FlushState) -> FlushStep:
    """The step after a flush has failed, and will not be tried again by itself."""
    return FlushStep(replace(state, owed=True))


def _due(state: FlushState) -> FlushStep:
    """Asks once in a cycle, and for what is owed."""
    return FlushStep(replace(state, asked=True, owed=False), state.owed or not state.asked)


def _owed(state: FlushState) -> FlushStep:
    """Asks for what is owed."""
    return FlushStep(replace(state, owed=False), state.owed)
