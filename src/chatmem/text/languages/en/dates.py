"""Dates as English says them: tomorrow, next Friday, the end of the month."""

import re
from datetime import date, timedelta
from typing import Final

from chatmem.text.languages import calendar
from chatmem.text.languages.language import EVERY, Again, Dates, Moment, Said, expression, listed

WEEKDAYS: Final = listed("monday tuesday wednesday thursday friday saturday sunday")
MONTHS: Final = listed(
    "january february march april may june july august september october november december"
)
WEEKDAY: Final = "|".join(WEEKDAYS)
MONTH: Final = "|".join(MONTHS)
_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_ONES: Final = listed("one two three four five six seven eight nine ten eleven twelve")
_NUMBERS: Final = {one: n for n, one in enumerate(_ONES, 1)} | {"a": 1, "an": 1, "a couple of": 2}
_HOLIDAYS: Final = calendar.holidays("chatmem.text.languages.en") | {
    "easter": calendar.easter,
    "thanksgiving": calendar.thanksgiving,
}
_MONTH: Final = "|".join([*MONTHS, *(name[:3] for name in MONTHS if name != "may"), "sept"])
_COUNT: Final = "|".join([*sorted(_NUMBERS, reverse=True), r"\d{1,2}"])
# `a Friday` is any of them, and `our Christmas tree` a tree.
_NOT_OWNED: Final = "".join(
    rf"(?<!\b{one} )" for one in ["a", "my", "our", "your", "his", "her", "their"]
)
_PATTERN: Final = expression(
    r"(?<![\w-])(?=\w)(?<!every )(?<!each )(?<!black )(?<!good )(?:(?P<prep>on|by|to"
    r"|until|till|before|after|since|from|in|at|for|over) )?(?:"
    rf"(?P<iso>{calendar.FIGURES})|(?:(?P<weeks>{_COUNT}) weeks? from )?(?:(?P<near>(?:the"
    rf" )?day after tomorrow|(?:the )?day before yesterday|tomorrow|yesterday|today|tonight"
    rf"|last night|this(?= morning| afternoon| evening))|(?:(?P<which>this coming|coming"
    rf"|this past|this|next|last|past) )?{_NOT_OWNED}(?P<weekday>{WEEKDAY})(?! of ))"
    rf"|(?P<rel>this coming|the coming|this|next|last|the (?:following|past))"
    rf" (?P<span>week(?!\s?day)(?:end)?|month|year|spring|summer|autumn|fall|winter)"
    rf"|(?P<many>{_COUNT}) (?P<per>day|week|fortnight|month|year)s?(?: (?P<dir>ago|from now"
    rf"|from today|later|back))?|(?:the )?(?:(?P<end>(?:end|beginning|start|middle) of)"
    rf" )(?P<of>the month|this month|next month|the year|this year|next year)"
    r"|(?:the )?(?P<ofday>\d{1,2})(?:st|nd|rd|th)? of (?P<ofmonth>this|next) month"
    rf"|(?:the )?(?P<dom>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<dmonth>{_MONTH})\.?(?:,?"
    rf" (?P<dyear>\d{{4}}))?|(?P<mmonth>{_MONTH})\.? (?:the )?(?P<mday>\d{{1,2}})(?:st|nd|rd"
    rf"|th)?(?!\d)(?:,? (?P<myear>\d{{4}}))?|(?P<part>early |mid[- ]|late |this |next "
    rf"|last )?(?P<month>{_MONTH})(?:,? (?P<year>\d{{4}}))?"
    r"|(?:the |(?<=(?:st|nd|rd|th) and ))(?P<nth>\d{1,2})(?:st|nd|rd|th)"
    r"(?! (?:of|floor|street|time|grade|century|place|day|week|month|year|\w+day))"
    rf"|{_NOT_OWNED}(?:the (?=mid|dragon|lantern))?(?:(?P<hrel>this|next|last) )?"
    r"(?P<holiday>christmas eve|christmas day|christmas|boxing day|new year'?s eve"
    r"|new year'?s day|new year'?s|halloween|valentine'?s day|thanksgiving|easter"
    r"|(?:chinese|lunar) new year|(?:mid-autumn|dragon boat|lantern) festival)"
    r"(?: (?P<hyear>(?:this|next|last)(?= year)|\d{4}\b)(?: year)?)?"
    rf")(?P<when> (?:morning|afternoon|evening|night)| (?=\b(?:morning|evening)\b))?(?![\w-])"
    # `Friday nights`, `last year's`: no date.
    rf"(?!'s| (?:mornings|afternoons|evenings|nights)\b)"
)
"""Every date that English may say, part by part in named groups."""


def _written(said: Said, meant: Moment) -> str:
    first, unit = meant
    prep, written = said["prep"] or "", calendar.iso(first, unit)
    if said["iso"]:
        return f"{prep} {written}".strip()
    if said["holiday"] and not prep:
        name = re.sub(r"(?<!')\b[a-z]", lambda letter: letter[0].upper(), said["holiday"])
        return f"{name}{said['when'] or ''} ({written})".replace("  ", " ")
    if unit in ("week", "weekend"):
        written = f"the {unit} of {written}"
    elif unit == "season":
        written = f"{said['span']} {first.year}"
    part = (said["when"] or "").strip() or {"tonight": "evening", "last night": "night"}.get(
        said["near"] or "", ""
    )
    if part:
        written = f"the {part} of {written}"
    if prep in ("", "on", "in", "at", "for", "over") or (prep == "from" and said["dir"]):
        prep = "on" if unit in ("day", "weekend") else "in"
    return f"{prep} {written}"


def _moment(said: Said, today: date, past: bool) -> Moment | None:
    weeks = timedelta(7 * _number(said["weeks"])) if said["weeks"] else timedelta()
    if near := said["near"]:
        return today + timedelta(_NEAR.get(near.removeprefix("the "), 0)) + weeks, "day"
    if weekday := said["weekday"]:
        past = past and not weeks
        day = calendar.day_named(WEEKDAYS.index(weekday), said["which"] or "", today, past)
        return day + weeks, "day"
    if span := said["span"]:
        return _span(span, said["rel"] or "", today, past)
    if said["many"]:
        return _offset(said, today)
    if said["of"]:
        return _edge(said["end"] or "", said["of"], today)
    if said["holiday"]:
        return _holiday(said, today, past)
    if said["ofday"]:
        month = calendar.add_months(today, 1 if said["ofmonth"] == "next" else 0)
        return month.replace(day=int(said["ofday"])), "day"
    if said["nth"]:
        return calendar.day_of_month(int(said["nth"]), today, past), "day"
    return _month(said, today, past)


def _holiday(said: Said, today: date, past: bool) -> Moment | None:
    if year := said["hyear"]:
        step = {"this": 0, "next": 1, "last": -1}.get(year)
        today, past = date(int(year) if step is None else today.year + step, 1, 1), False
    elif said["hrel"]:
        past = said["hrel"] == "last"
    name = (said["holiday"] or "").replace("'", "")
    return calendar.nearest(_HOLIDAYS[name], today, past) if name in _HOLIDAYS else None


_NEAR: Final = {
    "day after tomorrow": 2,
    "day before yesterday": -2,
    "tomorrow": 1,
    "yesterday": -1,
    "last night": -1,
}


def _month(said: Said, today: date, past: bool) -> Moment | None:
    name = said["dmonth"] or said["mmonth"] or said["month"] or ""
    month = next(n for n, full in enumerate(MONTHS, 1) if full.startswith(name[:3]))
    figures = said["dyear"] or said["myear"] or said["year"]
    year = int(figures) if figures else None
    if day := said["dom"] or said["mday"]:
        return calendar.dated(month, int(day), year, today, past), "day"
    # A word like `may` or `march` is a month only where something says so.
    if not (said["prep"] or said["part"] or year):
        return None
    past = past or said["part"] == "last "
    return calendar.dated(month, 1, year, today, past, whole_month=True), "month"


def _offset(said: Said, today: date) -> Moment | None:
    many, per, way = said["many"] or "", said["per"] or "", said["dir"]
    count = _number(many)
    if way in ("ago", "back"):
        count = -count
    elif not (way in ("from now", "from today") or said["prep"] == "in"):
        return None
    return calendar.moved(count, per, today)


def _number(said: str) -> int:
    return int(said) if said.isdigit() else _NUMBERS[said]


def _edge(edge: str, period: str, today: date) -> Moment:
    later = 1 if period.startswith("next") else 0
    if period.endswith("month"):
        first = calendar.add_months(today, later)
        if edge.startswith("end"):
            return calendar.add_months(first, 1) - timedelta(1), "day"
        return first, "month"
    year = today.year + later
    if edge.startswith("end"):
        return date(year, 12, 1), "month"
    return date(year, 1 if edge[0] in "bs" else 6, 1), "month"


def _span(span: str, rel: str, today: date, past: bool) -> Moment | None:
    step = {"next": 1, "the following": 1, "last": -1, "the past": -1}.get(rel, 0)
    monday = today - timedelta(today.weekday())
    if span == "week":
        return monday + timedelta(7 * step), "week"
    if span == "weekend":
        return monday + timedelta(5 + 7 * step), "weekend"
    if span == "month":
        return calendar.add_months(today, step), "month"
    if span == "year":
        return date(today.year + step, 1, 1), "year"
    month = _SEASONS[span]
    if step == 0:
        return date(today.year, month, 1), "season"
    begun = date(today.year, month, 1) <= today
    year = today.year + (1 if begun else 0) if step > 0 else today.year - (0 if begun else 1)
    return date(year, month, 1), "season"


_CLAUSE_ENDS: Final = expression(rf"[.;!?\n]|,(?! (?:and |or )?(?:{WEEKDAY}))| but ")
_AGAIN: Final[dict[re.Pattern[str], tuple[Again, ...]]] = {
    expression(
        rf"\b(?:every|each) (?:\w+ )?(?:day|week|month|year|morning|evening|night|spring|summer"
        rf"|autumn|fall|winter|christmas|easter|\d|{WEEKDAY}|{MONTH})"
        r"|(?<!from )(?<!next )(?<!this )(?<!last )monday (?:to|through|till|until) "
        r"(?:friday|saturday|sunday)"
    ): EVERY,
    expression(r"\b(?:birthday(?!s? (?:part|dinner|trip|lunch|cake|present))|anniversary)"): (
        "day of the year",
    ),
    expression(r"\b(?:pay ?day|(?:gets?|am|is|are) paid|salary|wages|rent)\b"): (
        "day of the month",
    ),
}
DATES: Final = Dates(_PATTERN, _moment, _written, (_CLAUSE_ENDS, _AGAIN))
