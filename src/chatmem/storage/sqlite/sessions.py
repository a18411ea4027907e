"""Sessions on SQLite, as they are listed (S2.4)."""

from datetime import datetime

from chatmem.model import Session
from chatmem.model.time import from_text, to_text
from chatmem.storage.ports import Owner
from chatmem.storage.sqlite.database import Database
from chatmem.storage.sqlite.owners import Owners
from chatmem.storage.sqlite.statements import statements

_SQL = statements("sessions")
_SUMMARIES = statements("summaries")
_WORKING = statements("working")
_JOBS = statements("jobs")
_EXTRACTION = statements("extraction")


class SqliteSessionTable:
    """The table `session`."""

    def __init__(self, database: Database, owners: Owners) -> None:
        self._db = database
        self._owners = owners

    def open(self, owner: Owner, session_id: str, at: datetime) -> bool:
        """True when nothing was said in it yet; it is there afterwards, and runs (again)."""
        known = self._db.one(_SQL["known"], (owner.number, session_id))
        if known is None:
            self._owners.create_session(owner, session_id, to_text(at))
            return True
        if known[0] is not None:
            bindings = {"owner": owner.number, "session_id": session_id, "at": to_text(at)}
            self._db.execute(_SQL["reopen"], bindings)
        return bool(known[1] < 0)

    def get(self, owner: Owner, session_id: str) -> Session | None:
        """The session, or None."""
        bindings = {"owner": owner.number, "user_id": owner.user_id, "session_id": session_id}
        found = self._db.one(_SQL["get"], bindings)
        if found is None:
            return None
        return Session(
            session_id=found[0],
            title=found[1] or None,
            snippet=found[2] or None,
            message_count=found[3],
            created_at=from_text(found[4]),
            updated_at=from_text(found[5]),
            ended_at=from_text(found[6]) if found[6] else None,
        )

    def is_foreign(self, owner: Owner, session_id: str) -> bool:
        """True when other users have a session of this id and this owner has none."""
        bindings = {"owner": owner.number, "session_id": session_id}
        return bool((self._db.one(_SQL["is_foreign"], bindings) or (0,))[0])

    def page(self, owner: Owner, limit: int, offset: int) -> list[Session]:
        """Sessions, the one that was active last first."""
        found = self._db.execute(_SQL["page"], (owner.number, limit, offset))
        return [one for row in found if (one := self.get(owner, row[0])) is not None]

    def count(self, owner: Owner) -> int:
        """How many there are."""
        return int((self._db.one(_SQL["count"], (owner.number,)) or (0,))[0])

    def rename(self, owner: Owner, session_id: str, title: str | None) -> None:
        """Give the title that a person chose; None goes back to the summary's."""
        bindings = {"owner": owner.number, "session_id": session_id, "title": title}
        self._db.execute(_SQL["rename"], bindings)

    def end(self, owner: Owner, session_id: str, at: datetime) -> None:
        """Note that it has ended; the next message opens it again."""
        bindings = {"owner": owner.number, "session_id": session_id, "at": to_text(at)}
        self._db.execute(_SQL["end"], bindings)

    def running(self, owner: Owner) -> list[str]:
        """Ids of sessions with messages that have not ended, the one active last first."""
        return [row[0] for row in self._db.execute(_SQL["running"], (owner.number,))]

    def delete(self, owner: Owner, session_id: str) -> bool:
        """True when it was there: the row, its summaries, working memory and jobs are gone."""
        known = self._db.one(_SQL["known"], (owner.number, session_id)) is not None
        self._db.execute(_SUMMARIES["delete"], (owner.user_id, session_id))
        self._db.execute(_WORKING["delete"], (owner.user_id, session_id))
        self._db.execute(_JOBS["delete_session"], (owner.user_id, session_id))
        self._db.execute(_EXTRACTION["delete_session"], (owner.user_id, session_id))
        self._db.execute(_EXTRACTION["delete_session_events"], (owner.user_id, session_id))
        self._db.execute(_SQL["delete"], (owner.number, session_id))
        return known
