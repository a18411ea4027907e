"""The ports of a server: its keys, the receipts of its prompts, and answers given already."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from chatmem.model.key import ApiKey
from chatmem.storage.ports.values import Owner


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered to a write.

    `status` is None while it is being done; `body` then, and when it was let go.
    """

    request: str
    status: int | None
    body: str | None


class KeyTable(Protocol):
    """API keys, of which only hashes are kept."""

    def add(self, key: ApiKey, digest: str) -> None:
        """Keep a new key's hash."""

    def by_digest(self, digest: str) -> ApiKey | None:
        """The key with this hash, revoked or not."""

    def list(self) -> list[ApiKey]:
        """All keys, the newest first."""

    def revoke(self, key_id: str, at: datetime) -> bool:
        """True when there is such a key, and it counted until now."""

    def any(self) -> bool:
        """True when any key is kept, revoked or not: a server then asks for one."""

    def forget_revoked(self) -> None:
        """Keep nothing of keys that were revoked."""


class ReceiptTable(Protocol):
    """Receipts of prompts, for a while."""

    def put(
        self,
        owner: Owner,
        receipt_id: str,
        session_id: str | None,
        body: Mapping[str, Any],
        at: datetime,
    ) -> None:
        """Keep it; the same prompt has the same receipt."""

    def get(self, owner: Owner, receipt_id: str) -> Mapping[str, Any] | None:
        """The owner's receipt, or None."""

    def forget(self, before: datetime) -> None:
        """Forget those from before then."""


class AnswerTable(Protocol):
    """Answers to writes with an idempotency key, for a while."""

    def begin(self, owner: Owner, key: str, request: str, at: datetime) -> Answer | None:
        """None when this is the first; else what is known of the one before."""

    def finish(self, owner: Owner, key: str, status: int, body: str) -> None:
        """Keep the answer."""

    def abandon(self, owner: Owner, key: str) -> None:
        """It was not done: the next attempt is the first."""

    def blank(self) -> None:
        """Let go of what all answers say; that they were given stays known."""

    def forget(self, before: datetime) -> None:
        """Forget those from before then."""
