"""Which dates are found in what people write: ours, and libraries where they are installed.

    python bench/dates.py [--site DIR] [--wrong NAME]

Prints a Markdown table: how many of the dates found are meant, how many of those meant are found,
how many sentences are wholly right, milliseconds a sentence. `--site` is a folder of packages to
look for libraries in, after the project's own; `--wrong` shows what one of them gets wrong.
"""

import argparse
import calendar
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, TypeAlias

from chatmem.extraction.reader.tokens import fold
from chatmem.text.dates import SaidDate, dates_in
from chatmem.text.languages.calendar import add_months

Span: TypeAlias = tuple[date, date]

# Day it was said | what is meant: a day, month or year, first/last of a span, `?` before what need
# not be found, `<` where it tells of the past, `none` for what recurs or is no date | the sentence.
_ENGLISH: Final = """\
2026-05-14 | 2026-05-15 | The dentist moved me to tomorrow at nine
2026-05-14 | 2026-05-16 | Could we talk the day after tomorrow instead?
2026-05-14 | 2026-05-15 | I hand the keys over on Friday
2026-05-14 | 2026-05-21 | Thursday I am off again, a whole week from now
2026-05-14 | 2026-05-19 | My driving test is next Tuesday
2026-05-11 | 2026-05-22 | We sign the lease next Friday
2026-05-14 | 2026-05-15 | This Friday Lena comes back from Oslo
2026-05-14 | <2026-05-12 | I sent the form in on Tuesday
2026-05-14 | <2026-05-11 | Last Monday I started at the new place
2026-05-14 | <2026-05-13 | Yesterday the boiler broke
2026-05-14 | <2026-05-12 | The day before yesterday we got engaged
2026-05-14 | <2026-05-10 | Four days ago my cat had kittens
2026-05-14 | <2026-04-23 | Three weeks ago I quit smoking
2026-05-14 | 2026-05-24 | The parcel should be here in ten days
2026-05-14 | 2026-06-04 | Three weeks from today I fly to Lima
2026-05-14 | 2026-08 | The baby is due in three months
2026-05-14 | <2021 | Five years ago I left Brazil
2026-05-14 | 2026-05-31 | The report is due at the end of the month
2024-02-28 | 2024-02-29 | I have until the end of the month to answer
2026-05-14 | 2026-06-30 | My contract runs out at the end of next month
2026-05-14 | 2026-12 | We want to be in the new flat by the end of the year
2026-05-14 | 2026-05-20 | The plumber comes on the 20th
2026-05-14 | 2026-06-05 | I fly out on the 5th
2026-05-14 | <2026-05-05 | We moved in on the 5th
2026-05-14 | 2026-06-20, ?2026-06 | Next month we are in Rome, and on the 20th we get married
2026-05-14 | 2026-06-08, ?2026-06 | Next month is full: the surgery is on the 8th
2026-05-14 | 2026-06-20 | The hearing is on the 20th of next month
2026-06-10 | 2026-07-31 | The lease ends on the 31st
2025-12-29 | 2026-01-02 | The shop opens again on the 2nd
2026-05-14 | 2027-03-03 | The conference starts on March 3
2026-05-14 | 2026-11-12 | I defend my thesis on the 12th of November
2026-05-14 | <2019-07-04 | We met on July 4, 2019
2026-05-14 | 2026-09-02, 2026-09-09, ?2026 | The school is shut on September 2nd and 9th this year
2026-05-14 | 2026-10 | In October I start my master's
2026-05-14 | <2025-11 | I was in Kyoto in November
2026-05-14 | 2026-06 | Next month I turn to the garden
2026-05-14 | <2026-04 | Last month I ran my first half marathon
2026-05-14 | 2026-05-18/2026-05-24 | Next week I am in Ghent for a fair
2026-05-14 | 2026-05-16/2026-05-17 | This weekend my brother helps me move
2026-05-14 | 2026-06-01/2026-08-31 | This summer we cycle to Vienna
2026-05-14 | 2027 | Next year I want to learn to sail
2026-05-14 | 2026-05-14 | Tonight I cook for eight people
2026-05-14 | 2026-06-03, 2026-06-07 | I am away from June 3 to June 7
2026-05-14 | 2026-05-18, 2026-05-20 | The painters come on Monday and again on Wednesday
2026-05-14 | 2026-06-01 | Deadline for the grant: 2026-06-01
2026-05-14 | 2026-12-25 | For Christmas I fly to my parents
2026-05-14 | 2026-11-26 | We host twelve people at Thanksgiving
2026-05-14 | 2027-02-06 | I will be in Taipei for Chinese New Year
2026-05-14 | 2027-02-06 | My aunt comes over for Lunar New Year
2026-05-14 | 2026-09-25 | We light lanterns at the Mid-Autumn Festival
2026-05-14 | 2027-03-28 | The house should be ready by Easter
2025-12-29 | 2025-12-31 | On New Year's Eve we rent a cabin
2026-05-14 | 2026-05-22 | My birthday party is next Friday
2026-05-14 | 2026-05-25 | A week from Monday I start physio
2026-05-14 | none | Every Friday I swim with Ana
2026-05-14 | none | I have choir every Monday and Thursday
2026-05-14 | none | Each Tuesday and each Saturday the market is here
2026-05-14 | none | I never work on Sundays
2026-05-14 | none | My birthday is on March 3
2026-05-14 | none | Mum's birthday is the 9th of October
2026-05-14 | none | Payday is on the 25th
2026-05-14 | none | I get paid on the 25th
2026-05-14 | none | Rent is due on the 1st of every month
2026-05-14 | none | On the last Friday of each month we play board games
2026-05-14 | none | Our anniversary is June 12
2026-05-14 | none | I work Monday to Friday, nine to five
2026-05-14 | none | We go skiing every February
2026-05-14 | none | Friday nights are for pizza
2026-05-14 | none | I may go, I may not
2026-05-14 | none | The band will march through town
2026-05-14 | none | I am very much a Friday's child
2026-05-14 | none | Robinson had his Man Friday, I have my Roomba
2026-05-14 | none | We live on the 3rd floor
2026-05-14 | none | I have been learning Dutch for two weeks
2026-05-14 | none | My daughter is called April, my son August
2026-05-14 | none | She teaches Sunday school
2026-05-14 | none | I sat there for a second and it was gone
2026-05-14 | none | I have 3 cats and 12 plants
2026-05-14 | none | Python 3.12 broke my build
2026-05-14 | none | Our Christmas tree is plastic
"""
_CHINESE: Final = """\
2026-05-14 | 2026-05-15 | 明天上午九点去看牙
2026-05-14 | 2026-05-16 | 后天我妈过来
2026-05-14 | 2026-05-17 | 大后天交房
2026-05-14 | <2026-05-13 | 昨天锅炉坏了
2026-05-14 | <2026-05-11 | 大前天我刚入职
2026-05-14 | 2026-05-20 | 下周三考驾照
2026-05-14 | 2026-05-15 | 这周五交报告
2026-05-14 | 2026-05-18 | 周一出发去南京
2026-05-14 | 2026-05-17 | 星期天我弟帮我搬家
2026-05-14 | <2026-05-06 | 上周三做了复查
2026-05-14 | 2026-05-26 | 下下周二面试
2026-05-14 | <2026-05-12 | 周二我把材料寄出去了
2026-05-14 | 2026-05-18/2026-05-24 | 下周我在杭州出差
2026-05-14 | 2026-05-16/2026-05-17 | 周末打算去爬山
2026-05-14 | 2026-05-31 | 月底要交论文
2024-02-28 | 2024-02-29 | 这个月底之前得答复他们
2026-05-14 | 2026-06-30 | 合同下个月底到期
2026-05-14 | 2026-05-20 | 20号体检
2026-05-14 | 2026-06-05 | 我5号飞深圳
2026-05-14 | <2026-05-05 | 我们是5号搬进来的
2026-05-14 | 2026-06-15 | 下个月15号做手术
2026-05-14 | 2026-06-20, ?2026-06 | 下个月去罗马，20号领证
2026-05-14 | 2026-06-08, ?2026-06 | 我下月很忙，8号还要做手术
2026-06-10 | 2026-07-31 | 租约31号到期
2025-12-29 | 2026-01-02 | 店里2号重新开门
2026-05-14 | 2026-06-03 | 6月3号我结婚
2026-05-14 | 2026-11-12 | 十一月十二日答辩
2026-05-14 | <2019-07-04 | 我们2019年7月4日认识的
2026-05-14 | 2027-03 | 明年三月毕业
2026-05-14 | <2025-11 | 去年11月我在京都
2026-05-14 | 2026-10 | 十月份开始读研
2026-05-14 | 2026-05-28 | 两周后去上海培训
2026-05-14 | 2026-05-24 | 快递十天后才到
2026-05-14 | <2026-05-11 | 三天前我家猫生了
2026-05-14 | 2026-08 | 三个月后孩子就出生了
2026-05-14 | <2021 | 五年前我离开了老家
2026-05-14 | 2026-12 | 年底前想搬进新房
2026-05-14 | 2027 | 明年想学帆船
2026-05-14 | <2025 | 去年我跑了第一个半马
2026-05-14 | 2026-06-01/2026-08-31 | 今年夏天骑车去青海湖
2026-05-14 | 2026-06-03, 2026-06-07 | 6月3号到7号我不在家
2026-05-14 | 2026-05-18, 2026-05-20 | 周一和周三师傅来刷墙
2026-05-14 | 2026-06-01 | 申请截止2026-06-01
2026-05-14 | 2026-10-01 | 国庆去成都
2026-05-14 | 2027-02-06 | 春节回老家
2026-05-14 | 2027-02-05 | 除夕夜我得值班
2026-05-14 | 2026-09-25 | 中秋节我请大家吃饭
2026-05-14 | 2026-06-19 | 端午想去看龙舟
2026-05-14 | 2027-02-20 | 元宵节去看灯会
2026-05-14 | 2026-08-19 | 七夕想给她一个惊喜
2026-05-14 | 2026-09-25 | 农历八月十五我爸过来
2026-05-14 | 2027-02-07 | 大年初二去外婆家
2026-05-14 | 2026-10-18 | 重阳节带爷爷去登高
2025-12-29 | 2026-01-01 | 元旦我们去滑雪
2026-05-14 | 2026-05-22 | 生日聚会定在下周五
2026-05-14 | 2026-05-14 | 今晚我做饭请八个人
2026-05-14 | none | 每周五和安娜去游泳
2026-05-14 | none | 我每周一和周四去合唱团
2026-05-14 | none | 每周二、周六有集市
2026-05-14 | none | 我的生日是3月3号
2026-05-14 | none | 我妈10月9日过生日
2026-05-14 | none | 我们公司25号发工资
2026-05-14 | none | 每月1号交房租
2026-05-14 | none | 每个月最后一个周五玩桌游
2026-05-14 | none | 结婚纪念日是6月12日
2026-05-14 | none | 周一到周五朝九晚五
2026-05-14 | none | 每年二月我们都去滑雪
2026-05-14 | none | 每天晚上跑步
2026-05-14 | none | 我爸生日是农历六月初六
2026-05-14 | none | 他一天到晚打游戏
2026-05-14 | none | 我三天两头加班
2026-05-14 | none | 这种免疫力是后天形成的
2026-05-14 | none | 我坐一号线上班
2026-05-14 | none | 我住三号楼
2026-05-14 | none | 我最喜欢五月天的歌
2026-05-14 | none | 我学荷兰语学了三个月
2026-05-14 | none | 我在今日头条上班
2026-05-14 | none | 遥控器要两节五号电池
2026-05-14 | none | 我家住在五一路
2026-05-14 | none | 我玩明日方舟两年了
2026-05-14 | none | 一年四季我都跑步
2026-05-14 | none | 我有三只猫，十二盆花
"""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and the dates that are meant in it; `may` are those that need not be found."""

    text: str
    today: date
    past: bool
    must: tuple[Span, ...]
    may: tuple[Span, ...]

    @property
    def base(self) -> datetime:
        """The moment at which it was said."""
        return datetime(self.today.year, self.today.month, self.today.day, 9)


Find: TypeAlias = Callable[[Sentence, str], Iterable[Span]]


def sentences(table: str) -> list[Sentence]:
    """The sentences of a table."""
    rows = [[cell.strip() for cell in line.split("|")] for line in table.splitlines()]
    made = []
    for today, meant, text in rows:
        said = [] if meant == "none" else meant.removeprefix("<").split(", ")
        may = tuple(_span(one[1:]) for one in said if one.startswith("?"))
        must = tuple(_span(one) for one in said if not one.startswith("?"))
        made.append(Sentence(text, date.fromisoformat(today), meant.startswith("<"), must, may))
    return made


def _span(said: str) -> Span:
    first, _, last = said.partition("/")
    return _covers(first)[0], _covers(last or first)[1]


def _covers(said: str) -> Span:
    """The first and the last day of a day, month or year."""
    year, month, day = (*map(int, said.split("-")), 0, 0)[:3]
    last = month or 12
    end = day or calendar.monthrange(year, last)[1]
    return date(year, month or 1, day or 1), date(year, last, end)


def _last(found: SaidDate) -> date:
    """The last day of what it covers."""
    if found.unit in ("week", "weekend"):
        return found.first + timedelta(6 if found.unit == "week" else 1)
    months = {"month": 1, "season": 3, "year": 12}.get(found.unit, 0)
    return add_months(found.first, months) - timedelta(1) if months else found.first


def ours(said: Sentence, _: str) -> Iterator[Span]:
    """What chatmem finds."""
    for one in dates_in(fold(said.text).lower(), said.today, past=said.past):
        yield one.first, _last(one)


def dateparser(said: Sentence, language: str) -> Iterator[Span]:
    """What dateparser finds."""
    from dateparser.search import search_dates  # noqa: PLC0415 - not always installed

    direction = "past" if said.past else "future"
    settings = {"RELATIVE_BASE": said.base, "PREFER_DATES_FROM": direction}
    for _, when in search_dates(said.text, languages=[language], settings=settings) or ():
        yield when.date(), when.date()


def recurrent(said: Sentence, _: str) -> Iterator[Span]:
    """What recurrent finds: one day, or the rule of what recurs, which is none."""
    from recurrent import RecurringEvent  # noqa: PLC0415 - not always installed

    found = RecurringEvent(now_date=said.base).parse(said.text)
    if isinstance(found, datetime):
        yield found.date(), found.date()


def jionlp(said: Sentence, _: str) -> Iterator[Span]:
    """What jionlp finds."""
    from jionlp import ner  # noqa: PLC0415 - not always installed

    for one in ner.extract_time(said.text, time_base=said.base.timestamp()):
        if one["type"] in ("time_point", "time_span"):
            first, last = (datetime.fromisoformat(end).date() for end in one["detail"]["time"])
            yield first, first if one["type"] == "time_point" else last


FINDERS: Final[dict[Find, str]] = {
    ours: "en zh",
    dateparser: "en zh",
    recurrent: "en",
    jionlp: "zh",
}
"""With the languages that each knows."""


def measured(find: Find, said: list[Sentence], language: str, *, show: bool) -> str:
    """One finder's cells of the table, over these sentences.

    Raises:
        ImportError: its library is not installed.
    """
    hits = found_count = meant = met = right = failed = 0
    with suppress(ValueError):
        list(find(said[0], language))  # what is loaded at first use does not count
    began = time.perf_counter()
    answers: list[list[Span]] = []
    for one in said:
        try:
            answers.append(list(find(one, language)))
        except Exception:  # noqa: BLE001 - a candidate's own bug is a sentence in which it finds nothing
            answers.append([])
            failed += 1
    ms = 1000 * (time.perf_counter() - began) / len(said)
    for one, found in zip(said, answers, strict=True):
        good = [each for each in found if any(_within(each, span) for span in one.must + one.may)]
        there = [span for span in one.must if any(_within(each, span) for each in found)]
        hits, found_count = hits + len(good), found_count + len(found)
        meant, met = meant + len(one.must), met + len(there)
        whole = len(good) == len(found) and len(there) == len(one.must)
        right += whole
        if show and not whole:
            print(f"  {one.text}: {[f'{a}..{b}' for a, b in found]}")
    shares = (hits / max(1, found_count), met / meant, right / len(said), ms)
    return " | ".join([*(f"{share:.2f}" for share in shares), str(failed)])


def _within(found: Span, meant: Span) -> bool:
    return meant[0] <= found[0] and found[1] <= meant[1]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--site", help="a folder of packages to find libraries in")
    parser.add_argument("--wrong", default="", help="show what this one gets wrong")
    chosen = parser.parse_args()
    if chosen.site:
        sys.path.append(chosen.site)
    warnings.simplefilter("ignore")
    tables = {"en": sentences(_ENGLISH), "zh": sentences(_CHINESE)}
    print("| what | language | precision | recall | sentences right | ms a sentence | raised |")
    print("|---|---|---|---|---|---|---|")
    for find, languages in FINDERS.items():
        for language in languages.split():
            show = find.__name__ == chosen.wrong
            with suppress(ImportError):
                cells = measured(find, tables[language], language, show=show)
                print(f"| {find.__name__} | {language} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
