from datetime import UTC, datetime, timedelta, timezone

import pytest

from chatmem.testing import FakeClock


def test_the_clock_moves_only_when_told_and_is_set_without_time_passing() -> None:
    clock = FakeClock()
    start = clock()

    assert clock() == start
    assert clock.advance(days=1, seconds=1.5) == start + timedelta(days=1, seconds=1.5)
    with pytest.raises(ValueError, match="does not run back"):
        clock.advance(seconds=-1)
    clock.set(datetime(2020, 1, 1, 8, tzinfo=timezone(timedelta(hours=8))))
    assert clock() == datetime(2020, 1, 1, tzinfo=UTC)
    assert clock.monotonic() == 86_401.5
