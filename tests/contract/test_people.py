"""Circles, roles and what is shared, on every store."""

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import pytest
from tests.conftest import some
from tests.contract.given import NOON, delete, edit, keep, memory

from chatmem.model import AtomicMemoryRecord, Category, CircleKind, Visibility
from chatmem.storage.tables.owners import row_id
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner


@pytest.fixture
def bo(store: Store) -> Owner:
    return store.owner("bo")


def gather(
    store: Store, circle_id: str, kind: CircleKind, members: dict[str, str], head: str = "mei"
) -> None:
    """A circle with these roles."""
    with store.transaction():
        store.people.create(circle_id, kind, "Home", head, "parent", NOON)
        for place, (user, role) in enumerate(members.items()):
            store.people.put_member(circle_id, user, role, NOON + timedelta(minutes=place))


def shared(
    memory_id: str,
    visibility: Visibility,
    tags: Sequence[str] = (),
    category: Category | None = "fact",
) -> AtomicMemoryRecord:
    return memory(
        memory_id,
        f"the {memory_id} of the 花园",
        memory_type="long_term",
        visibility=visibility,
        tags=tuple(tags),
        category=category,
    )


def seen(store: Store, viewer: Owner) -> set[str]:
    """Ids that the viewer's shared rows lead to."""
    shared = store.people.shared_with(viewer)
    keys = [row_id(one.owner, int(row)) for one in shared for row in one.rows]
    found = store.memories.by_keys(viewer, keys)
    assert list(found) == keys
    return {record.id for record in found.values()}


def test_a_circle_comes_back_with_its_members_in_the_order_they_joined(store: Store) -> None:
    gather(store, "c1", "household", {"bo": "child", "小明": "guest"})
    gather(store, "c2", "group", {"bo": "member"})

    circle = some(store.people.circle("c1"))
    assert (circle.kind, circle.name, circle.head) == ("household", "Home", "mei")
    assert {(one.user_id, one.role) for one in circle.members} == {
        ("mei", "parent"),
        ("bo", "child"),
        ("小明", "guest"),
    }
    assert [one.circle_id for one in store.people.circles_of("bo")] == ["c1", "c2"]
    assert [one.circle_id for one in store.people.circles_of("bo", "group")] == ["c2"]
    assert store.people.circle("c3") is None


def test_an_invitation_is_no_membership(store: Store, owner: Owner, bo: Owner) -> None:
    keep(store, owner, shared("plan", "household"))
    gather(store, "c1", "household", {})
    with store.transaction():
        store.people.invite("c1", "bo", "child", NOON)
        store.people.invite("c1", "bo", "parent", NOON)

    assert [(one.circle_id, one.role, one.head) for one in store.people.invited("bo")] == [
        ("c1", "parent", "mei")
    ]
    assert store.people.circles_of("bo") == []
    assert seen(store, bo) == set()
    with store.transaction():
        assert store.people.uninvite("c1", "bo")
        assert not store.people.uninvite("c1", "bo")
    assert store.people.invited("bo") == []


def test_the_head_can_change_and_a_circle_can_end(store: Store) -> None:
    gather(store, "c1", "household", {"bo": "parent"})
    with store.transaction():
        store.people.invite("c1", "dee", "guest", NOON)
        store.people.put_head("c1", "bo")
        store.people.remove_member("c1", "mei")
        store.people.remove_member("c1", "mei")
    circle = some(store.people.circle("c1"))
    assert (circle.head, [one.user_id for one in circle.members]) == ("bo", ["bo"])

    with store.transaction():
        store.people.delete("c1")

    assert store.people.circle("c1") is None
    assert store.people.circles_of("bo") == []
    assert store.people.invited("dee") == []


def test_a_child_sees_no_parents_work_or_finance(store: Store, owner: Owner, bo: Owner) -> None:
    gather(store, "c1", "household", {"bo": "child"})
    keep(
        store,
        owner,
        shared("trip", "household", ["fun"]),
        shared("untagged", "household"),
        shared("own", "private"),
        shared("club", "group"),
        shared("news", "public"),
        shared("gift", "household", ["fun", " PARENT"]),
        shared("raise", "public", ["Ｗork"]),
        shared("工资", "household", ["財務"]),
        shared("tax", "household", ["Finance"]),
    )

    assert seen(store, bo) == {"trip", "untagged", "news"}
    assert store.memories.seen(bo, "trip") == store.memories.get(owner, "trip")
    assert store.memories.seen(bo, "gift") is None
    assert store.memories.get(bo, "trip") is None
    assert store.memories.by_rows(bo, [0]) == {}


def test_shared_rows_say_what_ranking_needs(store: Store, owner: Owner, bo: Owner) -> None:
    keep(
        store,
        owner,
        shared("a", "private"),
        shared("b", "public", category="pattern"),
        shared("c", "public", category=None),
    )
    keep(store, store.owner("zoe"), memory("d", "d", "zoe", visibility="public"))

    first, second = store.people.shared_with(bo)

    assert first.owner == owner
    assert first.rows.tolist() == [1, 2]
    assert first.categories == ("pattern", None)
    assert first.version == store.owners.extent(owner).version
    assert (second.owner.user_id, second.rows.tolist()) == ("zoe", [0])
    tokens = store.lexical.tokens(owner, first.rows)
    assert [("b" in one, "c" in one) for one in tokens] == [(True, False), (False, True)]


def test_each_change_of_what_is_shared_has_a_version(store: Store, owner: Owner, bo: Owner) -> None:
    version = store.owners.extent(owner).sharing
    keep(store, owner, shared("quiet", "private"))
    edit(store, owner, shared("quiet", "private", ["x"]))
    delete(store, owner, "quiet")
    assert store.owners.extent(owner).sharing == version

    for change in (
        lambda: keep(store, owner, shared("plan", "household")),
        lambda: edit(store, owner, shared("plan", "private")),
        lambda: edit(store, owner, shared("plan", "public")),
        lambda: delete(store, owner, "plan"),
        lambda: gather(store, "c1", "group", {"bo": "member"}),
        lambda: store.people.remove_member("c1", "bo"),
        lambda: store.people.set_rules("member", []),
        lambda: store.people.delete("c1"),
    ):
        before = store.owners.extent(owner).sharing
        with store.transaction():
            change()
        assert store.owners.extent(owner).sharing > before


def test_a_vector_of_a_shared_row_is_a_change_of_what_is_shared(store: Store, owner: Owner) -> None:
    keep(store, owner, shared("plan", "public"), shared("quiet", "private"))
    store.dense.use("fake:1:8", 8)
    (plan, quiet), version = store.dense.queued(2), store.owners.extent(owner).sharing

    with store.transaction():
        store.dense.put([quiet], [1], np.ones((1, 8), np.float32))
    assert store.owners.extent(owner).sharing == version
    with store.transaction():
        store.dense.put([plan], [2], np.ones((1, 8), np.float32))
    assert store.owners.extent(owner).sharing > version
