"""The façade: what an application calls. It checks nothing and decides nothing, it delegates."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from chatmem.config import Settings
from chatmem.engine.answers import Answers
from chatmem.engine.background.worker import Jobs
from chatmem.engine.checks import checked_number, checked_range
from chatmem.engine.diagnosis import Finding, Health, Stats, diagnose, gather_stats, health_of
from chatmem.engine.documents.documents import ReindexReport
from chatmem.engine.factory import open_engine
from chatmem.engine.forget import forget_all_memories, forget_memory
from chatmem.engine.keys import Keys
from chatmem.engine.move import MoveReport, move
from chatmem.engine.open_memory import Opened, open_memory, warm_up
from chatmem.engine.people import People
from chatmem.engine.profiles.profiles import Profiles
from chatmem.engine.prompt.compose import Composer
from chatmem.engine.prompt.receipts import Receipts
from chatmem.engine.remember import append, lifecycle
from chatmem.engine.remember.append import NewMemory
from chatmem.engine.remember.markdown import DailyLogs, MainDocument
from chatmem.engine.search import browse as browsing
from chatmem.engine.search import recall
from chatmem.engine.sessions import events, turns
from chatmem.engine.sessions import working_memory as working
from chatmem.engine.sessions.events import HandledEvent
from chatmem.engine.sessions.sessions import Sessions
from chatmem.engine.settings import StoredSettings
from chatmem.errors import InvalidInputError
from chatmem.model import (
    AtomicMemoryRecord,
    Category,
    GrowthDay,
    HistoryEntry,
    MemoryFilter,
    MemorySort,
    MemoryType,
    Message,
    Page,
    ProfileDocument,
    SavedMessage,
    SavedTurn,
    SearchResults,
    SessionSummary,
    WorkingMemory,
)
from chatmem.model.memory import MemoryWrite
from chatmem.model.time import as_utc, moment_or_now
from chatmem.providers.ports import Embedder
from chatmem.storage.documents.places import MAIN
from chatmem.storage.values import StoredMessage

MAX_LIMIT = 1_000
TimeRange = tuple[datetime | date | str | None, datetime | date | str | None]


class MemoryService:
    """The memory of one user.

    Thread-safe. Times without a zone are taken as local; `now` is the present moment where it is
    not given. Closing is safe at any moment: what was acknowledged is kept.
    """

    def __init__(self, opened: Opened, user_id: str) -> None:
        self._opened = opened
        self._engine = opened.engine
        self._space = opened.space(user_id)
        self._people = People(self._space)
        self._profiles = Profiles(self._space, opened.space)
        self._config = self._engine.stored_settings
        self._sessions = Sessions(self._space)
        self._jobs = Jobs(self._space)

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
        opened = open_memory(location, chosen, embedder, background=background)
        return cls(opened, user_id or chosen.user)

    def for_user(self, user_id: str) -> "MemoryService":
        """Another user's memory in the same place, on the same engine."""
        return MemoryService(self._opened, user_id)

    @property
    def user_id(self) -> str:
        """Whose memory this is."""
        return self._space.owner.user_id

    @property
    def settings(self) -> Settings:
        """The settings in force: those stored with the data over those that were given."""
        return self._engine.obey_settings()

    @property
    def config(self) -> StoredSettings:
        """The settings that are stored with the data."""
        return self._config

    @property
    def people(self) -> People:
        """Households and groups of this user."""
        return self._people

    @property
    def profiles(self) -> Profiles:
        """The user's profile, and the household's."""
        return self._profiles

    @property
    def daily_logs(self) -> DailyLogs:
        """The user's daily logs: which days there are, and what is written on one."""
        return DailyLogs(self._space)

    @property
    def main(self) -> MainDocument:
        """MEMORY.md as a whole, with the mark of its version."""
        return MainDocument(self._space)

    @property
    def receipts(self) -> Receipts:
        """Receipts of prompts that were composed over a server."""
        return Receipts(self._space)

    @property
    def answers(self) -> Answers:
        """Answers to this user's writes over a server, so that one sent twice is done once."""
        return Answers(self._space)

    @property
    def keys(self) -> Keys:
        """Keys of a server on this place, of all users."""
        return Keys(self._engine)

    @property
    def jobs(self) -> Jobs:
        """Background work of this user that waits, or was given up."""
        return self._jobs

    @property
    def sessions(self) -> Sessions:
        """The user's sessions: listed, read, named, ended, deleted."""
        return self._sessions

    # Saving

    def save_conversation_turn(
        self,
        user_content: str,
        assistant_content: str,
        session_id: str,
        app_type: str = "chat",
        *,
        source_id: str | None = None,
        now: datetime | None = None,
    ) -> SavedTurn:
        """The two rows of a turn; what was there already is told. Source: S1.2, S1.3.

        What a client may send again has a `source_id`: `save_messages` then knows the two rows by
        it with `-user` and `-assistant` behind.
        """
        turn = turns.Turn(user_content, assistant_content, session_id, app_type, source_id)
        return turns.save_turn(self._space, turn, now)

    def leave_out_messages(self, source_ids: Iterable[str], *, now: datetime | None = None) -> None:
        """See that `save_messages` never brings in messages with these ids."""
        turns.leave_out(self._space, source_ids, moment_or_now(now))

    def save_messages(
        self, messages: Iterable[Message], *, progress: Callable[[int], None] | None = None
    ) -> list[SavedMessage]:
        """What became of each message of an import; equal `source_id`s are brought in once."""
        return turns.save_messages(self._space, messages, progress)

    def append_memory(
        self,
        fact: str,
        category: Category = "fact",
        *,
        now: datetime | None = None,
        **columns: Any,  # noqa: ANN401
    ) -> AtomicMemoryRecord:
        """The memory as written into MEMORY.md.

        `columns` are `importance=3, confidence=0.9, visibility="private", kind="semantic",
        key=None, value=None, tags=(), source="user_stated", session_id=None`. A known `key` with
        another value is superseded.

        Raises:
            InvalidInputError: a value that its column does not take.
            DocumentError: the file cannot be written; nothing was changed.

        Source: S5.1.1, S5.7.2.
        """
        try:
            new = NewMemory(content=fact, category=category, **columns)
        except TypeError as error:
            raise InvalidInputError(f"append_memory: {error}") from error
        return append.append_memory(self._space, new, moment_or_now(now))

    def append_daily_log(self, entry: str, *, now: datetime | None = None) -> AtomicMemoryRecord:
        """The note as written into today's log. Source: S5.1.2, S5.7.4."""
        return append.append_daily_log(self._space, entry, moment_or_now(now))

    # Finding

    def get_relevant_memories(
        self,
        query: str,
        top_n: int | None = None,
        *,
        session_id: str | None = None,
        now: datetime | None = None,
        as_of: datetime | None = None,
    ) -> SearchResults:
        """Long-term memories for the next message, best first, scored as S3.3.5 says, with parts.

        `top_n` is `memory.rag_top_n` where it is None; `as_of` shows what was true at that time.
        Nothing is counted as an access. Source: S1.4.2, S2.1.1, S3.2.2.
        """
        self._space.documents.refresh()
        limit = _limit(self.settings.memory.recall_limit if top_n is None else top_n)
        wanted = recall.RecallQuery(
            limit=limit,
            session_id=session_id,
            now=moment_or_now(now),
            as_of=as_utc(as_of) if as_of else None,
        )
        return self._noted(recall.recall(self._space, query, wanted))

    def search_memories(
        self,
        keyword: str,
        time_range: TimeRange | None = None,
        limit: int = 10,
        *,
        only: MemoryFilter | None = None,
    ) -> SearchResults:
        """Everything that matches, turns included, best first. Source: S2.7.1, S5.2.1.

        That is everything of this user and what others share with them; of it, `only` what a filter
        wants.
        Scores are relevances in [0, 1]. `time_range` bounds the time when it happened: begin and
        end, as datetimes, dates or ISO text, either may be None. `Pyth*` finds words that begin so.
        """
        self._space.documents.refresh()
        return self._noted(
            recall.search(
                self._space,
                keyword,
                checked_range(time_range),
                _limit(limit),
                browsing.checked_filter(only) if only is not None else None,
            )
        )

    def handle_event(
        self, event: Mapping[str, Any], *, now: datetime | None = None
    ) -> HandledEvent:
        """What followed from an event of a conversation: `{"type", "session_id", "data", "id"?}`.

        Types: message, usage, compaction_start, compaction_end, turn_end, tool_result,
        context_cleared, and the aliases of `engine.events`. An `id` that was handled before has no
        effect. Background work is asked for, never waited for.

        Raises:
            InvalidInputError: an unknown type, no session, data that does not fit.

        Source: S5.4.1, S5.5.
        """
        return events.handle_event(self._space, event, moment_or_now(now))

    def apply_writes(
        self,
        writes: Iterable[MemoryWrite | Mapping[str, Any]],
        *,
        now: datetime | None = None,
    ) -> list[AtomicMemoryRecord]:
        """The memories that a tool, a model or an application asked to be written.

        Raises:
            InvalidInputError: a write with a value that does not fit; nothing was written.
            NotOwnerError: a write for somebody else.
            DocumentError: a file cannot be written; the writes before it stay.

        Source: S4.3.2.
        """
        return append.apply_writes(self._space, writes, moment_or_now(now))

    def count_access(self, memory_ids: Iterable[str], *, now: datetime | None = None) -> None:
        """Count one access of memories that were put into a prompt. Source: S3.2.3."""
        with self._space.store.transaction():
            self._space.store.memories.count_access(
                self._space.owner, list(memory_ids), moment_or_now(now)
            )

    # One memory

    def get(self, memory_id: str) -> AtomicMemoryRecord:
        """The memory, one that others share with this user too.

        Raises:
            MemoryNotFoundError: there is none that this user may see.
        """
        self._space.documents.refresh()
        return lifecycle.find(self._space, memory_id)

    def list_memories(
        self, memory_type: MemoryType | None = "long_term", limit: int = 50, offset: int = 0
    ) -> Page[AtomicMemoryRecord]:
        """A page of memories, newest first. Source: S3.5.1."""
        self._space.documents.refresh()
        memories = self._space.store.memories
        bounded, start = _limit(limit), max(0, offset)
        return Page(
            items=tuple(memories.page(self._space.owner, memory_type, bounded, start)),
            total=memories.count(self._space.owner, memory_type),
            limit=bounded,
            offset=start,
        )

    def browse(
        self,
        wanted: MemoryFilter = MemoryFilter(),  # noqa: B008 - frozen
        *,
        sort: MemorySort = "timestamp",
        descending: bool = True,
        limit: int = 50,
        offset: int = 0,
        shared: bool = False,
    ) -> Page[AtomicMemoryRecord]:
        """A page of this user's own memories that are wanted, and how many there are of them.

        With `shared`, of those that others let this user see, who may read them only.

        Raises:
            InvalidInputError: a filter, or a sort, that there is not.

        Source: S2.6, S5.9.
        """
        self._space.documents.refresh()
        order, bounds = (sort, descending), (_limit(limit), max(0, offset))
        return browsing.browse(self._space, wanted, order, bounds, shared=shared)

    def origin(self, memory_id: str) -> list[StoredMessage]:
        """The messages that a memory is, or was extracted from, oldest first; empty if unknown.

        Raises:
            MemoryNotFoundError: no such memory.
            NotOwnerError: another user shares it.
        """
        return browsing.origin(self._space, memory_id)

    def viewers(self, memory_id: str) -> list[str]:
        """The others in this user's households and groups who may see the memory, by name.

        Raises:
            MemoryNotFoundError: no such memory.
            NotOwnerError: another user shares it.
        """
        return browsing.viewers(self._space, memory_id)

    def growth(self, days: int = 90, *, now: datetime | None = None) -> list[GrowthDay]:
        """What was stored on each of the last days, today included, the oldest first."""
        return browsing.growth(self._space, days, moment_or_now(now))

    def update(
        self,
        memory_id: str,
        *,
        now: datetime | None = None,
        **columns: Any,  # noqa: ANN401
    ) -> AtomicMemoryRecord:
        """The memory with some columns changed: content, category, key, value, tags, importance,
        confidence, source, visibility, kind.

        Raises:
            MemoryNotFoundError: no such memory.
            InvalidInputError: a column that cannot be edited, or a value it does not take.
        """  # noqa: D205
        return lifecycle.update_memory(self._space, memory_id, columns, moment_or_now(now))

    def promote(self, memory_id: str, *, now: datetime | None = None) -> AtomicMemoryRecord:
        """The turn as a long-term memory. Source: S1.5.2."""
        return lifecycle.promote_memory(self._space, memory_id, moment_or_now(now))

    def forget(self, memory_id: str, *, now: datetime | None = None) -> None:
        """Delete a memory for good, everywhere. Source: S3.4.3."""
        forget_memory(self._space, memory_id, moment_or_now(now))

    def forget_all(self, *, now: datetime | None = None) -> int:
        """How many long-term memories were deleted for good; turns stay. Source: S3.4.4."""
        return forget_all_memories(self._space, moment_or_now(now))

    def restore(
        self, memory_id: str, *, keep_both: bool = False, now: datetime | None = None
    ) -> AtomicMemoryRecord:
        """The memory as it was before its last change; what was forgotten stays forgotten.

        If another one had taken its place, that one is retired, or stays too with `keep_both`.
        """
        return lifecycle.restore_memory(
            self._space,
            memory_id,
            moment_or_now(now),
            keep_both=keep_both,
        )

    def supersede(
        self, memory_id: str, by: str, *, now: datetime | None = None
    ) -> AtomicMemoryRecord:
        """The memory as out of date: another one, `by`, has taken its place. `restore` undoes it.

        Raises:
            MemoryNotFoundError: one of the two is not there.
            InvalidInputError: the two are one, or one of them is not a valid long-term memory.
        """
        return lifecycle.supersede_memory(self._space, memory_id, by, moment_or_now(now))

    def history(self, memory_id: str) -> list[HistoryEntry]:
        """What happened to the memory, oldest first: its owner's only, it may hold private text.

        Raises:
            MemoryNotFoundError: no such memory.
            NotOwnerError: another user shares it.
        """
        lifecycle.find_own(self._space, memory_id)
        return self._space.store.history.of_memory(self._space.owner, memory_id)

    # Sessions

    def new_session(self) -> str:
        """The id of a new session, with an empty window; the one before it ends. Source: S2.4.2."""
        return self._sessions.new()

    def working_memory(
        self, session_id: str, *, now: datetime | None = None
    ) -> WorkingMemory | None:
        """What a running session is about; None where nothing runs, or has been idle too long.

        Raises:
            SessionNotFoundError: the session is another user's.

        Source: S3.1, S3.5.2.
        """
        return self._sessions.working_memory(session_id, now=now)

    def get_recent_session_summaries(self, limit: int | None = None) -> list[SessionSummary]:
        """Summaries, the newest first; `memory.session_summary_limit` of them by default.

        Source: S2.3.1.
        """
        wanted = self.settings.memory.session_summary_limit if limit is None else _limit(limit)
        return self._space.store.summaries.recent(self._space.owner, wanted)

    def set_topic(self, session_id: str, topic: str | None, *, now: datetime | None = None) -> None:
        """Say what a session is about: its memories rank higher in recall. Source: S3.3.7."""
        working.set_topic(self._space, session_id, topic, moment_or_now(now))

    # Prompts

    def context(self) -> Composer:
        """What `ChatContextBuilder` and `PromptComposer` compose with."""
        return Composer(
            self._space,
            self._profiles,
            self._sessions,
            self._opened.context_cache,
        )

    # Documents, index, state

    def read_main(self) -> str:
        """The text of MEMORY.md as it stands. Source: S5.7.1."""
        document = self._space.documents.read(MAIN)
        return document.text if document else ""

    def get_user_profile(self) -> str:
        """The user's profile as a prompt takes it, "" where there is none. Source: S2.2.1."""
        return self._profiles.visible("user")

    def update_user_profile(self, text: str) -> ProfileDocument:
        """The profile as written into USER.md. Source: S2.2.2."""
        return self._profiles.write("user", text)

    def sync(self) -> None:
        """Fold in at once what was edited outside."""
        self._space.documents.fold_in()

    def reindex(self, accept: Iterable[str] = ()) -> ReindexReport:
        """Read all documents and make every index again; `accept` names documents to take as is."""
        return self._space.documents.reindex(tuple(accept))

    def wait_until_indexed(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Return when every row has its vector.

        Raises:
            ProviderError: the embedder failed; keyword search goes on.
        """
        self._opened.indexer.drain(progress)

    def warm_up(self) -> None:
        """Load what the first question would wait for: the dictionary, the embedder's weights."""
        warm_up(self._engine)

    def wait_until_idle(
        self,
        progress: Callable[[int, int], None] | None = None,
        *,
        now: datetime | None = None,
    ) -> None:
        """Return when vectors, summaries and everything else that waited is done.

        What is throttled goes on waiting (`memory.extract_interval_seconds`).

        Raises:
            ProviderError: the embedder failed; keyword search goes on.
        """
        self._opened.worker.run_all(as_utc(now) if now else None)
        self._opened.indexer.drain(progress)

    def stats(self) -> Stats:
        """Counts, sizes and capabilities."""
        return gather_stats(self._space)

    def health(self) -> Health:
        """How the whole place is, cheaply: for whoever watches a server."""
        return health_of(self._opened)

    def diagnose(self) -> list[Finding]:
        """What works, what does not, and what to do about it."""
        return diagnose(self._opened, self._space)

    def move_to(
        self, place: str | Path, progress: Callable[[int, int], None] | None = None
    ) -> MoveReport:
        """Everything of every user, copied to another place and compared with it.

        `place` is a folder or a `postgresql://` address with nothing in it yet, or one into which
        a move from here was interrupted. Nobody may write to either meanwhile; this place stays
        as it is. `progress` gets the rows done and the rows in all.

        Raises:
            InvalidInputError: something is kept there already.
            StorageError: the two differ at the end, or one of them cannot be used.
        """
        self.sync()
        other = open_engine(place, self.settings, self._engine.embedder)
        try:
            return move(self._engine, other, progress)
        finally:
            other.places.close()
            other.store.close()

    def export_records(self) -> Iterator[AtomicMemoryRecord]:
        """Every memory of this user, turns included, oldest first."""
        return self._space.store.memories.export(self._space.owner)

    def close(self) -> None:
        """Stop the background work and let go of the files."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _noted(self, results: SearchResults) -> SearchResults:
        notices = self._space.documents.notices()
        return SearchResults(results.hits, results.missing + notices) if notices else results


def _limit(limit: int) -> int:
    return int(checked_number(limit, "limit", 0, MAX_LIMIT, whole=True))
