"""Holidays that people make plans for, as days of the calendar."""

from datetime import date, timedelta
from typing import Final

from chatmem.text.wordlist import listed

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
# Days of the lunar calendar, month and day of each year from 2020 on.
_FIRST_YEAR: Final = 2020
_NEW_YEAR: Final = listed(
    "0125 0212 0201 0122 0210 0129 0217 0206 0126 0213 0203 0123 0211 0131 0219 0208"
)
_DRAGON_BOAT: Final = listed(
    "0625 0614 0603 0622 0610 0531 0619 0609 0528 0616 0605 0624 0612 0601 0620 0610"
)
_MID_AUTUMN: Final = listed(
    "1001 0921 0910 0929 0917 1006 0925 0915 1003 0922 0912 1001 0919 0908 0927 0916"
)
_ENDINGS: Final = ("节", "假期", "长假", "劳动节")
_THURSDAY: Final = 3


def holiday(name: str, today: date, *, past: bool = False) -> date | None:
    """The next day of that name from `today` on, or the last one; None where none is known.

    Args:
        name: lower case and without apostrophes, or Simplified.
        today: the day on which it was said.
        past: what is told has been.
    """
    for ending in _ENDINGS:
        name = name.removesuffix(ending) if len(name) > len(ending) + 1 else name
    years = (today.year, today.year - 1) if past else (today.year, today.year + 1)
    for year in years:
        day = _in_year(name, year)
        if day is not None and (day <= today if past else day >= today):
            return day
    return None


def _in_year(name: str, year: int) -> date | None:
    if name in _FIXED:
        return date(year, *_FIXED[name])
    if name == "easter":
        return _easter(year)
    if name == "thanksgiving":
        first = date(year, 11, 1)
        return first + timedelta((_THURSDAY - first.weekday()) % 7 + 21)
    if name == "清明":
        return date(year, 4, 4 if year % 4 < 2 else 5)
    if name == "除夕":
        spring = _lunar(_NEW_YEAR, year)
        return spring - timedelta(1) if spring else None
    table = {
        "春": _NEW_YEAR,
        "春节": _NEW_YEAR,
        "过年": _NEW_YEAR,
        "chinese new year": _NEW_YEAR,
        "端午": _DRAGON_BOAT,
        "中秋": _MID_AUTUMN,
    }.get(name)
    return _lunar(table, year) if table else None


def _lunar(table: tuple[str, ...], year: int) -> date | None:
    number = year - _FIRST_YEAR
    if not 0 <= number < len(table):
        return None
    return date(year, int(table[number][:2]), int(table[number][2:]))


def _easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the anonymous algorithm of 1876."""
    golden, century, rest = year % 19, year // 100, year % 100
    epact = (19 * golden + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)
