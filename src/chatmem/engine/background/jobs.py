"""Background work as a person sees it: what waits, what was given up, and trying that again."""

from datetime import datetime

from chatmem.engine.checked import checked_number
from chatmem.engine.space import Space
from chatmem.errors import InvalidInputError
from chatmem.model import JobReport
from chatmem.model.time import utc_now

MOST_LISTED = 1_000


class Jobs:
    """The jobs of one user."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def list(self, limit: int = 100) -> list[JobReport]:
        """Jobs that are not done: those given up first, then by the time when they are due."""
        most = int(checked_number(limit, "limit", 0, MOST_LISTED, whole=True))
        return self._space.store.jobs.of_user(self._space.owner, most)

    def retry(self, number: int, *, now: datetime | None = None) -> None:
        """Try a job again that was given up.

        Raises:
            InvalidInputError: no such job was given up.
        """
        with self._space.store.transaction():
            found = self._space.store.jobs.retry(self._space.owner, number, now or utc_now())
        self._check(number, found)
        self._space.engine.jobs_wake.set()

    def discard(self, number: int) -> None:
        """Strike off a job that was given up: it is not wanted any more.

        Raises:
            InvalidInputError: no such job was given up.
        """
        with self._space.store.transaction():
            found = self._space.store.jobs.discard(self._space.owner, number)
        self._check(number, found)

    def _check(self, number: int, found: bool) -> None:
        if not found:
            raise InvalidInputError(
                f"job: none with the number {number!r} was given up; `chatmem jobs` lists them"
            )
