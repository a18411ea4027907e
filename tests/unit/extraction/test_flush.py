"""The flush before a compaction, case by case; `tests/property` tries any order."""

import json

import pytest

from chatmem.errors import InvalidInputError
from chatmem.extraction.flush import (
    FlushState,
    FlushStep,
    on_compaction_end,
    on_compaction_start,
    on_context_cleared,
    on_flush_failed,
    on_flush_succeeded,
    on_message,
    on_usage,
)

NEW = FlushState()


def used(state: FlushState, percent: float) -> FlushStep:
    return on_usage(state, percent, 100)


def flushed(state: FlushState) -> FlushState:
    return on_flush_succeeded(state).state


ASKED = used(NEW, 75).state
DONE = flushed(ASKED)
FAILED = on_flush_failed(ASKED).state


def test_a_flush_that_runs_is_not_started_twice_but_again_at_once_if_it_fails() -> None:
    step = on_compaction_start(ASKED)
    assert not step.asks
    again = on_flush_failed(step.state)
    assert again.asks
    once_more = on_flush_failed(again.state)
    assert not once_more.asks
    assert on_message(once_more.state).asks


def test_the_compaction_s_own_flush_waits_for_an_event_when_it_fails() -> None:
    step = on_flush_failed(on_compaction_start(NEW).state)
    assert not step.asks
    assert on_compaction_end(step.state, success=True).asks


@pytest.mark.parametrize(
    "event",
    [
        on_message,
        on_context_cleared,
        on_compaction_start,
        lambda state: on_compaction_end(state, success=False),
        lambda state: on_compaction_end(state, success=True),
        lambda state: on_usage(state, 10, 100),
        lambda state: on_usage(state, 70, 100),
        lambda state: on_usage(state, 90, 100),
        lambda state: on_usage(state, 90, 0),
    ],
)
def test_a_failed_flush_is_asked_for_again_by_any_event(event: object) -> None:
    assert callable(event)
    step = event(FAILED)
    assert step.asks
    assert step.state.is_open
    assert not on_message(step.state).asks


def test_usage_that_falls_before_the_end_is_told_leaves_one_cycle_behind() -> None:
    low = used(on_compaction_start(DONE).state, 20).state
    step = on_compaction_end(low, success=True)
    assert not step.asks
    assert used(step.state, 75).asks


def test_an_end_whose_start_was_not_seen_asks_for_what_was_missed() -> None:
    step = on_compaction_end(NEW, success=True)
    assert step.asks
    assert used(step.state, 75).asks


def test_a_second_start_is_a_repetition_unless_something_was_said() -> None:
    begun = on_compaction_start(DONE).state
    assert not on_compaction_start(begun).asks
    assert on_compaction_start(on_message(begun).state).asks


@pytest.mark.parametrize(
    ("tokens", "limit", "named"),
    [
        *((wrong, 100, "currentTokens") for wrong in (-1, float("nan"), float("inf"))),
        *((90, wrong, "tokenLimit") for wrong in (-100, float("nan"))),
    ],
)
def test_nonsense_is_refused_by_name(tokens: float, limit: float, named: str) -> None:
    with pytest.raises(InvalidInputError, match=named):
        on_usage(NEW, tokens, limit)


def test_a_state_survives_json_with_fields_missing_or_unknown() -> None:
    saved = json.loads(json.dumps(FAILED.as_dict()))
    assert FlushState.from_dict(saved) == FAILED
    assert FlushState.from_dict(saved | {"from_the_future": [1]}) == FAILED
    assert FlushState.from_dict({}) == NEW


@pytest.mark.parametrize(
    "wrong",
    [
        *({"stage": "running"}, {"stage": []}, {"earlier": "yes"}, {"compacting": 1}),
        {"heard": None},
    ],
)
def test_a_state_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError, match="flush state"):
        FlushState.from_dict(wrong)
