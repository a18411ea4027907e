"""What becomes of something new beside what is known."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from chatmem.extraction.candidate import Candidate
from chatmem.extraction.settle import frame, same_value, settle
from chatmem.model import AtomicMemoryRecord

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=3)


def known(content: str, **columns: Any) -> AtomicMemoryRecord:  # noqa: ANN401
    return AtomicMemoryRecord(
        id="old",
        user_id="mei",
        timestamp=NOON,
        create_time=NOON,
        content=content,
        memory_type="long_term",
        **columns,
    )


def new(content: str, **columns: Any) -> Candidate:  # noqa: ANN401
    return Candidate(content=content, **columns)


PARIS = known("Lives in Paris", key="home", value="Paris")


def test_what_meets_nothing_is_added() -> None:
    assert settle(new("Lives in Berlin"), [], LATER).action == "add"


def test_another_value_under_the_same_key_takes_the_place_of_the_old() -> None:
    verdict = settle(new("Lives in Berlin", key="home", value="Berlin"), [PARIS], LATER)
    assert verdict.action == "supersede"
    assert verdict.olds == (PARIS,)
    assert "home" in verdict.reason


@pytest.mark.parametrize("value", ["Paris", "PARIS", "Ｐａｒｉｓ"])
def test_the_same_value_in_other_words_changes_nothing(value: str) -> None:
    said_again = new("Has moved to Paris", key="home", value=value)
    assert settle(said_again, [PARIS], LATER).action == "confirm"


def test_scripts_are_no_difference() -> None:
    old = known("住在臺灣", key="home", value="臺灣")
    assert settle(new("住在台湾", key="home", value="台湾"), [old], LATER).action == "confirm"


def test_the_person_outweighs_a_guess() -> None:
    guess = new("Lives in Berlin", key="home", value="Berlin", source="inferred")
    assert settle(guess, [PARIS], LATER).action == "flag"
    guessed = known("Lives in Paris", key="home", value="Paris", source="inferred")
    assert settle(guess, [guessed], LATER).action == "supersede"


@pytest.mark.parametrize(
    ("importance", "action"), [(3, "supersede"), (4, "supersede"), (5, "flag")]
)
def test_what_matters_more_by_two_steps_is_not_replaced(importance: int, action: str) -> None:
    old = known("Allergic to nuts", key="allergy", value="nuts", importance=importance)
    assert (
        settle(new("Allergic to milk", key="allergy", value="milk"), [old], LATER).action == action
    )


def test_what_was_said_before_does_not_replace_what_was_said_after() -> None:
    older = new("Lives in Rome", key="home", value="Rome")
    assert settle(older, [PARIS], NOON - timedelta(days=9)).action == "past"


def test_time_alone_is_no_conflict() -> None:
    """Two statements that meet nothing are added, however close together they were said."""
    for content in ("Likes tea", "Likes coffee"):
        assert settle(new(content), [], NOON).action == "add"


@pytest.mark.parametrize(
    ("content", "value", "frame_"),
    [
        ("Lives in Berlin", "Berlin", "lives in …"),
        ("住在柏林", "柏林", "住在 …"),
        ("Berlin", "Berlin", None),
        ("Lives in Berlin", "Paris", None),
        ("Likes tea", True, None),
        ("Likes tea", None, None),
    ],
)
def test_a_frame_is_the_statement_without_its_value(
    content: str, value: object, frame_: str | None
) -> None:
    assert frame(content, value) == frame_  # type: ignore[arg-type]


def test_values_are_compared_as_what_they_are() -> None:
    assert same_value(3, 3)
    assert not same_value(3, 4)
    assert not same_value("3", 3)
    assert same_value(["a"], ["a"])
