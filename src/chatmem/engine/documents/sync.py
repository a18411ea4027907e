"""Outside edits of documents, brought into the index.

Bullets are compared with rows by id. What looks like an accident is held: the document's last good
state counts, and the notices say why.

Source: decisions 2; S5.2.2.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from chatmem.engine.documents.changes import Change, identity_mark, record_changes
from chatmem.engine.documents.noticed import noticed, without_lines
from chatmem.engine.state import Engine, new_id
from chatmem.errors import DocumentError, WouldForgetError
from chatmem.model import CATEGORIES, AtomicMemoryRecord, DocumentText
from chatmem.model.time import utc_now
from chatmem.storage.documents.difference import (
    EDITED,
    FOUND,
    MOVED,
    REMOVED,
    WRITTEN,
    BulletChange,
    DocumentChanges,
    Known,
    difference,
    fingerprint,
    is_whole,
    with_unread,
)
from chatmem.storage.documents.places import PROFILE, SKELETONS, holds_memories
from chatmem.storage.documents.ports import DocumentStore, Stamp, StoredDocument
from chatmem.storage.documents.records import (
    place_bullets,
    record_to_bullet,
    restated,
    stated_columns,
)
from chatmem.storage.tables.memories import MemoryTable
from chatmem.storage.values import KnownDocument, Owner
from chatmem.text.bullets import MarkdownPage, annotate, parse, remove
from chatmem.text.normalise import normalise

UNSEEN = Stamp(0, 0, 0, 0)
_FEW = 3
"""Memories that a text may lack of those in the document it replaces without being asked."""


class DocumentSync:
    """Brings one user's documents into the index; its caller holds the documents' lock."""

    def __init__(self, engine: Engine, owner: Owner, folder: DocumentStore) -> None:
        self._engine = engine
        self._owner = owner
        self._folder = folder
        self.told: dict[str, str] = {}
        """By document, what was done to a text from an older version."""

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
        bullets = self._known_bullets()
        for path, page in pages.items():
            self.told.pop(path, None)
            if page and path not in accepted:
                self._complete(path, page, bullets, read, pages)
        found = difference(bullets, pages, foreign_ids=foreign, accepted=accepted)
        written = self._assign_ids(found, read)
        gone = (store.memories.get(self._owner, memory_id) for memory_id in found.removed)
        read |= self.sweep([one for one in gone if one is not None])
        held |= found.held

        def note() -> None:
            for path in paths | set(read):
                self._note(path, read.get(path), known.get(path), held.get(path))

        record_changes(store, self._owner, self._changes(written, set(ids)), note, [])
        if found:
            self._engine.wake.set()
        if found.removed:
            store.purge(wait_s=0)  # the documents are locked
        return written

    def _complete(
        self,
        path: str,
        page: MarkdownPage,
        known: Known,
        read: dict[str, StoredDocument | None],
        pages: dict[str, MarkdownPage | None],
    ) -> None:
        """Write into the text what its editor had not read."""
        store, shown = self._engine.store, _ids(page)
        others = set().union(*(_ids(one) for name, one in pages.items() if one and name != path))
        ids = list(known.get(path, ()))
        if not is_whole(page, ids, [one for one in ids if one not in shown | others]):
            return
        buried = store.history.any_buried(self._owner)
        strangers = shown.difference(*known.values()) - {None} if buried else ()
        text, what = with_unread(
            path,
            page,
            [one for one in store.memories.of_document(self._owner, path) if one.id not in others],
            store.history.of_memories(self._owner, [*ids, *(one for one in shown if one)]),
            [one for one in strangers if one and self._is_forgotten(path, page, one)],
        )
        if text == page.text:
            return
        read[path] = self._folder.write(path, text, over=read[path])
        pages[path] = parse(text)
        if what:
            self.told[path] = (
                f"{path} was saved from an older version ({what}): load it again before you go "
                "on; what you do not want, delete then or with `chatmem forget`"
            )

    def _is_forgotten(self, path: str, page: MarkdownPage, memory_id: str) -> bool:
        """True for a memory that this text has still, in words that were forgotten."""
        stated = (stated_columns(one, path)[0] for one in page.with_id(memory_id))
        marks = (identity_mark(memory_id, str(one["content"])) for one in stated)
        return all(self._engine.store.history.is_buried(self._owner, one) for one in marks)

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
        added = [entry if entry.id else entry._replace(id=new_id()) for entry in found.added]
        fresh = [entry for entry in added if entry.id != entry.bullet.id]
        for path in dict.fromkeys(entry.document for entry in fresh):
            document = read[path]
            assert document is not None
            text = annotate(
                document.text,
                [
                    (one.bullet, {**one.bullet.attributes, "id": str(one.id)})
                    for one in fresh
                    if one.document == path
                ],
            )
            read[path] = self._folder.write(path, text, over=document)
        return replace(found, added=tuple(added))

    def _changes(self, found: DocumentChanges, stated: Collection[str | None]) -> Iterator[Change]:
        """The difference as changes of rows; `stated` are the ids that texts had."""
        memories = self._engine.store.memories
        written = (
            ([one for one in found.added if one.id not in stated], WRITTEN),
            ([one for one in found.added if one.id in stated], FOUND),
            (found.changed, EDITED),
            (found.moved, MOVED),
        )
        for entries, how in written:
            for entry in entries:
                before = memories.get(self._owner, str(entry.id))
                known = before or self._unknown(entry)
                after = restated(known, entry.bullet, entry.document)
                if after != before:
                    reason = f"{how} {entry.document}"
                    yield Change("edit" if before else "add", before, after, reason, utc_now())
        for memory_id, document in found.removed.items():
            before = memories.get(self._owner, memory_id)
            if before is not None:
                reason = f"{REMOVED} {document}"
                yield Change("forget", before, None, reason, utc_now())

    def _unknown(self, entry: BulletChange) -> AtomicMemoryRecord:
        """What is known of a memory before a bullet states it."""
        at = stated_columns(entry.bullet, entry.document)[0]["timestamp"] or utc_now()
        return AtomicMemoryRecord(
            id=str(entry.id), user_id=self._owner.user_id, timestamp=at, create_time=at, content=""
        )

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

    def sweep(self, gone: Collection[AtomicMemoryRecord]) -> dict[str, StoredDocument]:
        """Take forgotten memories out of every other document too: a copy would bring them back.

        What conversations have told the profile in the same words goes too. Profiles are not among
        the documents that are given back.
        """
        swept: dict[str, StoredDocument] = {}
        ids = [one.id for one in gone]
        said = {normalise(one.content) for one in gone}
        for path in self._folder.stamps() if gone else ():
            try:
                document = self._folder.read(path)
            except DocumentError:
                if holds_memories(path):
                    raise
                continue  # a profile that cannot be read holds up nobody
            if document is None:
                continue
            text = document.text
            if any(memory_id in text for memory_id in ids):
                text = remove(text, ids)
            if path == PROFILE:
                lines = noticed(text)
                text = without_lines(text, [one for one in lines if normalise(one.content) in said])
            if text != document.text:
                written = self._folder.write(path, text, over=document)
                if holds_memories(path):
                    swept[path] = written
                else:
                    with self._engine.store.transaction():
                        self._engine.store.profiles.put(self._owner, path, text_of(written))
        return swept

    def replacement(
        self, path: str, text: str, forget: bool, document: StoredDocument | None
    ) -> str:
        """The text that takes the place of a document, with what an accident took from that.

        Nothing is added unless the document is held; inside `edit`.

        Raises:
            WouldForgetError: more than a few memories are not in it, without `forget`.
        """
        state = self._engine.store.documents.known(self._owner).get(path)
        if state is not None and state.held is not None:
            text = self.completed(path, text, _ids(parse(document.text)) if document else set())
        known = {one.id for one in self._engine.store.memories.of_document(self._owner, path)}
        gone = len(known - _ids(parse(text)))
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

    def completed(
        self, path: str, text: str | None = None, seen: Collection[str | None] = ()
    ) -> str:
        """The text, or that of a new document, with all memories of it in neither it nor `seen`."""
        whole = SKELETONS.get(path, "") if text is None else text
        there = _ids(parse(whole)).union(seen)
        records = self._engine.store.memories.of_document(self._owner, path)
        return place_bullets(whole, path, [one for one in records if one.id not in there], [])


def _ids(page: MarkdownPage) -> set[str | None]:
    return {bullet.id for bullet in page.bullets}


def text_of(document: StoredDocument | None) -> DocumentText:
    """The document's text and etag; both "" for None."""
    return DocumentText(document.text, document.etag) if document else DocumentText("", "")


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
