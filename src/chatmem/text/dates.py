"""Dates as people say them (tomorrow, next Friday, 下周三, 月底), as days of the calendar.

A memory is read long after it was said: `tomorrow` means nothing then. Days are those of the
writer's own clock. Source: decisions 4.
"""

from dataclasses import dataclass
from datetime import date
from typing import Final

from chatmem.text.languages import language_by_script
from chatmem.text.languages.calendar import Unit
from chatmem.text.languages.language import EVERY, Again, Dates

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
    for match in language.pattern().finditer(plain):
        said = match.groupdict()
        again = _comes_again(said)
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
        gap = "" if language_by_script(before[-1:]).spaced else " "
        ends_in_figure = each.text[-1].isdigit()
        tail = " " if ends_in_figure and not language_by_script(after[:1]).spaced else ""
        said = f"{before}{gap}{each.text}{tail}{after}"
    return said


def _recurring(plain: str, language: Dates, *, past: bool) -> dict[Again, set[int]]:
    """For each kind of date, the places where it comes again and is no single day."""
    ends, marks = language.recurring()
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


def _comes_again(said: dict[str, str | None]) -> Again | None:
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
