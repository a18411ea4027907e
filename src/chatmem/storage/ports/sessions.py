"""The ports of sessions: their messages, summaries, working memory and jobs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from chatmem.model import JobReport, Message, Session, SessionSummary, WorkingMemory
from chatmem.model.memory import JsonValue
from chatmem.storage.ports.values import Owner


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A row of `conversation`. Source: S2.4."""

    id: int
    session_id: str
    role: str
    content: str
    create_time: datetime
    is_collected: bool
    memory_id: str | None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """Work for the background: at most one of a kind for a session."""

    number: int
    owner: Owner
    kind: str
    session_id: str
    due_at: datetime
    attempts: int
    asked: int
    """How often it was asked for: work that was asked for again while it was done is not done."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A worker's claim on a job: others leave it alone until it ends, or the worker is gone."""

    holder: str
    begins: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Extraction:
    """How far a session's messages were read for memories.

    `extracted_to` is the number of the last one, 0 before the first; `flush` is where its flush
    stands, in JSON's types (`extraction/flush.py`).
    """

    extracted_to: int = 0
    extracted_at: datetime | None = None
    flush: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """Working memory, and how far it has come.

    `open_message` is the hash of a message that is counted and not answered yet; `analysed` the
    number of the last message whose analysis is in it, and `pending` whether newer ones wait.
    """

    working: WorkingMemory
    open_message: str | None = None
    analysed: int = 0
    pending: bool = False


class ConversationTable(Protocol):
    """Every message as it was said."""

    def insert(self, owner: Owner, message: Message, memory_id: str) -> None:
        """Keep the message; `memory_id` is the memory with the same words."""

    def insert_all(self, owner: Owner, said: Sequence[tuple[Message, str]]) -> None:
        """Keep the messages, each with the memory of the same words."""

    def by_sources(self, owner: Owner, source_ids: Sequence[str]) -> dict[str, str]:
        """The memories of messages that an import has brought in before, by source id."""

    def by_source(self, owner: Owner, source_id: str) -> str | None:
        """The memory of a message that an import has brought in before."""

    def sources_of(self, owner: Owner, memory_id: str) -> list[str]:
        """The source ids of the messages that hold the memory's words."""

    def of_session(self, owner: Owner, session_id: str) -> list[StoredMessage]:
        """The session's messages, oldest first."""

    def of_memory(self, owner: Owner, memory_id: str) -> list[StoredMessage]:
        """The messages that hold the memory's words, oldest first."""

    def counts(self, owner: Owner) -> tuple[int, int]:
        """How many messages and how many sessions there are."""

    def window(self, owner: Owner, session_id: str, limit: int) -> list[StoredMessage]:
        """The session's newest messages, at most `limit`, oldest first."""

    def after(self, owner: Owner, session_id: str, number: int, limit: int) -> list[StoredMessage]:
        """The session's messages past a number, at most `limit`, oldest first."""

    def count_after(self, owner: Owner, session_id: str, number: int) -> int:
        """How many messages of the session are past a number."""

    def collect(self, owner: Owner, session_id: str, message_id: int, collected: bool) -> bool:
        """True when the session has such a message; it is (or is no longer) collected."""

    def collected(self, owner: Owner, limit: int, offset: int) -> list[StoredMessage]:
        """Collected messages, newest first."""

    def delete_session(self, owner: Owner, session_id: str) -> int:
        """How many messages are gone."""

    def take_back(self, owner: Owner, number: int) -> bool:
        """Delete one message; True when no other has the same memory."""

    def speakers_of(self, owner: Owner, memory_ids: Sequence[str]) -> dict[str, str]:
        """Names of those who said the words of these memories, by memory, where a name is known."""


class SessionTable(Protocol):
    """Sessions as they are listed."""

    def open(self, owner: Owner, session_id: str, at: datetime) -> bool:
        """True when nothing was said in it yet; it is there afterwards, and runs (again)."""

    def get(self, owner: Owner, session_id: str) -> Session | None:
        """The session, or None."""

    def is_foreign(self, owner: Owner, session_id: str) -> bool:
        """True when other users have a session of this id and this owner has none."""

    def page(self, owner: Owner, limit: int, offset: int) -> list[Session]:
        """Sessions, the one that was active last first."""

    def count(self, owner: Owner) -> int:
        """How many there are."""

    def rename(self, owner: Owner, session_id: str, title: str | None) -> None:
        """Give the title that a person chose; None goes back to the summary's."""

    def end(self, owner: Owner, session_id: str, at: datetime) -> None:
        """Note that it has ended; the next message opens it again."""

    def running(self, owner: Owner) -> list[str]:
        """Ids of sessions with messages that have not ended, the one active last first."""

    def delete(self, owner: Owner, session_id: str) -> bool:
        """True when it was there: the row, its summaries, working memory and jobs are gone."""


class SummaryTable(Protocol):
    """Summaries of sessions, one of each. Source: S2.3."""

    def put(self, owner: Owner, summary: SessionSummary) -> None:
        """Insert, or replace the session's."""

    def of_session(self, owner: Owner, session_id: str) -> SessionSummary | None:
        """The session's newest summary, or None."""

    def recent(self, owner: Owner, limit: int, without: str | None = None) -> list[SessionSummary]:
        """The newest summaries, those updated last first; `without` is a session left out."""

    def delete(self, owner: Owner, session_id: str) -> None:
        """The session has nothing to tell any more."""


class WorkingTable(Protocol):
    """What running sessions are about. Source: S3.1."""

    def topic(
        self, owner: Owner, session_id: str, since: datetime | None = None
    ) -> tuple[str | None, bool]:
        """The topic of a session if it was active since then, and whether messages wait for
        their analysis.
        """  # noqa: D205

    def set_topic(self, owner: Owner, session_id: str, topic: str | None, at: datetime) -> None:
        """Note what the session is about."""

    def get(self, owner: Owner, session_id: str) -> OpenTurn | None:
        """The session's working memory, or None."""

    def put(self, owner: Owner, turn: OpenTurn) -> None:
        """Insert or replace."""

    def delete(self, owner: Owner, session_id: str) -> None:
        """It is no longer needed."""

    def idle(self, before: datetime, limit: int) -> list[tuple[Owner, str]]:
        """Owner and session of working memories last updated before then, of all users."""


class JobTable(Protocol):
    """What the background has to do; written in the transaction of what causes it."""

    def put(self, owner: Owner, kind: str, session_id: str, due_at: datetime) -> None:
        """Ask for the work; of a job that waits already the earlier time counts."""

    def due(
        self,
        now: datetime,
        kinds: Sequence[str],
        limit: int,
        holder: str = "",
        gone: Collection[str] = (),
    ) -> list[Job]:
        """Jobs whose time has come, the earliest first: not those given up, nor those that somebody
        else has leased who is not `gone`.
        """  # noqa: D205

    def holders(self) -> list[str]:
        """Who has leased jobs."""

    def lease(self, job: Job, lease: Lease, gone: Collection[str] = ()) -> bool:
        """True when the job is the holder's until then."""

    def done(self, job: Job) -> None:
        """Strike it off; one that was asked for again since waits anew."""

    def postponed(self, job: Job, due_at: datetime) -> None:
        """Its time has not come yet; one that was asked for again since is due as asked."""

    def failed(self, job: Job, error: str, retry_at: datetime) -> None:
        """Keep it for another attempt."""

    def give_up(self, job: Job, error: str, at: datetime) -> None:
        """Keep it for a person to see, and to ask for again."""

    def of_user(self, owner: Owner, limit: int) -> list[JobReport]:
        """The user's jobs, those given up first."""

    def retry(self, owner: Owner, number: int, at: datetime) -> bool:
        """True when such a job was given up; it waits again."""

    def discard(self, owner: Owner, number: int) -> bool:
        """True when such a job was given up; it is gone."""

    def state(self) -> tuple[int, str | None]:
        """How many wait, due or not, and what went wrong with one of them, if anything did."""

    def given_up(self) -> int:
        """How many were given up, of all users."""


class ExtractionTable(Protocol):
    """How far sessions were read for memories, and which events were handled."""

    def get(self, owner: Owner, session_id: str) -> Extraction:
        """Where the session stands; a new one's is the default."""

    def put(self, owner: Owner, session_id: str, extraction: Extraction) -> None:
        """Insert or replace."""

    def handle(self, owner: Owner, session_id: str, event_id: str, at: datetime) -> bool:
        """True the first time that this event is handled."""

    def forget_events(self, before: datetime) -> None:
        """Forget ids of events that were handled before then: nobody delivers them again."""
