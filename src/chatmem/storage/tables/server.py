"""What belongs to a server: keys, receipts, answers to repeated writes, and changed settings."""

import json
from collections.abc import Mapping
from datetime import datetime

from chatmem.model.people import ApiKey
from chatmem.storage.documents.records import value_of
from chatmem.storage.tables.database import Table, to_bindings
from chatmem.storage.values import Owner, StoredAnswer


class KeyTable(Table):
    """API keys, of which only hashes are stored: the table `api_key`."""

    def add(self, key: ApiKey, digest: str) -> None:
        """Store a new key's hash."""
        self._db.run("server.add_key", **to_bindings(key), hash=digest)

    def by_digest(self, digest: str) -> ApiKey | None:
        """The key with this hash, revoked or not."""
        return self._db.record(ApiKey, "server.key_by_hash", hash=digest)

    def list(self) -> list[ApiKey]:
        """All keys, the newest first."""
        return self._db.records(ApiKey, "server.keys")

    def revoke(self, key_id: str, at: datetime) -> bool:
        """True when there is such a key, and it counted until now."""
        return self._db.row("server.revoke_key", id=key_id, at=at) is not None

    def any(self) -> bool:
        """True when any key is stored, revoked or not: a server then asks for one."""
        return self._db.row("server.any_key") is not None

    def forget_revoked(self) -> None:
        """Delete the keys that were revoked."""
        self._db.run("server.forget_revoked_keys")


class ReceiptTable(Table):
    """Receipts of prompts, for a while: the table `receipt`."""

    def put(
        self, owner: Owner, receipt_id: str, session_id: str | None, body: str, at: datetime
    ) -> None:
        """Insert or replace; the same prompt has the same receipt."""
        named = {"id": receipt_id, "session_id": session_id, "created_at": at, "body": body}
        self._db.run("server.put_receipt", owner, **named)

    def get(self, owner: Owner, receipt_id: str) -> str | None:
        """The owner's receipt, or None."""
        body: str | None = self._db.value("server.receipt", owner, id=receipt_id)
        return body

    def forget(self, before: datetime) -> None:
        """Delete those from before then."""
        self._db.run("server.forget_receipts", before=before)


class AnswerTable(Table):
    """Answers to writes with an idempotency key, for a while: the table `idempotent_answer`."""

    def begin(self, owner: Owner, key: str, request: str, at: datetime) -> StoredAnswer | None:
        """None when this is the first; else what is known of the one before."""
        named = {"key": key, "request": request, "created_at": at}
        if self._db.row("server.begin_answer", owner, **named) is not None:
            return None
        return self._db.record(StoredAnswer, "server.answer", owner, key=key)

    def finish(self, owner: Owner, key: str, status: int, body: str) -> None:
        """Store the answer."""
        self._db.run("server.finish_answer", owner, key=key, status=status, body=body)

    def abandon(self, owner: Owner, key: str) -> None:
        """It was not done: the next attempt is the first."""
        self._db.run("server.abandon_answer", owner, key=key)

    def blank(self) -> None:
        """Delete the text of all answers; that they were given stays known."""
        self._db.run("server.blank_answers")

    def forget(self, before: datetime) -> None:
        """Delete those from before then."""
        self._db.run("server.forget_answers", before=before)


class SettingTable(Table):
    """Settings that were changed from inside, in the table `setting`; they stay with the data.

    Every change raises the version in the same transaction.
    """

    def stored(self) -> Mapping[str, object]:
        """By dotted name; text that somebody wrote without quotes is taken as it stands."""
        return {name: value_of(text) for name, text in self._db.rows("settings.all")}

    def put(self, name: str, value: object) -> None:
        """Insert or replace."""
        with self._db.transaction():
            text = json.dumps(value, ensure_ascii=False)
            self._db.run("settings.put", name=name, value=text)
            self._db.run("settings.touch")

    def delete(self, name: str) -> None:
        """The file, the environment or the default counts again."""
        with self._db.transaction():
            self._db.run("settings.delete", name=name)
            self._db.run("settings.touch")

    def version(self) -> int:
        """Changes whenever a setting was stored or deleted, by whatever process."""
        return self._db.value("settings.version") or 0
