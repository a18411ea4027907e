"""Extraction: new messages of a session are read, and what is worth keeping becomes memories.

A cursor says how far a session was read. It moves when what was found is written, so a process that
is killed in between reads the same messages again, and settling them again has no effect.

Source: decisions 4; S5.4, S5.5.
"""

import logging
from collections.abc import Sequence
from datetime import datetime
from itertools import zip_longest

from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.profiles.profiles import update_from_candidates
from chatmem.engine.profiles.statements import said_of
from chatmem.engine.remember.flush import flush_succeeded
from chatmem.engine.remember.nearness import Nearness
from chatmem.engine.remember.settle import settle_candidates
from chatmem.engine.state import Engine
from chatmem.errors import ProviderError, ReaderWeightsError
from chatmem.extraction.candidate import Candidate, Known, Said
from chatmem.extraction.extractor import ReaderExtractor, may_state_something
from chatmem.extraction.model_extraction import MAX_KNOWN
from chatmem.extraction.phrasing import MAX_CONTENT_CHARS
from chatmem.extraction.throttle import Progress, next_extraction
from chatmem.model import AtomicMemoryRecord
from chatmem.storage.values import Extraction, Owner

EXTRACTION, SESSION_END, CONSOLIDATION = "extraction", "session_end", "consolidation"
"""Kinds of jobs: after a turn, throttled; at the end of a session; after what they have added."""
READ_AT_ONCE = 100
"""Messages read and settled in one step; a longer session takes several."""
_READER = ReaderExtractor()
_log = logging.getLogger(__name__)


def extracts(engine: Engine) -> bool:
    """True while memory remembers by itself."""
    memory = engine.settings.memory
    return memory.enabled and memory.auto_extract


def extract_turns(
    engine: Engine, documents: MemoryDocuments, owner: Owner, session_id: str, now: datetime
) -> datetime | None:
    """Extract from a session if it is due; else when it will be, None: with more messages.

    Raises:
        DocumentError: a memory file cannot be written; nothing is lost, try again.

    Source: S5.4.1, S5.4.2.
    """
    memory = engine.obey_settings().memory
    if not extracts(engine):
        return None
    known = engine.store.extraction.get(owner, session_id)
    progress = Progress(known.extracted_to, known.extracted_at)
    new = engine.store.conversations.count_after(owner, session_id, known.extracted_to)
    due = next_extraction(
        progress, new, now, memory.extract_interval_seconds, memory.min_new_messages
    )
    if due is None or due > now:
        return due
    return None if _extract_all(engine, documents, owner, session_id, now) else now


def extract_rest(
    engine: Engine, documents: MemoryDocuments, owner: Owner, session_id: str, now: datetime
) -> datetime | None:
    """Extract everything that was not read yet: the session has ended, or was imported.

    None when that is done; now where the thread is to end before.

    Raises:
        DocumentError: a memory file cannot be written; nothing is lost, try again.
    """
    engine.obey_settings()
    if extracts(engine) and not _extract_all(engine, documents, owner, session_id, now):
        return now
    return None


def flush_session(
    engine: Engine, documents: MemoryDocuments, owner: Owner, session_id: str, now: datetime
) -> datetime | None:
    """Extract everything that was not read yet, and mark the flush as done once it is written.

    None when that is done; now where the thread is to end before.

    Raises:
        DocumentError: a memory file cannot be written; the flush is not done, try again.

    Source: S5.5.
    """
    engine.obey_settings()
    if extracts(engine) and not _extract_all(engine, documents, owner, session_id, now):
        return now
    with engine.store.transaction():
        flush_succeeded(engine, owner, session_id, now)
    return None


def _extract_all(
    engine: Engine, documents: MemoryDocuments, owner: Owner, session_id: str, now: datetime
) -> bool:
    """Whether all of it is read: a thread that is to end leaves the rest where the cursor is."""
    store = engine.store
    while not engine.callers.must_stop:
        known = store.extraction.get(owner, session_id)
        messages = store.conversations.after(owner, session_id, known.extracted_to, READ_AT_ONCE)
        if not messages:
            return True
        engine.callers.make_way()
        found, made_by = _candidates(engine, owner, said_of(engine, owner, messages))
        engine.callers.make_way()
        settled = settle_candidates(engine, documents, owner, session_id, found, now, made_by)
        if engine.model_extractor is not None:
            update_from_candidates(engine, documents, owner, session_id, found, now)
        with store.transaction():
            _move_cursor(engine, owner, session_id, messages[-1].id, now)
            if settled.added:
                store.jobs.put(owner, CONSOLIDATION, "", now)
    return False


def _move_cursor(
    engine: Engine, owner: Owner, session_id: str, read_to: int, now: datetime
) -> None:
    known = engine.store.extraction.get(owner, session_id)
    read = Extraction(max(known.extracted_to, read_to), now, known.flush)
    engine.store.extraction.put(owner, session_id, read)


def _candidates(engine: Engine, owner: Owner, said: Sequence[Said]) -> tuple[list[Candidate], str]:
    """What the model finds where the reader sees anything; without one, what the reader finds.

    No transaction is open: a model takes its time.
    """
    found: list[Candidate] = []
    asked: list[Said] = []
    for one in said:
        engine.callers.make_way()
        own = _read(one)
        found += own
        if engine.model_extractor is not None and (own or _may_state_something(one)):
            asked.append(one)
    if engine.model_extractor is not None and asked:
        known = _known_near(engine, owner, asked, found)
        try:
            return engine.model_extractor.extract(asked, known), engine.model_extractor.name
        except ProviderError as error:
            _log.warning("extraction goes by what the reader finds: %s", error)
    return found, _READER.name


def _read(said: Said) -> list[Candidate]:
    try:
        return _READER.extract([said])
    except ReaderWeightsError as error:
        _log.warning("nothing is extracted: %s", error)
        return []


def _may_state_something(said: Said) -> bool:
    try:
        return may_state_something(said)
    except ReaderWeightsError:
        return True  # nothing is there to screen with


def _known_near(
    engine: Engine, owner: Owner, said: Sequence[Said], found: Sequence[Candidate]
) -> list[Known]:
    """The valid memories that the messages may be about: the nearest of each, then the next.

    Near is what the reader found in a message; the message itself where it found nothing.
    """
    nearness = Nearness(engine, owner)
    near: list[list[AtomicMemoryRecord]] = []
    for one in said:
        engine.callers.make_way()
        whole = Candidate(content=one.content[:MAX_CONTENT_CHARS], said_in=one.number)
        told = [each for each in found if each.said_in == one.number] or [whole]
        near += [[met.old for met in nearness.met(each)] for each in told]
    in_turn = (old for row in zip_longest(*near) for old in row if old is not None)
    by_id = {old.id: Known(old.id, old.content) for old in in_turn}
    return list(by_id.values())[:MAX_KNOWN]
