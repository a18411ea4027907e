"""A clock that stands still until it is told to move."""

from datetime import UTC, datetime, timedelta

from chatmem.model.time import as_utc

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""A Monday morning."""


class FakeClock:
    """Called, it gives its time, aware and in UTC; only `advance` and `set` move it."""

    def __init__(self, start: datetime = START) -> None:
        self._now = as_utc(start)
        self._elapsed_seconds = 0.0

    def __call__(self) -> datetime:
        """The time it shows."""
        return self._now

    def monotonic(self) -> float:
        """Seconds that it was advanced by, for code that takes a `time.monotonic`."""
        return self._elapsed_seconds

    def sleep(self, seconds: float) -> None:
        """Moves on at once, for code that takes a `time.sleep`."""
        self.advance(seconds=seconds)

    def advance(self, *, days: float = 0, hours: float = 0, seconds: float = 0) -> datetime:
        """Moves forward and gives the new time.

        Raises:
            ValueError: it would move back; `set` does that, as a person who sets a clock.
        """
        step = timedelta(days=days, hours=hours, seconds=seconds)
        if step < timedelta(0):
            raise ValueError(f"a clock does not run back: {step}")
        self._now += step
        self._elapsed_seconds += step.total_seconds()
        return self._now

    def set(self, moment: datetime) -> None:
        """Shows another time, earlier or later; `monotonic` does not notice."""
        self._now = as_utc(moment)
