"""What a memory meets, what a verdict does to both, and what leaves MEMORY.md by itself.

Only extracted ones, and those with a key, can be retired by a statement that is near to them in
meaning: what a person or an application wrote down by itself is theirs; a statement can only repeat
or contradict it. What is retired, evicted or rotated is not lost: the archive is a Markdown file
like the others, and `restore` brings it back.

Source: decisions 2 (rotation) and 4 (eviction, duplicates); S3.4.2.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from heapq import merge

import numpy as np
from numpy.typing import NDArray

from chatmem.engine.documents.changes import Change
from chatmem.engine.space import Space, SpacePart
from chatmem.engine.state import text_hash
from chatmem.errors import ProviderError, ReaderWeightsError
from chatmem.extraction.extractor import Candidate
from chatmem.extraction.reader.labels import BEARINGS
from chatmem.extraction.reader.reading import MEMORIES, MOST_CHARS, Statement
from chatmem.extraction.settle import (
    CONFLICT_TAG,
    EXTRACTED,
    MAYBE_TAG,
    SURE_TO_BE_SAME,
    Met,
    Relation,
    Verdict,
    relations,
    settle,
)
from chatmem.model import Action, AtomicMemoryRecord, MemoryFilter
from chatmem.storage.documents.places import MAIN, archive_document
from chatmem.storage.values import RowState, Vector
from chatmem.text.normalise import normalise
from chatmem.text.tokens import count_tokens

MOST_NEAR = 16
"""The nearest memories that a statement is compared with."""
READ_AT_ONCE = 64
"""Messages, or memories, read in one step; the newest, where nothing tells which are near."""
_MOST_WAITING = 256
_VALID = RowState.LIVE | RowState.LONG_TERM


class Nearness(SpacePart):
    """The memories of one user, as one run of settling sees them, with what it changes itself.

    They are found at once for all that is settled, which takes its time: what is near each content
    that can be embedded; where nothing embeds keys and the newest decide.
    """

    def __init__(self, space: Space, contents: Sequence[str]) -> None:
        super().__init__(space)
        embedder, dense = self._engine.embedder, self._store.dense
        texts, self._embedded = list(dict.fromkeys(contents)), dict[str, Vector]()
        self._engine.callers.make_way()
        if embedder is not None and dense.works and dense.identity() == embedder.identity:
            with suppress(ProviderError):
                self._embedded = dict(zip(texts, embedder.embed(texts), strict=True))
        self._near = list[NDArray[np.int64]]()
        self.update()
        texts += (one.content for one in self._known.values() if one)
        for start in range(0, len(texts), READ_AT_ONCE):
            self._engine.callers.make_way()
            statements_of(texts[start : start + READ_AT_ONCE])

    def update(self) -> None:
        """See the memories as they are by now; what is near is found the first time."""
        store, owner, embedded = self._store, self._owner, self._embedded
        with store.snapshot():
            state = self._engine.corpora.of(store, owner).own_facts["state"]
            eligible = state & (_VALID | RowState.SUPERSEDED) == _VALID
            newest = np.flatnonzero(eligible)[-MOST_NEAR if embedded else -READ_AT_ONCE :]
            asked = () if self._near else embedded.values()
            for one in asked:
                self._near += store.dense.candidates(owner, one, MOST_NEAR, eligible)
            rows = np.unique(np.concatenate([newest, *self._near]))
            had, vectors = store.dense.vectors(owner, rows if embedded else rows[:0])
        found = store.memories.by_rows(owner, rows.tolist())
        self._known: dict[str, AtomicMemoryRecord | None] = {
            found[row].id: found[row] for row in rows[::-1].tolist() if row in found
        }
        """As they are by now, the newest first; None for one that was forgotten."""
        self._vectors = {
            found[row].id: one for row, one in zip(had, vectors, strict=True) if row in found
        }

    def note(self, changes: Sequence[Change]) -> None:
        """See from now on what these changes make."""
        for one in changes:
            memory_id = one.after.id if one.after else one.before.id if one.before else ""
            if one.after and one.before is None:
                self._known = {memory_id: one.after, **self._known}
                if one.after.content in self._embedded:
                    self._vectors[memory_id] = self._embedded[one.after.content]
            self._known[memory_id] = one.after

    def keep_vectors(self) -> None:
        """Give rows the vectors that are known already; the others wait for theirs."""
        dense, known = self._store.dense, self._embedded
        waiting = [one for one in dense.queued(_MOST_WAITING) if one[1] in known] if known else []
        if waiting:
            hashes = [text_hash(content) for _, content in waiting]
            with self._store.transaction():
                dense.put(waiting, hashes, np.stack([known[content] for _, content in waiting]))

    def get(self, memory_id: str) -> AtomicMemoryRecord | None:
        """The memory as it is by now."""
        if memory_id in self._known:
            return self._known[memory_id]
        return self._store.memories.get(self._owner, memory_id)

    def met(self, candidate: Candidate, own_id: str | None = None) -> list[Met]:
        """The valid memories that the candidate may be about, the likeliest to be retired first.

        `own_id` is its own where it stands among them already.
        """
        known = [old for old in self._of_key(candidate) if old.id != own_id]
        new = candidate.statement or statements_of([candidate.content])[0]
        named = self._named_match(candidate, new)
        if named is not None:
            beside = [] if candidate.is_over else known
            return [named, *(Met(old) for old in beside if old.id != named.old.id)]
        by_key = candidate.statement is None and not candidate.is_over
        if new is None or (by_key and known):
            return [Met(old) for old in known]
        near = [old for old in self.near(candidate.content) if old.id != own_id]
        if candidate.is_written and candidate.key is not None:
            # What was written down under another key is about something else.
            near = [old for old in near if old.app_type == EXTRACTED or old.key is None]
        found = self._bearings(new, [*known, *near])
        if candidate.attribute is None and candidate.key is None and not candidate.is_written:
            # An order to remember that says of itself what it is about: it stands beside others.
            return [one for one in found if one.says_the_same]
        return found

    def _named_match(self, candidate: Candidate, new: Statement | None) -> Met | None:
        """The memory that a model has named, where the reader sees that both may be about one."""
        old = self._named(candidate)
        if old is None or candidate.bears_on is None:
            return None
        met = self._bearings(new, [old]) if new is not None else []
        alike = any(one.relation is not None and one.relation.may_retire for one in met)
        if not alike and (candidate.key is None or old.key != candidate.key):
            return None
        shares = {one: float(one == candidate.bears_on[1]) for one in BEARINGS}
        return Met(old, Relation(**shares, may_retire=True))

    def _named(self, candidate: Candidate) -> AtomicMemoryRecord | None:
        """The memory that a model has said a candidate to be about, while it is valid."""
        if candidate.bears_on is None:
            return None
        old = self.get(candidate.bears_on[0])
        return old if old is not None and old.is_valid else None

    def _bearings(self, new: Statement, olds: Iterable[AtomicMemoryRecord]) -> list[Met]:
        """How a statement bears on each memory that has words, the likeliest to retire first."""
        unlike = list({old.id: old for old in olds}.values())
        stated = statements_of([old.content for old in unlike])
        known = [(old, one) for old, one in zip(unlike, stated, strict=True) if one is not None]
        found = zip(known, relations(new, [one for _, one in known]), strict=True)
        return [
            # A session's line in the log stays.
            Met(old, replace(one, may_retire=False) if old.source == "system" else one)
            for (old, _), one in sorted(found, key=lambda both: both[1].independent)
        ]

    def meant(self, candidate: Candidate) -> list[AtomicMemoryRecord]:
        """The memories that a person clearly means who asks to forget what the candidate says."""
        named = self._named(candidate)
        known = self._of_key(candidate) if named is None else [named]
        new = candidate.statement or statements_of([candidate.content])[0]
        if known or new is None:
            return known
        return [
            one.old
            for one in self._bearings(new, self.near(candidate.content))
            if normalise(one.old.content) == normalise(candidate.content)
            or (one.relation is not None and one.relation.same >= SURE_TO_BE_SAME)
        ]

    def _of_key(self, candidate: Candidate) -> list[AtomicMemoryRecord]:
        if candidate.key is None:
            return []
        stored = self._store.memories.of_key(self._owner, candidate.key)
        ids = dict.fromkeys([*(one.id for one in stored), *self._known])
        found = (self.get(one) for one in ids)
        return [one for one in found if one and one.is_valid and one.key == candidate.key]

    def near(self, content: str) -> list[AtomicMemoryRecord]:
        """Valid memories: the nearest, and the newest of those that have no vector yet."""
        valid = [one for one in self._known.values() if one and one.is_valid]
        vector, known = self._embedded.get(content), self._vectors
        having = [one for one in valid if one.id in known and vector is not None]
        if having:
            alike = np.array([known[one.id] for one in having]) @ vector
            having = [having[one] for one in np.argsort(-alike, kind="stable")[:MOST_NEAR]]
        return having + [one for one in valid if one.id not in known][:READ_AT_ONCE]


def statements_of(contents: Sequence[str]) -> list[Statement | None]:
    """What memories state; None where one has no words, or nothing is there to read it with."""
    try:
        return MEMORIES.of([content[:MOST_CHARS] for content in contents])
    except ReaderWeightsError:
        return [None] * len(contents)


LEFT_SHARE = 0.75
"""What a rotation leaves of `memory.main_max_tokens`: so that it runs seldom."""
_LONG_TERM = MemoryFilter(memory_type="long_term")


def since(memory: AtomicMemoryRecord) -> datetime:
    """From when on it is true, as far as that is known: by this one is older than another."""
    return memory.valid_from or memory.timestamp


def archived(
    old: AtomicMemoryRecord, successor: str | None, now: datetime, ended: datetime
) -> AtomicMemoryRecord:
    """The memory as it stands in the archive, valid until `ended`."""
    document = archive_document(now.astimezone().date()) if old.document else None
    return replace(old, valid_to=ended, superseded_by=successor, document=document)


def retired(
    old: AtomicMemoryRecord,
    successor: str | None,
    now: datetime,
    reason: str,
    ended: datetime | None = None,
) -> Change:
    """The change by which a memory stops being valid: now, or when its successor began."""
    after = archived(old, successor, now, now if ended is None else max(ended, since(old)))
    return Change("supersede" if successor else "evict", old, after, reason, now)


def changes_of(
    verdict: Verdict, record: AtomicMemoryRecord, now: datetime, reason: str, stored: bool = False
) -> list[Change]:
    """The changes by which a verdict is carried out; the memory is new, unless it is `stored`."""
    olds, after, others = verdict.olds, record, list[Change]()
    why = "; ".join(filter(None, (verdict.reason, reason)))
    match verdict.action:
        case "confirm":
            return _said_again(olds[0], record, now)
        case "maybe":
            after = _tagged(record, MAYBE_TAG)
        case "supersede":
            # An old one was true until the new one began, not until we noticed.
            others = [retired(old, record.id, now, why, since(record)) for old in olds]
        case "past":
            newer = min(olds, key=since)
            after = archived(record, newer.id, now, since(newer))
        case "flag":
            after = _tagged(record, CONFLICT_TAG)
            others = [
                Change("edit", old, _tagged(old, CONFLICT_TAG), verdict.reason, now)
                for old in olds
                if CONFLICT_TAG not in old.tags
            ]
    if not stored:
        return [Change("add", None, after, why, now), *others]
    action: Action = "supersede" if after.superseded_by else "edit"
    return [Change(action, record, after, why, now)] * (after != record) + others


def _tagged(record: AtomicMemoryRecord, tag: str) -> AtomicMemoryRecord:
    return replace(record, tags=(*(one for one in record.tags if one != tag), tag))


def _said_again(old: AtomicMemoryRecord, new: AtomicMemoryRecord, now: datetime) -> list[Change]:
    """What gives the old memory what the new one, that says the same, knows better, if any."""
    source = new.source if new.source == "user_stated" else old.source
    surer = replace(old, confidence=max(old.confidence, new.confidence), source=source)
    if new.app_type != EXTRACTED:
        surer = replace(
            surer,
            app_type=new.app_type,  # somebody's own from now on: what it was extracted from may go
            importance=max(old.importance, new.importance),
            tags=tuple(dict.fromkeys((*old.tags, *new.tags))),
            key=old.key or new.key,
            value=new.value if old.value is None else old.value,
        )
    return [Change("edit", old, surer, "said again", now)] if surer != old else []


def make_room(space: Space, now: datetime) -> None:
    """Keep the limits of long-term memory and of MEMORY.md; inside `MemoryDocuments.edit`."""
    evict(space, now)
    space.documents.apply(rotated(space, (), now))


def keep_limits(space: Space, _: str, now: datetime) -> None:
    """The same by itself, as a job: a limit was set."""
    space.engine.obey_settings()
    space.documents.edit(lambda: make_room(space, now))


def evict(space: Space, now: datetime) -> list[Change]:
    """Keep at most `memory.eviction_threshold` valid long-term memories, if it is set (S3.4.2)."""
    threshold = space.engine.settings.memory.eviction_threshold
    if threshold is None:
        return []
    surplus = max(0, space.store.pages.count(space.owner, _LONG_TERM) - threshold)
    weakest = space.store.memories.weakest(space.owner, surplus)
    reason = f"evicted: more than {threshold} memories"
    changes = [retired(old, None, now, reason) for old in weakest]
    space.documents.apply(changes)
    return changes


def rotated(space: Space, changes: Collection[Change], now: datetime) -> list[Change]:
    """What moves the lowest-valued facts out of a MEMORY.md that these changes make too long."""
    limit = space.engine.settings.memory.main_max_tokens
    surplus = space.documents.main_tokens(limit, changes) - limit
    if surplus <= 0:
        return []

    def value(one: AtomicMemoryRecord) -> tuple[int, float, datetime]:  # as `least_of` sorts
        return one.importance, one.confidence, one.last_accessed or one.timestamp

    surplus += int(limit * (1 - LEFT_SHARE))
    new = {one.after.id: one.after for one in changes if one.after}
    old = (one for one in space.store.memories.least_of(space.owner, MAIN) if one.id not in new)
    coming = sorted((one for one in new.values() if one.document == MAIN), key=value)
    archive, found = archive_document(now.astimezone().date()), list[Change]()
    for record in merge(old, coming, key=value):
        if surplus <= 0:
            break
        surplus -= count_tokens(record.content)
        after = replace(record, document=archive)
        found.append(Change("rotate", record, after, "MEMORY.md was full", now))
    return found


def settle_written(space: Space, memory_id: str, now: datetime) -> None:
    """Settle a memory that was written down against older ones that are near it in meaning.

    Of two that say the same the weaker goes to the archive; what contradicts another is marked.
    """
    owner, memories = space.owner, space.store.memories
    record = memories.get(owner, memory_id)
    if record is None or not record.is_valid or not space.engine.obey_settings().memory.enabled:
        return
    nearness = Nearness(space, [record.content])
    written, own_row = candidate_of(record), memories.row_of(owner, record.id) or 0
    met = [one for one in nearness.met(written, record.id) if one.old.kind == record.kind]
    older = [one for one in met if (memories.row_of(owner, one.old.id) or 0) < own_row]
    verdict = settle(written, older, since(record))
    if verdict.action == "confirm":
        changes = _merged(record, verdict.olds[0], now)
    else:
        changes = changes_of(verdict, record, now, "settled against what is near it", stored=True)

    def write() -> None:
        if all(one.before == memories.get(owner, one.before.id) for one in changes if one.before):
            space.documents.apply(changes)  # nobody has changed one of them meanwhile

    space.documents.edit(write)


def candidate_of(record: AtomicMemoryRecord) -> Candidate:
    """A memory that somebody writes down, as what is settled."""
    return Candidate(
        content=record.content,
        category=record.category or "fact",
        key=record.key,
        value=record.value,
        source=record.source,
        importance=record.importance,
        is_written=True,
    )


def _merged(record: AtomicMemoryRecord, old: AtomicMemoryRecord, now: datetime) -> list[Change]:
    """The changes that keep one of two that say the same; none where they are not shared alike.

    That is what was stated, not what was guessed; what somebody wrote; what says more; the older.
    """
    if record.visibility != old.visibility:
        return []

    def strength(one: AtomicMemoryRecord) -> tuple[bool, bool, int]:
        letters = sum(map(str.isalnum, one.content))
        return one.source == "user_stated", one.app_type != EXTRACTED, letters

    weaker, stronger = sorted((record, old), key=strength)
    gone = retired(weaker, stronger.id, now, f"says the same as {stronger.id}")
    return [gone, *_said_again(stronger, weaker, now)]
