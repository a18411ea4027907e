"""Steps over the calendar from the day on which something was said."""

import re
from datetime import date, timedelta
from typing import Final, Literal, TypeAlias

Unit: TypeAlias = Literal["day", "week", "weekend", "month", "season", "year"]
Moment: TypeAlias = tuple[date, Unit]
"""The first day of what is meant, and how exact it is."""
Meant: TypeAlias = tuple[date, Unit, str] | None
"""The moment, and how it is written; None for what is no date."""

FIGURES: Final = r"(?<!\d)\d{4}(?:-\d{1,2}-|/\d{1,2}/)\d{1,2}(?![\d/-])"


def iso(first: date, unit: Unit) -> str:
    """2026-05-20, 2026-05 for a month, 2026 for a year."""
    if unit == "year":
        return f"{first:%Y}"
    return f"{first:%Y-%m}" if unit == "month" else f"{first:%Y-%m-%d}"


def in_figures(said: str) -> date:
    """The day that `FIGURES` found."""
    return date(*map(int, re.split(r"\D", said)))


def moved(count: int, per: str, today: date) -> Moment:
    """The day, month or year so many units away from today."""
    if per == "day":
        return today + timedelta(count), "day"
    if per in ("week", "fortnight"):
        return today + timedelta(7 * count), "day"
    if per == "month":
        return add_months(today, count), "month"
    return today.replace(year=today.year + count, month=1, day=1), "year"


def day_named(number: int, which: str, today: date, past: bool) -> date:
    """The day of the week of that number (Monday is 0): the next one, or the one `which` says."""
    ahead = (number - today.weekday()) % 7
    if which == "next":
        return today - timedelta(today.weekday()) + timedelta(7 + number)
    if which in ("last", "past", "this past") or (past and not which):
        return today - timedelta((today.weekday() - number) % 7 or 7)
    return today + timedelta(ahead if ahead or which == "this" else 7)


def add_months(today: date, count: int) -> date:
    """The first day of the month so many months away."""
    months = today.year * 12 + today.month - 1 + count
    return date(months // 12, months % 12 + 1, 1)


def day_of_month(day: int, today: date, past: bool) -> date:
    """The nearest such day that a month has: after 30 June, the 31st is that of July."""
    for step in range(3):
        month = add_months(today, -step if past else step)
        here = month + timedelta(day - 1)
        if here.month == month.month and (here <= today if past else here >= today):
            return here
    raise ValueError(day)


def dated(
    month: int, day: int, year: int | None, today: date, past: bool, *, whole_month: bool = False
) -> date:
    """The day of that name that is meant: the next one, or the last one of what is past."""
    if year is not None:
        return date(year, month, day)
    here = date(today.year, month, day)
    reached = today.replace(day=1) if whole_month else today
    if past and here > reached:
        return date(today.year - 1, month, day)
    if not past and here < reached:
        return date(today.year + 1, month, day)
    return here
