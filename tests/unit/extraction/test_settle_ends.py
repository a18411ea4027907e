"""What has ended, has another day, or goes with what has ended."""

from datetime import UTC, datetime

import pytest

from chatmem.extraction.candidate import Candidate
from chatmem.extraction.settle import ends_or_moves, is_without_work, sibling_key
from chatmem.model import AtomicMemoryRecord

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def known(key: str, value: str) -> AtomicMemoryRecord:
    return AtomicMemoryRecord(
        id="old", user_id="mei", timestamp=NOON, create_time=NOON, content="x", key=key, value=value
    )


@pytest.mark.parametrize(
    ("content", "key", "value", "old_key", "old_value", "meets"),
    [
        ("烟已经戒了", "habit:烟", "戒了", "habit:每天抽一包烟", "每天", True),
        ("Quit smoking", "habit:smoke", "quit", "habit:smoke about a pack", "a day", True),
        ("Runs twice a week", "habit:run", "twice a week", "habit:run a club", "daily", False),
        ("胃镜改到 2027-06-10 了", "plan:胃镜", "2027-06-10", "plan:去做胃镜", "2027-06-03", True),
        ("带孩子看牙", "plan:带孩子看牙", "2027-06-10", "plan:看牙", "2027-06-03", False),
        ("跑步不跑了", "habit:跑步", "不", "habit:游泳", "每天", False),
        ("跑步不跑了", "habit:跑步", "不", "plan:跑步比赛", "2027-06-03", False),
    ],
)
def test_an_end_or_another_day_meets_what_it_names(
    content: str, key: str, value: str, old_key: str, old_value: str, meets: bool
) -> None:
    candidate = Candidate(content=content, key=key, value=value)
    assert ends_or_moves(candidate, known(old_key, old_value)) is meets


@pytest.mark.parametrize(
    ("key", "sibling"),
    [
        ("occupation", "employer"),
        ("relation:爸爸:employer", "relation:爸爸:occupation"),
        ("home", None),
        (None, None),
    ],
)
def test_occupation_and_employer_go_together(key: str | None, sibling: str | None) -> None:
    assert sibling_key(Candidate(content="x", key=key)) == sibling


def test_no_work_is_a_value_of_its_own() -> None:
    assert is_without_work("退休")
    assert is_without_work("Retired")
    assert not is_without_work("nurse")
    assert not is_without_work(None)
