"""What the background has to do,."""

import json
from collections.abc import Collection, Sequence
from datetime import datetime

from chatmem.model import JobReport
from chatmem.model.job import JobState
from chatmem.model.time import from_text, to_text, utc_now
from chatmem.storage.tables.database import SqlDatabase
from chatmem.storage.tables.rows import bound
from chatmem.storage.values import Job, Lease, Owner


class JobTable:
    """What the background has to do, written in the transaction of what causes it."""

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("jobs")

    def put(self, owner: Owner, kind: str, session_id: str, due_at: datetime) -> None:
        """Ask for the work; of a job that waits already the earlier time counts."""
        bindings = {
            "user_id": owner.user_id, "kind": kind, "session_id": session_id,
            "due_at": to_text(due_at),
        }  # fmt: skip
        self._db.execute(self._sql["put"], bindings)

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
        bindings = {
            "now": to_text(now), "kinds": json.dumps(list(kinds)), "limit": limit,
            "holder": holder, "gone": json.dumps(list(gone)),
        }  # fmt: skip
        return [
            Job(row[0], Owner(row[1], row[2]), row[3], row[4], from_text(row[5]), row[6], row[7])
            for row in self._db.execute(self._sql["due"], bindings)
        ]

    def holders(self) -> list[str]:
        """Who has leased jobs."""
        return [str(row[0]) for row in self._db.execute(self._sql["holders"])]

    def lease(self, job: Job, lease: Lease, gone: Collection[str] = ()) -> bool:
        """True when the job is the holder's until then."""
        bindings = {
            "user_id": job.owner.user_id, "number": job.number, "holder": lease.holder,
            "until": to_text(lease.until), "now": to_text(lease.begins),
            "gone": json.dumps(list(gone)),
        }  # fmt: skip
        return self._db.one(self._sql["lease"], bindings) is not None

    def done(self, job: Job) -> None:
        """Strike it off; one that was asked for again since waits anew."""
        self._db.execute(self._sql["done"], bound(job.owner, number=job.number, asked=job.asked))
        self._db.execute(self._sql["asked_again"], bound(job.owner, number=job.number))

    def postponed(self, job: Job, due_at: datetime) -> None:
        """Its time has not come yet; one that was asked for again since is due as asked."""
        bindings = bound(job.owner, number=job.number, asked=job.asked, due_at=to_text(due_at))
        self._db.execute(self._sql["postponed"], bindings)

    def failed(self, job: Job, error: str, retry_at: datetime) -> None:
        """Keep it for another attempt."""
        bindings = bound(job.owner, number=job.number, error=error, retry_at=to_text(retry_at))
        self._db.execute(self._sql["failed"], bindings)

    def give_up(self, job: Job, error: str, at: datetime) -> None:
        """Keep it for a person to see, and to ask for again."""
        bindings = bound(job.owner, number=job.number, error=error, at=to_text(at))
        self._db.execute(self._sql["give_up"], bindings)

    def of_user(self, owner: Owner, limit: int) -> list[JobReport]:
        """The user's jobs, those given up first."""
        now = to_text(utc_now())
        return [
            JobReport(
                number=row[0],
                kind=row[1],
                session_id=row[2],
                state=_state(row[6], row[7], now),
                due_at=from_text(row[3]),
                attempts=row[4],
                error=row[5],
            )
            for row in self._db.execute(self._sql["of_user"], bound(owner, limit=limit))
        ]

    def retry(self, owner: Owner, number: int, at: datetime) -> bool:
        """True when such a job was given up; it waits again."""
        bindings = bound(owner, number=number, at=to_text(at))
        return self._db.one(self._sql["retry"], bindings) is not None

    def discard(self, owner: Owner, number: int) -> bool:
        """True when such a job was given up; it is gone."""
        return self._db.one(self._sql["discard"], bound(owner, number=number)) is not None

    def state(self) -> tuple[int, str | None]:
        """How many wait, due or not, and what went wrong with one of them, if anything did."""
        found = self._db.one(self._sql["state"]) or (0, None)
        return int(found[0]), found[1]

    def given_up(self) -> int:
        """How many were given up, of all users."""
        return int((self._db.one(self._sql["given_up"]) or (0,))[0])


def _state(given_up_at: str | None, leased_until: str | None, now: str) -> JobState:
    if given_up_at is not None:
        return "failed"
    return "running" if leased_until is not None and leased_until > now else "waiting"
