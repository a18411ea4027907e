"""What the background has to do, on SQLite."""

import json
from collections.abc import Sequence
from datetime import datetime

from chatmem.model.time import from_text, to_text
from chatmem.storage.ports import Job, Owner
from chatmem.storage.sqlite.database import Database
from chatmem.storage.sqlite.statements import statements

_SQL = statements("jobs")


class SqliteJobTable:
    """The table `job`."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def put(self, owner: Owner, kind: str, session_id: str, due_at: datetime) -> None:
        """Ask for the work; of a job that waits already the earlier time counts."""
        bindings = {
            "user_id": owner.user_id, "kind": kind, "session_id": session_id,
            "due_at": to_text(due_at),
        }  # fmt: skip
        self._db.execute(_SQL["put"], bindings)

    def due(self, now: datetime, kinds: Sequence[str], limit: int) -> list[Job]:
        """Jobs whose time has come, the earliest first."""
        bindings = {"now": to_text(now), "kinds": json.dumps(list(kinds)), "limit": limit}
        return [
            Job(row[0], Owner(row[1], row[2]), row[3], row[4], from_text(row[5]), row[6], row[7])
            for row in self._db.execute(_SQL["due"], bindings)
        ]

    def done(self, job: Job) -> None:
        """Strike it off, unless it was asked for again since."""
        self._db.execute(_SQL["done"], (job.number, job.asked))

    def failed(self, job: Job, error: str, retry_at: datetime) -> None:
        """Keep it for another attempt."""
        bindings = {"number": job.number, "error": error, "retry_at": to_text(retry_at)}
        self._db.execute(_SQL["failed"], bindings)

    def state(self) -> tuple[int, str | None]:
        """How many wait, due or not, and what went wrong with one of them, if anything did."""
        found = self._db.one(_SQL["state"]) or (0, None)
        return int(found[0]), found[1]
