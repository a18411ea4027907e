"""Memories, looked through by every filter and page; messages, history, documents; everywhere."""

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import some
from tests.contract.given import NOON, delete, edit, entry, keep, keep_contents, memory, said

from chatmem.model import MEMORY_SORTS, AtomicMemoryRecord, MemoryFilter, MemorySort
from chatmem.model.memory import true_at
from chatmem.storage.documents.ports import Stamp
from chatmem.storage.tables.owners import OWNER_BITS, row_of
from chatmem.storage.tables.store import Store
from chatmem.storage.values import KnownDocument, Owner
from chatmem.text.languages import spellings


def test_deleting_a_memory_takes_its_messages_and_history_along(store: Store, owner: Owner) -> None:
    turn = memory("a", "hello", session_id="s1", role="user")
    keep(store, owner, turn, replace(turn, id="b"))
    with store.transaction():
        for name in ("a", "b"):
            store.conversations.insert_all(owner, [(said("hello", source_id=name), name)])
            store.history.add(owner, entry(replace(turn, id=name)))

    delete(store, owner, "a")

    assert [one.memory_id for one in store.conversations.of_session(owner, "s1")] == ["b"]
    assert store.conversations.by_sources(owner, ["a", "b", "c"]) == {"b": "b"}
    assert store.history.of_memory(owner, "a") == []
    assert len(store.history.of_memory(owner, "b")) == 1
    (numbered,) = store.history.of_memories(owner, ["a", "b"])["b"]
    assert numbered[1:] == (*store.history.of_memory(owner, "b"),)


def test_history_comes_back_oldest_first_with_whole_records(store: Store, owner: Owner) -> None:
    record = memory("a", "茶", tags=("喝",), value={"a": [1]}, valid_to=NOON)
    first = entry(record)
    second = entry(record, action="edit", reason="改", before=record)
    with store.transaction():
        store.history.add(owner, first)
        store.history.add(owner, entry(replace(record, id="b")))
        store.history.add(owner, second)

    assert store.history.of_memory(owner, "a") == [first, second]


def test_what_was_buried_is_known_by_its_words_in_any_spelling(store: Store, owner: Owner) -> None:
    with store.transaction():
        store.history.bury(owner, "I like  Green Tea 綠茶", NOON)
        store.history.bury(owner, "I like  Green Tea 綠茶", NOON)

    assert store.history.is_buried(owner, "i like green tea 绿茶")
    assert not store.history.is_buried(owner, "i like green tea")
    with store.transaction():
        store.history.unbury(owner, "I LIKE green tea 绿茶")
    assert not store.history.is_buried(owner, "I like  Green Tea 綠茶")


def test_a_tombstone_does_not_hold_the_words(store: Store, owner: Owner, tmp_path: Path) -> None:
    with store.transaction():
        store.history.bury(owner, "forgottenword", NOON)
    store.purge()

    assert all(
        b"forgottenword" not in part.read_bytes() for part in tmp_path.iterdir() if part.is_file()
    )


def test_hashes_are_keyed_for_each_user_and_those_of_older_versions_count(
    store: Store, owner: Owner, other: Owner
) -> None:
    plain = store.history.hash(owner, "tea")
    with store.transaction():
        store._db.run("history.bury", owner, hash=plain, at=NOON)
        store._db.run("extraction.handle", owner, session_id="s", event_id="turn 1", at=NOON)
    assert store.history.is_buried(owner, "Tea")
    for one in (owner, other):
        with store.transaction():
            store.history.bury(one, "coffee", NOON)
            store.history.unbury(one, "coffee")
            assert store.extraction.handle(one, "s", "turn 2", NOON)
    hashes = {plain, *(store.history.hash(one, "tea") for one in (owner, other))}
    assert len(hashes) == 3
    assert [store.history.any_buried(one) for one in (owner, other)] == [True, False]
    assert store.history.is_buried(owner, "TEA")
    assert store.extraction.is_handled(owner, "s", "turn 1")
    assert store.extraction.is_handled(owner, "s", "turn 2")
    assert not store.extraction.is_handled(owner, "s", "Turn 2")


def test_the_state_of_documents_is_kept_by_path(store: Store, owner: Owner) -> None:
    first = KnownDocument("MEMORY.md", "e1", Stamp(1, 2, 3, 4))
    with store.transaction():
        store.documents.put(owner, first._replace(etag="e0", held="half of it is gone"))
        store.documents.put(owner, first)
        store.documents.put(owner, KnownDocument("USER.md", "e2", Stamp(5, 6, 7, 8), "held"))

    known: Mapping[str, KnownDocument] = store.documents.known(owner)
    assert known["MEMORY.md"] == first
    assert known["USER.md"].held == "held"
    with store.transaction():
        store.documents.delete(owner, "USER.md")
        store.documents.delete(owner, "never.md")
    assert list(store.documents.known(owner)) == ["MEMORY.md"]


def test_users_are_listed_in_the_order_they_came(store: Store) -> None:
    numbers = [store.owner(name).number for name in ("mei", "王芳", "mei", "tom")]

    assert store.users() == ["default", "mei", "王芳", "tom"]
    assert numbers[0] == numbers[2]
    assert len(set(numbers)) == 3


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


def test_a_deleted_successor_is_named_by_nobody(store: Store, owner: Owner) -> None:
    keep(store, owner, memory("old", "tea", superseded_by="new"), memory("new", "coffee"))

    delete(store, owner, "new")

    old = some(store.memories.get(owner, "old"))
    assert old.superseded_by is None


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


def is_wanted(memory: AtomicMemoryRecord, wanted: MemoryFilter) -> bool:
    """What the filter says, told once more; cases of ASCII letters are one, as in `LIKE`."""
    for name in ("memory_type", "kind", "category", "source", "visibility", "session_id"):
        if (value := getattr(wanted, name)) is not None and getattr(memory, name) != value:
            return False
    low, high = wanted.time_from, wanted.time_to
    if (low and memory.timestamp < low) or (high and memory.timestamp > high):
        return False
    if wanted.as_of is not None:
        in_state = true_at(memory, wanted.as_of)
    else:
        in_state = wanted.state == "all" or memory.is_valid == (wanted.state == "valid")
    content = memory.content.encode().lower()
    sought = spellings(wanted.text) if wanted.text else ()
    return in_state and (not sought or any(one.encode().lower() in content for one in sought))


def page(
    store: Store,
    owner: Owner,
    wanted: MemoryFilter,
    order: tuple[MemorySort, bool] = ("timestamp", False),
    bounds: tuple[int, int] = (50, 0),
) -> tuple[list[AtomicMemoryRecord], int]:
    return store.pages.page(owner, wanted, bounds, order=order)


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
    keys = store.pages.keys(owner, wanted)
    assert {RECORDS[rows.index(row_of(key))].id for key in keys} == expected


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
        store.pages.page(owner, wanted, (50, offset), order=order, shared=True) for offset in (0, 1)
    )

    assert sorted(one.id for one in found) == sorted(expected)
    assert total == len(expected)
    assert {one.user_id for one in found} <= {"tom"}
    keys = store.pages.keys(owner, wanted)
    assert sum(key >> OWNER_BITS == other.number for key in keys) == total
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
