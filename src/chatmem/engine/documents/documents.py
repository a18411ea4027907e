"""A user's Markdown documents and the index, in step with one another.

A write goes to the file first, then into one transaction. What a person or a crash left in a file
is folded in before, by comparing the bullets with the rows. A file that cannot be read or written
is a DocumentError, and nothing was changed.

Source: decisions 2; S2.2, S5.1, S5.2.2, S5.8.1, S5.9.1.
"""

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from math import inf
from typing import TypeAlias, TypeVar

from chatmem.engine.documents.changes import Change, record_changes
from chatmem.engine.documents.sync import UNSEEN, DocumentSync, text_of
from chatmem.engine.state import Engine
from chatmem.errors import ChatmemError, InvalidInputError, StaleEtagError
from chatmem.model import AtomicMemoryRecord, DocumentText, Missing
from chatmem.storage.documents.difference import DocumentChanges
from chatmem.storage.documents.places import MAIN, document_day, holds_memories, require_document
from chatmem.storage.documents.ports import (
    DocumentBusyError,
    DocumentChangedError,
    DocumentStore,
    StoredDocument,
)
from chatmem.storage.documents.records import place_bullets, without_cut_line
from chatmem.storage.tables.owners import State
from chatmem.storage.values import KnownDocument, Owner, Together
from chatmem.text.bullets import Bullet, render, visible_text
from chatmem.text.clean import clean_text
from chatmem.text.tokens import count_tokens

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
Write: TypeAlias = tuple[AtomicMemoryRecord, datetime, str, bool]
"""A memory to be written, when, why, and whether it may be there already."""
_ATTEMPTS = 5
_COPY = (
    "is a copy of a document that nothing reads; sync tools leave one where two machines changed a "
    "file: put what you miss into the original, then delete the copy"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReindexReport:
    """What a reindex found and did."""

    rows: int
    added: int
    changed: int
    moved: int
    removed: int
    restored: tuple[str, ...]
    held: tuple[str, ...]


def checked_content(content: object, most_bytes: int | None = None) -> str:
    """The text as a file has it: cleaned, and ended by a line end.

    Raises:
        InvalidInputError: no text, or more than `most_bytes`.
    """
    if not isinstance(content, str):
        raise InvalidInputError(f"content: got {type(content).__name__}, takes text")
    cleaned = clean_text(content)
    text = f"{cleaned}\n" if cleaned else ""
    size = len(text.encode())
    if most_bytes is not None and size > most_bytes:
        raise InvalidInputError(
            f"content: got {size:,} bytes, takes at most {most_bytes:,}; a profile stands in every "
            "prompt, so keep it short"
        ).coded("long", most=most_bytes)
    return text


class MemoryDocuments:
    """The documents of one user; `folder` has the files themselves."""

    def __init__(self, engine: Engine, owner: Owner, folder: DocumentStore) -> None:
        self._engine = engine
        self._owner = owner
        self.folder = folder
        self._sync = DocumentSync(engine, owner, folder)
        self._scanned_s = float("-inf")
        self._main: tuple[StoredDocument | None, float] = (None, inf)
        """MEMORY.md as this process has last written it, and how many tokens it takes at most."""
        self._noted: dict[str, str] = {}
        self._copies: Mapping[str, Collection[str]] = {}
        self.together = Together[Sequence[Write], list[AtomicMemoryRecord]](folder.lock)

    def initialise(self) -> None:
        """Create what is missing and heal what a crash left; what is busy is left for later."""
        with suppress(DocumentBusyError):
            known = self._engine.store.documents.known(self._owner)
            self.folder.initialise(skeleton=MAIN not in known)
            self.fold_in()

    def refresh(self) -> State:
        """The state, behind outside edits if `memory.scan_interval_seconds` are over."""
        state = self._engine.store.owners.state(self._owner)
        self._engine.note_caller(state.settings)
        if time.monotonic() - self._scanned_s < self._engine.settings.memory.scan_interval_seconds:
            return state
        self.fold_in()
        return self._engine.store.owners.state(self._owner)

    def notice(self) -> None:
        """Fold outside edits in for the watcher; what goes wrong is raised by the next call."""
        try:
            self.fold_in()
        except ChatmemError as error:
            _log.warning("outside edits are not folded in yet: %s", error)

    def read_text(self, path: str) -> DocumentText:
        """The text as it stands, ids in comments included.

        What was edited outside is folded in first: it gives new bullets their ids, and an etag from
        before that would be stale at once.
        """
        self.fold_in()
        return text_of(self.folder.read(path))

    def write_text(
        self, path: str, content: str, etag: str | None = None, *, forget: bool = False
    ) -> DocumentText:
        """The document of memories after a person has written it, with the ids of new bullets.

        What the person writes wins, as in an editor: bullets without an id become memories, changed
        ones keep theirs, and those that are gone are forgotten. Memories that an accident outside
        had taken from the file are put back: the writer never saw them go.

        Raises:
            InvalidInputError: no text.
            StaleEtagError: it has changed since it had this etag; has the text as it stands.
            WouldForgetError: more than 3 memories would be forgotten, without `forget`.
        """
        change = partial(self._sync.replacement, path, checked_content(content), forget)
        return text_of(self.rewrite(path, change, etag))

    def rewrite(
        self,
        path: str,
        change: Callable[[StoredDocument | None], str | None],
        etag: str | None = None,
    ) -> StoredDocument | None:
        """The document after `change`, which gives its new text, or None to leave it.

        `change` is repeated when an editor saves in between. A log in which nothing is left is
        removed.

        Raises:
            StaleEtagError: the document, whose etag is "" where there is none, has another.
        """

        def write() -> StoredDocument | None:
            before = self.folder.read(path)
            known = before.etag if before else ""
            if etag is not None and etag != known:
                raise StaleEtagError(path, etag, known, before.text if before else "")
            text = change(before)
            is_over = text == "" and document_day(path) is not None
            if text is None or (before is not None and before.text == text and not is_over):
                return before
            written = None
            if is_over:
                self.folder.remove(path)
            else:
                written = self.folder.write(path, text, over=before)
            if not holds_memories(path):
                return written
            self.fold_in(accepted=(path,))
            return self.folder.read(path)

        return self.edit(write)

    def store_profile(self, path: str, document: StoredDocument | None) -> None:
        """Bring the table up to a profile's file; where a line is gone, to purge it is due."""
        store, content = self._engine.store, text_of(document)
        known = store.profiles.get(self._owner, path) or text_of(None)
        if known == content:
            return
        with store.transaction():
            store.profiles.put(self._owner, path, content)
            if not {*known.content.split("\n")} <= {*content.content.split("\n")}:
                store.answers.blank()
                store.purge()

    def main_tokens(self, limit: int, changes: Collection[Change] = ()) -> int:
        """The most tokens a prompt takes of MEMORY.md with these changes; exact above `limit`."""
        (written, tokens), more = self._main, _more(changes)
        document = self.folder.read(MAIN, written)
        if document is not written or tokens + more > limit:
            tokens = count_tokens(visible_text(document.text)) if document else 0
            if document and document is written:
                self._main = document, tokens
        return int(tokens + more)

    def notices(self, *, held_too: bool = True) -> tuple[Missing, ...]:
        """Documents that cannot be read, and with a last change not folded in if any is; why."""
        known = (self._engine.store.documents.known(self._owner) if held_too else {}).values()
        told = (*(one.held for one in known), *self._noted.values(), *self._sync.told.values())
        return tuple(Missing("document", why) for why in told if why)

    def note(self, path: str, why: str | None) -> None:
        """Add to the notices why a document could not be used; None: it can be, again."""
        self._noted[path] = why or ""

    def edit(self, operation: Callable[[], _T], *, is_add: bool = False) -> _T:
        """Run an operation that calls `apply`, with outside edits folded in and others kept out.

        An editor does not know our lock: when it saves in between, all is done again. What merely
        adds reads the settings with what it writes, and looks at the documents that it writes.
        """
        self._engine.callers.note()
        if not is_add:
            self._engine.obey_settings()
        attempt = 0
        while True:
            attempt += 1
            with self.folder.lock():
                if not is_add or attempt > 1:
                    self.fold_in()
                try:
                    return operation()
                except DocumentChangedError:
                    if attempt == _ATTEMPTS:
                        raise

    def apply(self, changes: Collection[Change], also: Callable[[], None] = lambda: None) -> None:
        """Bring changes, if there are any, into the files, then into the index; inside `edit`.

        `also` writes rows in the transaction of the last of them.

        Raises:
            DocumentChangedError: an editor has saved since outside edits were folded in.
            DatabaseError: the index cannot be written; of many changes the first may be in, and the
                files have no others.
            UserNotFoundError: the user was deleted meanwhile; the same.
        """
        if not changes:
            return
        documents = self._engine.store.documents
        forgotten = [one.before for one in changes if one.before and one.after is None]
        if forgotten:  # other documents are written then, which may be held
            self._main = None, inf
        before, held = self._as_noted(_paths(changes))
        written = [
            self.folder.write(path, self._text(path, old, changes, path in held), over=old)
            for path, old in before.items()
        ]
        written += self._sync.sweep(forgotten).values()
        done = list[Change]()

        def finish() -> None:
            for one in written:  # what is held may hold edits that nobody has looked at yet
                state = ("", UNSEEN) if one.path in held else (one.etag, one.stamp)
                documents.put(self._owner, KnownDocument(one.path, *state))
            also()
            self._engine.obey_settings()

        try:
            record_changes(self._engine.store, self._owner, changes, finish, done)
        except ChatmemError:  # a caller who tries again must not write everything twice
            in_rows = _paths(done)
            for path, old in before.items():
                if path in in_rows:
                    self.folder.write(path, self._text(path, old, done, path in held))
                elif old is None:
                    self.folder.remove(path)
                else:
                    self.folder.write(path, old.text)
            raise
        if MAIN in before and MAIN not in held:
            tokens = self._main[1] if before[MAIN] is self._main[0] else inf
            self._main = [one for one in written if one.path == MAIN][-1], tokens + _more(changes)
        self._engine.wake.set()

    def _as_noted(self, paths: list[str]) -> tuple[dict[str, StoredDocument | None], set[str]]:
        """The documents to write, and which of all are held.

        Raises:
            DocumentChangedError: one that is not held was changed since it was folded in.
        """
        written, _ = self._main
        if paths == [MAIN] and written and self.folder.read(MAIN, written) is written:
            return {MAIN: written}, set()
        known = self._engine.store.documents.known(self._owner, paths)
        held = {path for path, one in known.items() if one.held is not None}
        found = dict[str, StoredDocument | None]()
        for path in paths:
            found[path] = old = self.folder.read(path, written if path == MAIN else None)
            stamp = known[path].stamp if path in known else None
            if path not in held and stamp != (old.stamp if old else None):
                raise DocumentChangedError(f"{path} was changed by somebody else; read it again")
        return found, held

    def fold_in(
        self, *, everything: bool = False, accepted: Collection[str] = ()
    ) -> DocumentChanges:
        """What people changed outside, brought into the index.

        `everything` reads all documents, changed or not; `accepted` names documents whose change
        looks like an accident and is confirmed.
        """
        self._scanned_s = time.monotonic()
        self._look_beside()
        if not everything and not accepted and not self._sync.is_due():
            return DocumentChanges()
        with self.folder.lock():
            for _ in range(_ATTEMPTS):
                with suppress(DocumentChangedError):
                    return self._sync.fold_in(everything=everything, accepted=accepted)
        return DocumentChanges()

    def _look_beside(self) -> None:
        """Tell of copies that sync tools leave where two machines have changed a document."""
        copies = self.folder.copies()
        if copies == self._copies:
            return
        documented = self._engine.store.memories.documented(self._owner)
        known = {memory_id for _, memory_id, _ in documented}
        for path in {*self._copies, *copies}:
            is_copy = not known.isdisjoint(copies.get(path, ()))
            self.note(path, f"{path} {_COPY}" if is_copy else None)
        self._copies = copies

    def reindex(self, accept: Collection[str] = ()) -> ReindexReport:
        """Read every document, restore those that were lost, and make terms and codes anew.

        `accept` names documents whose change looked like an accident and is meant.

        Raises:
            InvalidInputError: `accept` names something that is no memory document.
        """
        for path in accept:
            require_document(path)
        self.fold_in()  # what is missing is known only after a look
        restored = () if accept else self._sync.restore_missing()
        found = self.fold_in(everything=True, accepted=accept)
        rows = self._engine.store.reindex()
        self._engine.store.pack()
        self._engine.wake.set()
        return ReindexReport(
            rows=rows,
            added=len(found.added),
            changed=len(found.changed),
            moved=len(found.moved),
            removed=len(found.removed),
            restored=restored,
            held=tuple(notice.why for notice in self.notices()),
        )

    def _text(
        self,
        path: str,
        document: StoredDocument | None,
        changes: Collection[Change],
        is_held: bool,
    ) -> str:
        if document is None or not document.text or document.text.isspace():
            text = self._sync.completed(path)
        elif is_held:  # a write must not make an accident final
            text = self._sync.completed(path, without_cut_line(document.text))
        else:
            text = document.text
        last = {one.after.id: one.after for one in changes if one.after}  # several may be of one
        put = [one for one in last.values() if one.document == path]
        there = {one.id for one in put}
        left = (one.before for one in changes if one.before and one.before.document == path)
        gone = [one.id for one in left if one.id not in there]
        return place_bullets(text, path, put, gone)


def _more(changes: Collection[Change]) -> int:
    """By how many tokens MEMORY.md grows at most, blank lines included; below 0 if it shrinks."""
    come = [one.after.content for one in changes if one.after and one.after.document == MAIN]
    gone = [one.before.content for one in changes if one.before and one.before.document == MAIN]
    most, least = (sum(count_tokens(render(Bullet(one))) for one in side) for side in (come, gone))
    return most + len(come) - least + len(gone)


def _paths(changes: Collection[Change]) -> list[str]:
    """Documents to write: those that gain a bullet before those that only lose one."""
    gain = {one.after.document for one in changes if one.after and one.after.document}
    lose = {one.before.document for one in changes if one.before and one.before.document}
    # The archive before MEMORY.md: a crash in between leaves a copy, never a hole.
    return sorted(gain, key=lambda path: (path == MAIN, path)) + sorted(lose - gain)
