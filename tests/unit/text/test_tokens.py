"""Texts cleaned, without a model's thoughts, counted and cut by tokens; dates as they are said."""

import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.text.clean import clean_text
from chatmem.text.dates import dates_in, with_dates
from chatmem.text.thoughts import SpokenText, without_thoughts
from chatmem.text.tokens import _count, count_tokens, truncate_tokens


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("plain text", "plain text"),
        ("a\x00b\x07c\x1bd\x7fe\x9ff", "abcdef"),
        ("tab\tstays\nand newline", "tab\tstays\nand newline"),
        (
            "one\r\ntwo\rthree\x0bfour\x0cfive\x85six\u2028seven\u2029eight",
            "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight",
        ),
        ("\ufeffmark", "mark"),
        (" \n\ufeff \ufeffmark\ufeff inside ", "mark\ufeff inside"),
        ("  outer \n\t ", "outer"),
        ("\x00 \x01", ""),
        ("x\x00 ", "x"),
        ("lone \ud800 half", "lone \ufffd half"),
        ("\ud83d\ude00", "😀"),
        ("", ""),
    ],
)
def test_what_is_removed_and_replaced(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


THINKING = [
    ("<think>The user lives in Paris.</think>\n\nHello!", "Hello!"),
    ("\n<think>\n\n</think>\n\n你好！", "你好！"),
    ("<thinking>a</thinking>Yes.", "Yes."),
    ("<THINK>a\n\nb</THINK>\n<think>c</think>\nYes.", "Yes."),
    ("<think>cut before its end", ""),
    ("First I look at it.\n</think>\n\nIt is blue.", "It is blue."),
    ("```\ncode of a thought\n```\n</think>\nIt is blue.", "It is blue."),
    ("One.\n<think>wait</think>\nTwo.", "One.\nTwo."),
    ("<think>a `</think>`\nDone.", "`\nDone."),
    ("a thought without an answer\n</think>", ""),
]
SAYING = [
    *("Hello!", "a < b and c > d", "Put the reasoning into <think> and </think>."),
    *("`<think>` begins it.", "```xml\n<think>\nquoted\n</think>\n```\nThat is how it looks."),
    *("~~~\n```\n<think>\n</think>\n~~~", "One.\n<think>never closed\nTwo.", "<thin air>"),
    *("  indented\n\nand more\n", "Use </think> here\n"),
]


@pytest.mark.parametrize(("text", "said"), THINKING)
def test_thoughts_are_not_said(text: str, said: str) -> None:
    assert without_thoughts(text) == said


@pytest.mark.parametrize("text", SAYING)
def test_what_only_looks_like_thoughts_stays_as_it_is(text: str) -> None:
    assert without_thoughts(text) == text


def heard(pieces: list[str]) -> str:
    """What stands before a reader who takes back what was no answer."""
    spoken, shown = SpokenText(), ""
    for piece in pieces:
        told = spoken.feed(piece)
        shown = told if spoken.took_back else shown + told
    told = spoken.finish()
    return told if spoken.took_back else shown + told


@given(
    text=st.sampled_from([*(text for text, _ in THINKING), *SAYING])
    | st.lists(
        st.sampled_from(["<think>", "</think>", "a", "\n", " ", "`", "```", "<", "用"]), max_size=12
    ).map("".join),
    sizes=st.lists(st.integers(1, 7), max_size=40),
)
def test_pieces_say_what_the_whole_says(text: str, sizes: list[int]) -> None:
    pieces, start = [], 0
    for size in sizes:
        pieces.append(text[start : start + size])
        start += size
    pieces.append(text[start:])
    assert heard(pieces).strip() == without_thoughts(text).strip()


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("hello world", 2), ("你好 world", 2), ("<|endoftext|>", 7), ("\ud800", 1)],
)
def test_known_counts(text: str, count: int) -> None:
    assert count_tokens(text) == count


@given(
    st.text(
        st.sampled_from("\n\n\r\t /.,-'\"<#*aAsZ我。0\u3000\u2028\u0301\x1c\u200b🙂"), max_size=40
    )
)
def test_lines_are_counted_one_by_one_and_make_up_the_whole(text: str) -> None:
    assert count_tokens(text) == _count(text)


def test_two_million_characters_are_counted() -> None:
    assert count_tokens("hello world " * 200_000) > 400_000


def test_no_emoji_is_left_waiting_for_its_second_part() -> None:
    family = "👨‍👩‍👧"
    for limit in range(1, count_tokens(family)):
        assert not truncate_tokens(family, limit)[0].endswith("\u200d")


THURSDAY = date(2026, 5, 14)


def written(said: str, *, past: bool = False, today: date = THURSDAY) -> str:
    return with_dates(said, dates_in(said.lower(), today, past=past))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the dentist tomorrow", "the dentist on 2026-05-15"),
        ("dinner the day after tomorrow", "dinner on 2026-05-16"),
        ("we meet on Thursday", "we meet on 2026-05-21"),
        ("the exam is next Wednesday", "the exam is on 2026-05-20"),
        ("in two weeks", "on 2026-05-28"),
        ("in 3 months", "in 2026-08"),
        ("due by the end of the month", "due by 2026-05-31"),
        ("on the 2nd", "on 2026-06-02"),
        ("on 3 March", "on 2027-03-03"),
        ("on March 3rd, 2026", "on 2026-03-03"),
        ("in October", "in 2026-10"),
        ("next summer", "in summer 2026"),
        ("this weekend", "on the weekend of 2026-05-16"),
        ("for Christmas", "on 2026-12-25"),
        ("in Rome next month, married on the 20th", "in Rome in 2026-06, married on 2026-06-20"),
        ("shut on June 2nd and 9th", "shut on 2026-06-02 and on 2026-06-09"),
        ("a week from Monday", "on 2026-05-25"),
        ("due by 2026-06-01", "due by 2026-06-01"),
        ("my birthday party is on Friday", "my birthday party is on 2026-05-15"),
        ("I run every day, but tomorrow I rest", "I run every day, but on 2026-05-15 I rest"),
        ("for Lunar New Year", "on 2027-02-06"),
        ("at the Mid-Autumn Festival", "on 2026-09-25"),
        ("since last Christmas", "since 2025-12-25"),
        ("for Easter next year", "on 2027-03-28"),
        ("this Mid-Autumn Festival", "Mid-Autumn Festival (2026-09-25)"),
        ("Christmas and New Year's", "Christmas (2026-12-25) and New Year's (2027-01-01)"),
        ("at 3 tomorrow morning", "at 3 on the morning of 2026-05-15"),
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
        ("明年三月毕业", "2027-03 毕业"),
        ("下周去北京", "2026-05-18 那周去北京"),
        ("下个月去罗马，20号领证", "2026-06 去罗马，2026-06-20 领证"),
        ("大年初二去外婆家", "2027-02-07 去外婆家"),
        ("明年国庆去成都", "2027-10-01 去成都"),
        ("去年农历八月十五结婚", "2025-10-06 结婚"),
        ("去年腊月初八搬家", "2026-01-26 搬家"),
        ("腊月廿三祭灶", "2027-01-30 祭灶"),
        ("元宵节看灯", "2027-02-20 看灯"),
        ("情人节求婚", "2027-02-14 求婚"),
        ("五一劳动节去爬山", "2027-05-01 去爬山"),
        ("我每天跑步，但明天休息", "我每天跑步，但 2026-05-15 休息"),
        ("年底结婚", "2026-12 结婚"),
    ],
)
def test_dates_ahead_are_resolved(said: str, meant: str) -> None:
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
        ("we got paid on the 5th", "we got paid on 2026-05-05"),
        ("上周三复查", "2026-05-06 复查"),
        ("三天前到的", "2026-05-11 到的"),
    ],
)
def test_dates_of_what_has_been_lie_behind(said: str, meant: str) -> None:
    assert written(said, past=True) == meant


@pytest.mark.parametrize(
    "said",
    [
        *("every Friday I swim", "I may go", "for two weeks", "on Fridays", "三个月", "一号线"),
        *("the 3rd floor", "31 June", "on Monday, Tuesday and Friday of every week"),
        *("choir every Monday and Thursday", "on the last Friday of each month"),
        *("my birthday is on 3 March", "we get paid on the 25th", "I work Monday to Friday"),
        *("our Christmas tree", "on a Friday", "每周二、周六有集市", "我的生日是3月3号"),
        *("公司25号发工资", "周一到周五上班", "每到周末都睡懒觉", "后天形成的习惯", "五月天的歌"),
        "我家住在五一路",
    ],
)
def test_what_names_no_day_stays(said: str) -> None:
    assert written(said) == said


@pytest.mark.parametrize(
    ("today", "said", "meant"),
    [
        (date(2026, 6, 10), "on the 31st", "on 2026-07-31"),
        (date(2026, 1, 31), "on the 30th", "on 2026-03-30"),
        (date(2026, 6, 10), "31号到期", "2026-07-31 到期"),
        (date(2028, 1, 27), "除夕值班", "2029-02-12 值班"),
        (date(2028, 1, 10), "腊月十六搬家", "2028-01-12 搬家"),
        (date(2060, 1, 1), "春节回家", "2060-02-02 回家"),
        (date(2150, 1, 1), "春节回家", "春节回家"),  # past the tables
        (date(9999, 5, 14), "in 12 years", "in 12 years"),  # beyond the calendar
    ],
)
def test_days_that_not_every_month_or_year_has(today: date, said: str, meant: str) -> None:
    assert written(said, today=today) == meant


@pytest.mark.parametrize("piece", ["春节", "每日1号;", "on the 1st of every month. ", "下个月20号"])
def test_a_text_full_of_dates_is_read_in_time(piece: str) -> None:
    text = (piece * 8000)[:8000]
    dates_in(piece, THURSDAY)

    def took_s() -> float:
        began = time.thread_time()
        dates_in(text, THURSDAY)
        return time.thread_time() - began

    assert min(took_s() for _ in range(3)) < 0.15
