"""Dates as Chinese says them: 明天, 下周三, 月底, 农历八月十五."""

import re
from datetime import date, timedelta
from typing import Final

from chatmem.text.languages import calendar
from chatmem.text.languages.language import EVERY, Again, Dates, Moment, Said, expression

_DIGITS: Final = "零一二三四五六七八九"
_SEASONS: Final = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_NUMERAL: Final = "[0-9一二两三四五六七八九十]"
_NEAR: Final = {"大前天": -3, "前天": -2, "昨": -1, "明": 1, "后天": 2, "大后天": 3}
_HOLIDAYS: Final = calendar.holidays("chatmem.text.languages.zh") | {
    **{f"大年初{day}": calendar.lunar(1, n) for n, day in enumerate("一二三四五六七八九十", 1)},
    "清明": calendar.qingming,
    "除夕": calendar.lunar_new_years_eve,
    "大年三十": calendar.lunar_new_years_eve,
}
_PATTERN: Final = expression(
    rf"(?P<iso>{calendar.FIGURES})"
    r"|(?P<near>大前天|大后天|前天|后天(?!性|形成|养成|培养|努力|因素)|今[天日](?!下)"
    r"|今[晚早](?!安)|昨[天日晚]|明[天日晚早](?!星))(?P<when>早上|上午|中午|下午|傍晚|晚上"
    r"|早晨|凌晨|夜里|晚|早)?|(?<![每各个])(?P<rel>上上|下下|上|这|本|下)?个?(?:周|星期"
    r"|礼拜)(?P<weekday>[一二三四五六日天](?![年月天次个]))|(?<![每各])(?P<wrel>上上|下下|上"
    r"|这|本|下)个?(?:(?P<wend>周末)|(?:周|星期|礼拜)(?![一二三四五六日天]))"
    r"|(?<![每各一二三四五六七八九十几两\d])(?P<weekend>周末)"
    rf"|(?P<mrel>上上|上|这|本|下下|下)个?月(?:(?P<mday>[0-9一二三四五六七八九十]{{1,3}})"
    r"[号日]|(?P<medge>底|末|初|中旬))?"
    rf"|(?<![0-9一二三四五六七八九十])(?:(?P<year>\d{{4}})年)?(?P<yrel>今年|明年"
    rf"|去年|后年|前年)?(?:的)?(?P<lunar>(?:农历|阴历)的?)?(?P<month>\d{{1,2}}|[正冬腊]|十[一二]?"
    r"|[一二三四五六七八九])月"
    rf"(?:(?P<day>\d{{1,2}}|[初廿]?[一二三四五六七八九十]{{1,3}})[号日]?|(?P<edge>底|末"
    r"|初|中旬|份)?)(?![个天])"
    rf"|(?P<nth>\d{{1,2}}|[一二三四五六七八九十]{{1,3}})号(?!楼|线|院|店|厅|馆"
    r"|机|码|房|门|公|选|桌|座|电池|[a-z])|(?<![每个])月(?P<onlyedge>底|末|初)"
    r"|(?P<yeredge>(?:今|明|去)?年(?:底|末|初))"
    rf"|(?P<many>半|{_NUMERAL}{{1,3}}|几)(?P<per>个?(?:天|周|星期|礼拜|月"
    r"|年))(?:之?(?P<dir>后|以后|前|以前))"
    rf"|(?:(?P<hyear>今年|明年|去年|后年|前年)的?)?(?P<holiday>{'|'.join(_HOLIDAYS)})"
    r"(?:劳动节|假期|长假|节)?+(?!大?[路街村]|大道|广场|[中小]学)"
    r"|(?P<years>今年|明年|去年|后年|前年)(?P<season>[春夏秋冬](?:天|季)?)?(?!级)"
)
"""Every date that Chinese may say, part by part in named groups."""


def _written(said: Said, meant: Moment) -> str:
    first, unit = meant
    written = calendar.iso(first, unit) + _UNITS.get(unit, "")
    if unit == "season":
        written = f"{first.year}年{(said['season'] or '')[0]}天"
    part = said["when"] or (said["near"] or "")[1:2]  # 今晚
    return written + _PARTS.get(part, said["when"] or "")


_UNITS: Final = {"week": " 那周", "weekend": " 那个周末", "year": "年"}
_PARTS: Final = {"晚": "晚上", "早": "早上"}


def _moment(said: Said, today: date, past: bool) -> Moment | None:
    if near := said["near"]:
        days = _NEAR.get(near, _NEAR.get(near[0], 0))
        return today + timedelta(days), "day"
    if said["weekday"]:
        number = "一二三四五六日".index(said["weekday"].replace("天", "日"))
        if not said["rel"]:
            return calendar.day_named(number, "", today, past), "day"
        return today + timedelta(7 * _STEPS[said["rel"]] + number - today.weekday()), "day"
    if said["wrel"] or said["weekend"]:
        step = _STEPS.get(said["wrel"] or "", -1 if past and today.weekday() < 5 else 0)
        monday = today - timedelta(today.weekday() - 7 * step)
        if said["wend"] or said["weekend"]:
            return monday + timedelta(5), "weekend"
        return monday, "week"
    if said["holiday"]:
        if year := said["hyear"]:
            today, past = date(today.year + _YEARS[year], 1, 1), False
        return calendar.nearest(_HOLIDAYS[said["holiday"]], today, past)
    if said["many"]:
        return _offset(said, today)
    return _calendar(said, today, past)


_STEPS: Final = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_YEARS: Final = {"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}


def _calendar(said: Said, today: date, past: bool) -> Moment | None:
    if said["mrel"] or said["onlyedge"]:
        month = calendar.add_months(today, _STEPS[said["mrel"] or "本"])
        if said["mday"]:
            return month.replace(day=_number(said["mday"])), "day"
        return _edge(month, said["medge"] or said["onlyedge"])
    if said["month"]:
        return _month(said, today, past)
    if said["nth"]:
        return calendar.day_of_month(_number(said["nth"]), today, past), "day"
    if edge := said["yeredge"]:
        year = today.year + {"明": 1, "去": -1}.get(edge[0], 0)
        return date(year, 1 if edge[-1] == "初" else 12, 1), "month"
    if said["years"]:
        year = today.year + _YEARS[said["years"]]
        if season := said["season"]:
            return date(year, _SEASONS[season[0]], 1), "season"
        return date(year, 1, 1), "year"
    return None


_LUNAR_MONTHS: Final = {"正": 1, "冬": 11, "腊": 12}


def _month(said: Said, today: date, past: bool) -> Moment | None:
    name, number = said["month"] or "", said["day"] or ""
    month = _LUNAR_MONTHS.get(name) or _number(name)
    day = _number(number.removeprefix("初").replace("廿", "二十")) if number else None
    year = int(said["year"]) if said["year"] else None
    if said["yrel"]:
        year = today.year + _YEARS[said["yrel"]]
    if said["lunar"] or name in _LUNAR_MONTHS or number[:1] in ("初", "廿"):
        if year is not None:  # its last two months may lie in the next one of the calendar
            today, past = date(year, 3 if month > 10 else 1, 1), False
        return calendar.nearest(calendar.lunar(month, day), today, past) if day else None
    if day:
        return calendar.dated(month, day, year, today, past), "day"
    first = calendar.dated(month, 1, year, today, past, whole_month=True)
    return _edge(first, said["edge"])


def _edge(month: date, edge: str | None) -> Moment:
    if edge in ("底", "末"):
        return calendar.add_months(month, 1) - timedelta(1), "day"
    return month, "month"


def _offset(said: Said, today: date) -> Moment | None:
    many, per = said["many"] or "", (said["per"] or "").removeprefix("个")
    sign = -1 if (said["dir"] or "").endswith("前") else 1
    if many == "几":
        return None
    if many == "半":
        return calendar.moved(sign * 6, "month", today) if per == "年" else None
    unit = {"天": "day", "月": "month", "年": "year"}.get(per, "week")
    return calendar.moved(sign * _number(many), unit, today)


def _number(said: str) -> int:
    """The number up to 99 that Chinese numerals or figures say."""
    if said.isascii():
        return int(said)
    said = said.replace("两", "二")
    tens, ten, ones = said.rpartition("十")
    if not ten:
        return _DIGITS.index(said)
    return (_DIGITS.index(tens) if tens else 1) * 10 + (_DIGITS.index(ones) if ones else 0)


_CLAUSE_ENDS: Final = expression(r"[。；！？;!?\n]|[，,](?!周|星期|礼拜)|但")
_AGAIN: Final[dict[re.Pattern[str], tuple[Again, ...]]] = {
    expression(
        r"每(?!个?人|位|家)|(?<![上下这本个])(?:周|星期|礼拜)一[到至](?:周|星期|礼拜)?[五六日天]"
    ): EVERY,
    expression(r"生日(?!聚|派|会|宴|礼|蛋糕)|纪念日|忌日"): ("day of the year",),
    expression(r"发工资|发薪|工资日|房租|房贷|还款日"): ("day of the month",),
}
DATES: Final = Dates(_PATTERN, _moment, _written, (_CLAUSE_ENDS, _AGAIN))
