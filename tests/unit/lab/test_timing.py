"""Percentiles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.lab.timing import Latency, percentile


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
