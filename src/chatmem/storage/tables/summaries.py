"""Session summaries (S2.3)."""

from chatmem.model import SessionSummary
from chatmem.model.time import from_text, to_text
from chatmem.storage.tables.database import Row, SqlDatabase
from chatmem.storage.tables.rows import bound
from chatmem.storage.values import Owner


class SummaryTable:
    """Summaries of sessions, one of each: the table `session_summary`. Source: S2.3."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("summaries")

    def put(self, owner: Owner, summary: SessionSummary) -> None:
        """Insert, or replace the session's."""
        bindings = {
            "user_id": owner.user_id,
            "session_id": summary.session_id,
            "title": summary.title,
            "snippet": summary.snippet,
            "created_at": to_text(summary.created_at),
            "updated_at": to_text(summary.updated_at),
            "message_count": summary.message_count,
            "made_by": summary.made_by,
        }
        changed = {name: value for name, value in bindings.items() if name != "created_at"}
        if self._db.one(self._sql["update"], changed) is None:
            self._db.execute(self._sql["insert"], bindings)

    def of_session(self, owner: Owner, session_id: str) -> SessionSummary | None:
        """The session's newest summary, or None."""
        found = self._db.one(self._sql["of_session"], bound(owner, session_id=session_id))
        return _summary(found) if found else None

    def recent(self, owner: Owner, limit: int, without: str | None = None) -> list[SessionSummary]:
        """The newest summaries, those updated last first; `without` is a session left out."""
        bindings = bound(owner, limit=limit, without=without)
        return [_summary(row) for row in self._db.execute(self._sql["recent"], bindings)]

    def delete(self, owner: Owner, session_id: str) -> None:
        """The session has nothing to tell any more."""
        self._db.execute(self._sql["delete"], bound(owner, session_id=session_id))


def _summary(row: Row) -> SessionSummary:
    session_id, title, snippet, created_at, updated_at, message_count, made_by = row
    return SessionSummary(
        session_id=session_id,
        title=title or "",
        snippet=snippet or "",
        created_at=from_text(created_at),
        updated_at=from_text(updated_at or created_at),
        message_count=message_count,
        made_by=made_by,
    )
