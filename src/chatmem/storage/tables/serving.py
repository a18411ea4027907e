"""Keys, receipts and answers of a server,."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from chatmem.model.key import ApiKey
from chatmem.model.time import from_text, to_text
from chatmem.storage.tables.database import Row, SqlDatabase
from chatmem.storage.tables.rows import bound
from chatmem.storage.values import Answer, Owner


class KeyTable:
    """API keys, of which only hashes are kept: the table `api_key`."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("serving")

    def add(self, key: ApiKey, digest: str) -> None:
        """Keep a new key's hash."""
        bindings = {
            "id": key.id, "hash": digest, "user_id": key.user_id, "is_admin": int(key.is_admin),
            "created_at": to_text(key.created_at),
        }  # fmt: skip
        self._db.execute(self._sql["add_key"], bindings)

    def by_digest(self, digest: str) -> ApiKey | None:
        """The key with this hash, revoked or not."""
        found = self._db.one(self._sql["key_by_hash"], {"hash": digest})
        return _key(found) if found else None

    def list(self) -> list[ApiKey]:
        """All keys, the newest first."""
        return [_key(row) for row in self._db.execute(self._sql["keys"])]

    def revoke(self, key_id: str, at: datetime) -> bool:
        """True when there is such a key, and it counted until now."""
        return self._db.one(self._sql["revoke_key"], {"id": key_id, "at": to_text(at)}) is not None

    def any(self) -> bool:
        """True when any key is kept, revoked or not: a server then asks for one."""
        return self._db.one(self._sql["any_key"]) is not None

    def forget_revoked(self) -> None:
        """Keep nothing of keys that were revoked."""
        self._db.execute(self._sql["forget_revoked_keys"])


class ReceiptTable:
    """Receipts of prompts, for a while: the table `receipt`."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("serving")

    def put(
        self,
        owner: Owner,
        receipt_id: str,
        session_id: str | None,
        body: Mapping[str, Any],
        at: datetime,
    ) -> None:
        """Keep it; the same prompt has the same receipt."""
        bindings = {
            "id": receipt_id, "user_id": owner.user_id, "session_id": session_id,
            "created_at": to_text(at), "body": json.dumps(dict(body), ensure_ascii=False),
        }  # fmt: skip
        self._db.execute(self._sql["put_receipt"], bindings)

    def get(self, owner: Owner, receipt_id: str) -> Mapping[str, Any] | None:
        """The owner's receipt, or None."""
        found = self._db.one(self._sql["receipt"], bound(owner, id=receipt_id))
        return json.loads(found[0]) if found else None

    def forget(self, before: datetime) -> None:
        """Forget those from before then."""
        self._db.execute(self._sql["forget_receipts"], {"before": to_text(before)})


class AnswerTable:
    """Answers to writes with an idempotency key, for a while: the table `idempotent_answer`."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("serving")

    def begin(self, owner: Owner, key: str, request: str, at: datetime) -> Answer | None:
        """None when this is the first; else what is known of the one before."""
        bindings = {
            "user_id": owner.user_id, "key": key, "request": request, "created_at": to_text(at),
        }  # fmt: skip
        if self._db.one(self._sql["begin_answer"], bindings) is not None:
            return None
        found = self._db.one(self._sql["answer"], bound(owner, key=key))
        return Answer(found[0], found[1], found[2]) if found else None

    def finish(self, owner: Owner, key: str, status: int, body: str) -> None:
        """Keep the answer."""
        bindings = {"user_id": owner.user_id, "key": key, "status": status, "body": body}
        self._db.execute(self._sql["finish_answer"], bindings)

    def abandon(self, owner: Owner, key: str) -> None:
        """It was not done: the next attempt is the first."""
        self._db.execute(self._sql["abandon_answer"], bound(owner, key=key))

    def blank(self) -> None:
        """Let go of what all answers say; that they were given stays known."""
        self._db.execute(self._sql["blank_answers"])

    def forget(self, before: datetime) -> None:
        """Forget those from before then."""
        self._db.execute(self._sql["forget_answers"], {"before": to_text(before)})


def _key(row: Row) -> ApiKey:
    return ApiKey(
        id=row[0],
        user_id=row[1],
        is_admin=bool(row[2]),
        created_at=from_text(row[3]),
        revoked_at=from_text(row[4]) if row[4] else None,
    )
