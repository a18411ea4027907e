"""What a server keeps beside the memories: users, API keys, answers to repeated writes, receipts.

Source: interfaces.md (identity; idempotency keys; receipt, `GET /api/receipts/{id}`).
"""

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from pydantic_core import to_json

from chatmem.engine.checks import checked_user
from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.leases import LEASE, ended
from chatmem.engine.move import MoveReport, write_backup
from chatmem.engine.people import People
from chatmem.engine.space import Space, SpacePart
from chatmem.engine.worker import OpenMemory
from chatmem.errors import InvalidInputError, ReceiptNotFoundError, UserNotFoundError
from chatmem.model.people import ApiKey, UserCounts
from chatmem.model.time import from_text, moment_or_now, to_text
from chatmem.prompt.receipt import Receipt
from chatmem.storage.values import Owner, StoredAnswer

ANSWER_LIFETIME: Final = timedelta(days=1)
"""How long an idempotency key stands for its request."""
RECEIPT_LIFETIME: Final = timedelta(days=30)
_KEY_PREFIX = "cm_"
_KEY_BYTES = 32
_NO_NUMBER: Final = -1  # of a user who has a key, or an invitation, and was never here


class Users:
    """The users of a place: for whoever runs it, so offer this to no user.

    Methods that name a user raise `UserNotFoundError` for one who has nothing here.
    """

    def __init__(self, opened: OpenMemory) -> None:
        self._opened = opened
        self._engine = opened.engine
        self._store = opened.engine.store

    @property
    def deleted(self) -> int:
        """Counts up with every deletion: what a process has of users may be out of date."""
        return self._opened.closed

    def list(self) -> list[UserCounts]:
        """Everybody, by name, and how much they have."""
        return self._store.owners.counted()

    def get(self, user_id: str) -> UserCounts:
        """How much the user has."""
        user = checked_user(user_id)
        for found in self._store.owners.counted(user):
            return found
        raise UserNotFoundError(user)

    def export(self, user_id: str, file: Path) -> MoveReport:
        """Write everything of the user, history and keys too, into a backup; see `write_backup`."""
        return write_backup(self._engine, file, self._owner(self.get(user_id).user_id))

    def delete(self, user_id: str) -> int:
        """Delete a user for good: all rows, which are counted, keys, documents, folder.

        Circles that they head go to another member; answers to repeated writes, which may quote
        them, go for everybody. Copies stay: exports, backups, the logs of a database's server.

        Raises:
            InvalidInputError: nobody else has a key, and the server would be open to the machine.
            StorageError: something cannot be deleted; the user is still there, to be deleted again.
        """
        user, engine, store = checked_user(user_id), self._engine, self._store
        folder = engine.documents_of(user)
        if not store.transfer.counts(self._owner(user)) and not folder.stamps():
            raise UserNotFoundError(user)
        if {one.user_id for one in store.keys.list()} == {user}:
            raise InvalidInputError(
                f"user: nobody but {user!r} has a key, and without any the server answers all of "
                "this machine: make another one first, `chatmem keys create USER`"
            ).coded("only_keys", user=user)
        with self._opened.closing(user):
            engine.accesses.flush(store)
            owner = self._owner(user)
            folder.initialise(skeleton=False)
            with folder.lock(), store.transaction():
                people = People(Space(engine, owner, MemoryDocuments(engine, owner, folder)))
                for circle in people.circles():
                    people.remove(circle.circle_id, user)
                rows = store.erase(owner)
                store.answers.blank()
                folder.erase()  # last: where it fails, all rows are there to try again
        store.purge()
        return rows

    def _owner(self, user: str) -> Owner:
        return self._store.owners.find(user) or Owner(_NO_NUMBER, user)


class Keys(SpacePart):
    """All keys of a place: made once, kept as a hash, revoked."""

    def create(
        self, user_id: str, *, is_admin: bool = False, now: datetime | None = None
    ) -> tuple[str, ApiKey]:
        """A new key, shown only now, and what is kept of it.

        Raises:
            InvalidInputError: an id that no user can have.
        """
        key = _KEY_PREFIX + secrets.token_urlsafe(_KEY_BYTES)
        user, moment = checked_user(user_id), moment_or_now(now)
        drawn = secrets.token_hex(4)
        entry = ApiKey(id=drawn, user_id=user, is_admin=is_admin, created_at=moment)
        with self._store.transaction():
            self._store.keys.add(entry, _digest_of(key))
        return key, entry

    def list(self) -> list[ApiKey]:
        """All keys, revoked ones too, the newest first."""
        return self._store.keys.list()

    def revoke(self, key_id: str, *, now: datetime | None = None) -> None:
        """The key no longer counts, from the next request on.

        Raises:
            InvalidInputError: no such key, or one that was revoked before.
        """
        with self._store.transaction():
            done = self._store.keys.revoke(key_id, moment_or_now(now))
        if not done:
            raise InvalidInputError(
                f"key: none with the id {key_id!r} counts; `chatmem keys list` shows them"
            )

    def find(self, key: str) -> ApiKey | None:
        """What is kept of a key that counts; None for any other text."""
        found = self._store.keys.by_digest(_digest_of(key))
        return found if found is not None and found.revoked_at is None else None

    def are_needed(self) -> bool:
        """True since the first key was made: requests without one are then refused.

        When the last one is revoked, nobody is answered: revoking must not open anything.
        """
        return self._store.keys.any()

    def open(self) -> None:
        """Forget the keys that were revoked: without keys, this machine is answered again.

        Raises:
            InvalidInputError: a key counts.
        """
        with self._store.transaction():
            counting = [one.id for one in self.list() if one.revoked_at is None]
            if counting:
                raise InvalidInputError(
                    f"keys: {len(counting)} count ({', '.join(counting[:3])}, ...): revoke them "
                    "before the server may answer without"
                )
            self._store.keys.forget_revoked()


def _digest_of(key: str) -> str:
    """The hash by which a key is found; keys are random, so a plain hash is enough."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An answer as it was given: status, the headers that belong to it, and its body."""

    status: int
    headers: Mapping[str, str]
    body: str


NoAnswer: TypeAlias = Literal["other_request", "in_progress", "deleted"]
"""Why a request with an idempotency key is not carried out, and gets no answer.

The key stands for another request; its request is being carried out; or the answer was deleted,
since something was forgotten that it may have quoted.
"""


class Answers(SpacePart):
    """Answers to one user's writes with an idempotency key: a second request gets the same."""

    def begin(
        self, key: str, digest: str, *, now: datetime | None = None
    ) -> HttpAnswer | NoAnswer | None:
        """None where this request is the key's first, and then it is the caller's to finish."""
        moment = moment_or_now(now)
        owner, store, engine = self._owner, self._store, self._engine
        mark = f"{digest} {engine.holder} {to_text(moment)}"
        with store.transaction():
            store.answers.forget(moment - ANSWER_LIFETIME)
            known = store.answers.begin(owner, key, mark, moment)
            if known is not None and known.status is None and self._is_free(key, known, moment):
                store.answers.abandon(owner, key)
                known = store.answers.begin(owner, key, mark, moment)
            if known is None:
                engine.under_way.add((owner.user_id, key))
                return None
        if known.request.partition(" ")[0] != digest:
            return "other_request"
        if known.status is None:
            return "in_progress"
        if known.body is None:
            return "deleted"
        return HttpAnswer(known.status, **json.loads(known.body))

    def finish(self, key: str, answer: HttpAnswer) -> None:
        """Keep the answer of the request that was begun."""
        self._engine.under_way.discard((self._owner.user_id, key))
        body = json.dumps({"headers": answer.headers, "body": answer.body}, ensure_ascii=False)
        with self._store.transaction():
            self._store.answers.finish(self._owner, key, answer.status, body)

    def abandon(self, key: str) -> None:
        """The request was not carried out: the next with the key is the first again."""
        self._engine.under_way.discard((self._owner.user_id, key))
        with self._store.transaction():
            self._store.answers.abandon(self._owner, key)

    def _is_free(self, key: str, known: StoredAnswer, now: datetime) -> bool:
        """True where whoever began the request no longer carries it out, as far as is known.

        This engine knows its own. Another may have died, or lost the database before it could note
        the end: its claim expires.
        """
        _, holder, since = [*known.request.split(" ", 2), "", ""][:3]
        if holder == self._engine.holder:
            return (self._owner.user_id, key) not in self._engine.under_way
        return bool(ended([holder])) or not since or from_text(since) < now - LEASE


class Receipts(SpacePart):
    """Receipts of one user's prompts: why an answer knew what it knew."""

    def put(
        self, receipt: Receipt, session_id: str | None = None, *, now: datetime | None = None
    ) -> None:
        """Keep the receipt for `RECEIPT_LIFETIME`; older ones of all users go.

        Raises:
            DatabaseError: it cannot be written.
        """
        table, moment = self._store.receipts, moment_or_now(now)
        body = to_json(receipt).decode()
        with self._store.transaction():
            table.put(self._owner, receipt.id, session_id, body, moment)
            table.forget(moment - RECEIPT_LIFETIME)

    def get(self, receipt_id: str) -> Mapping[str, Any]:
        """The receipt as `Receipt.as_json` gives it.

        Raises:
            ReceiptNotFoundError: this user has none of this id, or no longer.
        """
        found = self._store.receipts.get(self._owner, str(receipt_id))
        if found is None:
            raise ReceiptNotFoundError(str(receipt_id))
        receipt: Mapping[str, Any] = json.loads(found)
        return receipt
