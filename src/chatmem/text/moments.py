"""Moments as other programs write them: epoch numbers, ISO 8601, mail headers, words.

A date without a time zone is taken as UTC, so that the same file gives the same memory on every
machine. A date that could be read two ways (`05/08/2023`) is not guessed.
"""

import re
import unicodedata
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from chatmem.text.languages.en.dates import MONTHS

MAX_DATE_CHARS = 64
_LAST_EPOCH_SECOND = 100_000_000_000
"""In the year 5138; numbers above are milliseconds."""
_MONTHS = tuple(name[:3] for name in MONTHS)
_NUMBER = re.compile(r"\d{9,13}(?:\.\d+)?")
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
_TIME = re.compile(
    r"(?:(?P<before>凌晨|早上|上午|中午|下午|傍晚|晚上|[ap]\.?m\.?\b)\s*+)?"
    r"(?<!\d)(?P<hour>\d{1,2})\s*[:点點时時]\s*(?P<minute>\d{1,2})?(?:[:分]\s*(?P<second>\d{1,2}))?"
    r"(?:\.\d+)?\s*(?P<after>[ap]\.?m\b)?"
)
_MAIL_ZONE = re.compile(r"(?:[+-]\d{4}|GMT|UTC|UT)$")
_AFTERNOON = ("下午", "傍晚", "晚上", "中午", "p")
_MORNING = ("凌晨", "早上", "上午", "a")


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
        try:
            moment = read(text)
            if moment is not None:
                return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        except (ValueError, OverflowError):
            continue
    return None


def _from_epoch(number: float) -> datetime | None:
    try:
        seconds = number / 1000 if abs(number) > _LAST_EPOCH_SECOND else number
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
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
