"""Answers given to writes that carried an idempotency key, so that a second one gets the same.

Source: interfaces.md (REST: idempotency keys on writes).
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from chatmem.engine.leases import LEASE, gone
from chatmem.engine.space import Space
from chatmem.model.time import as_utc, from_text, to_text, utc_now

KEPT: Final = timedelta(days=1)
"""How long a key stands for its request."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer as it was given: status, the headers that belong to it, and its body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: str


@dataclass(frozen=True, slots=True)
class OtherRequest:
    """The key stands for another request."""


@dataclass(frozen=True, slots=True)
class InProgress:
    """The key's request is being carried out."""


@dataclass(frozen=True, slots=True)
class LetGo:
    """The key's request was carried out; what was answered is kept no longer.

    Something was forgotten since, and the answer may have quoted it.
    """


class Answers:
    """The answers to one user's writes."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def begin(
        self, key: str, digest: str, *, now: datetime | None = None
    ) -> KeptAnswer | OtherRequest | InProgress | LetGo | None:
        """None where this request is the key's first, and then it is the caller's to finish."""
        moment = as_utc(now) if now else utc_now()
        table = self._space.store.answers
        mark = f"{digest} {self._space.engine.under_way.holder} {to_text(moment)}"
        with self._space.store.transaction():
            table.forget(moment - KEPT)
            known = table.begin(self._space.owner, key, mark, moment)
            before, _, claim = known.request.partition(" ") if known else ("", "", "")
            is_free = known is None
            if known is not None and known.status is None and self._is_nobodys(key, claim, moment):
                table.abandon(self._space.owner, key)
                is_free = table.begin(self._space.owner, key, mark, moment) is None
            if is_free:
                self._under_way.add((self._space.owner.user_id, key))
        if known is None or is_free:
            return None
        if before != digest:
            return OtherRequest()
        if known.status is None:
            return InProgress()
        if known.body is None:
            return LetGo()
        kept = json.loads(known.body)
        headers = tuple((name, value) for name, value in kept["headers"])
        return KeptAnswer(known.status, headers, kept["body"])

    def finish(self, key: str, answer: KeptAnswer) -> None:
        """Keep the answer of the request that was begun."""
        self._under_way.discard((self._space.owner.user_id, key))
        body = json.dumps({"headers": answer.headers, "body": answer.body}, ensure_ascii=False)
        with self._space.store.transaction():
            self._space.store.answers.finish(self._space.owner, key, answer.status, body)

    def abandon(self, key: str) -> None:
        """The request was not carried out: the next with the key is the first again."""
        self._under_way.discard((self._space.owner.user_id, key))
        with self._space.store.transaction():
            self._space.store.answers.abandon(self._space.owner, key)

    @property
    def _under_way(self) -> set[tuple[str, str]]:
        return self._space.engine.under_way.keys

    def _is_nobodys(self, key: str, claim: str, now: datetime) -> bool:
        """True where who began the request carries it out no longer, as far as can be told.

        What this engine carries out it knows. Another may have died, or have lost the database
        before it could say that it is done: its claim ends with time.
        """
        holder, _, since = claim.partition(" ")
        if holder == self._space.engine.under_way.holder:
            return (self._space.owner.user_id, key) not in self._under_way
        return bool(gone([holder])) or not since or from_text(since) < now - LEASE
