"""An extraction waits for time to pass and for something to be said, by a cursor."""

from datetime import UTC, datetime, timedelta

import pytest

from chatmem.errors import InvalidInputError
from chatmem.extraction.flush import next_extraction

NOW = datetime(2025, 3, 1, 12, tzinfo=UTC)
AGO_59 = NOW - timedelta(seconds=59)
AGO_60 = NOW - timedelta(seconds=60)


def due(extracted_at: datetime | None, new_messages: int) -> datetime | None:
    return next_extraction(extracted_at, new_messages, NOW, 60, 4)


def test_the_first_extraction_is_due_with_the_fourth_message() -> None:
    assert due(None, 3) is None
    assert due(None, 4) == NOW


def test_both_the_time_and_the_messages_have_to_be_there() -> None:
    assert due(AGO_60, 4) == NOW
    assert due(AGO_60, 3) is None
    assert due(AGO_59, 400) == NOW + timedelta(seconds=1)


def test_a_moment_long_past_is_given_as_it_was() -> None:
    assert due(NOW - timedelta(days=2), 4) == NOW - timedelta(days=2, seconds=-60)


def test_nothing_new_is_never_due_even_if_no_message_is_asked_for() -> None:
    assert next_extraction(AGO_60, 0, NOW, 0, 0) is None
    assert next_extraction(AGO_60, 1, NOW, 0, 0) == NOW - timedelta(seconds=60)


def test_a_clock_set_back_delays_by_one_interval_at_most() -> None:
    ahead = NOW + timedelta(days=365)

    assert due(ahead, 4) == NOW + timedelta(seconds=60)


@pytest.mark.parametrize(
    ("new", "interval_s", "min_new"), [(-1, 60, 4), (4, -1, 4), (4, float("nan"), 4), (4, 60, -1)]
)
def test_negative_numbers_are_refused_by_name(new: int, interval_s: float, min_new: int) -> None:
    with pytest.raises(InvalidInputError, match=r"new_messages|interval_s|min_new"):
        next_extraction(None, new, NOW, interval_s, min_new)
