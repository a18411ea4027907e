"""The benchmark: its conversations, its figures, its percentiles."""

from io import StringIO
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from chatmem.lab.bench.corpus import (
    LEAST_CHARS,
    MOST_CHARS,
    SESSION_MESSAGES,
    messages,
    questions,
)
from chatmem.lab.bench.figures import Measure, report
from chatmem.lab.bench.tasks import memory_peak_bytes
from chatmem.lab.timing import Latency, percentile
from chatmem.text.languages import script_of


def test_the_same_seed_gives_the_same_messages() -> None:
    assert list(messages(60, 1)) == list(messages(60, 1))
    assert list(messages(60, 1))[:40] == list(messages(40, 1))
    assert list(messages(60, 1)) != list(messages(60, 2))


def test_messages_are_as_long_as_people_write() -> None:
    lengths = [len(message.content) for message in messages(2_000, 1)]
    assert min(lengths) >= LEAST_CHARS
    assert max(lengths) <= MOST_CHARS
    assert len(set(lengths)) > 100


def test_hardly_a_text_comes_twice_and_no_id_does() -> None:
    made = list(messages(2_000, 1))
    assert len({message.content for message in made}) > 1_980
    assert len({message.source_id for message in made}) == 2_000


def test_both_languages_have_their_share() -> None:
    chinese = sum(script_of(message.content) != "en" for message in messages(4_000, 1))
    assert 1_500 < chinese < 2_500


def test_sessions_run_forward_in_time() -> None:
    made = list(messages(100, 1))
    assert [message.timestamp for message in made] == sorted(m.timestamp for m in made)
    sizes = [len(list(group)) for _, group in groupby(made, key=lambda m: m.session_id)]
    assert sizes == [SESSION_MESSAGES] * 5


def test_questions_differ() -> None:
    asked = questions(200, 3)
    assert len(set(asked)) == 200
    assert asked == questions(200, 3)


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


def test_percentiles_of_a_hundred_samples_are_the_samples() -> None:
    samples = [float(number) for number in range(100, 0, -1)]
    assert Latency.of(samples) == Latency(50.0, 95.0, 99.0, 100)


def test_no_samples_have_no_percentile() -> None:
    with pytest.raises(ValueError, match="no samples"):
        percentile([], 0.5)


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0.01, 1))
def test_enough_samples_do_not_exceed_a_percentile(samples: list[float], share: float) -> None:
    found = percentile(samples, share)
    assert found in samples
    assert sum(sample <= found for sample in samples) >= share * len(samples) - 1e-6
