"""Dates as they occur in exports."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.engine.importing.source_file import read_date


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("7:05 pm on 3 March, 2024", datetime(2024, 3, 3, 19, 5)),
        ("12:00 am on 1 Jan, 2020", datetime(2020, 1, 1, 0, 0)),
        ("12:30 pm on 2nd of Feb, 2021", datetime(2021, 2, 2, 12, 30)),
        ("March 3, 2024 at 7:05 PM", datetime(2024, 3, 3, 19, 5)),
        ("3 March 2024 7:05 PM", datetime(2024, 3, 3, 19, 5)),
        ("2024/03/03 (Sun) 19:05", datetime(2024, 3, 3, 19, 5)),
        ("2024年03月03日 周日 19:05", datetime(2024, 3, 3, 19, 5)),
        ("2024年3月3日 下午7点05分", datetime(2024, 3, 3, 19, 5)),
        ("２０２４年３月３日　晚上７點", datetime(2024, 3, 3, 19, 0)),
        ("2024年3月3日", datetime(2024, 3, 3)),
        ("2024-03-03", datetime(2024, 3, 3)),
        ("2024-03-03 07:05 PM", datetime(2024, 3, 3, 19, 5)),
        ("2024-03-03T19:05:06Z", datetime(2024, 3, 3, 19, 5, 6)),
        ("2024-03-03T19:05:06+08:00", datetime(2024, 3, 3, 11, 5, 6)),
        ("Sun, 03 Mar 2024 19:05:06 +0100", datetime(2024, 3, 3, 18, 5, 6)),
        ("25/03/2024", datetime(2024, 3, 25)),
        ("03/25/2024 19:05", datetime(2024, 3, 25, 19, 5)),
        (1709492706, datetime(2024, 3, 3, 19, 5, 6)),
        (1709492706000, datetime(2024, 3, 3, 19, 5, 6)),
        ("1709492706", datetime(2024, 3, 3, 19, 5, 6)),
    ],
)
def test_a_date_is_read_in_the_forms_that_exports_use(raw: object, expected: datetime) -> None:
    assert read_date(raw) == expected.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "raw",
    [
        *("", "last spring", "05/08/2024", "2024年2月30日", "2024-03-03 25:00", "3 Foo 2024"),
        *(None, True, float("nan"), float("inf"), [], "9" * 200),
    ],
)
def test_what_cannot_be_told_is_not_guessed(raw: object) -> None:
    assert read_date(raw) is None


@given(st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2199, 1, 1)))
def test_the_forms_of_one_moment_agree(moment: datetime) -> None:
    minute = moment.replace(second=0, microsecond=0, tzinfo=UTC)
    forms = (
        minute.isoformat(),
        minute.strftime("%Y/%m/%d (%a) %H:%M"),
        minute.strftime("%I:%M %p on %d %B, %Y"),
        f"{minute.year}年{minute.month}月{minute.day}日 {minute.hour:02}:{minute.minute:02}",
    )
    assert {read_date(form) for form in forms} == {minute}


@given(st.text(max_size=80) | st.floats() | st.integers())
def test_reading_never_fails(raw: object) -> None:
    moment = read_date(raw)
    assert moment is None or moment.tzinfo is not None
