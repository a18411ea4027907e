"""Looking through memories: every filter, every sort, every page, and nobody else's rows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from tests.contract.given import NOON, keep, memory

from chatmem.engine.search.browse import is_wanted
from chatmem.model import MEMORY_SORTS, AtomicMemoryRecord, MemoryFilter, MemorySort
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner
from chatmem.text.languages import spellings

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
RECORDS = (
    memory("turn", "I drink Oolong_tea, 100% of it", role="user", session_id="s1"),
    memory("answer", "好喝的烏龍茶", role="assistant", session_id="s1", timestamp=NOON + HOUR),
    memory("likes", "喜欢乌龙茶", memory_type="long_term", category="preference", kind="semantic",
           confidence=0.75, importance=5, timestamp=NOON + 2 * HOUR, session_id="s1"),
    memory("lived", "Lived in Oslo", memory_type="long_term", category="fact", kind="semantic",
           valid_from=NOON - 5 * DAY, valid_to=NOON - DAY, superseded_by="lives", key="home"),
    memory("lives", "Lives in Lisbon", memory_type="long_term", category="fact", kind="semantic",
           valid_from=NOON - DAY, key="home", visibility="household", timestamp=NOON + 3 * HOUR),
    memory("saw", "Saw the sea", memory_type="long_term", category="fact", kind="episodic",
           source="inferred", importance=1, confidence=0.5, timestamp=NOON + 4 * HOUR),
)  # fmt: skip
FILTERS = (
    MemoryFilter(),
    MemoryFilter(state="all"),
    MemoryFilter(state="superseded"),
    MemoryFilter(memory_type="long_term"),
    MemoryFilter(memory_type="short_term", state="all"),
    MemoryFilter(kind="episodic"),
    MemoryFilter(category="fact", state="all"),
    MemoryFilter(source="inferred"),
    MemoryFilter(session_id="s1"),
    MemoryFilter(session_id="elsewhere"),
    MemoryFilter(visibility="household"),
    MemoryFilter(time_from=NOON + HOUR),
    MemoryFilter(time_to=NOON + HOUR),
    MemoryFilter(time_from=NOON + HOUR, time_to=NOON + 3 * HOUR, memory_type="long_term"),
    MemoryFilter(as_of=NOON - 2 * DAY),
    MemoryFilter(as_of=NOON - DAY),
    MemoryFilter(as_of=NOON + 10 * DAY, category="fact"),
    MemoryFilter(text="oOLONG_TEA"),
    MemoryFilter(text="oolong-tea"),
    MemoryFilter(text="100%"),
    MemoryFilter(text="%"),
    MemoryFilter(text="乌龙茶"),
    MemoryFilter(text="烏龍茶"),
    MemoryFilter(text="\\"),
)


def texts(wanted: MemoryFilter) -> Sequence[str]:
    return spellings(wanted.text) if wanted.text else ()


def page(
    store: Store,
    owner: Owner,
    wanted: MemoryFilter,
    order: tuple[MemorySort, bool] = ("timestamp", False),
    bounds: tuple[int, int] = (50, 0),
) -> tuple[list[AtomicMemoryRecord], int]:
    return store.pages.page(owner, wanted, bounds, texts(wanted), order)


@pytest.mark.parametrize("wanted", FILTERS, ids=repr)
def test_the_store_wants_what_the_filter_says(
    store: Store, owner: Owner, other: Owner, wanted: MemoryFilter
) -> None:
    rows = keep(store, owner, *RECORDS)
    keep(store, other, *(replace(one, id=f"tom-{one.id}", user_id="tom") for one in RECORDS))
    expected = {one.id for one in RECORDS if is_wanted(one, wanted)}

    found, total = page(store, owner, wanted)

    assert {one.id for one in found} == expected
    assert total == len(expected)
    assert {RECORDS[rows.index(row)].id for row in store.pages.rows(
        owner, wanted, texts(wanted)
    )} == expected  # fmt: skip


@pytest.mark.parametrize("wanted", FILTERS, ids=repr)
def test_what_others_share_is_wanted_as_the_filter_says(
    store: Store, owner: Owner, other: Owner, wanted: MemoryFilter
) -> None:
    public = [
        replace(one, id=f"tom-{one.id}", user_id="tom", visibility="public") for one in RECORDS
    ]
    keep(store, owner, *RECORDS)
    keep(store, other, *public, memory("secret", "Saw the sea", "tom", memory_type="long_term"))
    expected = [one.id for one in public if is_wanted(one, wanted)]

    order: tuple[MemorySort, bool] = ("create_time", False)
    (found, total), (behind, _) = (
        store.pages.page(owner, wanted, (50, offset), texts(wanted), order, shared=True)
        for offset in (0, 1)
    )

    assert sorted(one.id for one in found) == sorted(expected)
    assert total == len(expected)
    assert {one.user_id for one in found} <= {"tom"}
    assert behind == found[1:]


@pytest.mark.parametrize("sort", MEMORY_SORTS)
@pytest.mark.parametrize("descending", [False, True])
def test_pages_hold_everything_once_and_in_order(
    store: Store, owner: Owner, sort: MemorySort, descending: bool
) -> None:
    records = [
        memory(f"m{place}", f"note {place * 7 % 5}", memory_type="long_term",
               timestamp=NOON + place % 3 * HOUR, create_time=NOON + place % 4 * HOUR,
               confidence=place % 5 / 4, importance=1 + place % 5)
        for place in range(11)
    ]  # fmt: skip
    keep(store, owner, *records)
    with store.transaction():
        store.memories.count_access(owner, ["m3", "m5"], NOON)
        store.memories.count_access(owner, ["m5"], NOON)

    pages = [
        page(store, owner, MemoryFilter(), (sort, descending), (3, offset))[0]
        for offset in range(0, 12, 3)
    ]

    shown = [one for part in pages for one in part]
    assert [len(part) for part in pages] == [3, 3, 3, 2]
    assert sorted(one.id for one in shown) == sorted(one.id for one in records)
    values: list[Any] = [(getattr(one, sort), int(one.id[1:])) for one in shown]
    ordered = values[::-1] if descending else values
    assert all(one < other for one, other in pairwise(ordered))


def test_a_page_behind_the_last_one_is_empty(store: Store, owner: Owner) -> None:
    keep(store, owner, *RECORDS)

    assert page(store, owner, MemoryFilter(), bounds=(50, 99)) == ([], 5)
    assert page(store, owner, MemoryFilter(), bounds=(0, 0)) == ([], 5)


def test_what_was_stored_is_counted_by_minute(store: Store, owner: Owner, other: Owner) -> None:
    keep(store, owner, *RECORDS)
    keep(store, other, memory("theirs", "not mine", "tom"))

    added = store.pages.added(owner, NOON + 2 * HOUR)

    assert sorted((one.minute, one.memory_type, one.category, one.count) for one in added) == [
        (NOON + 2 * HOUR, "long_term", "preference", 1),
        (NOON + 3 * HOUR, "long_term", "fact", 1),
        (NOON + 4 * HOUR, "long_term", "fact", 1),
    ]
    assert sum(one.count for one in store.pages.added(owner, NOON)) == len(RECORDS)
