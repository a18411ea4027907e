"""Holidays that people make plans for, as days of the calendar."""

from collections.abc import Callable
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

_FIXED: Final = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "boxing day": (12, 26),
    "new years eve": (12, 31),
    "new years day": (1, 1),
    "new years": (1, 1),
    "halloween": (10, 31),
    "valentines day": (2, 14),
    "国庆": (10, 1),
    "元旦": (1, 1),
    "五一": (5, 1),
    "劳动节": (5, 1),
    "圣诞": (12, 25),
    "平安夜": (12, 24),
    "情人节": (2, 14),
    "儿童节": (6, 1),
    "教师节": (9, 10),
    "跨年": (12, 31),
}
# By month and day of the lunar calendar.
_LUNAR: Final = {
    "春": (1, 1),
    "春节": (1, 1),
    "过年": (1, 1),
    "chinese new year": (1, 1),
    "lunar new year": (1, 1),
    "元宵": (1, 15),
    "lantern festival": (1, 15),
    "端午": (5, 5),
    "dragon boat festival": (5, 5),
    "七夕": (7, 7),
    "中秋": (8, 15),
    "mid-autumn festival": (8, 15),
    "重阳": (9, 9),
    "腊八": (12, 8),
}
_NAMED: Final = 512
"""Days kept, so that a text full of one holiday takes no longer."""
_ENDINGS: Final = ("节", "假期", "长假", "劳动节")
_THURSDAY: Final = 3


@lru_cache(_NAMED)
def holiday(name: str, today: date, *, past: bool = False) -> date | None:
    """The next day of that name from `today` on, or the last one; None where none is known.

    Args:
        name: lower case and without apostrophes, or Simplified.
        today: the day on which it was said.
        past: what is told has been.
    """
    for ending in _ENDINGS:
        name = name.removesuffix(ending) if len(name) > len(ending) + 1 else name
    return _nearest(lambda year: _in_year(name, year), today, past=past)


@lru_cache(_NAMED)
def lunar_day(month: int, day: int, today: date, *, past: bool = False) -> date | None:
    """The next day of that month and day of the lunar calendar, or the last one; None past 2100."""
    return _nearest(lambda year: _lunar(month, day, year), today, past=past)


def _nearest(in_year: Callable[[int], date | None], today: date, *, past: bool) -> date | None:
    # A lunar year ends in the next one of the calendar, so that two before today may be asked for.
    days = sorted(day for step in (-2, -1, 0, 1) if (day := in_year(today.year + step)))
    if past:
        return next((day for day in reversed(days) if day <= today), None)
    return next((day for day in days if day >= today), None)


def _in_year(name: str, year: int) -> date | None:
    if name in _FIXED:
        return date(year, *_FIXED[name])
    if name.startswith("大年初"):
        return _lunar(1, 1 + "一二三四五六七八九十".index(name[-1]), year)
    if name in _LUNAR:
        return _lunar(*_LUNAR[name], year)
    if name == "easter":
        return _easter(year)
    if name == "thanksgiving":
        first = date(year, 11, 1)
        return first + timedelta((_THURSDAY - first.weekday()) % 7 + 21)
    if name == "清明":
        return date(year, 4, 4 if year % 4 < 2 else 5)
    if name in ("除夕", "大年三十"):
        spring = _lunar(1, 1, year)
        return spring - timedelta(1) if spring else None
    return None


def _lunar(month: int, day: int, year: int) -> date | None:
    # 15 ms, and most people never name a lunar date.
    from borax.calendars.lunardate import (  # noqa: PLC0415
        InvalidLunarDateError,
        LunarDate,
    )

    try:
        found: date = LunarDate(year, month, day).to_solar_date()
    except InvalidLunarDateError:
        return None
    return found


def _easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the anonymous algorithm of 1876."""
    golden, century, rest = year % 19, year // 100, year % 100
    epact = (19 * golden + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)
