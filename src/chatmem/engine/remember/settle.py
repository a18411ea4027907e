"""Candidates become memories: each is settled against what is known, and written if it is new.

Running it again over the same messages changes nothing: a memory's id follows from its message and
its words. So a process that was killed in between goes on where it stopped.

Source: decisions 4; S3.2.1, S4.3.2, S5.4.3.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from chatmem.engine.documents.changes import Change, statement_mark
from chatmem.engine.remember.nearness import EXTRACTED, Nearness
from chatmem.engine.remember.retention import evict, retired, rotate
from chatmem.engine.space import Space
from chatmem.engine.state import id_of
from chatmem.extraction.candidate import LEAST_CONFIDENCE, Candidate
from chatmem.extraction.redact import mask_secrets
from chatmem.extraction.settle import CONFLICT_TAG, MAYBE_TAG, REPLACES, Verdict, settle
from chatmem.model import AtomicMemoryRecord
from chatmem.storage.documents.places import MAIN, daily_document
from chatmem.storage.values import Owner
from chatmem.text.sentences import sentences

MOST_SENTENCES = 4
MOST_FORGOTTEN = 3


@dataclass(slots=True)
class Settled:
    """What became of candidates: ids of memories."""

    added: list[str] = field(default_factory=list)
    superseded: list[str] = field(default_factory=list)
    confirmed: list[str] = field(default_factory=list)
    flagged: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)


def extracted_id(
    owner: Owner, session_id: str, said_in: int | None, key: str | None, content: str
) -> str:
    """The id of a memory that was extracted from message `said_in` of a session."""
    mark = f"{session_id}\n{said_in}\n{key}\n{content}"
    return id_of(hashlib.blake2b(f"{owner.user_id}\n{mark}".encode()).digest())


def settle_candidates(
    space: Space,
    session_id: str,
    candidates: Sequence[Candidate],
    now: datetime,
    made_by: str,
) -> Settled:
    """What became of the candidates of a session, in their order.

    Raises:
        DocumentError: a file cannot be written; what was settled before stays, and settling all of
            them again is safe.
    """
    if not candidates:
        return Settled()

    def write() -> Settled:
        settling = _Settling(space, session_id, now, made_by)
        settling.take_all(candidates)
        if settling.done.added:
            evict(space, now)
            rotate(space, now)
        return settling.done

    return space.documents.edit(write)


class _Settling:
    """One session's candidates on their way."""

    def __init__(
        self,
        space: Space,
        session_id: str,
        now: datetime,
        made_by: str,
    ) -> None:
        self._space = space
        self._session_id = session_id
        self._now = now
        self._reason = f"extracted from session {session_id} by {made_by}"
        self._nearness = Nearness(space)
        self._replacing: set[tuple[str | None, str]] = set()
        self.done = Settled()

    def take_all(self, candidates: Sequence[Candidate]) -> None:
        """Message by message: what one says may be out of date by the next.

        In a message what holds now comes before what is over: who quits one job and takes another
        has one job, and one memory of it.
        """
        by_message: dict[int, list[Candidate]] = {}
        for candidate in candidates:
            by_message.setdefault(candidate.said_in, []).append(candidate)
        for message in sorted(by_message):
            self._replacing.clear()
            for candidate in sorted(by_message[message], key=lambda one: one.is_over):
                self.take(candidate)

    def take(self, candidate: Candidate) -> None:
        if not self._still_said(candidate):
            return  # the message was forgotten while it was read
        if candidate.wish == "forget":
            self._forget(candidate)
            return
        kept = self._presentable(candidate)
        if kept is None:
            return
        record = self._record(kept)
        memories, history = self._space.store.memories, self._space.store.history
        if memories.get(self._space.owner, record.id) is not None:
            first = history.of_memory(self._space.owner, record.id)[:1]
            if any(one.reason.startswith(REPLACES) for one in first):
                self._replacing.add((kept.attribute, kept.subject))
            return  # settled before
        if kept.confidence < LEAST_CONFIDENCE:
            return
        if kept.is_over and (kept.attribute, kept.subject) in self._replacing:
            return  # what has taken its place says so
        if history.is_buried(self._space.owner, record.content) or (
            record.key and history.is_buried(self._space.owner, statement_mark(record))
        ):
            return  # the person has forgotten it
        said_at = kept.said_at or self._now
        verdict = settle(kept, self._nearness.met(kept), said_at)
        if verdict.action == "supersede":
            self._replacing.add((kept.attribute, kept.subject))
        self._carry_out(verdict, record)

    def _still_said(self, candidate: Candidate) -> bool:
        if not candidate.said_in:
            return True
        conversations = self._space.store.conversations
        found = conversations.after(self._space.owner, self._session_id, candidate.said_in - 1, 1)
        return bool(found) and found[0].id == candidate.said_in

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
        if not content:
            return None
        return replace(candidate, content=content, value=value)

    def _record(self, candidate: Candidate) -> AtomicMemoryRecord:
        said_at = candidate.said_at or self._now
        moment = said_at - timedelta(microseconds=said_at.microsecond % 1000)
        made = self._now - timedelta(microseconds=self._now.microsecond % 1000)
        episodic = candidate.kind == "episodic"
        return AtomicMemoryRecord(
            id=extracted_id(
                self._space.owner,
                self._session_id,
                candidate.said_in,
                candidate.key,
                candidate.content,
            ),
            user_id=self._space.owner.user_id,
            timestamp=moment,
            create_time=made,
            content=candidate.content,
            tags=candidate.tags,
            session_id=self._session_id or None,
            app_type=EXTRACTED,
            memory_type="long_term",
            kind=candidate.kind,
            category=candidate.category,
            key=candidate.key,
            value=candidate.value,
            confidence=candidate.confidence,
            source=candidate.source,
            importance=candidate.importance,
            valid_from=moment if candidate.key else None,
            document=daily_document(moment.astimezone().date()) if episodic else MAIN,
        )

    def _carry_out(self, verdict: Verdict, record: AtomicMemoryRecord) -> None:
        changes = changes_of(verdict, record, self._now, self._reason)
        if changes:
            self._space.documents.apply(changes)
            for change in changes:
                if change.before is None and change.after is not None:
                    self._nearness.add(change.after)
        self._note(verdict, record)

    def _note(self, verdict: Verdict, record: AtomicMemoryRecord) -> None:
        olds = [old.id for old in verdict.olds]
        if verdict.action == "confirm":
            self.done.confirmed += olds
            return
        self.done.added.append(record.id)
        if verdict.action == "supersede":
            self.done.superseded += olds
        if verdict.action == "flag":
            self.done.flagged += [record.id, *olds]

    def _forget(self, candidate: Candidate) -> None:
        """Forget what the person names, if it is clear which memory that is."""
        for old in self._meant(candidate)[:MOST_FORGOTTEN]:
            change = Change("forget", old, None, "asked to forget", self._now)
            self._space.documents.apply([change])
            self.done.forgotten.append(old.id)

    def _meant(self, candidate: Candidate) -> list[AtomicMemoryRecord]:
        said_at = candidate.said_at or self._now
        return [old for old in self._nearness.meant(candidate) if old.timestamp <= said_at]


def changes_of(
    verdict: Verdict, record: AtomicMemoryRecord, now: datetime, reason: str
) -> list[Change]:
    """The changes by which a verdict is carried out."""
    olds = verdict.olds
    if verdict.action == "add":
        return [Change("add", None, record, reason, now)]
    if verdict.action == "maybe":
        marked = _marked(record, MAYBE_TAG)
        return [Change("add", None, marked, f"{verdict.reason}; {reason}", now)]
    if verdict.action == "confirm":
        (old,) = olds
        if record.confidence <= old.confidence:
            return []
        return [Change("edit", old, replace(old, confidence=record.confidence), "said again", now)]
    if verdict.action == "supersede":
        why = f"{verdict.reason}; {reason}"
        begins = record.valid_from or record.timestamp
        changes = [Change("add", None, record, why, now)]
        return changes + [_superseded(old, record, begins, now, why) for old in olds]
    if verdict.action == "past":
        ends = min(old.valid_from or old.timestamp for old in olds)
        newest = min(olds, key=lambda old: old.valid_from or old.timestamp)
        past = retired(record, newest.id, now, verdict.reason).after
        assert past is not None
        why = f"{verdict.reason}; {reason}"
        return [Change("add", None, replace(past, valid_to=ends), why, now)]
    why = f"{verdict.reason}; {reason}"
    changes = [Change("add", None, _marked(record), why, now)]
    changes += [
        Change("edit", old, _marked(old), verdict.reason, now)
        for old in olds
        if CONFLICT_TAG not in old.tags
    ]
    return changes


def _superseded(
    old: AtomicMemoryRecord,
    new: AtomicMemoryRecord,
    begins: datetime,
    now: datetime,
    reason: str,
) -> Change:
    """The old one was true until the new one began, not until we noticed."""
    change = retired(old, new.id, now, reason)
    assert change.after is not None
    since = old.valid_from or old.timestamp
    return replace(change, after=replace(change.after, valid_to=max(begins, since)))


def _marked(record: AtomicMemoryRecord, mark: str = CONFLICT_TAG) -> AtomicMemoryRecord:
    tags = (*(tag for tag in record.tags if tag != mark), mark)
    return replace(record, tags=tags)
