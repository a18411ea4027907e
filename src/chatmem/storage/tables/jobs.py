"""What the background has to do."""

import json
from collections.abc import Collection, Sequence
from datetime import datetime

from chatmem.model import JobReport, JobState
from chatmem.model.time import to_text, utc_now
from chatmem.storage.tables.database import Table
from chatmem.storage.tables.rows import from_row
from chatmem.storage.values import Job, Lease, Owner


class JobTable(Table):
    """What the background has to do, written in the transaction of what causes it."""

    def put(self, owner: Owner, kind: str, session_id: str, due_at: datetime) -> None:
        """Ask for the work; of a job that waits already the earlier time counts."""
        self._db.run("jobs.put", owner, kind=kind, session_id=session_id, due_at=due_at)

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
            "jobs.due",
            now=now,
            kinds=json.dumps(list(kinds)),
            limit=limit,
            holder=holder,
            gone=json.dumps(list(gone)),
        )
        return [from_row(Job, (row[0], Owner(row[1], row[2]), *row[3:])) for row in found]

    def holders(self) -> list[str]:
        """Who has leased jobs."""
        return [row[0] for row in self._db.rows("jobs.holders")]

    def lease(self, job: Job, lease: Lease, gone: Collection[str] = ()) -> bool:
        """True when the job is the holder's until then."""
        named = {"holder": lease.holder, "until": lease.until, "now": lease.begins}
        others = json.dumps(list(gone))
        found = self._db.row("jobs.lease", job.owner, number=job.number, gone=others, **named)
        return found is not None

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
        now = to_text(utc_now())
        found = self._db.rows("jobs.of_user", owner, limit=limit)
        return [
            from_row(
                JobReport, (*job, _state(given_up_at, leased_until, now), due_at, attempts, error)
            )
            for *job, given_up_at, leased_until, due_at, attempts, error in found
        ]

    def retry(self, owner: Owner, number: int, at: datetime) -> bool:
        """True when such a job was given up; it waits again."""
        return self._db.row("jobs.retry", owner, number=number, at=at) is not None

    def discard(self, owner: Owner, number: int) -> bool:
        """True when such a job was given up; it is deleted."""
        return self._db.row("jobs.discard", owner, number=number) is not None

    def state(self) -> tuple[int, str | None]:
        """How many wait, due or not, and what went wrong with one of them, if anything did."""
        ((count, error),) = self._db.rows("jobs.state")
        return count, error

    def given_up(self) -> int:
        """How many were given up, of all users."""
        return int(self._db.value("jobs.given_up"))


def _state(given_up_at: str | None, leased_until: str | None, now: str) -> JobState:
    if given_up_at is not None:
        return "failed"
    return "running" if leased_until is not None and leased_until > now else "waiting"
