"""Answers given to writes that carried an idempotency key, so that a second one gets the same.

Source: interfaces.md (REST: idempotency keys on writes).
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from chatmem.engine.leases import gone, new_holder
from chatmem.engine.state import Engine
from chatmem.model.time import as_utc, utc_now
from chatmem.storage.ports import Owner

KEPT: Final = timedelta(days=1)
"""How long a key stands for its request."""
_HOLDER: Final = new_holder()
"""This process: a request that another was carrying out when it died is nobody's any more."""


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

    def __init__(self, engine: Engine, owner: Owner) -> None:
        self._engine = engine
        self._owner = owner

    def begin(
        self, key: str, digest: str, *, now: datetime | None = None
    ) -> KeptAnswer | OtherRequest | InProgress | LetGo | None:
        """None where this request is the key's first, and then it is the caller's to finish."""
        moment = as_utc(now) if now else utc_now()
        table = self._engine.store.answers
        with self._engine.store.transaction():
            table.forget(moment - KEPT)
            mark = f"{digest} {_HOLDER}"
            known = table.begin(self._owner, key, mark, moment)
            if known is None:
                return None
            before, _, holder = known.request.partition(" ")
            if known.status is None and gone([holder]):
                table.abandon(self._owner, key)
                table.begin(self._owner, key, mark, moment)
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
        body = json.dumps({"headers": answer.headers, "body": answer.body}, ensure_ascii=False)
        with self._engine.store.transaction():
            self._engine.store.answers.finish(self._owner, key, answer.status, body)

    def abandon(self, key: str) -> None:
        """The request was not carried out: the next with the key is the first again."""
        with self._engine.store.transaction():
            self._engine.store.answers.abandon(self._owner, key)
