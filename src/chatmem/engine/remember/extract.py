"""Extraction: new messages of a session are read, and what is worth keeping becomes memories.

A cursor says how far a session was read. It moves when what was found is written, so a process that
is killed in between reads the same messages again; that changes nothing, since a memory's id
follows from its message and its words. Before a session's context is cut, a flush reads all that is
left. Each candidate is settled against what is known, and written if it is new.

Where a memory file cannot be written, nothing is lost: a job raises DocumentError and is tried
again.

Source: decisions 4; S3.2.1, S4.3.2, S5.4, S5.5.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from ctypes import CDLL
from dataclasses import asdict, replace
from datetime import datetime
from functools import partial
from itertools import groupby, zip_longest
from typing import Any, TypeAlias

from chatmem.engine.checks import COLUMNS
from chatmem.engine.documents.changes import Change, said_marks
from chatmem.engine.remember.append import record_of
from chatmem.engine.remember.notes import has_message, own_messages, update_from_candidates
from chatmem.engine.remember.settling import READ_AT_ONCE, Nearness, changes_of, make_room
from chatmem.engine.space import Space, SpacePart
from chatmem.engine.state import Engine, id_of
from chatmem.errors import ProviderError, ReaderWeightsError
from chatmem.extraction.extractor import Candidate, NewMessage, candidates_of, may_state_something
from chatmem.extraction.flush import FlushState, FlushStep, next_extraction
from chatmem.extraction.phrasing import MAX_CONTENT_CHARS
from chatmem.extraction.reader.reading import READ, said
from chatmem.extraction.redact import mask_secrets
from chatmem.extraction.settle import EXTRACTED, REPLACES, settle
from chatmem.model import AtomicMemoryRecord
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Extraction, Owner, StoredMessage
from chatmem.text.segment import sentences

EXTRACTION, SESSION_END = "extraction", "session_end"
FLUSH = "flush"
"""Kinds of jobs: after a turn, throttled; at the end of a session; before its context is cut."""
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
    return None if _extract_all(space, [session_id], now) else now


def extract_rest(space: Space, session_ids: Sequence[str], now: datetime) -> datetime | None:
    """Extract everything not read yet of sessions that ended, were imported, or are flushed.

    None when that is done; now where the thread is to end before. Source: S5.5.
    """
    space.engine.obey_settings()
    if extracts(space.engine) and not _extract_all(space, session_ids, now):
        return now
    return None


def step_flush(
    store: Store, owner: Owner, session_id: str, transition: Transition, now: datetime
) -> bool:
    """True when the transition asks for a flush: its job is left; inside a transaction."""
    known = store.extraction.get(owner, session_id)
    own: Any = {key: one for key, one in known.flush.items() if key in FlushState.__slots__}
    before = FlushState(**own)
    step = transition(before)
    if step.state != before:
        store.extraction.put(owner, session_id, replace(known, flush=asdict(step.state)))
    if step.asks:
        store.jobs.put(owner, FLUSH, session_id, now)
    return step.asks


def _extract_all(space: Space, session_ids: Sequence[str], now: datetime) -> bool:
    """Whether all of them is read: a thread that is to end leaves the rest where the cursors are.

    `READ_AT_ONCE` messages at a time are read together, settled in their order, and written.
    """
    store, callers = space.store, space.engine.callers
    for batch in _unread(space, session_ids):
        if callers.must_stop:
            return False
        callers.make_way()
        own = dict(zip(batch, own_messages(space, *batch.values()), strict=True))
        with suppress(ReaderWeightsError):  # told below, of each message
            of_all = (one for messages in own.values() for one in messages)
            READ.of([said(one.content, one.question, one.group) for one in of_all])
        found = {one: _candidates(space, messages) for one, messages in own.items()}
        _settle(space, found, now)
        if space.engine.model_extractor is not None:
            for session_id, (candidates, _) in found.items():
                update_from_candidates(space, session_id, candidates, now)
        with store.transaction():
            for session_id, messages in batch.items():
                known = store.extraction.get(space.owner, session_id)
                read_to = max(known.extracted_to, messages[-1].id)
                store.extraction.put(space.owner, session_id, Extraction(read_to, now, known.flush))
        if sum(map(len, batch.values())) == READ_AT_ONCE:  # there may be hundreds more
            _give_back_memory()
    return True


def _give_back_memory() -> None:
    """Let the system have what was freed, 3 ms: glibc keeps it, each thread a part of its own."""
    with suppress(AttributeError, OSError, TypeError):  # another C library
        CDLL(None).malloc_trim(0)


def _unread(space: Space, session_ids: Sequence[str]) -> Iterator[dict[str, list[StoredMessage]]]:
    """Messages that are not read yet, `READ_AT_ONCE` at a time, by their session."""
    batch: dict[str, list[StoredMessage]] = {}
    room = READ_AT_ONCE
    for session_id in session_ids:
        read_to = space.store.extraction.get(space.owner, session_id).extracted_to
        while new := space.store.conversations.after(space.owner, session_id, read_to, room):
            batch[session_id] = [*batch.get(session_id, ()), *new]
            read_to, room = new[-1].id, room - len(new)
            if not room:
                yield batch
                batch, room = {}, READ_AT_ONCE
    if batch:
        yield batch


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
) -> dict[str, str]:
    """Contents of the valid memories that the messages may be about, by id, the nearest first.

    Near is what the reader found in a message; the message itself where it found nothing.
    """
    about: list[Candidate] = []
    for one in messages:
        whole = Candidate(content=one.content[:MAX_CONTENT_CHARS], said_in=one.number)
        about += [each for each in found if each.said_in == one.number] or [whole]
    nearness = Nearness(space, [one.content for one in about])
    near = [[met.old for met in nearness.met(each)] for each in about]
    in_turn = (old for row in zip_longest(*near) for old in row if old is not None)
    return {old.id: old.content for old in in_turn}


MOST_SENTENCES = 4
MOST_FORGOTTEN = 3


def extracted_id(
    owner: Owner, session_id: str, said_in: int | None, key: str | None, content: str
) -> str:
    """The id of a memory that was extracted from message `said_in` of a session."""
    return id_of(f"{owner.user_id}\n{session_id}\n{said_in}\n{key}\n{content}")


def _settle(
    space: Space, found: Mapping[str, tuple[Sequence[Candidate], str]], now: datetime
) -> None:
    """Settle what was found in each session, and by what; write what comes of it, all at once."""
    clean = {
        one: [each for each in map(partial(_presentable, space.engine), candidates) if each]
        for one, (candidates, _) in found.items()
    }
    contents = [each.content for candidates in clean.values() for each in candidates]
    if not contents:
        return
    nearness = Nearness(space, contents)  # it takes its time: before the lock

    def write() -> None:
        nearness.update()
        settling = _Settling(space, now, nearness)
        for session_id, candidates in clean.items():
            settling.take_all(candidates, session_id, found[session_id][1])
        settling.write()
        make_room(space, now)

    # What was written before an error stays: to settle all of it again is safe.
    space.documents.edit(write)
    nearness.keep_vectors()


def _presentable(engine: Engine, candidate: Candidate) -> Candidate | None:
    """Without secrets, at most a few sentences and so many characters; None if too little.

    What shall be forgotten is searched for as it is named.
    """
    memory = engine.settings.memory
    content, value = candidate.content, candidate.value
    if candidate.wish == "forget":
        return candidate
    if memory.mask_secrets and (masked := mask_secrets(content)).kinds:
        content, value = masked.text, None
    parts = sentences(content)
    if len(parts) > MOST_SENTENCES:
        content = content[: content.find(parts[MOST_SENTENCES - 1])] + parts[MOST_SENTENCES - 1]
    content = content[: memory.atomic_content_max_length].strip()
    return replace(candidate, content=content, value=value) if content else None


class _Settling(SpacePart):
    """Candidates on their way, session after session; inside `MemoryDocuments.edit`."""

    def __init__(self, space: Space, now: datetime, nearness: Nearness) -> None:
        super().__init__(space)
        self._now = now
        self.nearness = nearness
        self._session_id = self._reason = ""
        self._replaced: set[tuple[str | None, str]] = set()
        self._changes: list[Change] = []

    def take_all(self, candidates: Sequence[Candidate], session_id: str, made_by: str) -> None:
        """Message by message: what one says may be out of date by the next.

        In a message what holds now comes before what is over: who quits one job and takes another
        has one job, and one memory of it.
        """
        self._session_id = session_id
        self._reason = f"extracted from session {session_id} by {made_by}"
        in_order = sorted(candidates, key=lambda one: (one.said_in, one.is_over))
        for message, of_message in groupby(in_order, key=lambda one: one.said_in):
            if message and not has_message(self._space, session_id, message):
                continue  # it was forgotten while it was read
            self._replaced.clear()
            for candidate in of_message:
                if candidate.wish == "forget":
                    self._forget(candidate)
                else:
                    self._take(candidate)

    def write(self) -> None:
        """Bring all changes into the documents and the index."""
        self._documents.apply(self._changes)
        self._changes.clear()

    def _take(self, clean: Candidate) -> None:
        record, about = self._record(clean), (clean.attribute, clean.subject)
        owner, history = self._owner, self._store.history
        if self.nearness.get(record.id) is not None:  # settled before
            first = history.of_memory(owner, record.id)[:1]
            if any(one.reason.startswith(REPLACES) for one in first):
                self._replaced.add(about)
            return
        if clean.is_over and about in self._replaced:
            return  # what has taken its place says so
        if any(history.is_buried(owner, mark) for mark in said_marks(record)):
            return  # the person has forgotten it
        verdict = settle(clean, self.nearness.met(clean), clean.said_at or self._now)
        if verdict.action == "supersede":
            self._replaced.add(about)
        changes = changes_of(verdict, record, self._now, self._reason)
        self.nearness.note(changes)
        self._changes += changes

    def _record(self, candidate: Candidate) -> AtomicMemoryRecord:
        owner, session_id = self._owner, self._session_id
        said_in, key, content = candidate.said_in, candidate.key, candidate.content
        memory_id = extracted_id(owner, session_id, said_in, key, content)
        columns = {name: getattr(candidate, name) for name in COLUMNS if name != "visibility"}
        columns |= {"session_id": session_id or None, "app_type": EXTRACTED}
        return record_of(owner, memory_id, candidate.said_at or self._now, self._now, **columns)

    def _forget(self, candidate: Candidate) -> None:
        """Forget what the person names, if it is clear which memory that is."""
        said_at = candidate.said_at or self._now
        meant = [old for old in self.nearness.meant(candidate) if old.timestamp <= said_at]
        reason = "asked to forget"
        changes = [Change("forget", old, None, reason, self._now) for old in meant[:MOST_FORGOTTEN]]
        if changes:
            self.write()  # what is forgotten may be among it
            self._documents.apply(changes)
            self.nearness.note(changes)
            with self._store.transaction():
                self._store.purge()  # is due: once for all that is learned together
