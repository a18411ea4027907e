"""Sessions: the list (S2.4), summaries (S2.3), working memory (S3.1), how far they were read."""

import json
from datetime import datetime

from chatmem.model import Session, SessionSummary, WorkingMemory
from chatmem.model.time import to_text
from chatmem.storage.tables.database import SqlDatabase, Table
from chatmem.storage.tables.owners import Owners
from chatmem.storage.tables.rows import columns, from_row
from chatmem.storage.values import Extraction, OpenTurn, Owner

_DELETE = (
    *("summaries.delete", "working.delete", "jobs.delete_session"),
    *("extraction.delete_session", "extraction.delete_session_events", "sessions.delete"),
)


class SessionTable:
    """Sessions as they are listed: the table `session`."""

    def __init__(self, database: SqlDatabase, owners: Owners) -> None:
        self._db = database
        self._owners = owners

    def open(self, owner: Owner, session_id: str, at: datetime) -> bool:
        """True when nothing was said in it yet; it is there afterwards, and runs (again)."""
        known = self._db.row("sessions.known", owner, session_id=session_id)
        if known is None:
            self._owners.create_session(owner, session_id, to_text(at))
            return True
        ended_at, last_row = known
        if ended_at is not None:
            self._db.run("sessions.reopen", owner, session_id=session_id, at=to_text(at))
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
        self._db.run("sessions.end", owner, session_id=session_id, at=to_text(at))

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
        named = columns(summary)
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
        at = to_text(since) if since else ""
        found = self._db.row("working.topic", owner, session_id=session_id, since=at)
        return (found[0], bool(found[1])) if found else (None, False)

    def set_topic(self, owner: Owner, session_id: str, topic: str | None, at: datetime) -> None:
        """Note what the session is about."""
        named = {"session_id": session_id, "topic": topic, "at": to_text(at)}
        self._db.run("working.set_topic", owner, **named)

    def get(self, owner: Owner, session_id: str) -> OpenTurn | None:
        """The session's working memory, or None."""
        found = self._db.row("working.get", owner, session_id=session_id)
        if found is None:
            return None
        variables, *working, open_message, analysed, pending = found
        working[2:2] = [json.loads(variables)]
        return OpenTurn(
            from_row(WorkingMemory, tuple(working)), open_message, analysed, bool(pending)
        )

    def put(self, owner: Owner, turn: OpenTurn) -> None:
        """Insert or replace."""
        variables = dict(turn.working.context_variables)
        named = columns(turn.working) | {
            "context_variables": json.dumps(variables, ensure_ascii=False),
            "open_message": turn.open_message,
            "analysed": turn.analysed,
            "pending": int(turn.pending),
        }
        self._db.run("working.put", owner, **named)

    def delete(self, owner: Owner, session_id: str) -> None:
        """It is no longer needed."""
        self._db.run("working.delete", owner, session_id=session_id)

    def idle(self, before: datetime, limit: int) -> list[tuple[Owner, str]]:
        """Owner and session of working memories last updated before then, of all users."""
        found = self._db.rows("working.idle", before=to_text(before), limit=limit)
        return [(Owner(number, user_id), session_id) for number, user_id, session_id in found]


class ExtractionTable(Table):
    """How far sessions were read for memories, and which events were handled."""

    def get(self, owner: Owner, session_id: str) -> Extraction:
        """How far the session was read; a new one's is the default."""
        found = self._db.row("extraction.get", owner, session_id=session_id)
        if found is None:
            return Extraction()
        return from_row(Extraction, (*found[:2], json.loads(found[2])))

    def put(self, owner: Owner, session_id: str, extraction: Extraction) -> None:
        """Insert or replace."""
        named = columns(extraction) | {"flush": json.dumps(dict(extraction.flush))}
        self._db.run("extraction.put", owner, session_id=session_id, **named)

    def handle(self, owner: Owner, session_id: str, event_id: str, at: datetime) -> bool:
        """True the first time that this event is handled."""
        named = {"session_id": session_id, "event_id": event_id, "at": to_text(at)}
        return self._db.row("extraction.handle", owner, **named) is not None

    def forget_events(self, before: datetime) -> None:
        """Forget ids of events that were handled before then: nobody delivers them again."""
        self._db.run("extraction.forget_events", before=to_text(before))
