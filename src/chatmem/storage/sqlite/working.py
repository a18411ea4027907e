"""Working memory on SQLite: what running sessions are about (S3.1)."""

from datetime import datetime

from chatmem.model.time import to_text
from chatmem.storage.ports import Owner
from chatmem.storage.sqlite.database import Database
from chatmem.storage.sqlite.statements import statements

_SQL = statements("working")


class SqliteWorkingTable:
    """The table `working_memory`."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def topic(self, owner: Owner, session_id: str) -> str | None:
        """The session's current topic, or None."""
        found = self._db.one(_SQL["topic"], (owner.user_id, session_id))
        return found[0] if found else None

    def set_topic(self, owner: Owner, session_id: str, topic: str | None, at: datetime) -> None:
        """Note what the session is about."""
        bindings = {
            "user_id": owner.user_id, "session_id": session_id, "topic": topic, "at": to_text(at),
        }  # fmt: skip
        self._db.execute(_SQL["set_topic"], bindings)
