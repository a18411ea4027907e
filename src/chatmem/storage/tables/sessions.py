"""Sessions: messages and the list (S2.4), summaries (S2.3), working memory (S3.1), extraction."""

import json
from collections.abc import Sequence
from datetime import datetime

from chatmem.model import Message, Session, SessionSummary, WorkingMemory
from chatmem.storage.tables.database import SqlDatabase, Table
from chatmem.storage.tables.owners import Owners
from chatmem.storage.tables.rows import from_row, to_bindings
from chatmem.storage.values import Extraction, OpenTurn, Owner, StoredMessage

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
        ids = json.dumps(list(source_ids))
        found = self._db.rows("conversations.by_sources", owner, ids=ids)
        return {known: str(memory_id) for known, memory_id in found}

    def by_source(self, owner: Owner, source_id: str) -> str | None:
        """The memory of a message that was imported before."""
        return self.by_sources(owner, [source_id]).get(source_id)

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
        ids = json.dumps(list(memory_ids))
        return dict(self._db.rows("conversations.speakers_of", owner, ids=ids))

    def counts(self, owner: Owner) -> tuple[int, int]:
        """How many messages and how many sessions there are."""
        return self._db.value("conversations.count", owner), self._db.value("sessions.count", owner)

    def _messages(self, name: str, owner: Owner, **bindings: object) -> list[StoredMessage]:
        found = self._db.rows(f"conversations.{name}", owner, **bindings)
        return [from_row(StoredMessage, row) for row in found]


class SessionTable:
    """Sessions as they are listed: the table `session`."""

    def __init__(self, database: SqlDatabase, owners: Owners) -> None:
        self._db = database
        self._owners = owners

    def open(self, owner: Owner, session_id: str, at: datetime) -> bool:
        """True when nothing was said in it yet; it is there afterwards, and runs (again)."""
        known = self._db.row("sessions.known", owner, session_id=session_id)
        if known is None:
            self._owners.create_session(owner, session_id, at)
            return True
        ended_at, last_row = known
        if ended_at is not None:
            self._db.run("sessions.reopen", owner, session_id=session_id, at=at)
        return bool(last_row < 0)

    def get(self, owner: Owner, session_id: str) -> Session | None:
        """The session, or None."""
        found = self._db.row("sessions.get", owner, session_id=session_id)
        return from_row(Session, found) if found else None

    def is_foreign(self, owner: Owner, session_id: str) -> bool:
        """True when other users have a session of this id and this owner has none."""
        return bool(self._db.value("sessions.is_foreign", owner, session_id=session_id))

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

    def running(self, owner: Owner) -> list[str]:
        """Ids of sessions with messages that have not ended, the one active last first."""
        return [row[0] for row in self._db.rows("sessions.running", owner)]

    def delete(self, owner: Owner, session_id: str) -> bool:
        """True when it was there: the row, its summaries, working memory and jobs are deleted."""
        known = self._db.row("sessions.known", owner, session_id=session_id) is not None
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
        found = self._db.row("summaries.of_session", owner, session_id=session_id)
        return from_row(SessionSummary, found) if found else None

    def recent(self, owner: Owner, limit: int, without: str | None = None) -> list[SessionSummary]:
        """The newest summaries, those updated last first; `without` is a session left out."""
        found = self._db.rows("summaries.recent", owner, limit=limit, without=without)
        return [from_row(SessionSummary, row) for row in found]

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
        found = self._db.row("extraction.get", owner, session_id=session_id)
        return from_row(Extraction, found) if found else Extraction()

    def put(self, owner: Owner, session_id: str, extraction: Extraction) -> None:
        """Insert or replace."""
        self._db.run("extraction.put", owner, session_id=session_id, **to_bindings(extraction))

    def handle(self, owner: Owner, session_id: str, event_id: str, at: datetime) -> bool:
        """True the first time that this event is handled."""
        named = {"session_id": session_id, "event_id": event_id, "at": at}
        return self._db.row("extraction.handle", owner, **named) is not None

    def forget_events(self, before: datetime) -> None:
        """Forget ids of events that were handled before then: nobody delivers them again."""
        self._db.run("extraction.forget_events", before=before)
