"""Candidates become memories: each is settled against what is known, and written if it is new.

Running it again over the same messages changes nothing: a memory's id follows from its message and
its words. So a process that was killed in between goes on where it stopped.

Source: decisions 4; S3.2.1, S4.3.2, S5.4.3.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from chatmem.engine.documents.changes import Change, statement_mark
from chatmem.engine.profiles.notes import has_message
from chatmem.engine.remember.nearness import EXTRACTED, Nearness
from chatmem.engine.remember.retention import archived, evict, retired, rotate, since
from chatmem.engine.space import Space
from chatmem.engine.state import id_of
from chatmem.extraction.extractor import LEAST_CONFIDENCE, Candidate
from chatmem.extraction.redact import mask_secrets
from chatmem.extraction.settle import CONFLICT_TAG, MAYBE_TAG, REPLACES, Verdict, settle
from chatmem.model import AtomicMemoryRecord
from chatmem.model.time import whole_milliseconds
from chatmem.storage.documents.places import MAIN, daily_document
from chatmem.storage.values import Owner
from chatmem.text.segment import sentences

MOST_SENTENCES = 4
MOST_FORGOTTEN = 3


def extracted_id(
    owner: Owner, session_id: str, said_in: int | None, key: str | None, content: str
) -> str:
    """The id of a memory that was extracted from message `said_in` of a session."""
    mark = f"{session_id}\n{said_in}\n{key}\n{content}"
    return id_of(hashlib.blake2b(f"{owner.user_id}\n{mark}".encode()).digest())


def settle_candidates(
    space: Space, session_id: str, candidates: Sequence[Candidate], now: datetime, made_by: str
) -> int:
    """How many memories the candidates of a session have added, taken in their order.

    Raises:
        DocumentError: a file cannot be written; what was settled before stays, and settling all of
            them again is safe.
    """
    if not candidates:
        return 0

    def write() -> int:
        settling = _Settling(space, session_id, now, made_by)
        settling.take_all(candidates)
        if settling.added:
            evict(space, now)
            rotate(space, now)
        return settling.added

    return space.documents.edit(write)


class _Settling:
    """One session's candidates on their way."""

    def __init__(self, space: Space, session_id: str, now: datetime, made_by: str) -> None:
        self._space = space
        self._session_id = session_id
        self._now = now
        self._reason = f"extracted from session {session_id} by {made_by}"
        self._nearness = Nearness(space)
        self._replaced: set[tuple[str | None, str]] = set()
        self.added = 0

    def take_all(self, candidates: Sequence[Candidate]) -> None:
        """Message by message: what one says may be out of date by the next.

        In a message what holds now comes before what is over: who quits one job and takes another
        has one job, and one memory of it.
        """
        by_message: dict[int, list[Candidate]] = {}
        for candidate in candidates:
            by_message.setdefault(candidate.said_in, []).append(candidate)
        for message in sorted(by_message):
            if message and not has_message(self._space, self._session_id, message):
                continue  # it was forgotten while it was read
            self._replaced.clear()
            for candidate in sorted(by_message[message], key=lambda one: one.is_over):
                if candidate.wish == "forget":
                    self._forget(candidate)
                else:
                    self._take(candidate)

    def _take(self, candidate: Candidate) -> None:
        clean = self._presentable(candidate)
        if clean is None:
            return
        record, about = self._record(clean), (clean.attribute, clean.subject)
        owner, history = self._space.owner, self._space.store.history
        if self._space.store.memories.get(owner, record.id) is not None:  # settled before
            first = history.of_memory(owner, record.id)[:1]
            if any(one.reason.startswith(REPLACES) for one in first):
                self._replaced.add(about)
            return
        if clean.confidence < LEAST_CONFIDENCE:
            return
        if clean.is_over and about in self._replaced:
            return  # what has taken its place says so
        if history.is_buried(owner, record.content) or (
            record.key and history.is_buried(owner, statement_mark(record))
        ):
            return  # the person has forgotten it
        verdict = settle(clean, self._nearness.met(clean), clean.said_at or self._now)
        if verdict.action == "supersede":
            self._replaced.add(about)
        self._carry_out(verdict, record)

    def _presentable(self, candidate: Candidate) -> Candidate | None:
        """Without secrets, at most a few sentences and so many characters; None if too little."""
        memory = self._space.engine.settings.memory
        content, value = candidate.content, candidate.value
        if memory.mask_secrets:
            masked = mask_secrets(content)
            if masked.kinds:
                content, value = masked.text, None
        parts = sentences(content)
        if len(parts) > MOST_SENTENCES:
            content = content[: content.find(parts[MOST_SENTENCES - 1])] + parts[MOST_SENTENCES - 1]
        content = content[: memory.atomic_content_max_length].strip()
        return replace(candidate, content=content, value=value) if content else None

    def _record(self, candidate: Candidate) -> AtomicMemoryRecord:
        owner, session_id = self._space.owner, self._session_id
        key, content = candidate.key, candidate.content
        moment = whole_milliseconds(candidate.said_at or self._now)
        episodic = candidate.kind == "episodic"
        return AtomicMemoryRecord(
            id=extracted_id(owner, session_id, candidate.said_in, key, content),
            user_id=owner.user_id,
            timestamp=moment,
            create_time=whole_milliseconds(self._now),
            content=content,
            tags=candidate.tags,
            session_id=session_id or None,
            app_type=EXTRACTED,
            memory_type="long_term",
            kind=candidate.kind,
            category=candidate.category,
            key=key,
            value=candidate.value,
            confidence=candidate.confidence,
            source=candidate.source,
            importance=candidate.importance,
            valid_from=moment if key else None,
            document=daily_document(moment.astimezone().date()) if episodic else MAIN,
        )

    def _carry_out(self, verdict: Verdict, record: AtomicMemoryRecord) -> None:
        changes = changes_of(verdict, record, self._now, self._reason)
        self._space.documents.apply(changes)
        for change in changes:
            if change.before is None and change.after is not None:
                self._nearness.add(change.after)
                self.added += 1

    def _forget(self, candidate: Candidate) -> None:
        """Forget what the person names, if it is clear which memory that is."""
        said_at = candidate.said_at or self._now
        meant = [old for old in self._nearness.meant(candidate) if old.timestamp <= said_at]
        reason = "asked to forget"
        changes = [Change("forget", old, None, reason, self._now) for old in meant[:MOST_FORGOTTEN]]
        self._space.documents.apply(changes)


def changes_of(
    verdict: Verdict, record: AtomicMemoryRecord, now: datetime, reason: str
) -> list[Change]:
    """The changes by which a verdict is carried out."""
    olds, why = verdict.olds, f"{verdict.reason}; {reason}"
    match verdict.action:
        case "add":
            return [Change("add", None, record, reason, now)]
        case "maybe":
            return [Change("add", None, _tagged(record, MAYBE_TAG), why, now)]
        case "confirm":
            (old,) = olds
            surer = replace(old, confidence=record.confidence)
            is_surer = record.confidence > old.confidence
            return [Change("edit", old, surer, "said again", now)] if is_surer else []
        case "supersede":
            # An old one was true until the new one began, not until we noticed.
            gone = [retired(old, record.id, now, why, since(record)) for old in olds]
            return [Change("add", None, record, why, now), *gone]
        case "past":
            newer = min(olds, key=since)
            past = archived(record, newer.id, now, since(newer))
            return [Change("add", None, past, why, now)]
        case "flag":
            marked = [
                Change("edit", old, _tagged(old, CONFLICT_TAG), verdict.reason, now)
                for old in olds
                if CONFLICT_TAG not in old.tags
            ]
            return [Change("add", None, _tagged(record, CONFLICT_TAG), why, now), *marked]


def _tagged(record: AtomicMemoryRecord, tag: str) -> AtomicMemoryRecord:
    return replace(record, tags=(*(one for one in record.tags if one != tag), tag))
