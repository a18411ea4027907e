"""Times in bullets: as attributes, and as the clock time that a daily entry begins with."""

import re
from datetime import UTC, date, datetime, time, tzinfo

_CLOCK = re.compile(r"(?P<hour>[01]?[0-9]|2[0-3])[:：](?P<minute>[0-5][0-9])(?=\s|$)")
_NOON = time(12)
# What must begin its line to be what it is: a fence, a quote, a heading, a table, a list.
_BLOCK = re.compile(r"```|~~~|>|#|\||(?:[-*+]|[0-9]{1,9}[.)])(?:\s|$)")


def moment_text(moment: datetime) -> str:
    """The moment in its own offset, as short as nothing is lost: `2026-11-21T06:05:31Z`."""
    if moment.microsecond == 0:
        precision = "seconds"
    else:
        precision = "microseconds" if moment.microsecond % 1000 else "milliseconds"
    return moment.isoformat(timespec=precision).replace("+00:00", "Z")


def moment_of(text: str) -> datetime:
    """The moment in the offset that the text gives; without one it is local time.

    Raises:
        ValueError: no ISO 8601 time.
        OverflowError: a time outside the years that can be kept.
    """
    moment = datetime.fromisoformat(text)
    aware = moment if moment.tzinfo else moment.astimezone()
    aware.astimezone(UTC)
    return aware


def clock_text(moment: datetime) -> str:
    """`14:05`, in the moment's own offset."""
    return f"{moment:%H:%M}"


def with_clock(content: str, clock: str) -> str:
    """The content of a daily entry behind its time."""
    return f"{clock}\n{content}" if _BLOCK.match(content) else f"{clock} {content}"


def without_clock(content: str, clock: str) -> str | None:
    """What stands behind this very time; None when the content does not begin with it."""
    if not content.startswith(clock):
        return None
    rest = content[len(clock) :]
    return rest.strip() if rest[:1].isspace() or not rest else None


def clock_moment(content: str, day: date, zone: tzinfo | None) -> datetime | None:
    """The moment that an entry of this day begins with (`09:30 dentist`), or None."""
    clock = _CLOCK.match(content)
    return clock and _local(day, time(int(clock["hour"]), int(clock["minute"])), zone)


def noon(day: date, zone: tzinfo | None) -> datetime:
    """Noon of this day: the time of an entry that tells none."""
    return _local(day, _NOON, zone)


def _local(day: date, clock: time, zone: tzinfo | None) -> datetime:
    moment = datetime.combine(day, clock, zone)
    return moment if zone else moment.astimezone()
