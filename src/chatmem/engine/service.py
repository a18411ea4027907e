"""The façade: what an application calls. Each matter's methods stand beside their use case.

`AsyncMemoryService` is the same for programs with an event loop.

Source: interfaces.md (Python).
"""

from collections.abc import AsyncIterator, Callable, Iterable
from datetime import datetime
from functools import cached_property, partial, wraps
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from anyio import CancelScope, to_thread

from chatmem.config import Settings
from chatmem.engine.checks import checked_limit
from chatmem.engine.diagnosis import Diagnosis, Jobs
from chatmem.engine.documents.documents import ReindexReport
from chatmem.engine.factory import open_engine
from chatmem.engine.move import MemoryMover, restore_backup
from chatmem.engine.people import People
from chatmem.engine.remember.append import MemoryAppender
from chatmem.engine.remember.lifecycle import MemoryEditor
from chatmem.engine.remember.markdown import DailyLogs, MainDocument, Profiles
from chatmem.engine.search.browse import MemoryReader
from chatmem.engine.search.recall import MemorySearch
from chatmem.engine.server import Answers, Keys, Receipts, Users
from chatmem.engine.sessions import working_memory as working
from chatmem.engine.sessions.events import EventHandler
from chatmem.engine.sessions.forget import MemoryEraser
from chatmem.engine.sessions.sessions import Sessions
from chatmem.engine.sessions.turns import MessageWriter
from chatmem.engine.worker import OpenMemory
from chatmem.model import AtomicMemoryRecord, DocumentText, SessionSummary, WorkingMemory
from chatmem.model.time import as_utc, moment_or_now
from chatmem.providers.embedding import Embedder
from chatmem.storage.documents.places import MAIN

if TYPE_CHECKING:
    from chatmem.engine.context import Composer

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
_EXPORT_BATCH = 500


class MemoryService(
    MessageWriter,
    MemoryAppender,
    MemorySearch,
    MemoryReader,
    MemoryEditor,
    MemoryEraser,
    EventHandler,
    Diagnosis,
    MemoryMover,
):
    """The memory of one user.

    Thread-safe. Times without a zone are taken as local; `now` is the present moment by default.
    Closing is safe at any moment: what was acknowledged is kept.

    Methods raise `InvalidInputError` for a value that does not fit, `MemoryNotFoundError` for a
    memory that this user cannot see, `NotOwnerError` for a change to another user's, and
    `DocumentError` where a file cannot be written; nothing was changed then.

    Attributes:
        config: the settings that are stored with the data.
        people: households and groups of this user.
        profiles: the user's profile, and the household's.
        main: MEMORY.md as a whole, with its etag.
        daily_logs: which days have a log, and what is written on one.
        sessions: the user's sessions: listed, read, named, ended, deleted.
        jobs: background work of this user that waits, or was given up.
        receipts: receipts of prompts that were composed over a server.
        answers: answers to this user's writes over a server, so that one sent twice is done once.
        keys: keys of a server on this place, of all users.
        users: everybody in this place: listed, exported, deleted.
    """

    def __init__(self, opened: OpenMemory, user_id: str) -> None:
        super().__init__(opened.space(user_id))
        self._opened = opened
        self.config = self._engine.stored_settings
        self.people = People(self._space)
        self.profiles = Profiles(self._space, opened.space)
        self.main = MainDocument(self._space)
        self.daily_logs = DailyLogs(self._space)
        self.sessions = Sessions(self._space)
        self.jobs = Jobs(self._space)
        self.receipts = Receipts(self._space)
        self.answers = Answers(self._space)
        self.keys = Keys(self._space)
        self.users = Users(opened)

    @classmethod
    def open(
        cls,
        location: str | Path | None = None,
        user_id: str | None = None,
        *,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        background: bool = True,
    ) -> Self:
        """The memory kept at `location`, a folder; settings and environment say where if None.

        `background` runs the indexer and the file watcher in threads of their own; without it
        vectors are made by `wait_until_indexed`.

        Raises:
            SettingError: a setting with a value it does not take.
            StorageError: folder, files or database cannot be used; says which and what to do.
            ProviderError: the embedder's package is not installed.
        """
        chosen = settings or Settings()
        engine = open_engine(location, chosen, embedder)
        engine.in_background = background
        return cls(OpenMemory(engine), user_id or chosen.user)

    def for_user(self, user_id: str) -> "MemoryService":
        """Another user's memory in the same place, on the same engine."""
        return MemoryService(self._opened, user_id)

    @property
    def user_id(self) -> str:
        """Whose memory this is."""
        return self._owner.user_id

    @property
    def settings(self) -> Settings:
        """The settings in force: those stored with the data over those that were given."""
        return self._engine.obey_settings()

    # Sessions, prompts

    @cached_property
    def context(self) -> "Composer":
        """What prompts are composed with; loaded with the first of them."""
        from chatmem.engine.context import Composer  # noqa: PLC0415

        return Composer(self._space, self.profiles, self.sessions)

    def new_session(self) -> str:
        """The id of a new session, with an empty window; the one before it ends. Source: S2.4.2."""
        return self.sessions.new()

    def working_memory(
        self, session_id: str, *, now: datetime | None = None
    ) -> WorkingMemory | None:
        """`sessions.working_memory`: what a running session is about, or None.

        Source: S3.1, S3.5.2.
        """
        return self.sessions.working_memory(session_id, now=now)

    def get_recent_session_summaries(self, limit: int | None = None) -> list[SessionSummary]:
        """The newest summaries, `memory.session_summary_limit` by default. Source: S2.3.1."""
        if limit is None:
            limit = self.settings.memory.session_summary_limit
        return self._store.summaries.recent(self._owner, checked_limit(limit))

    def set_topic(self, session_id: str, topic: str | None, *, now: datetime | None = None) -> None:
        """Say what a session is about: its memories rank higher in recall. Source: S3.3.7."""
        working.set_topic(self._space, session_id, topic, moment_or_now(now))

    # Documents, index, state

    def read_main(self) -> str:
        """The text of MEMORY.md as it stands. Source: S5.7.1."""
        document = self._documents.folder.read(MAIN)
        return document.text if document else ""

    def get_user_profile(self) -> str:
        """The user's profile as a prompt takes it, "" where there is none. Source: S2.2.1."""
        return self.profiles.visible("user")

    def update_user_profile(self, text: str) -> DocumentText:
        """The profile as written into USER.md. Source: S2.2.2."""
        return self.profiles.write("user", text)

    def sync(self) -> None:
        """Fold in at once what was edited outside."""
        self._documents.fold_in()

    def reindex(self, accept: Iterable[str] = ()) -> ReindexReport:
        """Read all documents and make every index again; `accept` names documents to take as is."""
        return self._documents.reindex(tuple(accept))

    def wait_until_indexed(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Return when every row has its vector; nothing is learned in the background meanwhile.

        Raises:
            ProviderError: the embedder failed; keyword search goes on.
        """
        with self._opened.worker.working:
            self._opened.indexer.drain(progress)

    def wait_until_idle(
        self, progress: Callable[[int, int], None] | None = None, *, now: datetime | None = None
    ) -> None:
        """Return when vectors, summaries and everything else that waited is done.

        What is throttled goes on waiting (`memory.extract_interval_seconds`).

        Raises:
            ProviderError: the embedder failed; keyword search goes on.
        """
        try:
            self.wait_until_indexed(progress)  # what is learned is compared by meaning
        finally:
            self._opened.worker.run_all(as_utc(now) if now else None)
        self._opened.indexer.drain(progress)

    restore_backup = staticmethod(restore_backup)

    def warm_up(self) -> None:
        """Load what the first question would wait for: the dictionary, the embedder's weights."""
        self._opened.warm_up()

    def close(self) -> None:
        """Stop the background work and let go of the files."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


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

        async with await AsyncMemoryService.open("data") as memory:
            await memory.append_memory("Likes oolong tea", "preference")
            for hit in await memory.get_relevant_memories("what should I drink?"):
                print(hit.score, hit.memory.content)

    Each method has the parameters, result and errors of the synchronous one. Calls may run at the
    same time, as many as anyio has threads (40 by default). One that is cancelled is carried out to
    its end; callbacks are called in its thread.
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
