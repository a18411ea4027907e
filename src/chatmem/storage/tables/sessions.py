"""Sessions: messages and the list (S2.4), summaries (S2.3), working memory (S3.1), jobs."""

import hashlib
from collections.abc import Collection, Sequence
from datetime import datetime

from chatmem.model import JobReport, Message, Session, SessionSummary, WorkingMemory
from chatmem.model.time import utc_now
from chatmem.storage.tables.database import Row, Table, from_row, to_bindings
from chatmem.storage.tables.memories import HistoryTable
from chatmem.storage.tables.owners import Owners
from chatmem.storage.values import Extraction, Job, OpenTurn, Owner, StoredMessage

_DELETE = (
    *("summaries.delete", "working.delete", "jobs.delete_session"),
    *("extraction.delete_session", "extraction.delete_session_events", "sessions.delete"),
)


class ConversationTable(Table):
    """Every message as it was said: the table `conversation`."""

    def insert_all(self, owner: Owner, messages: Sequence[tuple[Message, str]]) -> None:
        """Add the messages, each with the memory of the same words."""
        rows = ({**to_bindings(message), "memory_id": memory} for message, memory in messages)
        self._db.many("conversations.insert", owner, rows)

    def by_sources(self, owner: Owner, source_ids: Sequence[str]) -> dict[str, str]:
        """The memories of messages that were imported before, by source id."""
        found = self._db.rows("conversations.by_sources", owner, ids=source_ids)
        return {known: str(memory_id) for known, memory_id in found}

    def same_start(self, owner: Owner, first: Message, last: Message) -> list[Row]:
        """Id, role, content of the session's turns whose first 50 characters are one of these."""
        named = {"session_id": first.session_id, "role": first.role, "content": first.content}
        also = {"last_role": last.role, "last": last.content}
        return self._db.rows("memories.same_start", owner, **named, **also)

    def sources_of(self, owner: Owner, memory_id: str) -> list[str]:
        """The source ids of the messages that hold the memory's words."""
        found = self._db.rows("conversations.sources", owner, memory_id=memory_id)
        return [row[0] for row in found]

    def of_session(self, owner: Owner, session_id: str) -> list[StoredMessage]:
        """The session's messages, oldest first."""
        return self._messages("of_session", owner, session_id=session_id)

    def of_memory(self, owner: Owner, memory_id: str) -> list[StoredMessage]:
        """The messages that hold the memory's words, oldest first."""
        return self._messages("of_memory", owner, memory_id=memory_id)

    def window(self, owner: Owner, session_id: str, limit: int) -> list[StoredMessage]:
        """The session's newest messages, at most `limit`, oldest first."""
        return self._messages("window", owner, session_id=session_id, limit=limit)[::-1]

    def after(self, owner: Owner, session_id: str, number: int, limit: int) -> list[StoredMessage]:
        """The session's messages past a number, at most `limit`, oldest first."""
        return self._messages("after", owner, session_id=session_id, number=number, limit=limit)

    def count_after(self, owner: Owner, session_id: str, number: int) -> int:
        """How many messages of the session are past a number."""
        named = {"session_id": session_id, "number": number}
        return int(self._db.value("conversations.count_after", owner, **named))

    def collect(self, owner: Owner, session_id: str, message_id: int, collected: bool) -> bool:
        """True when the session has such a message; it is (or is no longer) collected."""
        named = {"session_id": session_id, "number": message_id, "collected": int(collected)}
        return self._db.row("conversations.collect", owner, **named) is not None

    def collected(self, owner: Owner, limit: int, offset: int) -> list[StoredMessage]:
        """Collected messages, newest first."""
        return self._messages("collected", owner, limit=limit, offset=offset)

    def delete_session(self, owner: Owner, session_id: str) -> int:
        """How many messages were deleted."""
        return len(self._db.rows("conversations.delete_session", owner, session_id=session_id))

    def take_back(self, owner: Owner, number: int) -> bool:
        """Delete one message; True when no other has the same memory."""
        memory_id = self._db.value("conversations.take_back", owner, number=number)
        if memory_id is None:
            return False
        return self._db.row("conversations.has_memory", owner, memory_id=memory_id) is None

    def speakers_of(self, owner: Owner, memory_ids: Sequence[str]) -> dict[str, str]:
        """Names of those who said the words of these memories, by memory, where a name is known."""
        return dict(self._db.rows("conversations.speakers_of", owner, ids=memory_ids))

    def counts(self, owner: Owner) -> tuple[int, int]:
        """How many messages and how many sessions there are."""
        return self._db.value("conversations.count", owner), self._db.value("sessions.count", owner)

    def _messages(self, name: str, owner: Owner, **bindings: object) -> list[StoredMessage]:
        return self._db.records(StoredMessage, f"conversations.{name}", owner, **bindings)


class SessionTable(Table):
    """Sessions as they are listed: the table `session`."""

    def standing(self, owner: Owner, session_id: str) -> Row:
        """Newest row and end; when its working memory was active; its flush; settings' version.

        Then the numbers of the session, and of the speakers `user` and `assistant`. None of what is
        not there. The first that a turn's transaction asks.
        """
        (found,) = self._db.rows("sessions.standing", owner, session_id=session_id)
        return found

    def open(self, owner: Owner, session_id: str, at: datetime, known: Row | None = None) -> bool:
        """True when nothing was said in it yet; it is there afterwards, and runs (again)."""
        last_row, ended_at = (known or self.standing(owner, session_id))[:2]
        if last_row is None:
            Owners(self._db).create_session(owner, session_id, at)
        elif ended_at is not None:
            self._db.run("sessions.reopen", owner, session_id=session_id, at=at)
        return last_row is None or last_row < 0

    def get(self, owner: Owner, session_id: str) -> Session | None:
        """The session, or None."""
        return self._db.record(Session, "sessions.get", owner, session_id=session_id)

    def page(self, owner: Owner, limit: int, offset: int) -> list[Session]:
        """Sessions, the one that was active last first."""
        found = self._db.rows("sessions.page", owner, limit=limit, offset=offset)
        return [one for row in found if (one := self.get(owner, row[0])) is not None]

    def count(self, owner: Owner) -> int:
        """How many there are."""
        return int(self._db.value("sessions.count", owner))

    def rename(self, owner: Owner, session_id: str, title: str | None) -> None:
        """Give the title that a person chose; None goes back to the summary's."""
        self._db.run("sessions.rename", owner, session_id=session_id, title=title)

    def end(self, owner: Owner, session_id: str, at: datetime) -> None:
        """Note that it has ended; the next message opens it again."""
        self._db.run("sessions.end", owner, session_id=session_id, at=at)

    def delete(self, owner: Owner, session_id: str) -> bool:
        """True when it was there: the row, its summaries, working memory and jobs are deleted."""
        known = self.standing(owner, session_id)[0] is not None
        for name in _DELETE:
            self._db.run(name, owner, session_id=session_id)
        return known


class SummaryTable(Table):
    """Summaries of sessions, one of each: the table `session_summary`. Source: S2.3."""

    def put(self, owner: Owner, summary: SessionSummary) -> None:
        """Insert, or replace the session's."""
        named = to_bindings(summary)
        if self._db.row("summaries.update", owner, **named) is None:
            self._db.run("summaries.insert", owner, **named)

    def of_session(self, owner: Owner, session_id: str) -> SessionSummary | None:
        """The session's newest summary, or None."""
        named = {"session_id": session_id}
        return self._db.record(SessionSummary, "summaries.of_session", owner, **named)

    def recent(self, owner: Owner, limit: int, without: str | None = None) -> list[SessionSummary]:
        """The newest summaries, those updated last first; `without` is a session left out."""
        named = {"limit": limit, "without": without}
        return self._db.records(SessionSummary, "summaries.recent", owner, **named)

    def delete(self, owner: Owner, session_id: str) -> None:
        """The session has nothing to tell any more."""
        self._db.run("summaries.delete", owner, session_id=session_id)


class WorkingTable(Table):
    """What running sessions are about: the table `working_memory`. Source: S3.1."""

    def topic(
        self, owner: Owner, session_id: str, since: datetime | None = None
    ) -> tuple[str | None, bool]:
        """The topic of a session active since then, and whether messages wait for analysis."""
        found = self._db.row("working.topic", owner, session_id=session_id, since=since or "")
        return (found[0], bool(found[1])) if found else (None, False)

    def set_topic(self, owner: Owner, session_id: str, topic: str | None, at: datetime) -> None:
        """Note what the session is about."""
        self._db.run("working.set_topic", owner, session_id=session_id, topic=topic, at=at)

    def get(self, owner: Owner, session_id: str) -> OpenTurn | None:
        """The session's working memory, or None."""
        found = self._db.row("working.get", owner, session_id=session_id)
        if found is None:
            return None
        return from_row(OpenTurn, (from_row(WorkingMemory, found[:7]), *found[7:]))

    def count(
        self, owner: Owner, session_id: str, message: str, at: datetime, *, is_open: bool = False
    ) -> None:
        """Count a user's message, to be analysed; its answer is there too unless it `is_open`.

        One that was counted and waits for its answer is not counted again.
        """
        data = message.strip().encode("utf-8", "replace")
        mark = hashlib.blake2b(data, digest_size=16).hexdigest()
        named = {"mark": mark, "open": mark if is_open else None}
        self._db.run("working.count", owner, session_id=session_id, at=at, **named)

    def answered(self, owner: Owner, session_id: str, at: datetime) -> None:
        """The message that was counted has its answer."""
        self._db.run("working.answered", owner, session_id=session_id, at=at)

    def put(self, owner: Owner, turn: OpenTurn) -> None:
        """Insert or replace."""
        named = to_bindings(turn)
        self._db.run("working.put", owner, **to_bindings(named.pop("working")), **named)

    def delete(self, owner: Owner, session_id: str) -> None:
        """It is no longer needed."""
        self._db.run("working.delete", owner, session_id=session_id)

    def idle(self, before: datetime, limit: int) -> list[tuple[Owner, str]]:
        """Owner and session of working memories last updated before then, of all users."""
        found = self._db.rows("working.idle", before=before, limit=limit)
        return [(Owner(number, user_id), session_id) for number, user_id, session_id in found]


class ExtractionTable(Table):
    """How far sessions were read for memories, and which events were handled."""

    def get(self, owner: Owner, session_id: str) -> Extraction:
        """How far the session was read; a new one's is the default."""
        found = self._db.record(Extraction, "extraction.get", owner, session_id=session_id)
        return found or Extraction()

    def put(self, owner: Owner, session_id: str, extraction: Extraction) -> None:
        """Insert or replace."""
        self._db.run("extraction.put", owner, session_id=session_id, **to_bindings(extraction))

    def handle(self, owner: Owner, session_id: str, event_id: str, at: datetime) -> bool:
        """True the first time that this event is handled; of its id, a client's, a hash is kept."""
        digest = HistoryTable(self._db).hash(owner, event_id, at).hex()
        is_first = not self.is_handled(owner, session_id, event_id)
        self._db.run("extraction.handle", owner, session_id=session_id, event_id=digest, at=at)
        return is_first

    def is_handled(self, owner: Owner, session_id: str, event_id: str) -> bool:
        """True after the event was handled, by an older version too, which kept the id."""
        digest = HistoryTable(self._db).hash(owner, event_id).hex()
        named = {"session_id": session_id, "event_id": digest, "plain": event_id}
        return self._db.row("extraction.is_handled", owner, **named) is not None

    def forget_events(self, before: datetime) -> None:
        """Forget ids of events that were handled before then: nobody delivers them again."""
        self._db.run("extraction.forget_events", before=before)


class JobTable(Table):
    """What the background has to do, written in the transaction of what causes it."""

    def put(self, owner: Owner, kind: str, session_id: str, due_at: datetime, *more: str) -> None:
        """Ask for the work, of each kind; of a job that waits already the earlier time counts."""
        asked = ({"kind": one, "session_id": session_id, "due_at": due_at} for one in (kind, *more))
        self._db.many("jobs.put", owner, asked)

    def due(
        self,
        now: datetime,
        kinds: Sequence[str],
        limit: int,
        holder: str = "",
        gone: Collection[str] = (),
    ) -> list[Job]:
        """Jobs whose time has come, the earliest first.

        Left out are those given up, and those leased by another holder who is not `gone`.
        """
        found = self._db.rows(
            "jobs.due", now=now, kinds=kinds, limit=limit, holder=holder, gone=tuple(gone)
        )
        return [from_row(Job, (row[0], Owner(row[1], row[2]), *row[3:])) for row in found]

    def holders(self) -> list[str]:
        """Who has leased jobs."""
        return [row[0] for row in self._db.rows("jobs.holders")]

    def lease(
        self, job: Job, holder: str, begins: datetime, until: datetime, gone: Collection[str] = ()
    ) -> bool:
        """True when the job is the holder's: others leave it alone until then, or it is `gone`."""
        named = {"holder": holder, "begins": begins, "until": until, "gone": tuple(gone)}
        return self._db.row("jobs.lease", job.owner, number=job.number, **named) is not None

    def done(self, job: Job) -> None:
        """Strike it off; one that was asked for again since waits anew."""
        self._db.run("jobs.done", job.owner, number=job.number, asked=job.asked)
        self._db.run("jobs.asked_again", job.owner, number=job.number)

    def postponed(self, job: Job, due_at: datetime) -> None:
        """Its time has not come yet; one that was asked for again since is due as asked."""
        named = {"number": job.number, "asked": job.asked}
        self._db.run("jobs.postponed", job.owner, due_at=due_at, **named)

    def failed(self, job: Job, error: str, retry_at: datetime) -> None:
        """Put it off for another attempt."""
        named = {"number": job.number, "error": error}
        self._db.run("jobs.failed", job.owner, retry_at=retry_at, **named)

    def give_up(self, job: Job, error: str, at: datetime) -> None:
        """Leave it for a person to see, and to ask for again."""
        self._db.run("jobs.give_up", job.owner, number=job.number, error=error, at=at)

    def of_user(self, owner: Owner, limit: int) -> list[JobReport]:
        """The user's jobs, those given up first."""
        return self._db.records(JobReport, "jobs.of_user", owner, limit=limit, now=utc_now())

    def retry(self, owner: Owner, number: int, at: datetime) -> bool:
        """True when such a job was given up; it waits again."""
        return self._db.row("jobs.retry", owner, number=number, at=at) is not None

    def discard(self, owner: Owner, number: int) -> bool:
        """True when such a job was given up; it is deleted."""
        return self._db.row("jobs.discard", owner, number=number) is not None

    def state(self) -> tuple[int, str | None, int]:
        """How many wait, due or not, what went wrong with one of them, and how many are given up.

        Jobs of all users; None where nothing went wrong.
        """
        ((waiting, error, given_up),) = self._db.rows("jobs.state")
        return waiting, error, given_up
