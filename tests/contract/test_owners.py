"""No method gives one user's rows to another."""

import numpy as np
import pytest
from tests.contract.conftest import Settle
from tests.contract.given import NOON, delete, edit, entry, keep, memory, rows_with, said
from tests.contract.test_dense import embed_all

from chatmem.storage.documents.ports import Stamp
from chatmem.storage.tables.store import Store
from chatmem.storage.values import KnownDocument, Owner
from chatmem.testing import FakeEmbedder

SECRET = "Mei keeps the spare key under the blue pot 备用钥匙"


@pytest.fixture(autouse=True)
def meis(store: Store, owner: Owner, other: Owner, settle: Settle) -> None:
    """Eight memories of Mei's with everything that hangs on them, and one of Tom's."""
    columns = {"category": "fact", "key": "spare key", "session_id": "s1", "role": "user"}
    columns |= {"memory_type": "long_term", "document": "MEMORY.md"}
    records = [memory(f"mei{place}", f"{SECRET} {place}", **columns) for place in range(8)]
    keep(store, owner, *records)
    keep(store, other, memory("tom0", "Tom's dog", "tom", memory_type="long_term"))
    with store.transaction():
        store.conversations.insert_all(owner, [(said(SECRET, source_id="x:1"), "mei0")])
        store.history.add(owner, entry(records[0]))
        store.history.bury(owner, SECRET, NOON)
        store.documents.put(owner, KnownDocument("MEMORY.md", "e", Stamp(1, 2, 3, 4)))
        store.working.set_topic(owner, "s1", "keys", NOON)
    embed_all(store)
    settle(store)


def test_the_other_tables_show_own_entries_only(store: Store, other: Owner) -> None:
    assert store.conversations.of_session(other, "s1") == []
    assert store.conversations.by_sources(other, ["x:1"]) == {}
    assert store.conversations.counts(other) == (0, 0)
    assert store.history.of_memory(other, "mei0") == []
    assert store.history.of_memories(other, ["mei0"]) == {}
    assert not store.history.is_buried(other, SECRET)
    assert dict(store.documents.known(other)) == {}
    assert store.working.topic(other, "s1")[0] is None


def test_nobody_changes_the_memories_of_another(store: Store, owner: Owner, other: Owner) -> None:
    before = store.memories.get(owner, "mei0")

    assert not delete(store, other, "mei0")
    edit(store, other, memory("mei0", "overwritten", "tom"))
    with store.transaction():
        store.memories.count_access(other, ["mei0"], NOON)
        store.history.unbury(other, SECRET)
        store.documents.delete(other, "MEMORY.md")
        store.working.set_topic(other, "s1", None, NOON)

    after = store.memories.get(owner, "mei0")
    assert after == before
    assert after is not None and after.access_count == 0
    assert len(store.history.of_memory(owner, "mei0")) == 1
    assert len(store.conversations.of_session(owner, "s1")) == 1
    assert store.history.is_buried(owner, SECRET)
    assert list(store.documents.known(owner)) == ["MEMORY.md"]
    assert store.working.topic(owner, "s1")[0] == "keys"


def test_ids_of_others_are_told_from_own_and_unknown_ones(store: Store, other: Owner) -> None:
    assert store.memories.foreign_ids(other, ["mei0", "tom0", "nobody", "mei1"]) == {"mei0", "mei1"}
    assert store.memories.foreign_ids(other, []) == set()


def test_reindexing_keeps_owners_apart(store: Store, owner: Owner, other: Owner) -> None:
    store.reindex()
    store.pack()

    assert rows_with(store, other, "key") == []
    assert rows_with(store, owner, "key") == list(range(8))
    query = FakeEmbedder().embed_query(SECRET)
    assert store.dense.candidates(other, query, 50, np.ones(50, bool))[0].tolist() == [0]
