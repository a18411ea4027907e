"""Extraction: new messages of a session are read, and what is worth keeping becomes memories.

A cursor says how far a session was read. It moves when what was found is written, so a process that
is killed in between reads the same messages again, and settling them again has no effect.

Source: decisions 4; S5.4, S5.5.
"""

import logging
from collections.abc import Sequence
from datetime import datetime
from itertools import zip_longest

from chatmem.engine.profiles.statements import said_of, update_from_candidates
from chatmem.engine.remember.flush import flush_succeeded
from chatmem.engine.remember.nearness import Nearness
from chatmem.engine.remember.settle import settle_candidates
from chatmem.engine.space import Space
from chatmem.engine.state import Engine
from chatmem.errors import ProviderError, ReaderWeightsError
from chatmem.extraction.candidate import Candidate, KnownMemory, NewMessage
from chatmem.extraction.extractor import candidates_of, may_state_something
from chatmem.extraction.model_extraction import MAX_KNOWN
from chatmem.extraction.phrasing import MAX_CONTENT_CHARS
from chatmem.extraction.throttle import next_extraction
from chatmem.model import AtomicMemoryRecord
from chatmem.storage.values import Extraction

EXTRACTION, SESSION_END, CONSOLIDATION = "extraction", "session_end", "consolidation"
"""Kinds of jobs: after a turn, throttled; at the end of a session; after what they have added."""
READ_AT_ONCE = 100
"""Messages read and settled in one step; a longer session takes several."""
_READER = "reader"
"""What has found memories where no model has."""
_log = logging.getLogger(__name__)


def extracts(engine: Engine) -> bool:
    """True while memory remembers by itself."""
    memory = engine.settings.memory
    return memory.enabled and memory.auto_extract


def extract_turns(space: Space, session_id: str, now: datetime) -> datetime | None:
    """Extract from a session if it is due; else when it will be, None: with more messages.

    Raises:
        DocumentError: a memory file cannot be written; nothing is lost, try again.

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

    Raises:
        DocumentError: a memory file cannot be written; nothing is lost, try again.
    """
    space.engine.obey_settings()
    if extracts(space.engine) and not _extract_all(space, session_id, now):
        return now
    return None


def flush_session(space: Space, session_id: str, now: datetime) -> datetime | None:
    """Extract everything that was not read yet, and mark the flush as done once it is written.

    None when that is done; now where the thread is to end before.

    Raises:
        DocumentError: a memory file cannot be written; the flush is not done, try again.

    Source: S5.5.
    """
    space.engine.obey_settings()
    if extracts(space.engine) and not _extract_all(space, session_id, now):
        return now
    with space.store.transaction():
        flush_succeeded(space.store, space.owner, session_id, now)
    return None


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
        found, made_by = _candidates(space, said_of(space, messages))
        space.engine.callers.make_way()
        settled = settle_candidates(space, session_id, found, now, made_by)
        if space.engine.model_extractor is not None:
            update_from_candidates(space, session_id, found, now)
        with store.transaction():
            _move_cursor(space, session_id, messages[-1].id, now)
            if settled.added:
                store.jobs.put(space.owner, CONSOLIDATION, "", now)
    return False


def _move_cursor(space: Space, session_id: str, read_to: int, now: datetime) -> None:
    known = space.store.extraction.get(space.owner, session_id)
    read = Extraction(max(known.extracted_to, read_to), now, known.flush)
    space.store.extraction.put(space.owner, session_id, read)


def _candidates(space: Space, said: Sequence[NewMessage]) -> tuple[list[Candidate], str]:
    """What the model finds where the reader sees anything; without one, what the reader finds.

    No transaction is open: a model takes its time.
    """
    found: list[Candidate] = []
    asked: list[NewMessage] = []
    for one in said:
        space.engine.callers.make_way()
        own = _read(one)
        found += own
        if space.engine.model_extractor is not None and (own or _may_state_something(one)):
            asked.append(one)
    if space.engine.model_extractor is not None and asked:
        known = _known_near(space, asked, found)
        try:
            return space.engine.model_extractor.extract(
                asked, known
            ), space.engine.model_extractor.name
        except ProviderError as error:
            _log.warning("extraction goes by what the reader finds: %s", error)
    return found, _READER


def _read(said: NewMessage) -> list[Candidate]:
    try:
        return candidates_of(said)
    except ReaderWeightsError as error:
        _log.warning("nothing is extracted: %s", error)
        return []


def _may_state_something(said: NewMessage) -> bool:
    try:
        return may_state_something(said)
    except ReaderWeightsError:
        return True  # nothing is there to screen with


def _known_near(
    space: Space, said: Sequence[NewMessage], found: Sequence[Candidate]
) -> list[KnownMemory]:
    """The valid memories that the messages may be about: the nearest of each, then the next.

    Near is what the reader found in a message; the message itself where it found nothing.
    """
    nearness = Nearness(space)
    near: list[list[AtomicMemoryRecord]] = []
    for one in said:
        space.engine.callers.make_way()
        whole = Candidate(content=one.content[:MAX_CONTENT_CHARS], said_in=one.number)
        told = [each for each in found if each.said_in == one.number] or [whole]
        near += [[met.old for met in nearness.met(each)] for each in told]
    in_turn = (old for row in zip_longest(*near) for old in row if old is not None)
    by_id = {old.id: KnownMemory(old.id, old.content) for old in in_turn}
    return list(by_id.values())[:MAX_KNOWN]
