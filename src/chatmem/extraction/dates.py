"""Dates as people say them (tomorrow, next Friday, 下周三, 月底), as days of the calendar.

A memory is read long after it was said: `tomorrow` means nothing then. Days are those of the
writer's own clock. Source: decisions 4.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Final, Literal, TypeAlias

from chatmem.extraction.holidays import holiday, lunar_day
from chatmem.text.normalise import has_han
from chatmem.text.wordlist import listed

Unit: TypeAlias = Literal["day", "week", "weekend", "month", "season", "year"]

_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = listed(
    "january february march april may june july august september october november december"
)
_SEASONS: Final = {
    **dict(zip(listed("spring summer autumn fall winter"), (3, 6, 9, 9, 12), strict=True)),
    **dict(zip("春夏秋冬", (3, 6, 9, 12), strict=True)),
}
_NUMBERS: Final = {
    number: count
    for count, numbers in enumerate(
        listed("a|an|one two three four five six seven eight nine ten eleven twelve"), 1
    )
    for number in numbers.split("|")
} | {"a couple of": 2}
_DIGITS_ZH: Final = "零一二三四五六七八九"
_FIGURES: Final = r"(?<!\d)\d{4}(?:-\d{1,2}-|/\d{1,2}/)\d{1,2}(?![\d/-])"
_FAR_YEARS: Final = 120


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
        return _add_months(self.first, months) - timedelta(1) if months else self.first

    @property
    def iso(self) -> str:
        """The date as it is compared: 2026-05-20, 2026-05 for a month, 2026 for a year."""
        return _iso(self.first, self.unit)


def dates_in(plain: str, today: date, *, past: bool = False) -> list[SaidDate]:
    """Every date that `plain` says in words, in order; what is no certain date is left out.

    Args:
        plain: lower case, and Simplified where it is Chinese.
        today: the day on which it was said, by the writer's clock.
        past: the text tells of what has been: `on Friday` is the last one, not the next.
    """
    chinese = has_han(plain)
    patterns, resolve = (_chinese(), _resolve_zh) if chinese else (_english(), _resolve_en)
    recurring = _recurring(plain, chinese=chinese, past=past)
    found: list[SaidDate] = []
    month: date | None = None  # the one that was named last: `the 20th` is in it
    for match in patterns.finditer(plain):
        said = match.groupdict()
        again = _comes_again(said)
        if again and match.start() in recurring[again]:
            continue
        try:
            meant = resolve(match, month, False) if month and said["nth"] else None
            meant = meant or resolve(match, today, past)
        except (ValueError, OverflowError):  # 31 June, or a year that no calendar has
            continue
        if meant is not None and abs(meant[0].year - today.year) <= _FAR_YEARS:
            found.append(SaidDate(match.start(), match.end(), *meant))
            names_month = meant[1] == "month" or any(said.get(one) for one in _NAMES_MONTH)
            if not said["nth"]:
                month = meant[0].replace(day=1) if names_month else None
    return found


_Again: TypeAlias = Literal["weekday", "day of the month", "day of the year"]
_NAMES_MONTH: Final = ("dmonth", "mmonth", "ofmonth", "month", "mrel")
# What makes a date one that comes again, and which dates: what is every Monday, or every month, can
# be any of them; a birthday has a day of the year, pay and rent one of the month.
_EVERY: Final[tuple[_Again, ...]] = ("weekday", "day of the month", "day of the year")


@cache
def _markers(*, chinese: bool) -> tuple[re.Pattern[str], dict[re.Pattern[str], tuple[_Again, ...]]]:
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
    day, month = "|".join(_WEEKDAYS), "|".join(_MONTHS)
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


def _recurring(plain: str, *, chinese: bool, past: bool) -> dict[_Again, set[int]]:
    """For each kind of date, the places where it comes again and is no single day."""
    ends, marks = _markers(chinese=chinese)
    found: dict[_Again, set[int]] = {kind: set() for kind in _EVERY}
    start = 0
    for end in [*(match.end() for match in ends.finditer(plain)), len(plain)]:
        for mark, kinds in marks.items():
            # `I got paid on the 25th` happened once; `every` recurs in the past as well.
            if (kinds is _EVERY or not past) and mark.search(plain, start, end):
                for kind in kinds:
                    found[kind].update(range(start, end))
        start = end
    return found


def _comes_again(said: dict[str, str | None]) -> _Again | None:
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


def with_dates(said: str, dates: list[SaidDate]) -> str:
    """`said` with each of its dates written as one of the calendar."""
    for each in reversed(dates):
        before, after = said[: each.start], said[each.end :]
        gap = " " if has_han(before[-1:]) else ""
        tail = " " if has_han(after[:1]) and each.text[-1].isdigit() else ""
        said = f"{before}{gap}{each.text}{tail}{after}"
    return said


_Meant: TypeAlias = tuple[date, Unit, str] | None
_Resolve: TypeAlias = Callable[["re.Match[str]", date, bool], _Meant]


@cache
def _english() -> re.Pattern[str]:
    day = "|".join(_WEEKDAYS)
    month = "|".join([*_MONTHS, *(name[:3] for name in _MONTHS if name != "may"), "sept"])
    number = "|".join([*sorted(_NUMBERS, reverse=True), r"\d{1,2}"])
    # `a Friday` is any of them, and `our Christmas tree` a tree.
    not_owned = "".join(rf"(?<!\b{one} )" for one in listed("a my our your his her their"))
    return re.compile(
        r"(?<![\w-])(?<!every )(?<!each )(?<!black )(?<!good )(?:(?P<prep>on|by|to"
        r"|until|till|before|after|since|from|in|at|for|over) )?(?:"
        rf"(?P<iso>{_FIGURES})"
        rf"|(?:(?P<weeks>{number}) weeks? from )?"
        rf"(?:(?P<near>(?:the )?day after tomorrow|(?:the )?day before yesterday|tomorrow|yesterday"
        rf"|today|tonight|last night|this(?= morning| afternoon| evening))"
        rf"|(?:(?P<which>this coming|coming|this past|this|next|last|past) )?"
        rf"{not_owned}(?P<weekday>{day})(?! of ))"
        rf"|(?P<rel>this coming|the coming|this|next|last|the (?:following|past)) "
        rf"(?P<span>week(?!\s?day)(?:end)?|month|year|spring|summer|autumn|fall|winter)"
        rf"|(?P<many>{number}) (?P<per>day|week|fortnight|month|year)s?"
        rf"(?: (?P<dir>ago|from now|from today|later|back))?"
        rf"|(?:the )?(?:(?P<end>(?:end|beginning|start|middle) of) )"
        rf"(?P<of>the month|this month|next month|the year|this year|next year)"
        r"|(?:the )?(?P<ofday>\d{1,2})(?:st|nd|rd|th)? of (?P<ofmonth>this|next) month"
        rf"|(?:the )?(?P<dom>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<dmonth>{month})\.?"
        rf"(?:,? (?P<dyear>\d{{4}}))?"
        rf"|(?P<mmonth>{month})\.? (?:the )?(?P<mday>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)"
        rf"(?:,? (?P<myear>\d{{4}}))?"
        rf"|(?P<part>early |mid[- ]|late |this |next |last )?(?P<month>{month})"
        rf"(?:,? (?P<year>\d{{4}}))?"
        r"|(?:the |(?<=(?:st|nd|rd|th) and ))(?P<nth>\d{1,2})(?:st|nd|rd|th)"
        r"(?! (?:of|floor|street|time|grade|century|place|day|week|month|year|\w+day))"
        rf"|{not_owned}(?:the (?=mid|dragon|lantern))?(?:(?P<hrel>this|next|last) )?"
        r"(?P<holiday>christmas eve|christmas day|christmas|boxing day|new year'?s eve"
        r"|new year'?s day|new year'?s|halloween|valentine'?s day|thanksgiving|easter"
        r"|(?:chinese|lunar) new year|(?:mid-autumn|dragon boat|lantern) festival)"
        r"(?: (?P<hyear>(?:this|next|last)(?= year)|\d{4}\b)(?: year)?)?"
        rf")(?P<when> (?:morning|afternoon|evening|night)| (?=\b(?:morning|evening)\b))?(?![\w-])"
        # `Friday nights`, `last year's`: no date.
        rf"(?!'s| (?:mornings|afternoons|evenings|nights)\b)"
    )


def _resolve_en(match: re.Match[str], today: date, past: bool) -> _Meant:
    said = match.groupdict()
    prep = said["prep"] or ""
    meant = _moment_en(said, today, past)
    if meant is None:
        return None
    first, unit = meant
    written = _iso(first, unit)
    if said["iso"]:
        return first, unit, f"{prep} {written}".strip()
    if said["holiday"] and not prep:
        name = re.sub(r"(?<!')\b[a-z]", lambda letter: letter[0].upper(), said["holiday"])
        return first, unit, f"{name}{said['when'] or ''} ({written})".replace("  ", " ")
    if unit == "week":
        written = f"the week of {written}"
    elif unit == "weekend":
        written = f"the weekend of {written}"
    elif unit == "season":
        written = f"{said['span']} {first.year}"
    part = (said["when"] or "").strip() or {"tonight": "evening", "last night": "night"}.get(
        said["near"] or "", ""
    )
    if part:
        written = f"the {part} of {written}"
    if prep in ("", "on", "in", "at", "for", "over") or (prep == "from" and said["dir"]):
        prep = "on" if unit in ("day", "weekend") else "in"
    return first, unit, f"{prep} {written}"


def _moment_en(said: dict[str, str | None], today: date, past: bool) -> tuple[date, Unit] | None:
    if figures := said["iso"]:
        return _in_figures(figures), "day"
    weeks = timedelta(7 * _number_en(said["weeks"])) if said["weeks"] else timedelta()
    if near := said["near"]:
        return today + timedelta(_NEAR_EN.get(near.removeprefix("the "), 0)) + weeks, "day"
    if weekday := said["weekday"]:
        which = said["which"] or ""
        return _weekday(_WEEKDAYS.index(weekday), which, today, past and not weeks) + weeks, "day"
    if span := said["span"]:
        return _span(span, said["rel"] or "", today, past)
    if said["many"]:
        return _offset_en(said, today)
    if said["of"]:
        return _edge_en(said["end"] or "", said["of"], today)
    if said["holiday"]:
        return _holiday_en(said, today, past)
    if said["ofday"]:
        month = _add_months(today, 1 if said["ofmonth"] == "next" else 0)
        return month.replace(day=int(said["ofday"])), "day"
    if said["nth"]:
        return _day_of_month(int(said["nth"]), today, past), "day"
    return _month_en(said, today, past)


def _holiday_en(said: dict[str, str | None], today: date, past: bool) -> tuple[date, Unit] | None:
    if year := said["hyear"]:
        step = {"this": 0, "next": 1, "last": -1}.get(year)
        today, past = date(int(year) if step is None else today.year + step, 1, 1), False
    elif said["hrel"]:
        past = said["hrel"] == "last"
    day = holiday((said["holiday"] or "").replace("'", ""), today, past=past)
    return (day, "day") if day else None


_NEAR_EN: Final = {
    "day after tomorrow": 2,
    "day before yesterday": -2,
    "tomorrow": 1,
    "yesterday": -1,
    "last night": -1,
}


def _month_en(said: dict[str, str | None], today: date, past: bool) -> tuple[date, Unit] | None:
    name = said["dmonth"] or said["mmonth"] or said["month"] or ""
    month = next(n for n, full in enumerate(_MONTHS, 1) if full.startswith(name[:3]))
    year = said["dyear"] or said["myear"] or said["year"]
    day = said["dom"] or said["mday"]
    if day:
        return _dated(month, int(day), int(year) if year else None, today, past), "day"
    # A word like `may` or `march` is a month only where something says so.
    if not (said["prep"] or said["part"] or year):
        return None
    past = past or said["part"] == "last "
    return _dated(month, 1, int(year) if year else None, today, past, whole_month=True), "month"


def _offset_en(said: dict[str, str | None], today: date) -> tuple[date, Unit] | None:
    many, per, way = said["many"] or "", said["per"] or "", said["dir"]
    count = _number_en(many)
    if way in ("ago", "back"):
        count = -count
    elif not (way in ("from now", "from today") or said["prep"] == "in"):
        return None
    return _moved(count * (2 if per == "fortnight" else 1), per, today)


def _number_en(said: str) -> int:
    return int(said) if said.isdigit() else _NUMBERS[said]


def _in_figures(said: str) -> date:
    return date(*map(int, re.split(r"\D", said)))


def _moved(count: int, per: str, today: date) -> tuple[date, Unit]:
    """The day, month or year so many units away from today."""
    if per == "day":
        return today + timedelta(count), "day"
    if per in ("week", "fortnight"):
        return today + timedelta(7 * count), "day"
    if per == "month":
        return _add_months(today, count), "month"
    return today.replace(year=today.year + count, month=1, day=1), "year"


def _edge_en(edge: str, period: str, today: date) -> tuple[date, Unit]:
    later = 1 if period.startswith("next") else 0
    if period.endswith("month"):
        first = _add_months(today, later)
        if edge.startswith("end"):
            return _add_months(first, 1) - timedelta(1), "day"
        return first, "month"
    year = today.year + later
    if edge.startswith("end"):
        return date(year, 12, 1), "month"
    return date(year, 1 if edge[0] in "bs" else 6, 1), "month"


def _span(span: str, rel: str, today: date, past: bool) -> tuple[date, Unit] | None:
    step = {"next": 1, "the following": 1, "last": -1, "the past": -1}.get(rel, 0)
    monday = today - timedelta(today.weekday())
    if span == "week":
        return monday + timedelta(7 * step), "week"
    if span == "weekend":
        if step < 0 and today.weekday() >= 5:
            step = -1
        return monday + timedelta(5 + 7 * step), "weekend"
    if span == "month":
        return _add_months(today, step), "month"
    if span == "year":
        return date(today.year + step, 1, 1), "year"
    month = _SEASONS[span]
    if step == 0:
        return date(today.year, month, 1), "season"
    begun = date(today.year, month, 1) <= today
    year = today.year + (1 if begun else 0) if step > 0 else today.year - (0 if begun else 1)
    return date(year, month, 1), "season"


def _weekday(number: int, which: str, today: date, past: bool) -> date:
    ahead = (number - today.weekday()) % 7
    if which == "next":
        return today - timedelta(today.weekday()) + timedelta(7 + number)
    if which in ("last", "past", "this past") or (past and not which):
        return today - timedelta((today.weekday() - number) % 7 or 7)
    return today + timedelta(ahead if ahead or which == "this" else 7)


def _add_months(today: date, count: int) -> date:
    months = today.year * 12 + today.month - 1 + count
    return date(months // 12, months % 12 + 1, 1)


def _day_of_month(day: int, today: date, past: bool) -> date:
    """The nearest such day that a month has: after 30 June, the 31st is that of July."""
    for step in range(3):
        month = _add_months(today, -step if past else step)
        here = month + timedelta(day - 1)
        if here.month == month.month and (here <= today if past else here >= today):
            return here
    raise ValueError(day)


def _dated(
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


def _iso(first: date, unit: Unit) -> str:
    if unit == "year":
        return f"{first:%Y}"
    return f"{first:%Y-%m}" if unit == "month" else f"{first:%Y-%m-%d}"


_NUMERAL_ZH: Final = "[0-9一二两三四五六七八九十]"
_NEAR_ZH: Final = dict(
    zip(
        listed("大前天 前天 前晚 昨 今 明 后天 后晚 大后天"),
        (-3, -2, -2, -1, 0, 1, 2, 2, 3),
        strict=True,
    )
)


@cache
def _chinese() -> re.Pattern[str]:
    n = _NUMERAL_ZH
    return re.compile(
        rf"(?P<iso>{_FIGURES})"
        r"|(?P<near>大前天|大后天|前天|后天(?!性|形成|养成|培养|努力|因素)|今[天日](?!下)"
        r"|今[晚早](?!安)|昨[天日晚]|明[天日晚早](?!星))"
        r"(?P<when>早上|上午|中午|下午|傍晚|晚上|早晨|凌晨|夜里|晚|早)?"
        r"|(?<![每各个])(?P<rel>上上|下下|上|这|本|下)?个?(?:周|星期"
        r"|礼拜)(?P<weekday>[一二三四五六日天](?![年月天次个]))"
        r"|(?<![每各])(?P<wrel>上上|下下|上|这|本|下)个?(?:(?P<wend>周末)|(?:周|星期"
        r"|礼拜)(?P<wend2>末)?(?![一二三四五六日天]))"
        r"|(?<![每各一二三四五六七八九十几两\d])(?P<weekend>周末)"
        rf"|(?P<mrel>上上|上|这|本|下下|下)个?月(?:(?P<mday>[0-9一二三四五六七八九十]{{1,3}})"
        r"[号日]|(?P<medge>底|末|初|中旬))?"
        rf"|(?<![0-9一二三四五六七八九十])(?:(?P<year>\d{{4}})年)?(?P<yrel>今年|明年"
        rf"|去年|后年|前年)?(?:的)?(?P<lunar>(?:农历|阴历)的?)?(?P<month>\d{{1,2}}|[正冬腊]|十[一二]?"
        r"|[一二三四五六七八九])月"
        rf"(?:(?P<day>\d{{1,2}}|[初廿]?[一二三四五六七八九十]{{1,3}})[号日]?|(?P<edge>底|末"
        r"|初|中旬|份)?)(?![个天])"
        rf"|(?P<nth>\d{{1,2}}|[一二三四五六七八九十]{{1,3}})号(?!楼|线|院|店|厅|馆"
        r"|机|码|房|门|公|选|桌|座|电池|[a-z])"
        r"|(?<![每个])月(?P<onlyedge>底|末|初)"
        r"|(?P<yeredge>(?:今|明|去)?年(?:底|末|初))"
        rf"|(?P<many>半|{n}{{1,3}}|几)(?P<per>个?(?:天|周|星期|礼拜|月"
        r"|年))(?:之?(?P<dir>后|以后|前|以前))"
        r"|(?:(?P<hyear>今年|明年|去年|后年|前年)的?)?(?P<holiday>国庆(?:节|假期|长假)?|元旦"
        r"|五一(?:节|假期|劳动节)?|劳动节|圣诞(?:节)?|平安夜|情人节|儿童节|教师节|(?<!欢度)春节|过年"
        r"|大年(?:初[一二三四五六七八九十]|三十)|除夕|元宵(?:节)?|清明(?:节)?|端午(?:节)?|七夕(?:节)?"
        r"|中秋(?:节)?|重阳(?:节)?|腊八(?:节)?|跨年)(?!大?[路街村]|大道|广场|[中小]学)"
        r"|(?P<years>今年|明年|去年|后年|前年)(?P<season>[春夏秋冬](?:天|季)?)?(?!级)"
        r"|(?P<season2>(?:这个?|下个?|今)(?:春|夏|秋|冬)天?)"
    )


def _resolve_zh(match: re.Match[str], today: date, past: bool) -> _Meant:
    said = match.groupdict()
    meant = _moment_zh(match[0], said, today, past)
    if meant is None:
        return None
    first, unit = meant
    written = _iso(first, unit)
    if unit == "week":
        written += " 那周"
    elif unit == "weekend":
        written += " 那个周末"
    elif unit == "season":
        name = (said["season"] or said["season2"] or "").rstrip("天季")[-1:]
        written = f"{first.year}年{name}天"
    elif unit == "year":
        written += "年"
    return first, unit, written + _PART_ZH.get(said["when"] or match[0][1:2], said["when"] or "")


_PART_ZH: Final = {"晚": "晚上", "早": "早上"}


def _moment_zh(
    text: str, said: dict[str, str | None], today: date, past: bool
) -> tuple[date, Unit] | None:
    if figures := said["iso"]:
        return _in_figures(figures), "day"
    if near := said["near"]:
        days = _NEAR_ZH.get(near, _NEAR_ZH.get(near[0], 0))
        return today + timedelta(days), "day"
    if said["weekday"]:
        return _weekday_zh(said, today, past), "day"
    if said["wrel"] or said["weekend"]:
        step = _STEPS_ZH.get(said["wrel"] or "", -1 if past and today.weekday() < 5 else 0)
        monday = today - timedelta(today.weekday() - 7 * step)
        if said["wend"] or said["wend2"] or said["weekend"]:
            return monday + timedelta(5), "weekend"
        return monday, "week"
    if said["holiday"]:
        if year := said["hyear"]:
            today, past = date(today.year + _YEARS_ZH[year], 1, 1), False
        day = holiday(said["holiday"], today, past=past)
        return (day, "day") if day else None
    if said["many"]:
        return _offset_zh(said, today)
    return _calendar_zh(text, said, today, past)


_STEPS_ZH: Final = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_YEARS_ZH: Final = {"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}


def _weekday_zh(said: dict[str, str | None], today: date, past: bool) -> date:
    number = "一二三四五六日".index((said["weekday"] or "").replace("天", "日"))
    if said["rel"]:
        monday = today - timedelta(today.weekday())
        return monday + timedelta(7 * _STEPS_ZH[said["rel"]] + number)
    return _weekday(number, "", today, past)


def _calendar_zh(
    text: str, said: dict[str, str | None], today: date, past: bool
) -> tuple[date, Unit] | None:
    if said["mrel"] or said["onlyedge"]:
        month = _add_months(today, _STEPS_ZH[said["mrel"] or "本"])
        if said["mday"]:
            return month.replace(day=_number_zh(said["mday"])), "day"
        return _edge_zh(month, said["medge"] or said["onlyedge"])
    if said["month"]:
        return _month_zh(said, today, past)
    if said["nth"]:
        return _day_of_month(_number_zh(said["nth"]), today, past), "day"
    if edge := said["yeredge"]:
        year = today.year + {"明": 1, "去": -1}.get(edge[0], 0)
        return date(year, 1 if edge[-1] == "初" else 12, 1), "month"
    if said["years"]:
        year = today.year + _YEARS_ZH[said["years"]]
        if season := said["season"]:
            return date(year, _SEASONS[season[0]], 1), "season"
        return date(year, 1, 1), "year"
    if season := said["season2"]:
        month_of = _SEASONS[season.rstrip("天")[-1]]
        later = season[0] == "下" and today.month >= month_of
        return date(today.year + later, month_of, 1), "season"
    return None


_LUNAR_MONTHS: Final = {"正": 1, "冬": 11, "腊": 12}


def _month_zh(said: dict[str, str | None], today: date, past: bool) -> tuple[date, Unit] | None:
    name, number = said["month"] or "", said["day"] or ""
    month = _LUNAR_MONTHS.get(name) or _number_zh(name)
    day = _number_zh(number.removeprefix("初").replace("廿", "二十")) if number else None
    year = int(said["year"]) if said["year"] else None
    if said["yrel"]:
        year = today.year + _YEARS_ZH[said["yrel"]]
    if said["lunar"] or name in _LUNAR_MONTHS or number[:1] in ("初", "廿"):
        if year is not None:  # its last two months may lie in the next one of the calendar
            today, past = date(year, 3 if month > 10 else 1, 1), False
        found = lunar_day(month, day, today, past=past) if day else None
        return (found, "day") if found else None
    if day:
        return _dated(month, day, year, today, past), "day"
    first = _dated(month, 1, year, today, past, whole_month=True)
    return _edge_zh(first, said["edge"])


def _edge_zh(month: date, edge: str | None) -> tuple[date, Unit]:
    if edge in ("底", "末"):
        return _add_months(month, 1) - timedelta(1), "day"
    return month, "month"


def _offset_zh(said: dict[str, str | None], today: date) -> tuple[date, Unit] | None:
    many, per = said["many"] or "", (said["per"] or "").removeprefix("个")
    sign = -1 if (said["dir"] or "").endswith("前") else 1
    if many == "几":
        return None
    if many == "半":
        return _moved(sign * 6, "month", today) if per == "年" else None
    unit = {"天": "day", "月": "month", "年": "year"}.get(per, "week")
    return _moved(sign * _number_zh(many), unit, today)


def _number_zh(said: str) -> int:
    """The number up to 99 that Chinese numerals or figures say."""
    if said.isascii():
        return int(said)
    said = said.replace("两", "二")
    tens, ten, ones = said.rpartition("十")
    if not ten:
        return _DIGITS_ZH.index(said)
    return (_DIGITS_ZH.index(tens) if tens else 1) * 10 + (_DIGITS_ZH.index(ones) if ones else 0)
