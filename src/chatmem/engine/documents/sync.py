"""Changes of memories, the one way by which they reach the rows, and outside edits of documents.

Bullets are compared with rows by id. What looks like an accident is held: the document's last good
state counts, and the notices say why.

Source: decisions 2; S5.2.2.
"""

import json
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias

from chatmem.engine.state import Engine, new_id
from chatmem.errors import DocumentError, WouldForgetError
from chatmem.model import CATEGORIES, Action, AtomicMemoryRecord, HistoryEntry
from chatmem.model.time import utc_now
from chatmem.storage.documents.difference import (
    BulletChange,
    DocumentChanges,
    Known,
    difference,
    fingerprint,
)
from chatmem.storage.documents.places import SKELETONS, holds_memories
from chatmem.storage.documents.ports import DocumentStore, Stamp, StoredDocument
from chatmem.storage.documents.records import bullet_to_fields, place_bullets, record_to_bullet
from chatmem.storage.tables.memories import MemoryTable
from chatmem.storage.tables.store import Store
from chatmem.storage.values import PAUSE_S, KnownDocument, Owner, in_batches
from chatmem.text.bullets import annotate, parse, remove
from chatmem.text.normalise import normalise

ChangeAction: TypeAlias = Action | Literal["forget"]


@dataclass(frozen=True, slots=True)
class Change:
    """What a memory was and what it becomes; None before it exists, and after it is forgotten."""

    action: ChangeAction
    before: AtomicMemoryRecord | None
    after: AtomicMemoryRecord | None
    reason: str
    at: datetime


def source_mark(source_id: str) -> str:
    """What is buried of an imported message, so that a second import does not bring it back."""
    return f"message {source_id}"


def statement_mark(record: AtomicMemoryRecord) -> str:
    """What is buried of a memory with a key: no extractor brings it back in other words."""
    value = json.dumps(record.value, ensure_ascii=False, sort_keys=True)
    return f"statement {record.key} = {normalise(value)}"


def record_changes(
    store: Store, owner: Owner, changes: Iterable[Change], finish: Callable[[], None]
) -> None:
    """Bring changes into rows, indexes and history, and `finish`, in transactions that are short.

    Others write in between. What an error or a crash leaves undone is folded in again, since
    `finish` alone notes that the documents are: it goes with the last changes.
    """
    batches = in_batches(changes, lambda one: one.after.content if one.after else "")
    batch: list[Change] | None = next(batches, [])
    while batch is not None:
        following = next(batches, None)
        with store.transaction():
            _record_batch(store, owner, batch)
            if following is None:
                finish()
        if following is not None:
            time.sleep(PAUSE_S)
        batch = following


def _record_batch(store: Store, owner: Owner, changes: Iterable[Change]) -> None:
    forgotten = False
    for change in changes:
        if change.after is not None:
            _record(store, owner, change, change.after)
        elif change.before is not None:
            _forget(store, owner, change.before, change.at)
            forgotten = True
    if forgotten:  # what else quotes memories, and must not quote a forgotten one
        store.answers.blank()


def _record(store: Store, owner: Owner, change: Change, after: AtomicMemoryRecord) -> None:
    before = change.before
    if before is None:
        store.history.unbury(owner, after.content)
        if after.key:
            store.history.unbury(owner, statement_mark(after))
        store.memories.insert(owner, after)
    else:
        store.memories.update(owner, after, new_text=after.content != before.content)
    if change.action != "forget":
        entry = HistoryEntry(
            memory_id=after.id,
            at=change.at,
            action=change.action,
            reason=change.reason,
            before=before,
            after=after,
        )
        store.history.add(owner, entry)


def _forget(store: Store, owner: Owner, record: AtomicMemoryRecord, at: datetime) -> None:
    """Delete the memory, and bury what would bring it back."""
    sources = store.conversations.sources_of(owner, record.id)
    if store.memories.delete(owner, record.id):
        stated = (statement_mark(record),) if record.key else ()
        for unwanted in (record.content, *stated, *map(source_mark, sources)):
            store.history.bury(owner, unwanted, at)


UNSEEN = Stamp(0, 0, 0, 0)
_FEW = 3
"""Memories that a text may lack of those in the document it replaces without being asked."""
_IF_STATED = ("timestamp", "create_time", "valid_from")
"""Columns that stay as they are where a bullet does not state them."""


class DocumentSync:
    """Brings one user's documents into the index; its caller holds the documents' lock."""

    def __init__(self, engine: Engine, owner: Owner, folder: DocumentStore) -> None:
        self._engine = engine
        self._owner = owner
        self._folder = folder

    def is_due(self) -> bool:
        """True if a document looks other than when it was last folded in."""
        known = self._engine.store.documents.known(self._owner)
        return bool(_changed(known, self._folder.stamps()))

    def fold_in(self, *, everything: bool, accepted: Collection[str]) -> DocumentChanges:
        """What was changed outside and is now in the index; see `MemoryDocuments.fold_in`.

        Raises:
            DocumentChangedError: an editor saved while ids were being written; fold in again.
            DocumentError: a document cannot be written.
        """
        store = self._engine.store
        known = store.documents.known(self._owner)
        stamps = self._folder.stamps()
        held_before = {path for path, one in known.items() if one.held}
        if everything:
            paths = {path for path in (*known, *stamps) if holds_memories(path)}
        else:
            paths = _changed(known, stamps) | set(accepted) | held_before
        read: dict[str, StoredDocument | None] = {}
        held: dict[str, str] = {}
        for path in paths:
            try:
                read[path] = self._folder.read(path)
            except DocumentError as error:
                held[path] = f"{error}; its last good state is used"
        pages = {
            path: parse(document.text) if document else None
            for path, document in read.items()
            if everything or not _is_same(document, known.get(path))
        }
        ids = [one.id for page in pages.values() if page for one in page.bullets if one.id]
        foreign = store.memories.foreign_ids(self._owner, ids)
        found = difference(self._known_bullets(), pages, foreign_ids=foreign, accepted=accepted)
        written = self._assign_ids(found, read)
        read |= self.sweep(found.removed)
        held |= found.held

        def note() -> None:
            for path in paths | set(read):
                self._note(path, read.get(path), known.get(path), held.get(path))

        record_changes(store, self._owner, self._changes(written), note)
        if found:
            self._engine.wake.set()
        if found.removed:
            store.purge()
        return written

    def _known_bullets(self) -> Known:
        """By document, in the order of its sections: the ids, and fingerprints when asked for."""
        memories = self._engine.store.memories
        by_path: dict[str, list[str]] = {}
        rows = sorted(
            memories.documented(self._owner), key=lambda row: CATEGORIES.index(row[2] or "fact")
        )
        for path, memory_id, _ in rows:
            by_path.setdefault(path, []).append(memory_id)
        return {
            path: _Fingerprints(memories, self._owner, path, ids) for path, ids in by_path.items()
        }

    def _assign_ids(
        self, found: DocumentChanges, read: dict[str, StoredDocument | None]
    ) -> DocumentChanges:
        """Give every new bullet its id, in the file too."""
        added = [entry if entry.id else replace(entry, id=new_id()) for entry in found.added]
        by_path: dict[str, list[BulletChange]] = {}
        for before, entry in zip(found.added, added, strict=True):
            if before.id is None:
                by_path.setdefault(entry.document, []).append(entry)
        for path, fresh in by_path.items():
            document = read[path]
            assert document is not None
            named = [(one.bullet, {**one.bullet.attributes, "id": str(one.id)}) for one in fresh]
            text = annotate(document.text, named)
            read[path] = self._folder.write(path, text, over=document)
        return replace(found, added=tuple(added))

    def _changes(self, found: DocumentChanges) -> Iterator[Change]:
        """The difference as changes of rows."""
        memories = self._engine.store.memories
        written = (
            (found.added, "written in"),
            (found.changed, "edited in"),
            (found.moved, "moved to"),
        )
        for entries, how in written:
            for entry in entries:
                before = memories.get(self._owner, str(entry.id))
                after = _record_of(before, entry, self._owner)
                if after != before:
                    reason = f"{how} {entry.document}"
                    yield Change("edit" if before else "add", before, after, reason, utc_now())
        for memory_id, document in found.removed.items():
            before = memories.get(self._owner, memory_id)
            if before is not None:
                reason = f"removed from {document}"
                yield Change("forget", before, None, reason, utc_now())

    def _note(
        self,
        path: str,
        document: StoredDocument | None,
        known: KnownDocument | None,
        held: str | None,
    ) -> None:
        """Remember the state in which the document was looked at."""
        documents = self._engine.store.documents
        if held is not None:
            stamp = self._folder.stamps().get(path, UNSEEN)
            etag = known.etag if known else ""
            documents.put(self._owner, KnownDocument(path, etag, stamp, held))
        elif document is None:
            documents.delete(self._owner, path)
        else:
            documents.put(self._owner, KnownDocument(path, document.etag, document.stamp))

    def sweep(self, memory_ids: Collection[str]) -> dict[str, StoredDocument]:
        """Take forgotten memories out of every other document too: a copy would bring them back."""
        swept: dict[str, StoredDocument] = {}
        for path in self._folder.stamps() if memory_ids else ():
            document = self._folder.read(path) if holds_memories(path) else None
            if document and any(memory_id in document.text for memory_id in memory_ids):
                text = remove(document.text, memory_ids)
                if text != document.text:
                    swept[path] = self._folder.write(path, text, over=document)
        return swept

    def replacement(
        self, path: str, text: str, forget: bool, document: StoredDocument | None
    ) -> str:
        """The text that takes the place of a document, with what an accident took from that.

        Nothing is added unless the document is held; inside `edit`.

        Raises:
            WouldForgetError: more than a few memories are not in it, without `forget`.
        """
        if self.is_held(path):
            text = self.completed(path, text, _ids(document.text) if document else set())
        known = {one.id for one in self._engine.store.memories.of_document(self._owner, path)}
        gone = len(known - _ids(text))
        if gone > _FEW and not forget:
            raise WouldForgetError(
                f"{path}: this text lacks {gone} of its {len(known)} memories, which would be "
                "forgotten for good: keep their bullets, with the comments that hold the ids, or "
                "say forget=true"
            )
        return text

    def restore_missing(self) -> tuple[str, ...]:
        """Write documents that are missing or blank again, from the index; their paths."""
        restored = []
        store = self._engine.store
        with self._folder.lock():
            for path, known in store.documents.known(self._owner).items():
                document = self._folder.read(path) if known.held else None
                if known.held and (document is None or not document.text.strip()):
                    written = self._folder.write(path, self.completed(path))
                    with store.transaction():
                        self._note(path, written, known, None)
                    restored.append(path)
        return tuple(restored)

    def is_held(self, path: str) -> bool:
        """True while an outside change of the document is not folded in."""
        known = self._engine.store.documents.known(self._owner).get(path)
        return known is not None and known.held is not None

    def completed(
        self, path: str, text: str | None = None, seen: Collection[str | None] = ()
    ) -> str:
        """The text, or that of a new document, with all memories of it in neither it nor `seen`."""
        whole = SKELETONS.get(path, "") if text is None else text
        there = _ids(whole).union(seen)
        records = self._engine.store.memories.of_document(self._owner, path)
        return place_bullets(whole, path, [one for one in records if one.id not in there], [])


def _ids(text: str) -> set[str | None]:
    return {bullet.id for bullet in parse(text).bullets}


class _Fingerprints(dict[str, str]):
    """Fingerprints of a document's bullets as the rows have them, made when asked for by id."""

    def __init__(self, memories: MemoryTable, owner: Owner, path: str, ids: list[str]) -> None:
        super().__init__(dict.fromkeys(ids, ""))
        self._memories = memories
        self._owner = owner
        self._path = path

    def __getitem__(self, memory_id: str) -> str:
        record = self._memories.get(self._owner, memory_id)
        return fingerprint(record_to_bullet(record, self._path)) if record else ""


def _changed(known: Mapping[str, KnownDocument], stamps: Mapping[str, Stamp]) -> set[str]:
    return {
        path
        for path in set(known) | set(stamps)
        if holds_memories(path)
        and stamps.get(path, UNSEEN) != (known[path].stamp if path in known else None)
    }


def _is_same(document: StoredDocument | None, known: KnownDocument | None) -> bool:
    """True for a document whose text is that which was folded in."""
    return bool(document and known and known.etag == document.etag and not known.held)


def _record_of(
    before: AtomicMemoryRecord | None, entry: BulletChange, owner: Owner
) -> AtomicMemoryRecord:
    """The memory as a bullet states it, on top of what is known of it."""
    stated = bullet_to_fields(entry.bullet, entry.document).columns
    at = stated["timestamp"] or utc_now()
    columns = {
        name: value for name, value in stated.items() if value is not None or name not in _IF_STATED
    }
    known = before or AtomicMemoryRecord(
        id=str(entry.id), user_id=owner.user_id, timestamp=at, create_time=at, content=""
    )
    return replace(known, memory_type="long_term", document=entry.document, **columns)
