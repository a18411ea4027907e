"""Conversations, history, tombstones, documents and working memory."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from tests.contract.conftest import OpenStore
from tests.contract.given import NOON, delete, entry, keep, memory, said

from chatmem.storage.documents.ports import Stamp
from chatmem.storage.tables.store import Store
from chatmem.storage.values import KnownDocument, Owner


def test_a_conversation_has_its_messages_in_order(store: Store, owner: Owner) -> None:
    keep(store, owner, memory("a", "你好", session_id="s1", role="user"))
    with store.transaction():
        store.conversations.insert_all(owner, [(said("你好"), "a")])
        store.conversations.insert_all(owner, [(said("elsewhere", session_id="s2"), "b")])
        store.conversations.insert_all(owner, [(said("again", app_type="word"), "a")])

    messages = store.conversations.of_session(owner, "s1")

    assert [(one.content, one.role, one.memory_id) for one in messages] == [
        ("你好", "user", "a"),
        ("again", "user", "a"),
    ]
    assert messages[0].create_time == NOON
    assert messages[0].is_collected is False
    assert store.conversations.of_session(owner, "s3") == []
    assert store.conversations.counts(owner) == (3, 1)


def test_a_message_is_known_by_its_id_in_the_source(store: Store, owner: Owner) -> None:
    with store.transaction():
        store.conversations.insert_all(owner, [(said("hello", source_id="export:1"), "a")])

    assert store.conversations.by_sources(owner, ["export:1"]) == {"export:1": "a"}
    assert store.conversations.by_sources(owner, ["export:2"]) == {}


def test_deleting_a_memory_takes_its_messages_and_history_along(store: Store, owner: Owner) -> None:
    turn = memory("a", "hello", session_id="s1", role="user")
    keep(store, owner, turn, replace(turn, id="b"))
    with store.transaction():
        for name in ("a", "b"):
            store.conversations.insert_all(owner, [(said("hello", source_id=name), name)])
            store.history.add(owner, entry(replace(turn, id=name)))

    delete(store, owner, "a")

    assert [one.memory_id for one in store.conversations.of_session(owner, "s1")] == ["b"]
    assert store.conversations.by_sources(owner, ["a"]) == {}
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


def test_the_state_of_documents_is_kept_by_path(store: Store, owner: Owner) -> None:
    first = KnownDocument("MEMORY.md", "e1", Stamp(1, 2, 3, 4))
    with store.transaction():
        store.documents.put(owner, replace(first, etag="e0", held="half of it is gone"))
        store.documents.put(owner, first)
        store.documents.put(owner, KnownDocument("USER.md", "e2", Stamp(5, 6, 7, 8), "held"))

    known: Mapping[str, KnownDocument] = store.documents.known(owner)
    assert known["MEMORY.md"] == first
    assert known["USER.md"].held == "held"
    with store.transaction():
        store.documents.delete(owner, "USER.md")
        store.documents.delete(owner, "never.md")
    assert list(store.documents.known(owner)) == ["MEMORY.md"]


def test_a_session_has_the_topic_that_was_set_last(store: Store, owner: Owner) -> None:
    assert store.working.topic(owner, "s1")[0] is None
    with store.transaction():
        store.working.set_topic(owner, "s1", "旅行", NOON)
        store.working.set_topic(owner, "s1", "travel", NOON + timedelta(minutes=1))

    assert store.working.topic(owner, "s1")[0] == "travel"
    assert store.working.topic(owner, "s2")[0] is None
    with store.transaction():
        store.working.set_topic(owner, "s1", None, NOON)
    assert store.working.topic(owner, "s1")[0] is None


def test_users_are_listed_in_the_order_they_came(store: Store) -> None:
    numbers = [store.owner(name).number for name in ("mei", "王芳", "mei", "tom")]

    assert store.users() == ["default", "mei", "王芳", "tom"]
    assert numbers[0] == numbers[2]
    assert len(set(numbers)) == 3


def test_everything_is_there_after_opening_again(open_store: OpenStore, tmp_path: Path) -> None:
    first = open_store(tmp_path)
    owner = first.owner("mei")
    keep(first, owner, memory("a", "tea"))
    first.close()
    first.close()

    again = open_store(tmp_path)
    assert again.owner("mei") == owner
    assert again.memories.get(owner, "a") == memory("a", "tea")
    assert again.check() == []
    again.close()
