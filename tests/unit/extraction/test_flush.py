"""The flush before a compaction, case by case; `tests/property` tries any order."""

import pytest

from chatmem.extraction import flush

NEW = flush.FlushState()


def used(state: flush.FlushState, percent: float) -> flush.FlushStep:
    return flush.on_usage(state, percent, 100)


def flushed(state: flush.FlushState) -> flush.FlushState:
    return flush.on_flush_succeeded(state).state


ASKED = used(NEW, 75).state
DONE = flushed(ASKED)
FAILED = flush.on_flush_failed(ASKED).state


def test_a_flush_that_runs_is_not_started_twice_but_again_at_once_if_it_fails() -> None:
    step = flush.on_compaction_start(ASKED)
    assert not step.asks
    again = flush.on_flush_failed(step.state)
    assert again.asks
    once_more = flush.on_flush_failed(again.state)
    assert not once_more.asks
    assert flush.on_message(once_more.state).asks


def test_the_compaction_s_own_flush_waits_for_an_event_when_it_fails() -> None:
    step = flush.on_flush_failed(flush.on_compaction_start(NEW).state)
    assert not step.asks
    assert flush.on_compaction_end(step.state, success=True).asks


@pytest.mark.parametrize(
    "event",
    [
        flush.on_message,
        flush.on_context_cleared,
        flush.on_compaction_start,
        lambda state: flush.on_compaction_end(state, success=False),
        lambda state: flush.on_compaction_end(state, success=True),
        lambda state: flush.on_usage(state, 10, 100),
        lambda state: flush.on_usage(state, 70, 100),
        lambda state: flush.on_usage(state, 90, 100),
        lambda state: flush.on_usage(state, 90, 0),
    ],
)
def test_a_failed_flush_is_asked_for_again_by_any_event(event: object) -> None:
    assert callable(event)
    step = event(FAILED)
    assert step.asks
    assert step.state.is_open
    assert not flush.on_message(step.state).asks


def test_usage_that_falls_before_the_end_is_told_leaves_one_cycle_behind() -> None:
    low = used(flush.on_compaction_start(DONE).state, 20).state
    step = flush.on_compaction_end(low, success=True)
    assert not step.asks
    assert used(step.state, 75).asks


def test_a_second_start_is_a_repetition_unless_something_was_said() -> None:
    begun = flush.on_compaction_start(DONE).state
    assert not flush.on_compaction_start(begun).asks
    assert flush.on_compaction_start(flush.on_message(begun).state).asks
