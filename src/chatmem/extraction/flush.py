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
cycle, `not_due`. A flush that has not succeeded by then is still owed (`owed`) beside the new
cycle's own. A flush reads everything not yet extracted, so a later one covers a failed one before
it, and no more than two are ever open.

Transitions are pure: each gives the state to save and the cycle whose flush is to be started now,
if any. Save the state, and the job that was asked for, with the event, in one transaction; and a
flush's success with what it writes, if `is_open` there. Then a crash at any instruction neither
loses a flush nor counts it twice: the job outlives it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from math import isfinite
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, StrictBool, TypeAdapter, ValidationError

from chatmem.errors import InvalidInputError
from chatmem.model.memory import JsonValue


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

    Args:
        extracted_at: when the session was last extracted from.
        new_messages: how many messages came after the last that was read. A count of all messages
            would go wrong when messages are deleted, imported, or read by a flush.
        now: the time now, with a time zone if `extracted_at` has one.
        interval_s: the least time between two extractions, in seconds.
        min_new: the least number of new messages; without any, nothing is ever due.

    Raises:
        InvalidInputError: a negative number of messages or seconds.

    Source: S5.4.2, decisions 4.
    """
    given = {"new_messages": new_messages, "interval_s": interval_s, "min_new": min_new}
    for name, number in given.items():
        if not number >= 0:  # NaN as well
            raise InvalidInputError(f"{name}: got {number!r}, takes a number from 0")
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
    """The state of a session; a new one starts with the defaults."""

    cycle: Annotated[int, Field(strict=True, ge=1)] = 1
    """Number of the compaction cycle."""
    stage: Stage = "not_due"
    """Of this cycle's flush."""
    owed: Annotated[int, Field(strict=True, ge=0)] = 0
    """An earlier cycle whose flush has not succeeded, 0 if there is none."""
    owed_failed: StrictBool = False
    """That one has failed, and is to be asked for again."""
    compacting: StrictBool = False
    """A compaction has begun and its end was not seen yet."""
    heard: StrictBool = False
    """A message came since it began."""
    at_once: StrictBool = False
    """It began while the flush ran: should that fail, it is asked for without an event."""

    def as_dict(self) -> dict[str, JsonValue]:
        """The state in JSON's types; `from_dict` reads it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, saved: Mapping[str, object]) -> "FlushState":
        """The state that was saved; unknown fields are ignored, missing ones have their defaults.

        Raises:
            InvalidInputError: a field with a value that it does not take.
        """
        try:
            state = _SAVED.validate_python(dict(saved))
        except ValidationError as error:
            (first, *_) = error.errors()
            raise _unusable(f"{first['loc'][0]} is {first['input']!r}: {first['msg']}") from error
        if state.owed >= state.cycle or (state.owed_failed and not state.owed):
            raise _unusable(
                f"cycle {state.cycle} cannot owe {state.owed} (failed: {state.owed_failed})"
            )
        return state


_SAVED: Final = TypeAdapter(FlushState)


def _unusable(problem: str) -> InvalidInputError:
    return InvalidInputError(f"flush state: {problem}; delete the saved state to begin anew")


@dataclass(frozen=True, slots=True)
class FlushStep:
    """The state after an event; `flush` is the cycle whose flush is to be started now, or None."""

    state: FlushState
    flush: int | None = None


def on_usage(
    state: FlushState, current_tokens: float, token_limit: float, threshold: float = FLUSH_THRESHOLD
) -> FlushStep:
    """The step after a report of usage, which is current_tokens / token_limit.

    With a limit of 0, which the host does not know (yet), the report is an event like any other.

    Raises:
        InvalidInputError: a negative, infinite or missing number; a threshold outside (0, 1].

    Source: S5.5.1.
    """
    _check("currentTokens", current_tokens)
    _check("tokenLimit", token_limit)
    _check("flush threshold", threshold)
    if not 0 < threshold <= 1:
        raise InvalidInputError(f"flush threshold: got {threshold!r}, takes a number in (0, 1]")
    if not token_limit:
        return _retried(state)
    usage = current_tokens / token_limit
    if usage >= threshold:
        return _due(state)
    low = round(usage, _ROUNDING) <= round(max(0.0, threshold - REARM_POINTS), _ROUNDING)
    if low and state.stage != "not_due":
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
    missed = not state.compacting and state.stage == "not_due"
    ended = replace(state, compacting=False, heard=False, at_once=False)
    step = _due(ended) if missed else _retried(ended)
    if not success:
        return step
    return FlushStep(_next_cycle(step.state), step.flush)


def on_context_cleared(state: FlushState) -> FlushStep:
    """The step after the host has emptied its context: a new cycle."""
    return _retried(_next_cycle(state))


def on_message(state: FlushState) -> FlushStep:
    """The step after a message was saved, whichever way it came."""
    return _retried(replace(state, heard=state.compacting))


def on_flush_succeeded(state: FlushState, cycle: int) -> FlushStep:
    """The step after the flush of `cycle` has written; of one that is not open, none."""
    if not is_open(state, cycle):
        return FlushStep(state)
    if cycle == state.cycle:
        return FlushStep(replace(state, stage="done", owed=0, owed_failed=False, at_once=False))
    return FlushStep(replace(state, owed=0, owed_failed=False))


def on_flush_failed(state: FlushState, cycle: int) -> FlushStep:
    """The step after the flush of `cycle` has failed, and will not be tried again by itself.

    It is asked for with the next event (a full disk would make it a busy loop), or once at once
    where a compaction has begun since.
    """
    if cycle == state.cycle and state.stage == "asked":
        failed = replace(state, stage="failed")
        return _retried(failed) if state.at_once else FlushStep(failed)
    if cycle == state.owed:
        if state.stage == "asked":  # and covers it
            return FlushStep(replace(state, owed=0, owed_failed=False))
        return FlushStep(replace(state, owed_failed=True))
    return FlushStep(state)


def is_open(state: FlushState, cycle: int) -> bool:
    """True while a flush of `cycle` may write: it was asked for, and nothing has covered it."""
    if cycle == state.cycle:
        return state.stage in ("asked", "failed")
    return cycle == state.owed and cycle > 0


def _due(state: FlushState) -> FlushStep:
    return _asked(state) if state.stage == "not_due" else _retried(state)


def _retried(state: FlushState) -> FlushStep:
    """Asks again for what has failed; the newer flush covers the older."""
    if state.stage == "failed":
        return _asked(state)
    if state.owed_failed:
        return FlushStep(replace(state, owed_failed=False), state.owed)
    return FlushStep(state)


def _asked(state: FlushState) -> FlushStep:
    owed = 0 if state.owed_failed else state.owed
    asked = replace(state, stage="asked", owed=owed, owed_failed=False, at_once=False)
    return FlushStep(asked, state.cycle)


def _next_cycle(state: FlushState) -> FlushState:
    owing = state.stage in ("asked", "failed")
    return FlushState(
        cycle=state.cycle + 1,
        owed=state.cycle if owing else state.owed,
        owed_failed=state.stage == "failed" if owing else state.owed_failed,
    )


def _check(name: str, got: object) -> None:
    numeric = isinstance(got, int | float) and not isinstance(got, bool)
    if not numeric or not isfinite(got) or got < 0:  # type: ignore[arg-type,operator]
        raise InvalidInputError(f"{name}: got {got!r}, takes a number from 0")
