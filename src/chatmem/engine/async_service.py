"""The façade for programs with an event loop: `MemoryService`, its calls awaited.

    async with await AsyncMemoryService.open("data") as memory:
        await memory.append_memory("Likes oolong tea", "preference")
        for hit in await memory.get_relevant_memories("what should I drink?"):
            print(hit.score, hit.memory.content)

Each method is the synchronous one in a thread, with its parameters, its result and its errors; a
test sees to it that none is missing.

Source: interfaces.md (Python).
"""

from collections.abc import AsyncIterator, Callable
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from anyio import CancelScope, to_thread

from chatmem.config import Settings
from chatmem.engine.async_parts import (
    AsyncAnswers,
    AsyncComposer,
    AsyncDailyLogs,
    AsyncJobs,
    AsyncKeys,
    AsyncMainDocument,
    AsyncPeople,
    AsyncProfiles,
    AsyncReceipts,
    AsyncSessions,
    AsyncStoredSettings,
)
from chatmem.engine.awaiting import Behind, awaited
from chatmem.engine.service import MemoryService
from chatmem.model import AtomicMemoryRecord
from chatmem.providers.ports import Embedder

T = TypeVar("T")
_EXPORT_BATCH = 500


class AsyncMemoryService(Behind[MemoryService]):
    """The memory of one user, for an event loop.

    Calls may run at the same time, as many as anyio has threads (40 unless told otherwise). One
    that is cancelled is carried out to its end; callbacks are called in its thread.
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
    def config(self) -> AsyncStoredSettings:
        """The settings that are stored with the data."""
        return AsyncStoredSettings(self._wrapped.config)

    @property
    def people(self) -> AsyncPeople:
        """Households and groups of this user."""
        return AsyncPeople(self._wrapped.people)

    @property
    def profiles(self) -> AsyncProfiles:
        """The user's profile, and the household's."""
        return AsyncProfiles(self._wrapped.profiles)

    @property
    def daily_logs(self) -> AsyncDailyLogs:
        """The user's daily logs: which days there are, and what is written on one."""
        return AsyncDailyLogs(self._wrapped.daily_logs)

    @property
    def main(self) -> AsyncMainDocument:
        """MEMORY.md as a whole, with the mark of its version."""
        return AsyncMainDocument(self._wrapped.main)

    @property
    def receipts(self) -> AsyncReceipts:
        """Receipts of prompts that were composed over a server."""
        return AsyncReceipts(self._wrapped.receipts)

    @property
    def answers(self) -> AsyncAnswers:
        """Answers that a server has given to requests with an idempotency key."""
        return AsyncAnswers(self._wrapped.answers)

    @property
    def keys(self) -> AsyncKeys:
        """Keys of a server on this place, of all users."""
        return AsyncKeys(self._wrapped.keys)

    @property
    def jobs(self) -> AsyncJobs:
        """Background work of this user that waits, or was given up."""
        return AsyncJobs(self._wrapped.jobs)

    @property
    def sessions(self) -> AsyncSessions:
        """The user's sessions: listed, read, named, ended, deleted."""
        return AsyncSessions(self._wrapped.sessions)

    def context(self) -> AsyncComposer:
        """What prompts are composed with."""
        return AsyncComposer(self._wrapped.context())

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
    close = awaited(MemoryService.close)

    async def export_records(self) -> AsyncIterator[AtomicMemoryRecord]:
        """Every memory of this user, turns included, oldest first."""
        records = self._wrapped.export_records()
        while batch := await to_thread.run_sync(lambda: list(islice(records, _EXPORT_BATCH))):
            for record in batch:
                yield record

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with CancelScope(shield=True):
            await self.close()
