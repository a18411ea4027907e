"""The façade for programs with an event loop: `MemoryService`, its calls awaited.

    async with await AsyncMemoryService.open("data") as memory:
        await memory.append_memory("Likes oolong tea", "preference")
        for hit in await memory.get_relevant_memories("what should I drink?"):
            print(hit.score, hit.memory.content)

Each method is the synchronous one in a thread: same parameters, result and errors.

Source: interfaces.md (Python).
"""

from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial, wraps
from itertools import islice
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from anyio import CancelScope, to_thread

from chatmem.config import Settings
from chatmem.engine.service import MemoryService
from chatmem.model import AtomicMemoryRecord
from chatmem.providers.embedding import Embedder

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
_EXPORT_BATCH = 500


class Behind(Generic[T_co]):
    """A synchronous object whose methods are awaited, and those of its parts.

    They run in threads of anyio's; a call that began is carried out to its end.
    """

    def __init__(self, wrapped: T_co) -> None:
        self._wrapped = wrapped

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - a coroutine function, or a part
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(self._wrapped, name)
        if not callable(found):
            return Behind(found)

        @wraps(found)
        async def call(*args: object, **kwargs: object) -> object:
            return await to_thread.run_sync(partial(found, *args, **kwargs))

        return call

    def __dir__(self) -> Iterable[str]:
        return {*super().__dir__(), *dir(self._wrapped)}


class AsyncMemoryService(Behind[MemoryService]):
    """The memory of one user, for an event loop; attributes as those of `MemoryService`, awaited.

    Calls may run at the same time, as many as anyio has threads (40 by default). One that is
    cancelled is carried out to its end; callbacks are called in its thread.
    """

    @classmethod
    async def open(
        cls,
        location: str | Path | None = None,
        user_id: str | None = None,
        *,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        background: bool = True,
    ) -> Self:
        """The memory kept at `location`, as `MemoryService.open` opens it, and with its errors."""
        own: Any = {"settings": settings, "embedder": embedder, "background": background}
        opening = partial(MemoryService.open, location, user_id, **own)
        return cls(await to_thread.run_sync(opening))

    async def for_user(self, user_id: str) -> "AsyncMemoryService":
        """Another user's memory in the same place, on the same engine."""
        return AsyncMemoryService(await self.call(lambda memory: memory.for_user(user_id)))

    async def call(self, work: Callable[[MemoryService], T]) -> T:
        """What `work` gives for the synchronous memory, in a thread.

        For what takes a `MemoryService`:
        `await memory.call(lambda it: ChatContextBuilder(it).build_messages("hello"))`.
        """
        return await to_thread.run_sync(work, self._wrapped)

    async def settings(self) -> Settings:
        """The settings in force: those stored with the data over those that were given."""
        return await self.call(lambda memory: memory.settings)

    @property
    def user_id(self) -> str:
        """Whose memory this is."""
        return self._wrapped.user_id

    async def export_records(self) -> AsyncIterator[AtomicMemoryRecord]:
        """Every memory of this user, turns included, oldest first."""
        records = self._wrapped.export_records()
        while batch := await to_thread.run_sync(lambda: list(islice(records, _EXPORT_BATCH))):
            for record in batch:
                yield record

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        with CancelScope(shield=True):
            await self.close()
