"""Steps over the calendar from the day on which something was said, and the days of holidays."""

from collections.abc import Callable
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import Final, TypeAlias

from chatmem.text.languages.language import Moment, Unit, toml_of

FIGURES: Final = r"(?<!\d)\d{4}(?:-\d{1,2}-|/\d{1,2}/)\d{1,2}(?![\d/-])"


def iso(first: date, unit: Unit) -> str:
    """2026-05-20, 2026-05 for a month, 2026 for a year."""
    if unit == "year":
        return f"{first:%Y}"
    return f"{first:%Y-%m}" if unit == "month" else f"{first:%Y-%m-%d}"


def moved(count: int, per: str, today: date) -> Moment:
    """The day, month or year so many units away from today."""
    if per == "month":
        return add_months(today, count), "month"
    if per == "year":
        return today.replace(year=today.year + count, month=1, day=1), "year"
    return today + timedelta({"week": 7, "fortnight": 14}.get(per, 1) * count), "day"


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


InYear: TypeAlias = Callable[[int], date | None]
"""The day of a holiday in a year; None where none is known."""
_NAMED: Final = 512
"""Days kept, so that a text full of one holiday takes no longer."""
_THURSDAY: Final = 3


@lru_cache(_NAMED)
def nearest(in_year: InYear, today: date, past: bool) -> Moment | None:
    """The next day of a holiday from `today` on, or the last one of what is past."""
    # A lunar year ends in the next one of the calendar, so that two before today may be asked for.
    days = [day for step in (-2, -1, 0, 1) if (day := in_year(today.year + step))]
    found = [day for day in days if (day <= today if past else day >= today)]
    return (max(found) if past else min(found), "day") if found else None


def holidays(package: str) -> dict[str, InYear]:
    """The holidays of a language's `holidays.toml`, by name."""
    found = toml_of(package, "holidays")
    days = found["fixed"].items()
    fixed: dict[str, InYear] = {name: partial(date, month=one[0], day=one[1]) for name, one in days}
    return fixed | {name: lunar(*day) for name, day in found["lunar"].items()}


@lru_cache(_NAMED)
def lunar(month: int, day: int) -> InYear:
    """That day of the lunar calendar; None past 2100."""

    def in_year(year: int) -> date | None:
        # 15 ms, and most people never name a lunar date.
        from borax.calendars.lunardate import InvalidLunarDateError, LunarDate  # noqa: PLC0415

        try:
            found: date = LunarDate(year, month, day).to_solar_date()
        except InvalidLunarDateError:
            return None
        return found

    return in_year


def lunar_new_years_eve(year: int) -> date | None:
    """The day before the first of the lunar year."""
    spring = lunar(1, 1)(year)
    return spring - timedelta(1) if spring else None


def qingming(year: int) -> date:
    """The day of sweeping the tombs, 4 or 5 April."""
    return date(year, 4, 4 if year % 4 < 2 else 5)


def thanksgiving(year: int) -> date:
    """The fourth Thursday of November."""
    first = date(year, 11, 1)
    return first + timedelta((_THURSDAY - first.weekday()) % 7 + 21)


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the anonymous algorithm of 1876."""
    golden, century, rest = year % 19, year // 100, year % 100
    epact = (19 * golden + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)
