"""Whatever arrives when, extractions keep their distance and leave no more than a few unread."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from chatmem.extraction.flush import next_extraction

START = datetime(2025, 3, 1, tzinfo=UTC)
GAPS = st.lists(st.integers(0, 90), max_size=60)


@given(GAPS, st.integers(0, 120), st.integers(1, 6))
def test_extractions_keep_their_distance_and_read_all_but_the_newest(
    gaps: list[int], interval_s: int, min_new: int
) -> None:
    read, now = 0, START
    last: datetime | None = None
    for said, gap in enumerate(gaps, start=1):
        now += timedelta(seconds=gap)
        moment = next_extraction(last, said - read, now, interval_s, min_new)
        if moment is None:
            assert said - read < min_new
        elif moment <= now:
            assert last is None or now - last >= timedelta(seconds=interval_s)
            read, last = said, now
        else:
            assert last is not None
            assert moment == last + timedelta(seconds=interval_s)


@given(st.integers(-9_000, 9_000), st.integers(1, 50), st.integers(0, 600), st.integers(0, 6))
def test_the_moment_is_at_most_one_interval_away_and_does_not_move(
    ago_s: int, new: int, interval_s: int, min_new: int
) -> None:
    extracted_at = START - timedelta(seconds=ago_s)
    moment = next_extraction(extracted_at, new, START, interval_s, min_new)

    assert (moment is None) == (new < min_new)
    if moment is not None:
        assert moment <= START + timedelta(seconds=interval_s)
        if ago_s >= 0:
            later = max(moment, START)
            assert next_extraction(extracted_at, new, later, interval_s, min_new) == moment
