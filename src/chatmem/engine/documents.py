"""A user's Markdown documents and the index, kept in step.

A write goes to the file first, then into one transaction; whatever a person or a crash left in a
file is folded in before anything else happens, by comparing the bullets with the rows.

Source: decisions 2; S5.1, S5.2.2.
"""

import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from chatmem.engine.changes import Change, record_change
from chatmem.engine.state import Engine, new_id
from chatmem.errors import ChatmemError, DocumentError
from chatmem.model import AtomicMemoryRecord, Category, Missing
from chatmem.model.time import utc_now
from chatmem.storage.documents.difference import Difference, Entry, Known, difference, fingerprint
from chatmem.storage.documents.edits import SKELETONS, place_bullets
from chatmem.storage.documents.places import MAIN, holds_memories
from chatmem.storage.documents.ports import (
    Document,
    DocumentChangedError,
    DocumentStore,
    Stamp,
)
from chatmem.storage.documents.records import bullet_to_fields, record_to_bullet
from chatmem.storage.ports import KnownDocument, Owner
from chatmem.text.bullet_edits import annotate
from chatmem.text.bullets import Page, parse

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_ATTEMPTS = 5
_NO_STAMP = Stamp(0, 0, 0, 0)
_CATEGORY_ORDER: Mapping[Category | None, int] = {"preference": 0, "fact": 1, "pattern": 2, None: 1}
"""The order of the sections in MEMORY.md."""


class MemoryDocuments:
    """The documents of one user."""

    def __init__(self, engine: Engine, owner: Owner, folder: DocumentStore) -> None:
        self._engine = engine
        self._owner = owner
        self._folder = folder
        self._scanned_s = float("-inf")

    def initialise(self) -> None:
        """Create what is missing and heal what a crash left.

        Raises:
            DocumentError: a folder or file cannot be created.
        """
        self._folder.initialise(skeleton=MAIN not in self._engine.store.documents.known(self._owner))
        self.fold_in()

    def refresh(self) -> None:
        """Fold outside edits in if the last look is older than `memory.scan_interval_seconds`."""
        interval_s = self._engine.settings.memory.scan_interval_seconds
        if time.monotonic() - self._scanned_s >= interval_s:
            self.fold_in()

    def notice(self) -> None:
        """Fold outside edits in on behalf of the watcher; what goes wrong is told by the next call."""
        try:
            self.fold_in()
        except ChatmemError as error:
            _log.warning("outside edits are not folded in yet: %s", error)

    def read(self, path: str) -> Document | None:
        """The document as it stands."""
        return self._folder.read(path)

    def notices(self) -> tuple[Missing, ...]:
        """Documents whose last change was not folded in, and why."""
        known = self._engine.store.documents.known(self._owner)
        return tuple(Missing("document", one.held) for one in known.values() if one.held)

    def edit(self, operation: Callable[[], _T]) -> _T:
        """Run an operation that calls `apply`, with outside edits folded in and others kept out.

        An editor does not know our lock: when it saves in between, all is done again.

        Raises:
            DocumentError: a file cannot be read or written; nothing was changed.
        """
        for attempt in range(_ATTEMPTS):
            with self._folder.lock():
                self.fold_in()
                try:
                    return operation()
                except DocumentChangedError:
                    if attempt == _ATTEMPTS - 1:
                        raise
        raise AssertionError("unreachable")

    def apply(self, changes: Collection[Change]) -> None:
        """Bring changes into the files, then into the index; inside `edit`."""
        written = [self._write(path, changes) for path in _paths(changes)]
        store = self._engine.store
        with store.transaction():
            for change in changes:
                record_change(store, self._owner, change)
            for document in written:
                known = KnownDocument(document.path, document.etag, document.stamp)
                store.documents.put(self._owner, known)
        self._engine.wake.set()

    def fold_in(self, *, everything: bool = False, accepted: Collection[str] = ()) -> Difference:
        """What people changed outside, brought into the index.

        `everything` reads all documents, changed or not; `accepted` names documents whose change
        looks like an accident and is confirmed.

        Raises:
            DocumentError: the folder cannot be read.
        """
        self._scanned_s = time.monotonic()
        known = self._engine.store.documents.known(self._owner)
        stamps = self._folder.stamps()
        if not everything and not accepted and not _changed(known, stamps):
            return Difference()
        with self._folder.lock():
            for _ in range(_ATTEMPTS):
                try:
                    return self._fold_in(everything, accepted)
                except DocumentChangedError:
                    continue
        return Difference()

    def restore_missing(self) -> list[str]:
        """Write documents that are missing or blank again, from the index; their paths."""
        restored = []
        with self._folder.lock():
            for path, known in self._engine.store.documents.known(self._owner).items():
                document = self._folder.read(path) if known.held else None
                if known.held and (document is None or not document.text.strip()):
                    written = self._folder.write(path, self._rebuilt(path))
                    fresh = KnownDocument(path, written.etag, written.stamp)
                    with self._engine.store.transaction():
                        self._engine.store.documents.put(self._owner, fresh)
                    restored.append(path)
        return restored

    def _fold_in(self, everything: bool, accepted: Collection[str]) -> Difference:
        store = self._engine.store
        known = store.documents.known(self._owner)
        stamps = self._folder.stamps()
        paths = set(known) | set(stamps) if everything else _changed(known, stamps) | set(accepted)
        read, unreadable = self._read(paths)
        same = {
            path
            for path, document in read.items()
            if document and path in known and known[path].etag == document.etag
            and not known[path].held and not everything
        }  # fmt: skip
        pages = {
            path: parse(document.text) if document else None
            for path, document in read.items()
            if path not in same
        }
        found = self._difference(pages, accepted)
        written = self._assign_ids(found, read)
        held = {one.document: one.reason for one in found.held} | unreadable
        with store.transaction():
            self._take_over(written)
            for path in paths:
                self._note(path, read.get(path), known.get(path), held.get(path))
        if found:
            self._engine.wake.set()
        if found.removed:
            store.purge()
        return written

    def _read(self, paths: Collection[str]) -> tuple[dict[str, Document | None], dict[str, str]]:
        """The documents, and for those that cannot be read why."""
        read: dict[str, Document | None] = {}
        unreadable: dict[str, str] = {}
        for path in paths:
            try:
                read[path] = self._folder.read(path)
            except DocumentError as error:
                unreadable[path] = f"{error}; its last good state is used"
        return read, unreadable

    def _difference(
        self, pages: Mapping[str, Page | None], accepted: Collection[str]
    ) -> Difference:
        ids = [one.id for page in pages.values() if page for one in page.bullets if one.id]
        memories = self._engine.store.memories
        return difference(
            self._known_bullets(),
            pages,
            foreign_ids=memories.foreign_ids(self._owner, ids),
            accepted=accepted,
        )

    def _known_bullets(self) -> Known:
        """By document, in the order of its sections: the ids, and fingerprints when asked for."""
        by_path: dict[str, list[tuple[int, str]]] = {}
        for path, memory_id, category in self._engine.store.memories.documented(self._owner):
            by_path.setdefault(path, []).append((_CATEGORY_ORDER[category], memory_id))
        return {
            path: _Fingerprints(self._engine, self._owner, path, [i for _, i in sorted(ids, key=lambda one: one[0])])
            for path, ids in by_path.items()
        }

    def _assign_ids(self, found: Difference, read: dict[str, Document | None]) -> Difference:
        """Give every new bullet its id, in the file too."""
        entries: list[Entry] = []
        by_path: dict[str, list[Entry]] = {}
        for entry in found.added:
            if entry.id is None:
                entry = Entry(entry.document, entry.bullet, new_id())  # noqa: PLW2901
                by_path.setdefault(entry.document, []).append(entry)
            entries.append(entry)
        for path, fresh in by_path.items():
            document = read[path]
            assert document is not None
            text = annotate(
                document.text,
                [(one.bullet, {**one.bullet.attributes, "id": str(one.id)}) for one in fresh],
            )
            read[path] = self._folder.write(path, text, over=document)
        return replace(found, added=tuple(entries))

    def _take_over(self, found: Difference) -> None:
        """The difference as changes of rows."""
        store = self._engine.store
        for entry in found.added:
            before = store.memories.get(self._owner, str(entry.id))
            self._record(before, entry.document, entry, "written in")
        for entry in found.changed:
            self._record(store.memories.get(self._owner, str(entry.id)), entry.document, entry, "edited in")
        for move in found.moved:
            entry = Entry(move.document, move.bullet, move.id)
            self._record(store.memories.get(self._owner, move.id), move.document, entry, "moved to")
        for removal in found.removed:
            before = store.memories.get(self._owner, removal.id)
            if before is not None:
                change = Change("forget", before, None, f"removed from {removal.document}", utc_now())
                record_change(store, self._owner, change)

    def _record(
        self, before: AtomicMemoryRecord | None, document: str, entry: Entry, how: str
    ) -> None:
        after = _record_of(before, entry, self._owner)
        if after != before:
            action = "edit" if before else "add"
            change = Change(action, before, after, f"{how} {document}", utc_now())
            record_change(self._engine.store, self._owner, change)

    def _note(
        self, path: str, document: Document | None, known: KnownDocument | None, held: str | None
    ) -> None:
        """Remember the state in which the document was looked at."""
        documents = self._engine.store.documents
        if not holds_memories(path) and held is None and document is None:
            documents.delete(self._owner, path)
            return
        if held is not None:
            stamp = self._folder.stamps().get(path, _NO_STAMP)
            documents.put(self._owner, KnownDocument(path, known.etag if known else "", stamp, held))
        elif document is None:
            documents.delete(self._owner, path)
        else:
            documents.put(self._owner, KnownDocument(path, document.etag, document.stamp))

    def _write(self, path: str, changes: Collection[Change]) -> Document:
        document = self._folder.read(path)
        text = document.text if document and document.text.strip() else self._rebuilt(path)
        put = [one.after for one in changes if one.after and one.after.document == path]
        gone = [
            one.before.id
            for one in changes
            if one.before and one.before.document == path
            and (one.after is None or one.after.document != path)
        ]  # fmt: skip
        return self._folder.write(path, place_bullets(text, path, put, gone), over=document)

    def _rebuilt(self, path: str) -> str:
        """The document as the index knows it: for a new one, or one that was lost."""
        records = self._engine.store.memories.of_document(self._owner, path)
        return place_bullets(SKELETONS.get(path, ""), path, records, [])


class _Fingerprints(Mapping[str, str]):
    """Fingerprints of a document's bullets as the rows have them, made when asked for."""

    def __init__(self, engine: Engine, owner: Owner, path: str, ids: list[str]) -> None:
        self._engine = engine
        self._owner = owner
        self._path = path
        self._ids = dict.fromkeys(ids)

    def __getitem__(self, memory_id: str) -> str:
        if memory_id not in self._ids:
            raise KeyError(memory_id)
        record = self._engine.store.memories.get(self._owner, memory_id)
        return fingerprint(record_to_bullet(record, self._path)) if record else ""

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def _changed(known: Mapping[str, KnownDocument], stamps: Mapping[str, Stamp]) -> set[str]:
    return {
        path
        for path in set(known) | set(stamps)
        if holds_memories(path)
        and stamps.get(path, _NO_STAMP) != (known[path].stamp if path in known else None)
    }


def _paths(changes: Collection[Change]) -> list[str]:
    """Documents to write: those that gain a bullet before those that only lose one."""
    gain = dict.fromkeys(one.after.document for one in changes if one.after and one.after.document)
    lose = dict.fromkeys(one.before.document for one in changes if one.before and one.before.document)
    # The archive before MEMORY.md: a crash in between leaves a copy, never a hole.
    return sorted(gain, key=lambda path: path == MAIN) + [path for path in lose if path not in gain]


def _record_of(
    before: AtomicMemoryRecord | None, entry: Entry, owner: Owner
) -> AtomicMemoryRecord:
    """The memory that a bullet says, on top of what is known of it."""
    fields = bullet_to_fields(entry.bullet, entry.document)
    now = utc_now()
    timestamp = fields.timestamp or (before.timestamp if before else now)
    return AtomicMemoryRecord(
        id=str(entry.id),
        user_id=owner.user_id,
        timestamp=timestamp,
        create_time=fields.create_time or (before.create_time if before else timestamp),
        content=fields.content,
        tags=fields.tags,
        session_id=fields.session_id,
        app_type=fields.app_type,
        role=fields.role,
        memory_type="long_term",
        kind=fields.kind,
        category=fields.category,
        key=fields.key,
        value=fields.value,
        confidence=fields.confidence,
        source=fields.source,
        importance=fields.importance,
        visibility=fields.visibility,
        valid_from=fields.valid_from or (before.valid_from if before else None),
        valid_to=fields.valid_to,
        superseded_by=fields.superseded_by,
        document=entry.document,
        last_accessed=before.last_accessed if before else None,
        access_count=before.access_count if before else 0,
    )
