"""A key's bucket of requests."""

from chatmem.interfaces.rest.limits import Buckets


def test_a_minutes_requests_may_come_at_once() -> None:
    buckets = Buckets(3)
    assert [buckets.take("k", 0.0) for _ in range(3)] == [0.0, 0.0, 0.0]
    assert buckets.take("k", 0.0) == 20.0


def test_the_bucket_fills_evenly() -> None:
    buckets = Buckets(60)
    for _ in range(60):
        buckets.take("k", 0.0)
    assert buckets.take("k", 0.5) == 0.5
    assert buckets.take("k", 1.0) == 0.0
    assert buckets.take("k", 1.0) == 1.0


def test_a_bucket_holds_no_more_than_a_minute() -> None:
    buckets = Buckets(2)
    buckets.take("k", 0.0)
    found = [buckets.take("k", 9_000.0) for _ in range(3)]
    assert [wait > 0 for wait in found] == [False, False, True]


def test_refused_requests_cost_nothing() -> None:
    buckets = Buckets(1)
    buckets.take("k", 0.0)
    for second in range(50):
        assert buckets.take("k", float(second)) > 0
    assert buckets.take("k", 60.0) == 0.0


def test_each_key_has_its_own() -> None:
    buckets = Buckets(1)
    assert buckets.take("a", 0.0) == 0.0
    assert buckets.take("b", 0.0) == 0.0
    assert buckets.take("a", 0.0) > 0


def test_a_clock_that_goes_back_gives_nothing() -> None:
    buckets = Buckets(1)
    buckets.take("k", 100.0)
    assert buckets.take("k", 0.0) > 0
