"""Circles of people, what is shared in them; documents as rows, and what was last read of any."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import groupby

import numpy as np

from chatmem.errors import InvalidInputError
from chatmem.model import Circle, CircleKind, DocumentText, Invitation, Member, RoleRule
from chatmem.model.time import utc_now
from chatmem.storage.documents.places import MAIN, SKELETONS, require_document
from chatmem.storage.documents.ports import (
    DocumentChangedError,
    Stamp,
    StoredDocument,
    encoded,
    etag_of,
)
from chatmem.storage.tables.database import Row, SqlDatabase, Table, from_row
from chatmem.storage.tables.owners import row_of
from chatmem.storage.values import KnownDocument, Owner, SharedRows
from chatmem.text.normalise import tag_form


class PeopleTable(Table):
    """Households and groups, their members, and the rules of their roles. Source: decisions 6.

    Every change raises the version of what is shared, in the same transaction.
    """

    def create(
        self, circle_id: str, kind: CircleKind, name: str, head: str, role: str, at: datetime
    ) -> None:
        """A new circle with its head as the first member."""
        named = {"kind": kind, "name": name, "head": head, "at": at}
        self._db.run("people.create", circle_id=circle_id, **named)
        self.put_member(circle_id, head, role, at)

    def circle(self, circle_id: str) -> Circle | None:
        """The circle with its members, or None."""
        found = self._db.row("people.circle", circle_id=circle_id)
        return self._circle(found) if found else None

    def circles_of(self, user_id: str, kind: CircleKind | None = None) -> list[Circle]:
        """The circles that a user is in, the oldest first."""
        found = self._db.rows("people.circles_of", member=user_id, kind=kind)
        return [self._circle(row) for row in found]

    def invite(self, circle_id: str, user_id: str, role: str, at: datetime) -> None:
        """Ask a user in; nothing is shared before `put_member`."""
        self._db.run("people.invite", circle_id=circle_id, member=user_id, role=role, at=at)

    def invited(self, user_id: str) -> list[Invitation]:
        """What a user is invited to, the oldest first."""
        return self._db.records(Invitation, "people.invited", member=user_id)

    def uninvite(self, circle_id: str, user_id: str) -> bool:
        """True when the user was invited."""
        return bool(self._db.rows("people.uninvite", circle_id=circle_id, member=user_id))

    def put_head(self, circle_id: str, user_id: str) -> None:
        """Another member is the head from now on."""
        self._db.run("people.put_head", circle_id=circle_id, head=user_id)

    def put_member(self, circle_id: str, user_id: str, role: str, at: datetime) -> None:
        """Take a user in, or give a member another role."""
        self._db.run("people.put_member", circle_id=circle_id, member=user_id, role=role, at=at)
        self._db.run("people.touch")

    def remove_member(self, circle_id: str, user_id: str) -> None:
        """Take a user out; one who is not in it is no error."""
        self._db.run("people.remove_member", circle_id=circle_id, member=user_id)
        self._db.run("people.touch")

    def delete(self, circle_id: str) -> None:
        """Delete the circle, all memberships and invitations."""
        for name in ("delete_invitations", "delete_members", "delete"):
            self._db.run(f"people.{name}", circle_id=circle_id)
        self._db.run("people.touch")

    def rules(self, role: str | None = None) -> list[RoleRule]:
        """The rules of a role, or all."""
        return self._db.records(RoleRule, "people.rules", role=role)

    def set_rules(self, role: str, rules: Sequence[RoleRule]) -> None:
        """Replace a role's rules; without any it sees nothing."""
        self._db.run("people.delete_rules", role=role)
        bindings = [{"role": role, "effect": one.effect, "tag": tag_form(one.tag)} for one in rules]
        self._db.many("people.put_rule", None, bindings)
        self._db.run("people.touch")

    def shared_with(self, viewer: Owner) -> list[SharedRows]:
        """Rows of others that the viewer may see, by owner."""
        found = self._db.rows("memories.shared_with", viewer)
        shared = []
        for (number, user_id, version), group in groupby(found, key=lambda row: row[:3]):
            rows = list(group)
            numbers = np.array([row_of(row[3]) for row in rows], np.int64)
            ids = tuple(row[4] for row in rows)
            shared.append(SharedRows(Owner(number, user_id), version, numbers, ids))
        return shared

    def _circle(self, row: Row) -> Circle:
        members = self._db.rows("people.members", circle_id=row[0])
        return from_row(Circle, (*row, tuple(Member(*member) for member in members)))


class DocumentTable(Table):
    """The state in which each Markdown file was last folded in: the table `document`."""

    def known(self, owner: Owner, paths: list[str] | None = None) -> Mapping[str, KnownDocument]:
        """By path; with `paths` these alone, and those that are held."""
        found = self._db.rows(f"documents.{'of' if paths else 'all'}", owner, paths=paths)
        return {
            path: KnownDocument(path, etag, Stamp(*stamp), held)
            for path, etag, *stamp, held in found
        }

    def put(self, owner: Owner, document: KnownDocument) -> None:
        """Insert or replace."""
        named = {"path": document.path, "etag": document.etag, "held": document.held}
        self._db.run("documents.put", owner, **named, **document.stamp._asdict())

    def delete(self, owner: Owner, path: str) -> None:
        """Forget about the file."""
        self._db.run("documents.delete", owner, path=path)


class DocumentRows:
    """The documents of one user as rows of `document_text`. Implements `DocumentStore`.

    The lock is a transaction, which on PostgreSQL has locked the user's row in `owner`: between
    `lock` and its end a document and the memories in it are written together, or not at all.

    Source: decisions 2.
    """

    def __init__(self, database: SqlDatabase, user_id: str) -> None:
        self._db = database
        self._user_id = user_id

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keeps other writers of this user out, in every process; may be nested in a thread."""
        with self._db.transaction():
            self._rows("lock")
            yield

    def initialise(self, *, skeleton: bool = True) -> None:
        """Writes an empty MEMORY.md if there is none. Source: S5.1.3."""
        if skeleton and self.stamp(MAIN) is None:
            with self.lock():
                if self.stamp(MAIN) is None:
                    self.write(MAIN, SKELETONS[MAIN])

    def stamps(self) -> Mapping[str, Stamp]:
        """Every document there is, by its path."""
        return {path: Stamp(version, 0, size, 0) for path, version, size in self._rows("stamps")}

    def stamp(self, path: str) -> Stamp | None:
        """One document's entry of `stamps`, or None when there is none."""
        found = self._rows("stamp", path)
        return Stamp(found[0][0], 0, found[0][1], 0) if found else None

    def copies(self) -> Mapping[str, Collection[str]]:
        """Nothing stands beside rows."""
        return {}

    def read(self, path: str, known: StoredDocument | None = None) -> StoredDocument | None:
        """The document, or None when there is none; what is `known` if it looks as it did then."""
        if known is not None and self.stamp(path) == known.stamp:
            return known
        for content, etag, version, size in self._rows("read", path):
            return StoredDocument(path, content, etag, Stamp(version, 0, size, 0))
        return None

    def write(self, path: str, text: str, over: StoredDocument | None = None) -> StoredDocument:
        """Stores the text; inside `lock`, together with all else that is written there.

        Raises:
            DocumentChangedError: the document is no longer what `over` says.
            InvalidInputError: text that a row cannot carry.
        """
        data = encoded(path, text)
        if "\0" in text:
            raise InvalidInputError(f"{path}: the text holds a NUL character; clean it")
        etag = etag_of(data)
        if self._db.has_failed:
            return StoredDocument(path, text, etag, Stamp(0, 0, len(data), 0))
        with self.lock():
            if over is not None and self.stamp(path) != over.stamp:
                raise DocumentChangedError(
                    f"{self._user_id}'s {path} was changed by somebody else; read it again"
                )
            ((version,),) = self._rows("write", path, content=text, etag=etag)
        return StoredDocument(path, text, etag, Stamp(version, 0, len(data), 0))

    def remove(self, path: str) -> None:
        """Removes the document; one that is not there is no error."""
        if self._db.has_failed:
            return
        with self.lock():
            self._rows("remove", path)

    def erase(self) -> None:
        """Nothing: these rows go with all others of the user."""

    def _rows(self, name: str, path: str | None = None, **bindings: object) -> list[Row]:
        if path is not None:
            require_document(path)
        named = {"user_id": self._user_id, "path": path, **bindings}
        return self._db.execute(self._db.statement(f"documents.{name}_text"), named, self._user_id)


class ProfileTable(Table):
    """USER.md and HOUSEHOLD.md as they were last read: the table `user_profile`. Source: S2.2."""

    def get(self, owner: Owner, path: str) -> DocumentText | None:
        """The cached document, or None."""
        return self._db.record(DocumentText, "profiles.get", owner, path=path)

    def put(self, owner: Owner, path: str, document: DocumentText) -> None:
        """Insert or replace; no older version stays."""
        # When the cache was made, and no fact about the user: the clock of this machine.
        named = {"content": document.content, "etag": document.etag, "at": utc_now()}
        with self._db.transaction():
            self._db.run("profiles.delete", owner, path=path)
            self._db.run("profiles.insert", owner, path=path, **named)
