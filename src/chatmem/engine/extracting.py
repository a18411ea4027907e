"""Extraction: new messages of a session are read, and what is worth keeping becomes memories.

A cursor says how far a session was read. It moves when what was found is written, so a process that
is killed in between reads the same messages again, and settling them again has no effect.

Source: decisions 4; S5.4, S5.5.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from chatmem.engine.documents import MemoryDocuments
from chatmem.engine.flushing import flush_succeeded
from chatmem.engine.settling import settle_candidates
from chatmem.engine.state import Engine
from chatmem.errors import ProviderError
from chatmem.extraction.candidate import Candidate, Said
from chatmem.extraction.rules import RuleExtractor
from chatmem.extraction.sources import sources
from chatmem.extraction.throttle import Progress, next_extraction
from chatmem.providers.ports import Embedder, Vectors
from chatmem.storage.ports import Extraction, Owner, StoredMessage

EXTRACTION, SESSION_END, CONSOLIDATION = "extraction", "session_end", "consolidation"
"""Kinds of jobs: after a turn, throttled; at the end of a session; after what they have added."""
READ_AT_ONCE = 100
"""Messages read and settled in one step; a longer session takes several."""
_RULES = RuleExtractor()
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
        found, made_by = _candidates(engine, _said(messages, owner))
        engine.callers.make_way()
        settled = settle_candidates(engine, documents, owner, session_id, found, now, made_by)
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


def _said(messages: Sequence[StoredMessage], owner: Owner) -> list[Said]:
    """The user's own messages; in a chat between people, those that carry the user's name."""
    told = [
        Said(role=one.role, content=one.content, at=one.create_time, number=one.id)
        for one in messages
        if one.speaker is None or one.speaker.casefold() in ("user", owner.user_id.casefold())
    ]
    return sources(told)


def _candidates(engine: Engine, said: Sequence[Said]) -> tuple[list[Candidate], str]:
    """What the model finds; without one, or where it fails, what the rules find."""
    if engine.model_extractor is not None and said:
        try:
            return engine.model_extractor.extract(said), engine.model_extractor.name
        except ProviderError as error:
            _log.warning("extraction goes by rules: %s", error)
    return _by_rules(engine, said) + _RULES.changes(said), _RULES.name


def _by_rules(engine: Engine, said: Sequence[Said]) -> list[Candidate]:
    """What the rules find with vectors, or without where none can be made."""
    if engine.embedder is not None:
        try:
            return RuleExtractor(_BehindCallers(engine, engine.embedder)).extract(said)
        except ProviderError as error:
            _log.warning("extraction goes by words alone: %s", error)
    return _RULES.extract(said)


@dataclass(frozen=True, slots=True)
class _BehindCallers:
    """An embedder that lets callers go first: a session has many messages to make vectors of."""

    engine: Engine
    embedder: Embedder

    @property
    def identity(self) -> str:
        return self.embedder.identity

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.engine.callers.make_way()
        return self.embedder.embed(texts)
