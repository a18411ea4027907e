"""Times as text: UTC, ISO 8601, fixed width, so that text order is time order."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache


def utc_now() -> datetime:
    """The present moment, aware, in UTC."""
    return datetime.now(UTC)


def as_utc(moment: datetime) -> datetime:
    """The same moment in UTC; a naive one is taken as local time."""
    return moment.astimezone(UTC)


def moment_or_now(now: datetime | None) -> datetime:
    """The moment in UTC, the present one where none is given."""
    return utc_now() if now is None else as_utc(now)


def whole_milliseconds(moment: datetime) -> datetime:
    """The moment as a database keeps it, so that a file can say the same."""
    return moment - timedelta(microseconds=moment.microsecond % 1000)


def to_text(moment: datetime) -> str:
    """`2026-11-21T03:33:06.123Z`: 24 characters, milliseconds, UTC."""
    return _utc_text(moment if moment.tzinfo is UTC else as_utc(moment))


@lru_cache(maxsize=64)
def _utc_text(moment: datetime) -> str:
    # Cached: what is written together has one time, in a dozen columns.
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def from_text(text: str) -> datetime:
    """The moment that `to_text`, or any ISO 8601 writer, wrote; naive text is taken as UTC.

    Raises:
        ValueError: the text is no ISO 8601 time.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is UTC:
        return moment
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
