"""Two memories that may be about the same thing, and what a person makes of them."""

from datetime import UTC, datetime

import pytest
from tests.integration.doubtful import doubt

from chatmem import AtomicMemoryRecord, MemoryService
from chatmem.testing import FakeClock

MAYBE_TAG = "maybe-same"
Pair = tuple[AtomicMemoryRecord, AtomicMemoryRecord]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 4, 1, 9, tzinfo=UTC))


@pytest.fixture
def pair(memory: MemoryService, clock: FakeClock) -> Pair:
    """What was known, and what may be about it, said a month later."""
    old = memory.append_memory("Works at the mill", now=clock())
    return old, doubt(memory, "Bakes at the bakery", old, clock.advance(days=30))


def other_of(memory: MemoryService, memory_id: str) -> str | None:
    if MAYBE_TAG not in memory.get(memory_id).tags:
        return None
    said = (entry.reason for entry in memory.history(memory_id))
    return next((one.split()[2].rstrip(";") for one in said if one.startswith("maybe about")), None)


def test_a_doubt_retires_nothing_and_names_the_other(memory: MemoryService, pair: Pair) -> None:
    old, new = pair

    assert memory.get(old.id) == old
    assert new.is_valid and new.tags == ("work", MAYBE_TAG)
    assert other_of(memory, new.id) == old.id
    assert other_of(memory, old.id) is None


def test_the_older_one_is_out_of_date_and_the_doubt_is_over(
    memory: MemoryService, pair: Pair, clock: FakeClock
) -> None:
    old, new = pair

    gone = memory.supersede(old.id, new.id, now=clock.advance(days=1))

    assert (gone.superseded_by, gone.valid_to) == (new.id, new.timestamp)
    assert memory.get(new.id).tags == ("work",)
    assert memory.restore(old.id, keep_both=True) == old
    assert memory.get(new.id).is_valid


def test_a_doubt_about_another_one_stays(memory: MemoryService, pair: Pair) -> None:
    old, new = pair
    third = memory.append_memory("Sells bread at the market")

    memory.supersede(third.id, new.id)

    assert other_of(memory, new.id) == old.id


def test_what_a_person_keeps_beside_the_other_is_not_merged_again(memory: MemoryService) -> None:
    memory.append_memory("Bakes at the bakery")
    gone = memory.append_memory("bakes at the bakery")
    memory.wait_until_idle()
    assert not memory.get(gone.id).is_valid

    memory.restore(gone.id, keep_both=True)
    memory.wait_until_idle()

    assert memory.get(gone.id).is_valid
