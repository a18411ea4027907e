from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Barrier

import pytest
from tests.conftest import some
from tests.contract.conftest import OpenStore, Settle
from tests.contract.given import NOON, delete, edit, keep, keep_contents, memory, rows_with, said

from chatmem.errors import DatabaseError
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner


class _OnPurposeError(Exception):
    pass


def _state(store: Store, owner: Owner) -> list[object]:
    terms = ["tea", "coffee", "soup", "茶"]
    return [
        list(store.memories.export(owner)),
        store.lexical.rows(owner).tolist(),
        store.lexical.occurrences(owner, terms, ["co"]).rows.tolist(),
        store.owners.speakers(owner),
        store.conversations.of_session(owner, "s1"),
        store.conversations.counts(owner),
        store.working.topic(owner, "s1"),
        store.dense.queue_length(),
        store.owners.extent(owner).version,
    ]


def test_what_is_rolled_back_leaves_nothing(store: Store, owner: Owner, settle: Settle) -> None:
    keep_contents(store, owner, "tea", "coffee", "绿茶", "tea and coffee", "last tea")
    settle(store)
    before = _state(store, owner)
    first = some(store.memories.get(owner, "mei0"))

    with pytest.raises(_OnPurposeError), store.transaction():
        turn = memory("new", "soup", session_id="s1", role="user")
        store.memories.insert_all(owner, [(turn, "Ann")])
        store.memories.update(owner, replace(first, content="soup"), new_text=True)
        store.memories.delete(owner, "mei1")
        store.conversations.insert_all(owner, [(said("soup"), "new")])
        store.working.set_topic(owner, "s1", "soup", NOON)
        assert _state(store, owner) != before
        raise _OnPurposeError

    assert _state(store, owner) == before
    assert store.check() == []


def test_of_work_that_waits_only_what_fails_is_undone(store: Store, owner: Owner) -> None:
    begun = Barrier(5)

    def save(number: int) -> int:
        keep(store, owner, memory(f"note{number}", "note"))
        if number == 1:
            raise _OnPurposeError
        return number

    def together(number: int) -> int:
        begun.wait(10)
        return store.database.together(partial(save, number))

    with ThreadPoolExecutor() as threads:
        with store.transaction():
            keep(store, owner, memory("note0", "note"))
            failing, *others = [threads.submit(together, number) for number in range(1, 5)]
            begun.wait(10)
        assert [one.result(10) for one in others] == [2, 3, 4]
        assert isinstance(failing.exception(10), _OnPurposeError)

    ids = sorted(one.id for one in store.memories.export(owner))
    assert ids == ["note0", "note2", "note3", "note4"]
    assert rows_with(store, owner, "note") == [0, 1, 2, 3]


def test_after_a_rollback_the_next_write_is_as_if_nothing_had_been(
    store: Store, owner: Owner, settle: Settle
) -> None:
    keep_contents(store, owner, "one", "two", "three", "four")
    settle(store)
    with pytest.raises(_OnPurposeError), store.transaction():
        for name in ("x", "y"):
            lost = memory(name, "lost", session_id="s1", role="user")
            store.memories.insert_all(owner, [(lost, "Ann")])
        raise _OnPurposeError

    with store.transaction():
        turn = memory("turn", "kept", session_id="s2", role="user")
        row = store.memories.insert_all(owner, [(turn, "王芳")])
        turn = memory("turn2", "kept", session_id="s2", role="user")
        store.memories.insert_all(owner, [(turn, "Ann")])

    assert row == 4
    assert [(number, name) for number, name, _ in store.owners.speakers(owner)] == [
        (0, "王芳"),
        (1, "Ann"),
    ]
    assert store.lexical.rows(owner)["speaker"].tolist()[4:] == [0, 1]


def test_a_user_who_was_rolled_back_can_come_again(store: Store) -> None:
    with pytest.raises(_OnPurposeError), store.transaction():
        store.owner("late")
        raise _OnPurposeError
    assert "late" not in store.users()

    owner = store.owner("late")
    keep(store, owner, memory("a", "tea", "late"))

    assert "late" in store.users()
    assert rows_with(store, owner, "tea") == [0]


def test_an_inner_transaction_belongs_to_the_outer_one(store: Store, owner: Owner) -> None:
    with pytest.raises(_OnPurposeError), store.transaction():
        keep_contents(store, owner, "tea")
        raise _OnPurposeError

    assert store.pages.count(owner) == 0


def _elsewhere(action: Callable[[], object]) -> object:
    """What it gives in another thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(action).result(20)


def test_a_snapshot_is_one_state_throughout(store: Store, owner: Owner, settle: Settle) -> None:
    keep_contents(store, owner, "tea", "coffee", "绿茶", "tea and coffee")
    settle(store)

    def write() -> None:
        keep_contents(store, owner, "tea", "tea", "tea", "tea")
        delete(store, owner, "mei1")
        edit(store, owner, memory("mei0", "soup"))
        store.pack()

    state = store.owners.state(owner)
    with store.snapshot():
        before = _state(store, owner)
        _elsewhere(write)
        assert _state(store, owner) == before
    after = _state(store, owner)
    assert after != before
    assert store.owners.as_of(state, owner, lambda: _state(store, owner)) == after
    assert rows_with(store, owner, "tea") == [3, 4, 5, 6, 7]
    assert _elsewhere(lambda: _state(store, owner)) == after


def test_others_see_nothing_of_an_open_transaction(store: Store, owner: Owner) -> None:
    keep_contents(store, owner, "tea")
    before = _state(store, owner)

    with store.transaction():
        keep(store, owner, memory("new", "tea"))
        assert _elsewhere(lambda: _state(store, owner)) == before
        assert rows_with(store, owner, "tea") == [0, 1]

    assert _elsewhere(lambda: rows_with(store, owner, "tea")) == [0, 1]


def test_a_snapshot_in_another_or_a_transaction_is_nothing_new(store: Store, owner: Owner) -> None:
    with store.snapshot(), store.snapshot():
        assert store.pages.count(owner) == 0
    with store.transaction(), store.snapshot():
        keep_contents(store, owner, "tea")
        assert rows_with(store, owner, "tea") == [0]
    assert rows_with(store, owner, "tea") == [0]


def test_writers_take_turns(store: Store, owner: Owner) -> None:
    def write(name: str) -> None:
        for number in range(25):
            keep(store, owner, memory(f"{name}{number}", "tea", session_id=name, role="user"))
            store.pack()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, "abcd"))

    assert store.pages.count(owner) == 100
    assert rows_with(store, owner, "tea") == list(range(100))
    assert store.check() == []


def test_two_stores_on_one_place_see_each_others_writes(
    store: Store, owner: Owner, open_store: OpenStore, tmp_path: Path
) -> None:
    second = open_store(tmp_path)
    keep_contents(store, owner, "tea", "coffee", "soup", "bread")
    assert rows_with(second, owner, "tea") == [0]

    assert second.pack() == 4
    assert store.pack() == 0
    delete(second, owner, "mei0")

    assert rows_with(store, owner, "tea") == []
    assert store.lexical.rows(owner)["state"].tolist() == [0, 3, 3, 3]
    with store.transaction():
        turn = memory("x", "said", session_id="s1", role="user")
        assert store.memories.insert_all(owner, [(turn, "Ann")]) == 4
    with second.transaction():
        turn = memory("y", "said", session_id="s1", role="user")
        assert second.memories.insert_all(owner, [(turn, "Ann")]) == 5
    assert store.lexical.rows(owner)["speaker"].tolist()[4:] == [0, 0]
    assert store.lexical.rows(owner)["previous"].tolist()[4:] == [-1, 4]
    second.close()


def test_a_closed_store_says_so(store: Store, owner: Owner) -> None:
    store.close()
    store.close()

    for use in (
        lambda: store.pages.count(owner),
        lambda: keep_contents(store, owner, "tea"),
        store.snapshot().__enter__,
        store.reindex,
    ):
        with pytest.raises(DatabaseError, match="is closed: open the memory again"):
            use()
