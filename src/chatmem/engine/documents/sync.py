"""Outside edits of a user's documents, brought into the index.

Bullets are compared with rows by id; what looks like an accident is held and said.

Source: decisions 2; S5.2.2.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Literal

from chatmem.engine.documents.changes import Change, record_change
from chatmem.engine.state import Engine, new_id
from chatmem.errors import DocumentError
from chatmem.model import AtomicMemoryRecord, Category
from chatmem.model.time import utc_now
from chatmem.storage.documents.difference import (
    BulletChange,
    DocumentChanges,
    Known,
    difference,
    fingerprint,
)
from chatmem.storage.documents.places import holds_memories
from chatmem.storage.documents.ports import DocumentStore, Stamp, StoredDocument
from chatmem.storage.documents.records import bullet_to_fields, record_to_bullet
from chatmem.storage.values import KnownDocument, Owner
from chatmem.text.bullet_edits import annotate, remove
from chatmem.text.bullets import Page, parse

UNSEEN = Stamp(0, 0, 0, 0)
_CATEGORY_ORDER: Mapping[Category | None, int] = {"preference": 0, "fact": 1, "pattern": 2, None: 1}
"""The order of the sections in MEMORY.md."""


class Folding:
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
        read |= self.sweep([one.id for one in found.removed])
        held = {one.document: one.reason for one in found.held} | unreadable
        with store.transaction():
            self._take_over(written)
            for path in paths | set(read):
                self._note(path, read.get(path), known.get(path), held.get(path))
        if found:
            self._engine.wake.set()
        if found.removed:
            store.purge()
        return written

    def _read(
        self, paths: Collection[str]
    ) -> tuple[dict[str, StoredDocument | None], dict[str, str]]:
        """The documents, and for those that cannot be read why."""
        read: dict[str, StoredDocument | None] = {}
        unreadable: dict[str, str] = {}
        for path in paths:
            try:
                read[path] = self._folder.read(path)
            except DocumentError as error:
                unreadable[path] = f"{error}; its last good state is used"
        return read, unreadable

    def _difference(
        self, pages: Mapping[str, Page | None], accepted: Collection[str]
    ) -> DocumentChanges:
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
            path: _Fingerprints(
                self._engine,
                self._owner,
                path,
                [memory_id for _, memory_id in sorted(ids, key=lambda one: one[0])],
            )
            for path, ids in by_path.items()
        }

    def _assign_ids(
        self, found: DocumentChanges, read: dict[str, StoredDocument | None]
    ) -> DocumentChanges:
        """Give every new bullet its id, in the file too."""
        entries: list[BulletChange] = []
        by_path: dict[str, list[BulletChange]] = {}
        for entry in found.added:
            if entry.id is None:
                named = replace(entry, id=new_id())
                by_path.setdefault(entry.document, []).append(named)
                entries.append(named)
            else:
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

    def _take_over(self, found: DocumentChanges) -> None:
        """The difference as changes of rows."""
        store = self._engine.store
        for entry in found.added:
            before = store.memories.get(self._owner, str(entry.id))
            self._record(before, entry.document, entry, "written in")
        for entry in found.changed:
            self._record(
                store.memories.get(self._owner, str(entry.id)), entry.document, entry, "edited in"
            )
        for move in found.moved:
            before = store.memories.get(self._owner, str(move.id))
            self._record(before, move.document, move, "moved to")
        for removal in found.removed:
            before = store.memories.get(self._owner, removal.id)
            if before is not None:
                change = Change(
                    "forget", before, None, f"removed from {removal.document}", utc_now()
                )
                record_change(store, self._owner, change)
        if found.removed:
            store.answers.blank()  # they may quote it

    def _record(
        self, before: AtomicMemoryRecord | None, document: str, entry: BulletChange, how: str
    ) -> None:
        after = _record_of(before, entry, self._owner)
        if after != before:
            action: Literal["add", "edit"] = "edit" if before else "add"
            change = Change(action, before, after, f"{how} {document}", utc_now())
            record_change(self._engine.store, self._owner, change)

    def _note(
        self,
        path: str,
        document: StoredDocument | None,
        known: KnownDocument | None,
        held: str | None,
    ) -> None:
        """Remember the state in which the document was looked at."""
        documents = self._engine.store.documents
        if not holds_memories(path) and held is None and document is None:
            documents.delete(self._owner, path)
            return
        if held is not None:
            stamp = self._folder.stamps().get(path, UNSEEN)
            documents.put(
                self._owner, KnownDocument(path, known.etag if known else "", stamp, held)
            )
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
        and stamps.get(path, UNSEEN) != (known[path].stamp if path in known else None)
    }


def _record_of(
    before: AtomicMemoryRecord | None, entry: BulletChange, owner: Owner
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
