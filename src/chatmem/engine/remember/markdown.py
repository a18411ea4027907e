"""MEMORY.md and the daily logs, as texts that a person reads and writes.

Source: S5.1.2, S5.6.1, S5.8.1, S5.9.1; decisions 2; interfaces.md (`/api/memory/main`, `daily`).
"""

from datetime import date, datetime
from typing import NamedTuple

from chatmem.engine.checks import checked_limit
from chatmem.engine.remember.append import MemoryAppender
from chatmem.engine.space import SpacePart
from chatmem.errors import InvalidInputError
from chatmem.model import AtomicMemoryRecord, DocumentText, Page
from chatmem.model.time import as_utc, moment_or_now
from chatmem.prompt.main_memory import prepare_main
from chatmem.storage.documents.places import MAIN, daily_document, document_day
from chatmem.storage.documents.records import clock_moment, noon
from chatmem.text.bullets import annotate, parse, visible_text
from chatmem.text.languages import DEFAULT, LanguageCode
from chatmem.text.tokens import count_tokens

FIRST_YEAR = 1900
"""Before it no clock of a machine can be trusted to know its own zone."""


class MainReach(NamedTuple):
    """How much of a MEMORY.md reaches a prompt.

    `tokens` are the file's without its comments, at most `most` (`memory.main_max_tokens`): what is
    past it moves to the archive. A prompt takes `shown_tokens` of them, at most `most_shown`
    (`memory.main_section_tokens`), with `shown` of `memories`.
    """

    tokens: int
    most: int
    shown_tokens: int
    most_shown: int
    memories: int
    shown: int


class MainDocument(SpacePart):
    """MEMORY.md of one user."""

    def read(self) -> DocumentText:
        """The text as it stands, ids in comments included."""
        return self._documents.read_text(MAIN)

    def write(self, content: str, etag: str | None = None, *, forget: bool = False) -> DocumentText:
        """The document after the writing: `MemoryDocuments.write_text`."""
        return self._documents.write_text(MAIN, content, etag, forget=forget)

    def reach(self, content: str, language: LanguageCode = DEFAULT.code) -> MainReach:
        """How much of this text would reach a prompt, in `language`, if it were MEMORY.md."""
        memory = self._engine.obey_settings().memory
        cap = min(memory.main_section_tokens, memory.memory_section_tokens)
        # New bullets have no id yet; each gets one, so that it is counted.
        named = [
            (one, {**one.attributes, "id": f"b{number}"})
            for number, one in enumerate(parse(content).bullets)
        ]
        taken = prepare_main(annotate(content, named), cap, language)
        return MainReach(
            tokens=count_tokens(visible_text(content)),
            most=memory.main_max_tokens,
            shown_tokens=taken.tokens,
            most_shown=cap,
            memories=len(taken.ids) + len(taken.left_out),
            shown=len(taken.ids),
        )


class DailyLogs(SpacePart):
    """The daily logs of one user; days are those of the machine's zone."""

    def days(self, limit: int = 50, offset: int = 0) -> Page[date]:
        """A page of the days that have a log, the latest first."""
        most = checked_limit(limit)
        found = (document_day(path) for path in self._documents.folder.stamps())
        days = sorted((day for day in found if day is not None), reverse=True)
        start = max(0, offset)
        return Page(tuple(days[start : start + most]), len(days), most, start)

    def read(self, day: date) -> DocumentText:
        """The day's log as it stands, empty where there is none."""
        return self._documents.read_text(daily_document(day))

    def write(
        self, day: date, content: str, etag: str | None = None, *, forget: bool = False
    ) -> DocumentText:
        """The day's log after the writing; one in which nothing is left is removed.

        Raises:
            InvalidInputError: a day that no clock knows; and as `MemoryDocuments.write_text`.
        """
        return self._documents.write_text(_document_of(day), content, etag, forget=forget)

    def append(self, day: date, entry: str, *, now: datetime | None = None) -> AtomicMemoryRecord:
        """The note as it stands in the day's log.

        Today's happened now; another day's at the time that it begins with (`09:30 dentist`), else
        at noon.

        Raises:
            InvalidInputError: empty text, or a day that no clock knows.
        """
        moment = moment_or_now(now)
        at = None if day == moment.astimezone().date() else _moment_of(day, entry)
        return MemoryAppender(self._space).append_daily_log(entry, now=moment, at=at)


def _moment_of(day: date, entry: object) -> datetime:
    _document_of(day)
    try:
        begins = clock_moment(entry.strip(), day, None) if isinstance(entry, str) else None
        return as_utc(begins or noon(day, None))
    except (ValueError, OverflowError, OSError) as error:
        raise _no_such_day(day, str(error)) from error


def _document_of(day: date) -> str:
    if day.year < FIRST_YEAR:
        raise _no_such_day(day, f"it is before {FIRST_YEAR}")
    return daily_document(day)


def _no_such_day(day: date, why: str) -> InvalidInputError:
    return InvalidInputError(
        f"date: got {day.isoformat()}, takes a day from {FIRST_YEAR} on ({why})"
    )
