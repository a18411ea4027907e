from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import pytest
from tests.conftest import some
from tests.contract.given import NOON, delete, edit, keep, keep_contents, memory

from chatmem.model import AtomicMemoryRecord, MemoryFilter
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner

FULL = memory(
    "full",
    "她每天早上喝黑咖啡☕，不加糖\n第二行",
    tags=("咖啡", "morning"),
    session_id="s1",
    app_type="chat",
    role="user",
    memory_type="long_term",
    kind="semantic",
    category="preference",
    key="coffee",
    value={"糖": False, "cups": [1, 2.5, None]},
    confidence=0.25,
    source="inferred",
    importance=5,
    visibility="household",
    valid_from=NOON - timedelta(days=3),
    valid_to=NOON + timedelta(days=3),
    superseded_by="newer",
    document="MEMORY.md",
)


def test_every_column_comes_back_as_it_was_written(store: Store, owner: Owner) -> None:
    keep(store, owner, FULL)

    assert store.memories.get(owner, "full") == FULL


def test_every_column_that_may_change_is_written_by_an_update(store: Store, owner: Owner) -> None:
    plain = memory("full", "plain", session_id="s1", app_type="chat", role="user")
    keep(store, owner, plain)

    edit(store, owner, replace(FULL, create_time=plain.create_time))

    assert store.memories.get(owner, "full") == replace(FULL, create_time=plain.create_time)


def test_the_sample_sets_every_column(store: Store) -> None:
    bare = memory("full", "plain", timestamp=NOON - timedelta(days=1))
    unset = {
        field.name
        for field in fields(AtomicMemoryRecord)
        if getattr(FULL, field.name) == getattr(bare, field.name)
    }

    assert unset == {"id", "user_id", "last_accessed", "access_count"}


def test_rows_count_up_from_0_and_are_not_used_again(store: Store, owner: Owner) -> None:
    assert keep_contents(store, owner, "one", "two", "three") == [0, 1, 2]
    delete(store, owner, "mei2")

    assert keep(store, owner, memory("again", "four")) == [3]
    assert store.memories.row_of(owner, "again") == 3
    assert store.memories.row_of(owner, "mei2") is None


def test_an_export_has_every_memory_once_in_the_order_of_rows(store: Store, owner: Owner) -> None:
    keep_contents(store, owner, *(f"note {number}" for number in range(1_203)))
    delete(store, owner, "mei500")

    exported = [record.id for record in store.memories.export(owner)]

    assert exported == [f"mei{number}" for number in range(1_203) if number != 500]


def test_a_document_knows_its_memories(store: Store, owner: Owner) -> None:
    first = memory("a", "tea", document="MEMORY.md", category="preference")
    second = memory("b", "note", document="daily/2026-03-02.md")
    third = memory("c", "dog", document="MEMORY.md", category="fact")
    keep(store, owner, first, memory("turn", "said"), second, third)

    assert store.memories.of_document(owner, "MEMORY.md") == [first, third]
    assert store.memories.of_document(owner, "USER.md") == []
    assert store.memories.documented(owner) == [
        ("MEMORY.md", "a", "preference"),
        ("daily/2026-03-02.md", "b", None),
        ("MEMORY.md", "c", "fact"),
    ]


def test_a_key_finds_valid_long_term_memories_only(store: Store, owner: Owner) -> None:
    known = memory("a", "tea", key="drink", memory_type="long_term")
    keep(
        store,
        owner,
        known,
        memory("b", "water", key="drink", memory_type="long_term", valid_to=NOON),
        memory("c", "milk", key="drink"),
        memory("d", "soup", key="food", memory_type="long_term"),
    )

    assert store.memories.of_key(owner, "drink") == [known]
    assert store.memories.of_key(owner, "Drink") == []


def test_a_category_finds_the_newest_valid_long_term_rows(store: Store, owner: Owner) -> None:
    def liked(place: int, **columns: Any) -> AtomicMemoryRecord:  # noqa: ANN401
        merged = {"memory_type": "long_term", "category": "preference", **columns}
        return memory(f"m{place}", "liked", timestamp=NOON + timedelta(days=place), **merged)

    keep(
        store,
        owner,
        liked(0),
        liked(1),
        liked(2, category="fact"),
        liked(3, valid_to=NOON),
        liked(4, memory_type="short_term"),
        liked(5, category="pattern"),
    )

    assert store.memories.of_category(owner, ["preference"], 10) == [1, 0]
    assert store.memories.of_category(owner, ["preference", "pattern"], 2) == [5, 1]
    assert store.memories.of_category(owner, [], 10) == []


@pytest.mark.scenario("S1.3.1")
def test_turns_of_a_session_and_role_agree_by_50_characters(store: Store, owner: Owner) -> None:
    start = "今天我们去了海边的小镇，" * 5  # 60 characters
    keep(
        store,
        owner,
        memory("a", start[:50] + "吃海鲜", session_id="s1", role="user"),
        memory("b", start[:49] + "X", session_id="s1", role="user"),
        memory("c", start, session_id="s2", role="user"),
        memory("d", start, session_id="s1", role="assistant"),
        memory("e", start, session_id="s1"),
    )

    assert store.memories.same_start(owner, "s1", "user", start) == [("a", start[:50] + "吃海鲜")]
    assert store.memories.same_start(owner, "s1", "user", start[:49]) == []


def test_the_weakest_are_least_certain_then_longest_unread(store: Store, owner: Owner) -> None:
    keep_contents(store, owner, "old", "read lately", "newer")
    keep(store, owner, memory("doubted", "maybe", memory_type="long_term", confidence=0.1))
    keep(
        store,
        owner,
        memory("past", "x", memory_type="long_term", confidence=0.1, valid_to=NOON),
        memory("turn", "x", confidence=0.1),
    )
    with store.transaction():
        store.memories.count_access(owner, ["mei1"], NOON + timedelta(days=9))

    weakest = store.memories.weakest(owner, 10)

    assert [record.content for record in weakest] == ["maybe", "old", "newer", "read lately"]
    assert store.memories.weakest(owner, 1) == weakest[:1]
    assert store.pages.count(owner, MemoryFilter(memory_type="long_term")) == 4


@pytest.mark.scenario("S3.2.3")
def test_accesses_are_counted_and_dated(store: Store, owner: Owner) -> None:
    keep_contents(store, owner, "one", "two")
    later = NOON + timedelta(days=2)

    with store.transaction():
        store.memories.count_access(owner, ["mei0", "unknown"], NOON)
        store.memories.count_access(owner, ["mei0"], later)

    first, second = (store.memories.get(owner, name) for name in ("mei0", "mei1"))
    assert first is not None and second is not None
    assert (first.access_count, first.last_accessed) == (2, later)
    assert (second.access_count, second.last_accessed) == (0, None)
    assert store.pages.page(owner, MemoryFilter(), (10, 0))[0][1].access_count == 2


def test_a_deleted_successor_is_named_by_nobody(store: Store, owner: Owner) -> None:
    keep(store, owner, memory("old", "tea", superseded_by="new"), memory("new", "coffee"))

    delete(store, owner, "new")

    old = some(store.memories.get(owner, "old"))
    assert old.superseded_by is None
