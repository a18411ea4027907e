"""What the requests of a server share while it runs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
from fastapi import FastAPI

from chatmem.interfaces.openai.turns import Marks
from chatmem.interfaces.openai.upstream import Connections

_Key = tuple[str, str]


@dataclass(slots=True)
class Order:
    """Lets one in after the other, by key, in the order in which they came."""

    _locks: dict[_Key, tuple[anyio.Lock, int]] = field(default_factory=dict)

    @asynccontextmanager
    async def of(self, key: _Key) -> AsyncIterator[None]:
        """The turn of who asks."""
        lock, waiting = self._locks.get(key) or (anyio.Lock(), 0)
        self._locks[key] = (lock, waiting + 1)
        try:
            async with lock:
                yield
        finally:
            _, waiting = self._locks[key]
            if waiting > 1:
                self._locks[key] = (lock, waiting - 1)
            else:
                del self._locks[key]


@dataclass(slots=True)
class Shared:
    """Connections to model servers, rounds that passed through, and who saves next."""

    connections: Connections = field(default_factory=Connections)
    marks: Marks = field(default_factory=Marks)
    order: Order = field(default_factory=Order)


def shared_by(app: FastAPI) -> Shared:
    """What the requests to this application share."""
    found = getattr(app.state, "chat", None)
    if not isinstance(found, Shared):
        app.state.chat = found = Shared()
    return found
