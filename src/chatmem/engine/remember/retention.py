"""What a verdict does to memories, and what leaves MEMORY.md by itself: evicted and rotated ones.

None of it is lost: the archive is a Markdown file like the others, and `restore` brings it back.

Source: decisions 2 (rotation) and 4 (eviction, duplicates); S3.4.2.
"""

from dataclasses import replace
from datetime import datetime

from chatmem.engine.documents.sync import Change
from chatmem.engine.remember.nearness import Nearness, statement_of
from chatmem.engine.space import Space
from chatmem.extraction.extractor import Candidate
from chatmem.extraction.settle import CONFLICT_TAG, EXTRACTED, MAYBE_TAG, Verdict, settle
from chatmem.model import Action, AtomicMemoryRecord, MemoryFilter
from chatmem.storage.documents.places import MAIN, archive_document
from chatmem.text.tokens import count_tokens

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
            surer = _said_again(olds[0], record)
            return [Change("edit", olds[0], surer, "said again", now)] if surer != olds[0] else []
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


def _said_again(old: AtomicMemoryRecord, new: AtomicMemoryRecord) -> AtomicMemoryRecord:
    """The old memory with what the new one, that says the same, knows better."""
    source = new.source if new.source == "user_stated" else old.source
    surer = replace(old, confidence=max(old.confidence, new.confidence), source=source)
    if new.app_type == EXTRACTED:
        return surer
    return replace(
        surer,
        importance=max(old.importance, new.importance),
        tags=tuple(dict.fromkeys((*old.tags, *new.tags))),
        key=old.key or new.key,
        value=new.value if old.value is None else old.value,
    )


def make_room(space: Space, now: datetime) -> None:
    """Keep the limits of long-term memory and of MEMORY.md; inside `MemoryDocuments.edit`."""
    evict(space, now)
    _rotate(space, now)


def keep_limits(space: Space, _: str, now: datetime) -> None:
    """The same by itself, as a job: a limit was set."""
    space.engine.obey_settings()
    space.documents.edit(lambda: make_room(space, now))


def evict(space: Space, now: datetime) -> None:
    """Keep at most `memory.eviction_threshold` valid long-term memories, if it is set (S3.4.2)."""
    threshold = space.engine.settings.memory.eviction_threshold
    if threshold is None:
        return
    surplus = space.store.pages.count(space.owner, _LONG_TERM) - threshold
    if surplus > 0:
        weakest = space.store.memories.weakest(space.owner, surplus)
        reason = f"evicted: more than {threshold} memories"
        space.documents.apply([retired(old, None, now, reason) for old in weakest])


def _rotate(space: Space, now: datetime) -> None:
    """Move the lowest-valued facts out of a MEMORY.md that is over `memory.main_max_tokens`."""
    limit = space.engine.settings.memory.main_max_tokens
    if space.documents.main_tokens() <= limit:
        return
    surplus = space.documents.main_tokens(exact=True) - limit
    if surplus <= 0:
        return
    surplus += int(limit * (1 - LEFT_SHARE))
    archive = archive_document(now.astimezone().date())
    changes: list[Change] = []
    for record in sorted(space.store.memories.of_document(space.owner, MAIN), key=_value):
        if surplus <= 0:
            break
        surplus -= count_tokens(record.content)
        after = replace(record, document=archive)
        changes.append(Change("rotate", record, after, "MEMORY.md was full", now))
    space.documents.apply(changes)


def _value(record: AtomicMemoryRecord) -> tuple[int, float, datetime]:
    """Lowest first: unimportant, unsure, long not used."""
    return record.importance, record.confidence, record.last_accessed or record.timestamp


def settle_written(space: Space, memory_id: str, now: datetime) -> None:
    """Settle a memory that was written down against older ones that are near it in meaning.

    Of two that say the same the weaker goes to the archive; what contradicts another is marked.
    """
    nearness, owner, memories = Nearness(space), space.owner, space.store.memories
    record = memories.get(owner, memory_id)
    if record is None or not record.is_valid or not space.engine.obey_settings().memory.enabled:
        return
    for old in nearness.near(record.content):  # each takes its time to be read: callers go first
        space.engine.callers.make_way()
        statement_of(old.content)
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
    surer = _said_again(stronger, weaker)
    return [gone, *([Change("edit", stronger, surer, "said again", now)] * (surer != stronger))]
