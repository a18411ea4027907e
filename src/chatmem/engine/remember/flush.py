"""The flush of a session before its context is cut: its state, and the job that follows from it.

Source: S5.5; decisions 4.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from chatmem.extraction import flush
from chatmem.extraction.flush import FlushState, FlushStep
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner

FLUSH = "flush"
"""The kind of the job."""
Transition: TypeAlias = Callable[[FlushState], FlushStep]


def step_flush(
    store: Store, owner: Owner, session_id: str, transition: Transition, now: datetime
) -> bool:
    """True when the transition asks for a flush: its job is left; inside a transaction."""
    known = store.extraction.get(owner, session_id)
    before = FlushState.from_dict(known.flush)
    step = transition(before)
    if step.state != before:
        store.extraction.put(owner, session_id, replace(known, flush=step.state.as_dict()))
    if step.flush is not None:
        store.jobs.put(owner, FLUSH, session_id, now)
    return step.flush is not None


def message_saved(store: Store, owner: Owner, session_id: str, now: datetime) -> None:
    """A message is an event like any other: what failed is asked for again; in a transaction."""
    step_flush(store, owner, session_id, flush.on_message, now)


def flush_succeeded(store: Store, owner: Owner, session_id: str, now: datetime) -> None:
    """What was asked for is written; inside a transaction."""
    _close(store, owner, session_id, now, flush.on_flush_succeeded)


def flush_given_up(store: Store, owner: Owner, session_id: str, now: datetime) -> None:
    """It failed too often to be tried again by itself; the next event asks for it anew."""
    _close(store, owner, session_id, now, flush.on_flush_failed)


def _close(
    store: Store,
    owner: Owner,
    session_id: str,
    now: datetime,
    transition: Callable[[FlushState, int], FlushStep],
) -> None:
    """Close every cycle that is open: one reading covers them all."""

    def close(state: FlushState) -> FlushStep:
        step = FlushStep(state)
        for cycle in (state.owed, state.cycle):
            if flush.is_open(step.state, cycle):
                step = transition(step.state, cycle)
        return step

    step_flush(store, owner, session_id, close, now)
