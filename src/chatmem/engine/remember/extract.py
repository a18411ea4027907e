"""Extraction: new messages of a session are read, and what is worth keeping becomes memories.

A cursor says how far a session was read. It moves when what was found is written, so a process that
is killed in between reads the same messages again, and settling them again has no effect. Before a
session's context is cut, a flush reads all that is left.

Where a memory file cannot be written, nothing is lost: a job raises DocumentError and is tried
again.

Source: decisions 4; S5.4, S5.5.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import zip_longest
from typing import TypeAlias

from chatmem.engine.profiles.notes import own_messages, update_from_candidates
from chatmem.engine.remember.nearness import Nearness
from chatmem.engine.remember.settle import settle_candidates
from chatmem.engine.space import Space
from chatmem.engine.state import Engine
from chatmem.errors import ProviderError, ReaderWeightsError
from chatmem.extraction import flush
from chatmem.extraction.extractor import (
    Candidate,
    KnownMemory,
    NewMessage,
    candidates_of,
    may_state_something,
)
from chatmem.extraction.flush import FlushState, FlushStep, next_extraction
from chatmem.extraction.model_extraction import MAX_KNOWN
from chatmem.extraction.phrasing import MAX_CONTENT_CHARS
from chatmem.model import AtomicMemoryRecord
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Extraction, Owner

EXTRACTION, SESSION_END = "extraction", "session_end"
FLUSH, CONSOLIDATION = "flush", "consolidation"
"""Kinds of jobs: after a turn, throttled; at the end of a session; before its context is cut; after
what they have added."""
READ_AT_ONCE = 100
"""Messages read and settled in one step; a longer session takes several."""
Transition: TypeAlias = Callable[[FlushState], FlushStep]
_READER = "reader"
"""What has found memories where no model has."""
_log = logging.getLogger(__name__)


def extracts(engine: Engine) -> bool:
    """True while memory remembers by itself."""
    memory = engine.settings.memory
    return memory.enabled and memory.auto_extract


def extract_turns(space: Space, session_id: str, now: datetime) -> datetime | None:
    """Extract from a session if it is due; else when it will be, None: with more messages.

    Source: S5.4.1, S5.4.2.
    """
    memory = space.engine.obey_settings().memory
    if not extracts(space.engine):
        return None
    known = space.store.extraction.get(space.owner, session_id)
    new = space.store.conversations.count_after(space.owner, session_id, known.extracted_to)
    due = next_extraction(
        known.extracted_at, new, now, memory.extract_interval_seconds, memory.min_new_messages
    )
    if due is None or due > now:
        return due
    return None if _extract_all(space, session_id, now) else now


def extract_rest(space: Space, session_id: str, now: datetime) -> datetime | None:
    """Extract everything that was not read yet: the session has ended, or was imported.

    None when that is done; now where the thread is to end before.
    """
    space.engine.obey_settings()
    if extracts(space.engine) and not _extract_all(space, session_id, now):
        return now
    return None


def flush_session(space: Space, session_id: str, now: datetime) -> datetime | None:
    """As `extract_rest`; the flush is marked as done once all is written. Source: S5.5."""
    due = extract_rest(space, session_id, now)
    if due is None:
        with space.store.transaction():
            _close_flush(space.store, space.owner, session_id, now, flush.on_flush_succeeded)
    return due


def flush_given_up(store: Store, owner: Owner, session_id: str, now: datetime) -> None:
    """It failed too often to be tried again by itself; the next event asks for it anew."""
    _close_flush(store, owner, session_id, now, flush.on_flush_failed)


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


def _close_flush(
    store: Store,
    owner: Owner,
    session_id: str,
    now: datetime,
    transition: Callable[[FlushState, int], FlushStep],
) -> None:
    """Close every cycle that is open: one reading covers them all; inside a transaction."""

    def close(state: FlushState) -> FlushStep:
        step = FlushStep(state)
        for cycle in (state.owed, state.cycle):
            if flush.is_open(step.state, cycle):
                step = transition(step.state, cycle)
        return step

    step_flush(store, owner, session_id, close, now)


def _extract_all(space: Space, session_id: str, now: datetime) -> bool:
    """Whether all of it is read: a thread that is to end leaves the rest where the cursor is."""
    store = space.store
    while not space.engine.callers.must_stop:
        known = store.extraction.get(space.owner, session_id)
        messages = store.conversations.after(
            space.owner, session_id, known.extracted_to, READ_AT_ONCE
        )
        if not messages:
            return True
        space.engine.callers.make_way()
        found, made_by = _candidates(space, own_messages(space, messages))
        space.engine.callers.make_way()
        added = settle_candidates(space, session_id, found, now, made_by)
        if space.engine.model_extractor is not None:
            update_from_candidates(space, session_id, found, now)
        with store.transaction():
            known = store.extraction.get(space.owner, session_id)
            read_to = max(known.extracted_to, messages[-1].id)
            store.extraction.put(space.owner, session_id, Extraction(read_to, now, known.flush))
            if added:
                store.jobs.put(space.owner, CONSOLIDATION, "", now)
    return False


def _candidates(space: Space, messages: Sequence[NewMessage]) -> tuple[list[Candidate], str]:
    """What the model finds where the reader sees anything; without one, what the reader finds.

    No transaction is open: a model takes its time.
    """
    extractor = space.engine.model_extractor
    found: list[Candidate] = []
    for_model: list[NewMessage] = []
    for one in messages:
        space.engine.callers.make_way()
        try:
            own = candidates_of(one)
            screened = bool(own) or (extractor is not None and may_state_something(one))
        except ReaderWeightsError as error:
            _log.warning("nothing is extracted: %s", error)
            own, screened = [], True  # nothing is there to screen with
        found += own
        if screened:
            for_model.append(one)
    if extractor is not None and for_model:
        known = _known_near(space, for_model, found)
        try:
            return extractor.extract(for_model, known), extractor.name
        except ProviderError as error:
            _log.warning("extraction goes by what the reader finds: %s", error)
    return found, _READER


def _known_near(
    space: Space, messages: Sequence[NewMessage], found: Sequence[Candidate]
) -> list[KnownMemory]:
    """The valid memories that the messages may be about: the nearest of each, then the next.

    Near is what the reader found in a message; the message itself where it found nothing.
    """
    nearness = Nearness(space)
    near: list[list[AtomicMemoryRecord]] = []
    for one in messages:
        space.engine.callers.make_way()
        whole = Candidate(content=one.content[:MAX_CONTENT_CHARS], said_in=one.number)
        about = [each for each in found if each.said_in == one.number] or [whole]
        near += [[met.old for met in nearness.met(each)] for each in about]
    in_turn = (old for row in zip_longest(*near) for old in row if old is not None)
    by_id = {old.id: KnownMemory(old.id, old.content) for old in in_turn}
    return list(by_id.values())[:MAX_KNOWN]
