"""The façade for programs with an event loop: `MemoryService`, its calls awaited.

    async with await AsyncMemoryService.open("data") as memory:
        await memory.append_memory("Likes oolong tea", "preference")
        for hit in await memory.get_relevant_memories("what should I drink?"):
            print(hit.score, hit.memory.content)

Each method is the synchronous one in a thread: same parameters, result and errors.

Source: interfaces.md (Python).
"""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from functools import partial, wraps
from itertools import islice
from pathlib import Path
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from anyio import CancelScope, to_thread

from chatmem.config import Settings
from chatmem.engine.backup import BackupReport
from chatmem.engine.context import Composer
from chatmem.engine.service import MemoryService
from chatmem.model import AtomicMemoryRecord
from chatmem.providers.ports import Embedder

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
P = ParamSpec("P")
R = TypeVar("R")
_EXPORT_BATCH = 500


class Behind(Generic[T_co]):
    """A synchronous object whose methods are awaited: they run in threads."""

    def __init__(self, wrapped: T_co) -> None:
        self._wrapped = wrapped

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, Any]]:
        if name.startswith("_"):
            raise AttributeError(name)
        return partial(awaited(getattr(type(self._wrapped), name)), self)

    def __dir__(self) -> Iterable[str]:
        return dir(self._wrapped)


def awaited(
    method: Callable[Concatenate[T, P], R],
) -> Callable[Concatenate[Behind[T], P], Coroutine[Any, Any, R]]:
    """The method as a coroutine, run in a thread of anyio's; a call that began is finished."""

    @wraps(method)
    async def call(self: Behind[T], /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await to_thread.run_sync(partial(method, self._wrapped, *args, **kwargs))

    return call


class AsyncMemoryService(Behind[MemoryService]):
    """The memory of one user, for an event loop; attributes as those of `MemoryService`, awaited.

    Calls may run at the same time, as many as anyio has threads (40 by default). One that is
    cancelled is carried out to its end; callbacks are called in its thread.
    """

    def __init__(self, wrapped: MemoryService) -> None:
        super().__init__(wrapped)
        self._make_parts()

    def _make_parts(self) -> None:
        wrapped = self._wrapped
        self.config = Behind(wrapped.config)
        self.people = Behind(wrapped.people)
        self.profiles = Behind(wrapped.profiles)
        self.main = Behind(wrapped.main)
        self.daily_logs = Behind(wrapped.daily_logs)
        self.sessions = Behind(wrapped.sessions)
        self.jobs = Behind(wrapped.jobs)
        self.receipts = Behind(wrapped.receipts)
        self.answers = Behind(wrapped.answers)
        self.keys = Behind(wrapped.keys)
        self.users = Behind(wrapped.users)

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
        """The memory kept at `location`, as `MemoryService.open` opens it.

        Raises:
            ChatmemError: as `MemoryService.open`.
        """
        opening = partial(
            MemoryService.open,
            location,
            user_id,
            settings=settings,
            embedder=embedder,
            background=background,
        )
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

    @property
    def is_current(self) -> bool:
        """False once this user was deleted: `for_user` opens a new one of this name."""
        return self._wrapped.is_current

    def context(self) -> Behind[Composer]:
        """What prompts are composed with."""
        return Behind(self._wrapped.context())

    # To mypy `**columns` could hold another `self`, so it wants an ignore for two of them.

    # Saving
    save_conversation_turn = awaited(MemoryService.save_conversation_turn)
    save_messages = awaited(MemoryService.save_messages)
    leave_out_messages = awaited(MemoryService.leave_out_messages)
    append_memory = awaited(MemoryService.append_memory)  # type: ignore[arg-type]
    append_daily_log = awaited(MemoryService.append_daily_log)

    # Finding
    get_relevant_memories = awaited(MemoryService.get_relevant_memories)
    search_memories = awaited(MemoryService.search_memories)
    handle_event = awaited(MemoryService.handle_event)
    apply_writes = awaited(MemoryService.apply_writes)
    count_access = awaited(MemoryService.count_access)

    # One memory
    get = awaited(MemoryService.get)
    list_memories = awaited(MemoryService.list_memories)
    browse = awaited(MemoryService.browse)
    origin = awaited(MemoryService.origin)
    viewers = awaited(MemoryService.viewers)
    growth = awaited(MemoryService.growth)
    update = awaited(MemoryService.update)  # type: ignore[arg-type]
    promote = awaited(MemoryService.promote)
    forget = awaited(MemoryService.forget)
    forget_all = awaited(MemoryService.forget_all)
    restore = awaited(MemoryService.restore)
    undoable = awaited(MemoryService.undoable)
    supersede = awaited(MemoryService.supersede)
    history = awaited(MemoryService.history)

    # Sessions
    new_session = awaited(MemoryService.new_session)
    working_memory = awaited(MemoryService.working_memory)
    get_recent_session_summaries = awaited(MemoryService.get_recent_session_summaries)
    set_topic = awaited(MemoryService.set_topic)

    # Documents, index, state
    read_main = awaited(MemoryService.read_main)
    get_user_profile = awaited(MemoryService.get_user_profile)
    update_user_profile = awaited(MemoryService.update_user_profile)
    sync = awaited(MemoryService.sync)
    reindex = awaited(MemoryService.reindex)
    wait_until_indexed = awaited(MemoryService.wait_until_indexed)
    wait_until_idle = awaited(MemoryService.wait_until_idle)
    warm_up = awaited(MemoryService.warm_up)
    stats = awaited(MemoryService.stats)
    diagnose = awaited(MemoryService.diagnose)
    health = awaited(MemoryService.health)
    move_to = awaited(MemoryService.move_to)
    backup = awaited(MemoryService.backup)
    close = awaited(MemoryService.close)

    async def restore_backup(
        self, file: str | Path, progress: Callable[[int, int], None] | None = None
    ) -> BackupReport:
        """Make this place what it was when the backup was written."""
        report = await self.call(lambda memory: memory.restore_backup(file, progress))
        self._make_parts()
        return report

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
