from datetime import UTC, datetime

import numpy as np
import pytest

from chatmem.retrieval.query import NamedDate, named_date
from chatmem.retrieval.scoring import date_match


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("What happened in 2023?", NamedDate(2023, None, None)),
        ("2023年发生了什么？", NamedDate(2023, None, None)),
        ("去年5月去了哪里", NamedDate(None, 5, None)),
        ("2023年5月8日那天呢", NamedDate(2023, 5, 8)),
        ("12月25號的計劃", NamedDate(None, 12, 25)),
        ("Where was she on 8 May 2023?", NamedDate(2023, 5, 8)),
        ("Where was she on May 8, 2023?", NamedDate(2023, 5, 8)),
        ("the 3rd of January", NamedDate(None, 1, 3)),
        ("What did we do on July 14th?", NamedDate(None, 7, 14)),
        ("in may", NamedDate(None, 5, None)),
        ("early March", NamedDate(None, 3, None)),
        ("May I ask?", None),
        ("the army will march on", None),
        ("She might be 30 years old", None),
        ("room 2023b", None),
        ("13月", None),
        ("0月", None),
        ("2月99日", NamedDate(None, 2, None)),
        ("May 0, 2023", NamedDate(2023, 5, None)),
        ("", None),
    ],
)
def test_a_named_date_is_read(question: str, date: NamedDate | None) -> None:
    assert named_date(question) == date


def _match(date: NamedDate, *days: str) -> list[float]:
    times = [datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() * 1000 for day in days]
    return [float(one) for one in date_match(np.array(times, np.int64), date)]


def test_a_year_and_a_month_match_all_their_days() -> None:
    days = ("2023-05-01T00:00:00.001", "2023-05-31T23:59:59", "2023-06-01", "2024-05-08")

    assert _match(NamedDate(2023, None, None), *days) == [1, 1, 1, 0]
    assert _match(NamedDate(2023, 5, None), *days) == [1, 1, 0, 0]
    assert _match(NamedDate(None, 5, None), *days) == [1, 1, 0, 1]


def test_a_day_matches_itself_and_half_the_week_around_it() -> None:
    days = ("2023-05-08", "2023-05-15", "2023-05-01", "2023-05-16", "2024-05-08", "2023-11-08")

    assert _match(NamedDate(2023, 5, 8), *days) == [1, 0.5, 0.5, 0, 0, 0]
    assert _match(NamedDate(None, 5, 8), *days) == [1, 0.5, 0.5, 0, 1, 0]


def test_times_before_1970_have_their_day() -> None:
    assert _match(NamedDate(1969, 12, 31), "1969-12-31T12:00:00", "1970-01-01") == [1, 0]
