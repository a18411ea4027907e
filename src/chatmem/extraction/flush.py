"""When a session is extracted from: in its time, and before its context is cut away.

Its turns are read when enough time has passed and enough was said (`next_extraction`). A flush
reads what is left, once in a cycle, which lasts from one cut of the host's context to the next. It
is asked for when usage reaches the threshold or a compaction begins, and is done only when its
write has succeeded:

    not_due ── threshold, or compaction starts ──> asked ── succeeded ──> done
                                                    │ ^
                                             failed v │ at the next event
                                                   failed

A finished compaction, a cleared context, or usage 10 points below the threshold begins the next
cycle. A flush that has not succeeded by then is still owed (`earlier`) until it succeeds, or until
the new cycle asks for its own, which covers it: a flush reads everything not yet extracted.

Transitions are pure: each gives the state to save, and whether a flush is to be started now. Save
the state, and the job that was asked for, with the event, in one transaction; and a flush's success
with what it writes. Then a crash at any instruction neither loses a flush nor counts it twice: the
job outlives it.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import inf
from typing import Final, Literal, TypeAlias

from chatmem.errors import InvalidInputError


def next_extraction(
    extracted_at: datetime | None,
    new_messages: int,
    now: datetime,
    interval_s: float,
    min_new: int,
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


Stage: TypeAlias = Literal["not_due", "asked", "failed", "done"]
FLUSH_THRESHOLD: Final = 0.75
REARM_POINTS: Final = 0.10
"""How far usage has to fall below the threshold to begin a new cycle. Source: decisions 4."""
_ROUNDING: Final = 9  # .75 - .10 is not .65 in binary


@dataclass(frozen=True, slots=True)
class FlushState:
    """The state of a session, saved as its fields; a new one starts with the defaults."""

    stage: Stage = "not_due"
    """Of this cycle's flush, or of an earlier one's."""
    earlier: bool = False
    """The flush is an earlier cycle's; this one has not asked for its own."""
    compacting: bool = False
    """A compaction has begun and its end was not seen yet."""
    heard: bool = False
    """A message came since it began."""
    at_once: bool = False
    """It began while the flush ran: should that fail, it is asked for without an event."""

    @property
    def is_open(self) -> bool:
        """True while a flush was asked for and has not succeeded."""
        return self.stage in ("asked", "failed")

    @property
    def has_asked(self) -> bool:
        """True when this cycle has asked for its flush."""
        return self.stage != "not_due" and not self.earlier


@dataclass(frozen=True, slots=True)
class FlushStep:
    """The state after an event, and whether a flush is to be started now."""

    state: FlushState
    asks: bool = False


def on_usage(
    state: FlushState, current_tokens: float, token_limit: float, threshold: float = FLUSH_THRESHOLD
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
        return _retried(state)
    usage = current_tokens / token_limit
    if usage >= threshold:
        return _due(state)
    low = round(usage, _ROUNDING) <= round(max(0.0, threshold - REARM_POINTS), _ROUNDING)
    if low and state.has_asked:
        # Still compacting: the report may come before the event that says it has ended.
        return _retried(replace(_next_cycle(state), compacting=state.compacting))
    return _retried(state)


def on_compaction_start(state: FlushState) -> FlushStep:
    """The step after a compaction has begun: the last chance of this cycle.

    A flush that runs is not started twice. A second start without an end is the same event again,
    or, when a message came in between, the next compaction, the end of the first being lost.

    Source: S5.5.2.
    """
    if state.compacting and state.heard:
        state = _next_cycle(state)
    if state.compacting:
        return _due(state)
    return _due(replace(state, compacting=True, heard=False, at_once=state.stage == "asked"))


def on_compaction_end(state: FlushState, success: bool) -> FlushStep:
    """The step after a compaction has ended; without success nothing was cut: the cycle goes on.

    An end whose start was not seen counts as both: some hosts send only the end.
    """
    missed = not (state.compacting or state.has_asked)
    ended = replace(state, compacting=False, heard=False, at_once=False)
    step = _due(ended) if missed else _retried(ended)
    return replace(step, state=_next_cycle(step.state)) if success else step


def on_context_cleared(state: FlushState) -> FlushStep:
    """The step after the host has emptied its context: a new cycle."""
    return _retried(_next_cycle(state))


def on_message(state: FlushState) -> FlushStep:
    """The step after a message was saved, whichever way it came."""
    return _retried(replace(state, heard=state.compacting))


def on_flush_succeeded(state: FlushState) -> FlushStep:
    """The step after a flush has written; none where none is open."""
    if not state.is_open:
        return FlushStep(state)
    stage: Stage = "not_due" if state.earlier else "done"
    return FlushStep(replace(state, stage=stage, earlier=False, at_once=False))


def on_flush_failed(state: FlushState) -> FlushStep:
    """The step after a flush has failed, and will not be tried again by itself.

    It is asked for with the next event (a full disk would make it a busy loop), or once at once
    where a compaction has begun since.
    """
    if state.stage != "asked":
        return FlushStep(state)
    failed = replace(state, stage="failed")
    return _retried(failed) if state.at_once else FlushStep(failed)


def _due(state: FlushState) -> FlushStep:
    return _retried(state) if state.has_asked else _asked(replace(state, earlier=False))


def _retried(state: FlushState) -> FlushStep:
    """Asks again for what has failed."""
    return _asked(state) if state.stage == "failed" else FlushStep(state)


def _asked(state: FlushState) -> FlushStep:
    return FlushStep(replace(state, stage="asked", at_once=False), asks=True)


def _next_cycle(state: FlushState) -> FlushState:
    return FlushState(stage=state.stage, earlier=True) if state.is_open else FlushState()
