"""Sessions, as they are listed (S2.4)."""

from datetime import datetime

from chatmem.model import Session
from chatmem.model.time import from_text, to_text
from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.owners import Owners
from chatmem.storage.tables.rows import bound
from chatmem.storage.values import Owner


class SessionTable:
    """Sessions as they are listed: the table `session`."""

    def __init__(self, database: SqlDatabase, owners: Owners) -> None:
        self._db = database
        self._sql = database.statements("sessions")
        self._summaries = database.statements("summaries")
        self._working_memory = database.statements("working")
        self._jobs = database.statements("jobs")
        self._extraction = database.statements("extraction")
        self._owners = owners

    def open(self, owner: Owner, session_id: str, at: datetime) -> bool:
        """True when nothing was said in it yet; it is there afterwards, and runs (again)."""
        known = self._db.one(self._sql["known"], bound(owner, session_id=session_id))
        if known is None:
            self._owners.create_session(owner, session_id, to_text(at))
            return True
        if known[0] is not None:
            bindings = bound(owner, session_id=session_id, at=to_text(at))
            self._db.execute(self._sql["reopen"], bindings)
        return bool(known[1] < 0)

    def get(self, owner: Owner, session_id: str) -> Session | None:
        """The session, or None."""
        bindings = bound(owner, session_id=session_id)
        found = self._db.one(self._sql["get"], bindings)
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
        bindings = bound(owner, session_id=session_id)
        return bool((self._db.one(self._sql["is_foreign"], bindings) or (0,))[0])

    def page(self, owner: Owner, limit: int, offset: int) -> list[Session]:
        """Sessions, the one that was active last first."""
        found = self._db.execute(self._sql["page"], bound(owner, limit=limit, offset=offset))
        return [one for row in found if (one := self.get(owner, row[0])) is not None]

    def count(self, owner: Owner) -> int:
        """How many there are."""
        return int((self._db.one(self._sql["count"], bound(owner)) or (0,))[0])

    def rename(self, owner: Owner, session_id: str, title: str | None) -> None:
        """Give the title that a person chose; None goes back to the summary's."""
        bindings = bound(owner, session_id=session_id, title=title)
        self._db.execute(self._sql["rename"], bindings)

    def end(self, owner: Owner, session_id: str, at: datetime) -> None:
        """Note that it has ended; the next message opens it again."""
        bindings = bound(owner, session_id=session_id, at=to_text(at))
        self._db.execute(self._sql["end"], bindings)

    def running(self, owner: Owner) -> list[str]:
        """Ids of sessions with messages that have not ended, the one active last first."""
        return [row[0] for row in self._db.execute(self._sql["running"], bound(owner))]

    def delete(self, owner: Owner, session_id: str) -> bool:
        """True when it was there: the row, its summaries, working memory and jobs are gone."""
        known = self._db.one(self._sql["known"], bound(owner, session_id=session_id)) is not None
        self._db.execute(self._summaries["delete"], bound(owner, session_id=session_id))
        self._db.execute(self._working_memory["delete"], bound(owner, session_id=session_id))
        self._db.execute(self._jobs["delete_session"], bound(owner, session_id=session_id))
        self._db.execute(self._extraction["delete_session"], bound(owner, session_id=session_id))
        self._db.execute(
            self._extraction["delete_session_events"], bound(owner, session_id=session_id)
        )
        self._db.execute(self._sql["delete"], bound(owner, session_id=session_id))
        return known
