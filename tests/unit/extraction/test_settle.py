"""What becomes of something new beside what is known."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from chatmem.extraction.extractor import Candidate
from chatmem.extraction.reader.relation import Relation
from chatmem.extraction.settle import Met, same_value, settle
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
    verdict = settle(new("Lives in Berlin", key="home", value="Berlin"), [Met(PARIS)], LATER)
    assert verdict.action == "supersede"
    assert verdict.olds == (PARIS,)
    assert "home" in verdict.reason


@pytest.mark.parametrize("value", ["Paris", "PARIS", "Ｐａｒｉｓ"])
def test_the_same_value_in_other_words_changes_nothing(value: str) -> None:
    said_again = new("Has moved to Paris", key="home", value=value)
    assert settle(said_again, [Met(PARIS)], LATER).action == "confirm"


def test_scripts_are_no_difference() -> None:
    old = known("住在臺灣", key="home", value="臺灣")
    assert settle(new("住在台湾", key="home", value="台湾"), [Met(old)], LATER).action == "confirm"


def test_the_person_outweighs_a_guess() -> None:
    guess = new("Lives in Berlin", key="home", value="Berlin", source="inferred")
    assert settle(guess, [Met(PARIS)], LATER).action == "flag"
    guessed = known("Lives in Paris", key="home", value="Paris", source="inferred")
    assert settle(guess, [Met(guessed)], LATER).action == "supersede"


@pytest.mark.parametrize(
    ("importance", "action"), [(3, "supersede"), (4, "supersede"), (5, "flag")]
)
def test_what_matters_more_by_two_steps_is_not_replaced(importance: int, action: str) -> None:
    old = known("Allergic to nuts", key="allergy", value="nuts", importance=importance)
    milk = new("Allergic to milk", key="allergy", value="milk")

    assert settle(milk, [Met(old)], LATER).action == action


def test_what_was_said_before_does_not_replace_what_was_said_after() -> None:
    older = new("Lives in Rome", key="home", value="Rome")
    assert settle(older, [Met(PARIS)], NOON - timedelta(days=9)).action == "past"


def test_time_alone_is_no_conflict() -> None:
    """Two statements that meet nothing are added, however close together they were said."""
    for content in ("Likes tea", "Likes coffee"):
        assert settle(new(content), [], NOON).action == "add"


def relation(**shares: float) -> Relation:
    known = {"replaces": 0.0, "ends": 0.0, "same": 0.0, "independent": 0.0, **shares}
    return Relation(**known, may_retire=True)


def test_what_the_reader_is_sure_to_replace_goes_and_what_it_is_not_stays_beside() -> None:
    berlin = new("Moved to Berlin")
    sure = Met(PARIS, relation(replaces=0.97, independent=0.03))
    unsure = Met(PARIS, relation(replaces=0.6, independent=0.4))
    nothing = Met(PARIS, relation(independent=1.0))

    assert settle(berlin, [sure], LATER).action == "supersede"
    assert settle(berlin, [unsure], LATER).action == "maybe"
    assert settle(berlin, [nothing], LATER).action == "add"


def test_nothing_retires_what_is_of_another_attribute_or_person_however_sure() -> None:
    sure = replace(relation(replaces=1.0), may_retire=False)

    assert settle(new("Her sister moved to Berlin"), [Met(PARIS, sure)], LATER).action == "add"


def test_what_says_the_same_in_other_words_changes_nothing() -> None:
    again = Met(PARIS, relation(same=0.95, replaces=0.05))

    assert settle(new("Paris is where I live"), [again], LATER).action == "confirm"


def test_values_are_compared_as_what_they_are() -> None:
    assert same_value(3, 3)
    assert not same_value(3, 4)
    assert not same_value("3", 3)
    assert same_value(["a"], ["a"])
