"""Dates as people say them (tomorrow, next Friday, 下周三, 月底), and as other programs write them.

A memory is read long after it was said: `tomorrow` means nothing then, so what people say becomes
days of the calendar, those of the writer's own clock. Programs write epoch numbers, ISO 8601, mail
headers, words: without a time zone those are taken as UTC, so that the same file gives the same
memory on every machine. One that could be read two ways (`05/08/2023`) is not guessed.

Source: decisions 4.
"""

import re
import unicodedata
from contextlib import suppress
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Final, NamedTuple

from chatmem.text.languages import expression, language_by_script
from chatmem.text.languages.en.dates import MONTHS
from chatmem.text.languages.language import EVERY, Again, Dates, Said, Unit

_FAR_YEARS: Final = 120
_NAMES_MONTH: Final = ("dmonth", "mmonth", "ofmonth", "month", "mrel")
MAX_DATE_CHARS = 64
_LAST_EPOCH_SECOND = 100_000_000_000
"""In the year 5138; numbers above are milliseconds."""
_MONTHS = tuple(name[:3] for name in MONTHS)
_NUMBER = expression(r"\d{9,13}(?:\.\d+)?")
_DAYS = (
    re.compile(r"(?P<year>\d{4})\s*[-/.年]\s*(?P<month>\d{1,2})\s*[-/.月]\s*(?P<day>\d{1,2})"),
    re.compile(
        r"\b(?P<day>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?"
        r"(?P<name>[a-z]{3,9})\.?,?\s+(?P<year>\d{4})\b"
    ),
    re.compile(
        r"\b(?P<name>[a-z]{3,9})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>\d{4})\b"
    ),
    re.compile(r"\b(?P<first>\d{1,2})[-/.](?P<second>\d{1,2})[-/.](?P<year>\d{4})\b"),
)
_TIME = expression(
    r"(?:(?P<before>凌晨|早上|上午|中午|下午|傍晚|晚上|[ap]\.?m\.?\b)\s*+)?"
    r"(?<!\d)(?P<hour>\d{1,2})\s*[:点點时時]\s*(?P<minute>\d{1,2})?(?:[:分]\s*(?P<second>\d{1,2}))?"
    r"(?:\.\d+)?\s*(?P<after>[ap]\.?m\b)?"
)
_MAIL_ZONE = expression(r"(?:[+-]\d{4}|GMT|UTC|UT)$")
_AFTERNOON = ("下午", "傍晚", "晚上", "中午", "p")
_MORNING = ("凌晨", "早上", "上午", "a")


class SaidDate(NamedTuple):
    """A date in a text: where it stands, the first day of what it covers, and how exact it is.

    `text` is how it is to be written in the text's language in place of what stands there.
    """

    start: int
    end: int
    first: date
    unit: Unit
    text: str


def dates_in(plain: str, today: date, *, past: bool = False) -> list[SaidDate]:
    """Every date that `plain` says in words, in order; what is no certain date is left out.

    Args:
        plain: lower case, and Simplified where it is Chinese.
        today: the day on which it was said, by the writer's clock.
        past: the text tells of what has been: `on Friday` is the last one, not the next.
    """
    language = language_by_script(plain).dates
    coming_again = _recurring(plain, language, past=past)
    found: list[SaidDate] = []
    month: date | None = None  # the one that was named last: `the 20th` is in it
    for match in language.pattern.finditer(plain):
        said = match.groupdict()
        again = _comes_again(said)
        if again and match.start() in coming_again[again]:
            continue
        try:
            meant = language.moment(said, month, False) if month and said["nth"] else None
            if said["iso"]:
                meant = date(*map(int, re.split(r"\D", said["iso"]))), "day"
            meant = meant or language.moment(said, today, past)
        except (ValueError, OverflowError):  # 31 June, or a year that no calendar has
            continue
        if meant is not None and abs(meant[0].year - today.year) <= _FAR_YEARS:
            written = language.written(said, meant)
            found.append(SaidDate(match.start(), match.end(), *meant, written))
            names_month = meant[1] == "month" or any(said.get(one) for one in _NAMES_MONTH)
            if not said["nth"]:
                month = meant[0].replace(day=1) if names_month else None
    return found


def with_dates(said: str, dates: list[SaidDate]) -> str:
    """`said` with each of its dates written as one of the calendar."""
    for each in reversed(dates):
        before, after = said[: each.start], said[each.end :]
        gap = "" if language_by_script(before[-1:]).spaced else " "
        ends_in_figure = each.text[-1].isdigit()
        tail = " " if ends_in_figure and not language_by_script(after[:1]).spaced else ""
        said = f"{before}{gap}{each.text}{tail}{after}"
    return said


def _recurring(plain: str, language: Dates, *, past: bool) -> dict[Again, set[int]]:
    """For each kind of date, the places where it comes again and is no single day."""
    ends, marks = language.recurring
    found: dict[Again, set[int]] = {kind: set() for kind in EVERY}
    start = 0
    for end in [*(match.end() for match in ends.finditer(plain)), len(plain)]:
        for mark, kinds in marks.items():
            # `I got paid on the 25th` happened once; `every` recurs in the past as well.
            if (kinds is EVERY or not past) and mark.search(plain, start, end):
                for kind in kinds:
                    found[kind].update(range(start, end))
        start = end
    return found


def _comes_again(said: Said) -> Again | None:
    """Which round a date belongs to that says no week, month or year of its own."""
    if said["weekday"]:
        certain = any(said.get(one) for one in ("which", "rel", "weeks"))
        return None if certain else "weekday"
    if said.get("weekend"):
        return "weekday"
    if said["nth"]:
        return "day of the month"
    years = any(
        said.get(one) for one in ("year", "dyear", "myear", "yrel", "part", "hrel", "hyear")
    )
    named = any(said.get(one) for one in ("holiday", "dmonth", "mmonth", "month"))
    return "day of the year" if named and not years else None


def read_date(raw: object) -> datetime | None:
    """The moment that `raw` names, in UTC, or None when it cannot be told.

    Understands epoch numbers (seconds, milliseconds), ISO 8601, RFC 5322, `2023/05/20 (Sat) 03:38`,
    `2024年04月01日 周一 08:30`, `1:56 pm on 8 May, 2023`, `May 8, 2023` and the like.
    """
    if isinstance(raw, int | float):
        return None if isinstance(raw, bool) else _from_epoch(raw)
    text = unicodedata.normalize("NFKC", raw).strip() if isinstance(raw, str) else ""
    if len(text) > MAX_DATE_CHARS:
        return None
    if _NUMBER.fullmatch(text):
        return _from_epoch(float(text))
    for read in (_from_standard, _from_words):
        with suppress(ValueError, OverflowError):
            moment = read(text)
            if moment is not None:
                return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None


def _from_epoch(number: float) -> datetime | None:
    with suppress(ValueError, OverflowError, OSError):
        seconds = number / 1000 if abs(number) > _LAST_EPOCH_SECOND else number
        return datetime.fromtimestamp(seconds, UTC)
    return None


def _from_standard(text: str) -> datetime:
    """ISO 8601, or the form of mail headers."""
    # Without its zone a mail date is too like others: "1:56 PM" would lose its half of the day.
    return parsedate_to_datetime(text) if _MAIL_ZONE.search(text) else datetime.fromisoformat(text)


def _from_words(text: str) -> datetime | None:
    text = text.lower()
    for pattern in _DAYS:
        match = pattern.search(text)
        month_and_day = _month_and_day(match.groupdict()) if match else None
        if match and month_and_day:
            clock = _clock_of(f"{text[: match.start()]} {text[match.end() :]}")
            return datetime(int(match["year"]), *month_and_day, *clock)
    return None


def _month_and_day(found: dict[str, str]) -> tuple[int, int] | None:
    if "month" in found:
        return int(found["month"]), int(found["day"])
    if "name" in found:
        name = found["name"][:3]
        return (_MONTHS.index(name) + 1, int(found["day"])) if name in _MONTHS else None
    first, second = int(found["first"]), int(found["second"])
    if first == second or second > 12:
        return first, second
    return (second, first) if first > 12 else None


def _clock_of(rest: str) -> tuple[int, int, int]:
    """Hour, minute and second; midnight when the text names no time."""
    match = _TIME.search(rest)
    if match is None:
        return 0, 0, 0
    hour = int(match["hour"])
    half = match["before"] or match["after"] or ""
    if half.startswith(_AFTERNOON) and 1 <= hour < 12 and not (half == "中午" and hour == 11):
        hour += 12
    elif half.startswith(_MORNING) and hour == 12:
        hour = 0
    return hour, int(match["minute"] or 0), int(match["second"] or 0)
