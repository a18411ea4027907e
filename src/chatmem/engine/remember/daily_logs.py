"""The daily logs: which days have one, what they say, and a note for any day.

Source: S5.1.2; interfaces.md (`/api/memory/daily`).
"""

from datetime import date, datetime

from chatmem.engine.checked import checked_number
from chatmem.engine.documents.whole import DocumentText, read_whole, write_whole
from chatmem.engine.remember.append import append_daily_log
from chatmem.engine.space import Space
from chatmem.errors import InvalidInputError
from chatmem.model import AtomicMemoryRecord, Page
from chatmem.model.time import as_utc, utc_now
from chatmem.storage.documents.attributes import clock_moment, noon
from chatmem.storage.documents.places import daily_document, document_day

MOST_LISTED = 1_000
FIRST_YEAR = 1900
"""Before it no clock of a machine can be trusted to know its own zone."""


class DailyLogs:
    """The daily logs of one user; days are those of the machine's zone."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def days(self, limit: int = 50, offset: int = 0) -> Page[date]:
        """A page of the days that have a log, the latest first."""
        most = int(checked_number(limit, "limit", 0, MOST_LISTED, whole=True))
        found = (document_day(path) for path in self._space.documents.folder.stamps())
        days = sorted((day for day in found if day is not None), reverse=True)
        start = max(0, offset)
        return Page(tuple(days[start : start + most]), len(days), most, start)

    def read(self, day: date) -> DocumentText:
        """The day's log as it stands, ids in comments included; empty where there is none.

        Raises:
            DocumentError: the file cannot be read.
        """
        return read_whole(self._space.documents, daily_document(day))

    def write(self, day: date, content: str, etag: str | None = None) -> DocumentText:
        """The day's log as it stands after the writing, with the ids of new notes.

        With an etag, nothing is written over a version that the writer has not read; that of a day
        without a log is "". A log in which nothing is left is removed.

        Raises:
            InvalidInputError: no text, or a day that no clock knows.
            StaleEtagError: it has changed since; has the text as it stands.
            DocumentError: the file cannot be read or written; nothing was changed.
        """
        _check_day(day)
        return write_whole(self._space.documents, daily_document(day), content, etag)

    def append(self, day: date, entry: str, *, now: datetime | None = None) -> AtomicMemoryRecord:
        """The note as it stands in the day's log.

        Today's happened now; another day's at the time that it begins with (`09:30 dentist`), else
        at noon.

        Raises:
            InvalidInputError: empty text, or a day that no clock knows.
            DocumentError: the file cannot be written; nothing was changed.
        """
        moment = as_utc(now) if now else utc_now()
        at = None if day == moment.astimezone().date() else _moment_of(day, entry)
        return append_daily_log(self._space, entry, moment, at)


def _moment_of(day: date, entry: object) -> datetime:
    _check_day(day)
    try:
        told = clock_moment(entry.strip(), day, None) if isinstance(entry, str) else None
        return as_utc(told or noon(day, None))
    except (ValueError, OverflowError, OSError) as error:
        raise _no_such_day(day, str(error)) from error


def _check_day(day: date) -> None:
    if day.year < FIRST_YEAR:
        raise _no_such_day(day, f"it is before {FIRST_YEAR}")


def _no_such_day(day: date, why: str) -> InvalidInputError:
    return InvalidInputError(
        f"date: got {day.isoformat()}, takes a day from {FIRST_YEAR} on ({why})"
    )
