"""What people changed in the documents since they were indexed, and what only looks like it.

Ids are compared across all documents first, so that a bullet cut here and pasted there has moved.
Then, for every document that is not held:

- A bullet without an id is **added**; so is one whose id nobody knows, which keeps it. Of several
  bullets with one id, the one that still reads as known keeps it, else the first in the document
  where the id is known, else the first (MEMORY.md is read first, then by path). The others are
  ignored if they say the same (a copy), else they are added and need an id of their own.
- **changed** has another text, category or attribute than known; **moved** stands in
  another document now, changed or not; **removed** stands nowhere any more.

A document whose change looks like an accident is held: nothing of it is folded in, and its memories
stay known, until it looks whole again or the caller accepts it by name. That is when:

- It is missing or blank, and memories that it held stand nowhere else.
- It was cut: its last line has no newline, and holds a comment that does not end; or memories are
  gone, and that line is in a bullet without an id, or they were exactly the last ones.
- More than half of its memories, of at least 8, are gone at once.
- Memories that it held stand only in a document that is held.

Less than that is taken for a person's wish. A bullet deleted in an editor is forgotten. Before
that, a text saved over versions which its editor had not read is completed (`with_unread`).

Source: decisions 2 ("half-written files ... are normal input"); lessons.md (lost notes); ADR 0013.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from chatmem.model import AtomicMemoryRecord, HistoryEntry
from chatmem.storage.documents.places import MAIN, category_of
from chatmem.storage.documents.records import place_bullets, record_to_bullet, restated
from chatmem.text.bullets import Bullet, MarkdownPage, annotate
from chatmem.text.outline import CLOSE, OPEN

Known: TypeAlias = Mapping[str, Mapping[str, str]]
"""By document, as far as possible in its order: id -> fingerprint of the bullet as indexed."""
History: TypeAlias = Mapping[str, Sequence[tuple[int, HistoryEntry]]]
"""By memory: its changes, oldest first, with numbers that grow with every change of any memory."""
WRITTEN, FOUND, EDITED = "written in", "found in", "edited in"
MOVED, REMOVED = "moved to", "removed from"
"""How the reason of a change begins that a person made in a document."""
_SEEN = "seen"
"""The attribute of a bullet that says: who has read this has read the memory with that id."""
_DIGEST_BYTES = 8
_MANY = 8
_HALF = 0.5
_AS_KNOWN = 2
_BRING_BACK = "put it back, or let `chatmem reindex` write it again"
_CONFIRM = "or forget what is gone from it with `chatmem reindex --accept FILE`"


class BulletChange(NamedTuple):
    """A bullet of a document; `id` is None where the caller has to give it one."""

    document: str
    bullet: Bullet
    id: str | None


@dataclass(frozen=True, slots=True)
class DocumentChanges:
    """What to do so that the index says what the documents say.

    `removed` are the ids of memories that stand in no document any more, and where they stood;
    `held` the documents that are not folded in, and a sentence for a person: why, and what to do.
    """

    added: tuple[BulletChange, ...] = ()
    changed: tuple[BulletChange, ...] = ()
    moved: tuple[BulletChange, ...] = ()
    removed: Mapping[str, str] = field(default_factory=dict)
    held: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.moved or self.removed)


def fingerprint(bullet: Bullet) -> str:
    """Two hashes of a bullet, of its text and of all the rest (of the heading the category)."""
    rest = [category_of(bullet.heading), sorted(bullet.attributes.items())]
    return f"{_digest(bullet.content)}-{_digest(json.dumps(rest))}"


def difference(
    known: Known,
    pages: Mapping[str, MarkdownPage | None],
    *,
    foreign_ids: Collection[str] = (),
    accepted: Collection[str] = (),
) -> DocumentChanges:
    """The difference between the index and the documents that changed.

    `known` covers all documents, `pages` those that changed since (None: the file is gone), but for
    `foreign_ids`, which no bullet may claim; `accepted` are documents that a person has confirmed.
    """
    held = _accidents(known, pages, accepted)
    read = {path: page for path, page in pages.items() if path not in held}
    origins = {memory_id: path for path, ids in known.items() for memory_id in ids}
    # A held document that has lost an id may have lost it to a cut-and-paste: not its home.
    in_held = {path: _ids(pages[path]) for path in held}
    elsewhere = {
        memory_id
        for memory_id, path in origins.items()
        if path not in pages or memory_id in in_held.get(path, ())
    }
    bullets = [
        (path, bullet)
        for path in sorted(read, key=lambda path: (path != MAIN, path))
        for bullet in _bullets(read[path])
    ]
    keepers = _keepers(known, bullets, elsewhere.union(foreign_ids))
    added, changed, moved = list[BulletChange](), list[BulletChange](), list[BulletChange]()
    for path, bullet in bullets:
        memory_id = bullet.id
        if memory_id is None or memory_id in foreign_ids:
            added.append(BulletChange(path, bullet, None))
            continue
        entry = BulletChange(path, bullet, memory_id)
        rank, keeper = keepers.get(memory_id, (0, None))
        if keeper is not bullet:
            there = fingerprint(keeper) if keeper else known[origins[memory_id]][memory_id]
            if there.partition("-")[0] != _digest(bullet.content):  # else a copy
                added.append(entry._replace(id=None))
        elif memory_id not in origins:
            added.append(entry)
        elif rank == 0:
            moved.append(entry)
        elif rank < _AS_KNOWN:
            changed.append(entry)
    removed = {
        memory_id: path
        for path in read
        for memory_id in known.get(path, {})
        if memory_id not in keepers
    }
    return DocumentChanges(tuple(added), tuple(changed), tuple(moved), removed, held)


def _keepers(
    known: Known, bullets: Iterable[tuple[str, Bullet]], excluded: Collection[str]
) -> dict[str, tuple[int, Bullet]]:
    """For every id the bullet that has it by right, and its rank.

    That is `_AS_KNOWN`, or 1 in the document where the id is known, else 0.
    """
    best: dict[str, tuple[int, Bullet]] = {}
    for path, bullet in bullets:
        if bullet.id is None or bullet.id in excluded:
            continue
        before = known.get(path, {}).get(bullet.id)
        rank = 0 if before is None else 1 + (before == fingerprint(bullet))
        if bullet.id not in best or rank > best[bullet.id][0]:
            best[bullet.id] = (rank, bullet)
    return best


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES).hexdigest()


def _accidents(
    known: Known, pages: Mapping[str, MarkdownPage | None], accepted: Collection[str] = ()
) -> dict[str, str]:
    """The documents, of those that changed, that are to be left alone for now, and why."""
    present = {path: _ids(page) for path, page in pages.items()}
    anywhere = set().union(*present.values())
    held: dict[str, str] = {}
    for path, page in pages.items():
        ids = list(known.get(path, {}))
        gone = [memory_id for memory_id in ids if memory_id not in anywhere]
        reason = _reason(page, ids, gone)
        if reason and path not in accepted:
            held[path] = f"{path} {reason}"
    while True:
        free = [path for path in present if path not in held]
        unreadable = anywhere.difference(*(present[path] for path in free))
        # To fold these in would forget what went from them to held ones.
        waiting = [path for path in free if unreadable.intersection(known.get(path, ()))]
        if not waiting:
            return held
        for path in waiting:
            held[path] = f"{path} waits: memories moved from it to a document that is held"


def _reason(page: MarkdownPage | None, ids: list[str], gone: list[str]) -> str | None:
    if gone and not (page and page.text.strip("\ufeff \t\r\n")):
        return f"is {'empty' if page else 'missing'}: {_BRING_BACK}, {_CONFIRM}"
    if page and _is_cut(page, ids, gone):
        return "ends in the middle of a line; restore it, or finish that line with a newline"
    if len(ids) >= _MANY and len(gone) > len(ids) * _HALF:
        return f"has lost {len(gone)} of {len(ids)} memories at once: put them back, {_CONFIRM}"
    return None


def is_whole(page: MarkdownPage, ids: list[str], gone: list[str]) -> bool:
    """False for a text that is empty, or cut, and so tells nothing of what it lacks."""
    return bool(page.text.strip("\ufeff \t\r\n")) and not _is_cut(page, ids, gone)


def _is_cut(page: MarkdownPage, ids: list[str], gone: list[str]) -> bool:
    if not page.text or page.text.endswith("\n"):
        return False
    last_line = page.text[page.text.rfind("\n") + 1 :]
    if last_line.rfind(OPEN) > last_line.rfind(CLOSE):
        return True
    if not gone:
        return False
    last = page.bullets[-1] if page.bullets else None
    if last is not None and last.place is not None and last.place.end == len(page.text):
        return last.id is None
    return gone == ids[-len(gone) :]


def _ids(page: MarkdownPage | None) -> set[str]:
    return {bullet.id for bullet in _bullets(page) if bullet.id}


def _bullets(page: MarkdownPage | None) -> Sequence[Bullet]:
    return page.bullets if page else ()


def with_unread(
    path: str,
    page: MarkdownPage,
    records: Sequence[AtomicMemoryRecord],
    history: History,
    forgotten: Collection[str] = (),
) -> tuple[str, str]:
    """The text as it would be if its editor had read everything, and for a person what was done.

    `records` are the memories of the document that stand in no other text that changed, `history`
    is that of them and of all ids in the text; `forgotten` are ids that were forgotten other than
    in a document. The text is at least as new as the newest memory in it, in the state that it
    shows. What entered the document later was not there to be deleted, and what was changed later,
    other than by hand, not to be changed back; in doubt the editor has not read it.
    """
    past = _Past(path, history)
    current = {one.id: one for one in records}
    shown = {one.id: one for one in page.bullets if one.id}
    newest = max(page.bullets, key=past.age, default=None)
    stem = past.age(newest) if newest else 0
    came = {one.id: max(past.entries(one.id), default=0) for one in records}
    lost = [one for one in records if one.id not in shown and came[one.id] > stem]
    lost.sort(key=lambda one: came[one.id])
    changed, gone = list[AtomicMemoryRecord](), list[str]()
    for memory_id, bullet in shown.items():
        if memory_id in current:
            changed += past.merged(bullet, current[memory_id], stem)
        elif memory_id in forgotten or past.has_left(bullet, stem):
            gone.append(memory_id)
    notes = list[tuple[Bullet, Mapping[str, str]]]()
    for bullet in page.bullets:
        same = [one for one in lost if bullet.id is None and past.is_of(bullet, one)][:1]
        for one in same:  # saved before its editor had seen the id
            lost.remove(one)
            notes.append((bullet, {**bullet.attributes, **record_to_bullet(one, path).attributes}))
        changed += [one for one in same if past.is_overtaken(bullet, one)]
    counts = (
        (len(lost), "memories that it lacks were put back"),
        (len(changed), "changes were kept"),
        (len(gone), "memories that are gone were taken out"),
    )
    if lost and newest and newest.id:
        notes.append((newest, {**newest.attributes, _SEEN: lost[-1].id}))
    text = place_bullets(annotate(page.text, notes), path, (*changed, *lost), gone)
    return text, ", ".join(f"{count} {what}" for count, what in counts if count)


class _Past:
    """What the history of memories says of the bullets of one document."""

    def __init__(self, path: str, history: History) -> None:
        self._path = path
        self._history = history

    def entries(self, memory_id: str) -> list[int]:
        """Numbers of the changes by which the memory came into the document."""
        return [
            number
            for number, entry in self._history.get(memory_id, ())
            if entry.after.document == self._path
            and (entry.before is None or entry.before.document != self._path)
        ]

    def age(self, bullet: Bullet) -> int:
        """Number of the change that whoever saved the bullet has read at least; 0 for none.

        What an editor has written itself it need not have read; an id that it was given, it has.
        """
        numbered = self._history.get(bullet.id or "", ())
        made = [
            number
            for number, entry in numbered
            if not _is_by_hand(entry)
            and self._shows(bullet, entry.after)
            and not (entry.before and self._shows(bullet, entry.before))
        ]
        own = {number for number, entry in numbered if entry.reason.startswith((FOUND, MOVED))}
        entered = [one for one in self.entries(bullet.id or "") if one not in own]
        seen = self.entries(bullet.attributes.get(_SEEN, ""))
        return max(min(numbers, default=0) for numbers in (made, entered, seen))

    def is_of(self, bullet: Bullet, record: AtomicMemoryRecord) -> bool:
        """True where a bullet that an editor saved without its id is this memory, or grew of it."""
        contents = [entry.after.content for _, entry in self._history[record.id]]
        grown = self._is_typed(record) and bullet.content.startswith(record.content)
        return grown or bullet.content in contents

    def is_overtaken(self, bullet: Bullet, record: AtomicMemoryRecord) -> bool:
        """True where such a bullet has words that were changed since, other than by hand."""
        return bullet.content != record.content and not self._is_typed(record)

    def _is_typed(self, record: AtomicMemoryRecord) -> bool:
        return all(_is_by_hand(entry) for _, entry in self._history[record.id])

    def merged(
        self, bullet: Bullet, current: AtomicMemoryRecord, stem: int
    ) -> list[AtomicMemoryRecord]:
        """The memory where the bullet, but for words of a person, is of before a later change."""
        stated = restated(current, bullet, self._path).content
        for old in self._before(current.id, stem):
            if self._shows(bullet, replace(old, content=stated)):
                mine = current.content if old.content == stated else stated
                wanted = replace(current, content=mine)
                return [] if self._shows(bullet, wanted) else [wanted]
        return []

    def has_left(self, bullet: Bullet, stem: int) -> bool:
        """True for a bullet as it was before its memory went to another document and changed."""
        if not any(self._shows(bullet, old) for old in self._before(bullet.id or "", stem)):
            return False
        now = self._history[bullet.id or ""][-1][1].after
        return now.document != self._path and not self._shows(bullet, now)

    def _before(self, memory_id: str, stem: int) -> list[AtomicMemoryRecord]:
        """What the memory was in this document before each later change that was not by hand."""
        return [
            entry.before
            for number, entry in self._history.get(memory_id, ())
            if number > stem and not _is_by_hand(entry)
            if entry.before and entry.before.document == self._path
        ]

    def _shows(self, bullet: Bullet, record: AtomicMemoryRecord) -> bool:
        stated = restated(record, bullet, self._path)
        return replace(stated, document=record.document) == record


def _is_by_hand(entry: HistoryEntry) -> bool:
    return entry.reason.startswith((WRITTEN, FOUND, EDITED, MOVED))
