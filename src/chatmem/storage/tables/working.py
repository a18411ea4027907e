"""Working memory: what running sessions are about (S3.1)."""

import json
from datetime import datetime

from chatmem.model import WorkingMemory
from chatmem.model.time import from_text, to_text
from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.rows import bound
from chatmem.storage.values import OpenTurn, Owner


class WorkingTable:
    """What running sessions are about: the table `working_memory`. Source: S3.1."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("working")

    def topic(
        self, owner: Owner, session_id: str, since: datetime | None = None
    ) -> tuple[str | None, bool]:
        """The topic of a session if it was active since then, and whether messages wait for
        their analysis.
        """  # noqa: D205
        bindings = {
            "user_id": owner.user_id,
            "session_id": session_id,
            "since": to_text(since) if since else "",
        }
        found = self._db.one(self._sql["topic"], bindings)
        return (found[0], bool(found[1])) if found else (None, False)

    def set_topic(self, owner: Owner, session_id: str, topic: str | None, at: datetime) -> None:
        """Note what the session is about."""
        bindings = {
            "user_id": owner.user_id, "session_id": session_id, "topic": topic, "at": to_text(at),
        }  # fmt: skip
        self._db.execute(self._sql["set_topic"], bindings)

    def get(self, owner: Owner, session_id: str) -> OpenTurn | None:
        """The session's working memory, or None."""
        found = self._db.one(self._sql["get"], bound(owner, session_id=session_id))
        if found is None:
            return None
        working = WorkingMemory(
            session_id=found[0],
            current_topic=found[1],
            context_variables=json.loads(found[2]),
            turn_count=found[3],
            last_emotion=found[4],
            created_at=from_text(found[5]),
            updated_at=from_text(found[6]),
        )
        return OpenTurn(working, found[7], found[8], bool(found[9]))

    def put(self, owner: Owner, turn: OpenTurn) -> None:
        """Insert or replace."""
        working = turn.working
        bindings = {
            "user_id": owner.user_id,
            "session_id": working.session_id,
            "current_topic": working.current_topic,
            "context_variables": json.dumps(dict(working.context_variables), ensure_ascii=False),
            "turn_count": working.turn_count,
            "last_emotion": working.last_emotion,
            "created_at": to_text(working.created_at),
            "updated_at": to_text(working.updated_at),
            "open_message": turn.open_message,
            "analysed": turn.analysed,
            "pending": int(turn.pending),
        }
        self._db.execute(self._sql["put"], bindings)

    def delete(self, owner: Owner, session_id: str) -> None:
        """It is no longer needed."""
        self._db.execute(self._sql["delete"], bound(owner, session_id=session_id))

    def idle(self, before: datetime, limit: int) -> list[tuple[Owner, str]]:
        """Owner and session of working memories last updated before then, of all users."""
        found = self._db.execute(self._sql["idle"], {"before": to_text(before), "limit": limit})
        return [(Owner(row[0], row[1]), row[2]) for row in found]
