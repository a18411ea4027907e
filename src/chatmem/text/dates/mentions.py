"""Dates as people say them (tomorrow, next Friday, 下周三, 月底), as days of the calendar.

A memory is read long after it was said: `tomorrow` means nothing then. Days are those of the
writer's own clock. Source: decisions 4.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from chatmem.text.dates import chinese, english
from chatmem.text.dates.recurrence import comes_again, recurring
from chatmem.text.dates.steps import Unit, add_months
from chatmem.text.normalise import has_han

_FAR_YEARS: Final = 120
_NAMES_MONTH: Final = ("dmonth", "mmonth", "ofmonth", "month", "mrel")


@dataclass(frozen=True, slots=True)
class SaidDate:
    """A date in a text: where it stands, the first day of what it covers, and how exact it is.

    `text` is how it is to be written in the text's language in place of what stands there.
    """

    start: int
    end: int
    first: date
    unit: Unit
    text: str

    @property
    def is_day(self) -> bool:
        """True where one day is meant, not a week or a year."""
        return self.unit == "day"

    @property
    def last(self) -> date:
        """The last day of what it covers."""
        if self.unit in ("week", "weekend"):
            return self.first + timedelta(6 if self.unit == "week" else 1)
        months = {"month": 1, "season": 3, "year": 12}.get(self.unit, 0)
        return add_months(self.first, months) - timedelta(1) if months else self.first


def dates_in(plain: str, today: date, *, past: bool = False) -> list[SaidDate]:
    """Every date that `plain` says in words, in order; what is no certain date is left out.

    Args:
        plain: lower case, and Simplified where it is Chinese.
        today: the day on which it was said, by the writer's clock.
        past: the text tells of what has been: `on Friday` is the last one, not the next.
    """
    language = chinese if has_han(plain) else english
    coming_again = recurring(plain, chinese=language is chinese, past=past)
    found: list[SaidDate] = []
    month: date | None = None  # the one that was named last: `the 20th` is in it
    for match in language.pattern().finditer(plain):
        said = match.groupdict()
        again = comes_again(said)
        if again and match.start() in coming_again[again]:
            continue
        try:
            meant = language.resolve(match, month, False) if month and said["nth"] else None
            meant = meant or language.resolve(match, today, past)
        except (ValueError, OverflowError):  # 31 June, or a year that no calendar has
            continue
        if meant is not None and abs(meant[0].year - today.year) <= _FAR_YEARS:
            found.append(SaidDate(match.start(), match.end(), *meant))
            names_month = meant[1] == "month" or any(said.get(one) for one in _NAMES_MONTH)
            if not said["nth"]:
                month = meant[0].replace(day=1) if names_month else None
    return found


def with_dates(said: str, dates: list[SaidDate]) -> str:
    """`said` with each of its dates written as one of the calendar."""
    for each in reversed(dates):
        before, after = said[: each.start], said[each.end :]
        gap = " " if has_han(before[-1:]) else ""
        tail = " " if has_han(after[:1]) and each.text[-1].isdigit() else ""
        said = f"{before}{gap}{each.text}{tail}{after}"
    return said
