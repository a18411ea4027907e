"""Dates as people say them, as days of the calendar. 14 May 2026 is a Thursday."""

from datetime import date

import pytest

from chatmem.extraction.dates import dates_in, with_dates

THURSDAY = date(2026, 5, 14)


def written(said: str, *, past: bool = False, today: date = THURSDAY) -> str:
    return with_dates(said, dates_in(said.lower(), today, past=past))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the dentist tomorrow", "the dentist on 2026-05-15"),
        ("dinner the day after tomorrow", "dinner on 2026-05-16"),
        ("we meet on Friday", "we meet on 2026-05-15"),
        ("we meet on Thursday", "we meet on 2026-05-21"),
        ("the exam is next Wednesday", "the exam is on 2026-05-20"),
        ("in two weeks", "on 2026-05-28"),
        ("in 3 months", "in 2026-08"),
        ("due by the end of the month", "due by 2026-05-31"),
        ("off on the 20th", "off on 2026-05-20"),
        ("on the 2nd", "on 2026-06-02"),
        ("on 3 March", "on 2027-03-03"),
        ("on March 3rd, 2026", "on 2026-03-03"),
        ("in October", "in 2026-10"),
        ("next summer", "in summer 2026"),
        ("this weekend", "on the weekend of 2026-05-16"),
        ("for Christmas", "on 2026-12-25"),
        ("at 3 tomorrow morning", "at 3 on the morning of 2026-05-15"),
    ],
)
def test_english_dates_ahead_are_resolved(said: str, meant: str) -> None:
    assert written(said) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("yesterday", "on 2026-05-13"),
        ("on Friday", "on 2026-05-08"),
        ("last Monday", "on 2026-05-11"),
        ("two days ago", "on 2026-05-12"),
        ("last month", "in 2026-04"),
        ("in October", "in 2025-10"),
    ],
)
def test_english_dates_of_what_has_been_lie_behind(said: str, meant: str) -> None:
    assert written(said, past=True) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("明天去看牙", "2026-05-15 去看牙"),
        ("下周三开会", "2026-05-20 开会"),
        ("这周五交", "2026-05-15 交"),
        ("周一出发", "2026-05-18 出发"),
        ("月底交论文", "2026-05-31 交论文"),
        ("国庆去成都", "2026-10-01 去成都"),
        ("春节回家", "2027-02-06 回家"),
        ("两周后出差", "2026-05-28 出差"),
        ("6月3号结婚", "2026-06-03 结婚"),
        ("十月一号出发", "2026-10-01 出发"),
        ("下个月15号手术", "2026-06-15 手术"),
        ("20号体检", "2026-05-20 体检"),
        ("明年三月毕业", "2027-03 毕业"),
        ("下周去北京", "2026-05-18 那周去北京"),
        ("年底结婚", "2026-12 结婚"),
    ],
)
def test_chinese_dates_ahead_are_resolved(said: str, meant: str) -> None:
    assert written(said) == meant


def test_chinese_dates_of_what_has_been_lie_behind() -> None:
    assert written("上周三复查", past=True) == "2026-05-06 复查"
    assert written("三天前到的", past=True) == "2026-05-11 到的"


@pytest.mark.parametrize(
    "said",
    [
        "every Friday I swim",
        "I may go",
        "for two weeks",
        "on Fridays",
        "每周三跑步",
        "三个月",
        "一号线",
        "the 3rd floor",
        "31 June",
    ],
)
def test_what_names_no_day_stays(said: str) -> None:
    assert written(said) == said


def test_a_date_beyond_the_calendar_is_left_alone() -> None:
    assert written("in 12 years", today=date(9999, 5, 14)) == "in 12 years"
