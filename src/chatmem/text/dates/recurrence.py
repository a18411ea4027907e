"""Which dates of a text come again (every Monday, a birthday, the day rent is due)."""

import re
from functools import cache
from typing import Final, Literal, TypeAlias

from chatmem.text.dates.english import MONTHS, WEEKDAYS

Again: TypeAlias = Literal["weekday", "day of the month", "day of the year"]
# What makes a date one that comes again, and which dates: what is every Monday, or every month, can
# be any of them; a birthday has a day of the year, pay and rent one of the month.
_EVERY: Final[tuple[Again, ...]] = ("weekday", "day of the month", "day of the year")


@cache
def _markers(*, chinese: bool) -> tuple[re.Pattern[str], dict[re.Pattern[str], tuple[Again, ...]]]:
    """What a clause ends with, and the marks of what recurs in it."""
    if chinese:
        return re.compile(r"[。；！？;!?\n]|[，,](?!周|星期|礼拜)|但"), {
            re.compile(
                r"每(?!个?人|位|家)"
                r"|(?<![上下这本个])(?:周|星期|礼拜)一[到至](?:周|星期|礼拜)?[五六日天]"
            ): _EVERY,
            re.compile(r"生日(?!聚|派|会|宴|礼|蛋糕)|纪念日|忌日"): ("day of the year",),
            re.compile(r"发工资|发薪|工资日|房租|房贷|还款日"): ("day of the month",),
        }
    day, month = "|".join(WEEKDAYS), "|".join(MONTHS)
    return re.compile(rf"[.;!?\n]|,(?! (?:and |or )?(?:{day}))| but "), {
        re.compile(
            rf"\b(?:every|each) (?:\w+ )?(?:day|week|month|year|morning|evening|night|spring|summer"
            rf"|autumn|fall|winter|christmas|easter|\d|{day}|{month})"
            r"|(?<!from )(?<!next )(?<!this )(?<!last )monday (?:to|through|till|until) "
            r"(?:friday|saturday|sunday)"
        ): _EVERY,
        re.compile(r"\b(?:birthday(?!s? (?:part|dinner|trip|lunch|cake|present))|anniversary)"): (
            "day of the year",
        ),
        re.compile(r"\b(?:pay ?day|(?:gets?|am|is|are) paid|salary|wages|rent)\b"): (
            "day of the month",
        ),
    }


def recurring(plain: str, *, chinese: bool, past: bool) -> dict[Again, set[int]]:
    """For each kind of date, the places where it comes again and is no single day."""
    ends, marks = _markers(chinese=chinese)
    found: dict[Again, set[int]] = {kind: set() for kind in _EVERY}
    start = 0
    for end in [*(match.end() for match in ends.finditer(plain)), len(plain)]:
        for mark, kinds in marks.items():
            # `I got paid on the 25th` happened once; `every` recurs in the past as well.
            if (kinds is _EVERY or not past) and mark.search(plain, start, end):
                for kind in kinds:
                    found[kind].update(range(start, end))
        start = end
    return found


def comes_again(said: dict[str, str | None]) -> Again | None:
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
