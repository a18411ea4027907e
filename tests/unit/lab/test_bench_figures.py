"""Figures, floors and what is wanted of them."""

from io import StringIO

import pytest
from rich.console import Console

from chatmem.lab.bench.figures import Measure, report
from chatmem.lab.bench.tasks import memory_peak_bytes


def test_what_is_wanted_is_wanted_of_the_ratio_where_there_is_a_floor() -> None:
    slow = Measure(name="search", value=9.0, unit="ms", floor=2.0, floor_name="bare", at_most=3)
    assert (slow.ratio, slow.fits) == (4.5, False)
    rate = Measure(name="ingest", value=450.0, unit="/s", floor=500.0, at_least=0.8)
    assert (rate.ratio, rate.fits) == (0.9, True)


def test_without_a_floor_it_is_wanted_of_the_value() -> None:
    assert Measure(name="open", value=400.0, unit="ms", at_most=500).fits is True
    assert Measure(name="open", value=600.0, unit="ms", at_most=500).fits is False
    assert Measure(name="open", value=600.0, unit="ms").fits is None


def test_a_figure_as_an_object_says_all_of_it() -> None:
    measure = Measure(name="s", value=9.0, unit="ms", floor=2.0, floor_name="bare", at_most=3)
    assert measure.as_json() == {
        "name": "s",
        "value": 9.0,
        "unit": "ms",
        "floor": 2.0,
        "floor_name": "bare",
        "ratio": 4.5,
        "wanted": "<= 3.0x",
        "fits": False,
    }


def test_the_table_fits_80_columns() -> None:
    measure = Measure(
        name="search p95, over the least",
        value=12345.6,
        unit="turns/s",
        floor=1234.5,
        floor_name="bare FTS5 query + one numpy dot product",
        at_least=1000,
    )
    page = StringIO()
    console = Console(file=page, width=80)
    for part in report("10,000 rows", [measure]):
        console.print(part, soft_wrap=True)
    printed = page.getvalue()
    assert "MISSED" in printed
    assert "floor of search p95, over the least: bare FTS5" in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_the_memory_peak_follows_what_is_held() -> None:
    before = memory_peak_bytes()
    held = bytearray(b"x" * (64 << 20))
    after = memory_peak_bytes()
    if before is None or after is None:
        pytest.skip("the system does not tell")
    assert after >= before
    assert after > len(held)
