"""A date that a question names, and how well a row's date fits it."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_NEAR_DAYS = 7
_NEAR_MATCH = 0.5
"""What happened on a day is often told some days after it."""
_MS_PER_DAY = 86_400_000

_YEAR = re.compile(r"\b((?:19|20)\d\d)\b|((?:19|20)\d\d)年")
_CHINESE = re.compile(r"(\d{1,2})月(?:(\d{1,2})[日号號])?")
_AMBIGUOUS = ("march", "may")
_AFTER_WORDS = "(?:in|of|on|by|early|late|during|since|until|this|last|next|mid)"


@dataclass(frozen=True, slots=True)
class NamedDate:
    """The parts of a date that a question names."""

    year: int | None
    month: int | None
    day: int | None


def named_date(question: str) -> NamedDate | None:
    """The date that the question names, or None; a day counts only with its month."""
    text = question.lower()
    found = _YEAR.search(text)
    year = int(found[1] or found[2]) if found else None
    month, day = _english_day(text)
    if month is None and (chinese := _CHINESE.search(text)):
        month = int(chinese[1])
        day = int(chinese[2]) if chinese[2] else None
    if month is not None and not 1 <= month <= 12:
        month = day = None
    if day is not None and not 1 <= day <= 31:
        day = None
    return NamedDate(year, month, day) if year or month else None


def date_match(times_ms: NDArray[np.int64], date: NamedDate) -> NDArray[np.float64]:
    """1 where a time lies in the named date, 0.5 within a week of a named day, else 0."""
    days = (times_ms // _MS_PER_DAY).astype("datetime64[D]")
    years, months = days.astype("datetime64[Y]"), days.astype("datetime64[M]")
    matched = np.ones(len(days), np.float64)
    if date.year:
        matched *= years.astype(np.int64) + 1970 == date.year
    if date.month and date.day:
        named = (years.astype("datetime64[M]") + (date.month - 1)).astype("datetime64[D]")
        apart = np.abs((days - named).astype(np.int64) - (date.day - 1))
        matched *= np.where(apart == 0, 1.0, np.where(apart <= _NEAR_DAYS, _NEAR_MATCH, 0.0))
    elif date.month:
        matched *= months.astype(np.int64) % 12 + 1 == date.month
    return matched


def _english_day(text: str) -> tuple[int | None, int | None]:
    """Month and day in English; `may` and `march` count only where a month must stand."""
    month = day = None
    for number, name in enumerate(_MONTH_NAMES, start=1):
        pattern = rf"\b{name}\b"
        if name in _AMBIGUOUS:
            pattern = rf"(?:\b{_AFTER_WORDS} |\d(?:st|nd|rd|th)? ){name}\b|\b{name},? \d"
        if name in text and re.search(pattern, text):
            month = number
            found = re.search(
                rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {name}\b", text
            ) or re.search(rf"\b{name} (\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)", text)
            day = int(found[1]) if found else None
    return month, day
