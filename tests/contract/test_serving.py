"""Keys, receipts and answers of a server."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from tests.contract.given import NOON

from chatmem.errors import ChatmemError
from chatmem.model.people import ApiKey
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner, StoredAnswer

LATER = NOON + timedelta(hours=1)
KEY = ApiKey(id="k1", user_id="mei", is_admin=False, created_at=NOON)
BOSS = ApiKey(id="k2", user_id="管理员", is_admin=True, created_at=LATER)


def add(store: Store, key: ApiKey, digest: str) -> None:
    with store.transaction():
        store.keys.add(key, digest)


def test_a_key_is_found_by_its_hash_alone_and_listed_with_the_newest_first(store: Store) -> None:
    assert store.keys.list() == []
    assert not store.keys.any()
    add(store, KEY, "hash-1")
    add(store, BOSS, "hash-2")

    assert store.keys.by_digest("hash-1") == KEY
    assert store.keys.by_digest("hash-2") == BOSS
    assert store.keys.by_digest("k1") is None
    assert store.keys.by_digest("") is None
    assert store.keys.list() == [BOSS, KEY]
    with pytest.raises(ChatmemError):
        add(store, replace(BOSS, id="k3"), "hash-1")


def test_a_revoked_key_is_known_and_one_is_asked_for_until_it_is_forgotten(store: Store) -> None:
    add(store, KEY, "hash-1")
    add(store, BOSS, "hash-2")
    gone = replace(KEY, revoked_at=LATER)

    with store.transaction():
        assert store.keys.revoke("k1", LATER)
        assert not store.keys.revoke("k1", LATER + timedelta(hours=1))
        assert not store.keys.revoke("k9", LATER)
    assert store.keys.list() == [BOSS, gone]
    assert store.keys.by_digest("hash-1") == gone
    with store.transaction():
        store.keys.forget_revoked()
    assert store.keys.list() == [BOSS]
    with store.transaction():
        store.keys.revoke("k2", LATER)
    assert store.keys.any()
    with store.transaction():
        store.keys.forget_revoked()
    assert not store.keys.any()


def test_a_receipt_is_its_owners(store: Store, owner: Owner, other: Owner) -> None:
    body = '{"id": "r1", "sections": [{"name": "记忆", "tokens": 3, "items": ["a"]}]}'
    with store.transaction():
        store.receipts.put(owner, "r1", "s1", body, NOON)

    assert store.receipts.get(owner, "r1") == body
    assert store.receipts.get(other, "r1") is None
    with store.transaction():
        store.receipts.put(other, "r1", None, '{"of": "tom"}', NOON)
    assert store.receipts.get(owner, "r1") == body
    assert store.receipts.get(other, "r1") == '{"of": "tom"}'


def test_receipts_are_forgotten_by_age(store: Store, owner: Owner) -> None:
    with store.transaction():
        store.receipts.put(owner, "old", "s1", "{}", NOON)
        store.receipts.put(owner, "again", "s1", "{}", NOON)
        store.receipts.put(owner, "new", "s1", "{}", LATER)
        store.receipts.put(owner, "again", "s1", "{}", LATER)

    with store.transaction():
        store.receipts.forget(LATER)

    found = [store.receipts.get(owner, name) is not None for name in ("old", "again", "new")]
    assert found == [False, True, True]


def begun(
    store: Store, owner: Owner, key: str, request: str = "asked", at: datetime = NOON
) -> StoredAnswer | None:
    with store.transaction():
        return store.answers.begin(owner, key, request, at)


def finished(store: Store, owner: Owner, key: str, status: int, body: str) -> None:
    assert begun(store, owner, key) is None
    with store.transaction():
        store.answers.finish(owner, key, status, body)


def test_a_request_is_begun_once_until_it_is_abandoned(store: Store, owner: Owner) -> None:
    assert begun(store, owner, "k") is None
    assert begun(store, owner, "k", "other", LATER) == StoredAnswer("asked", None, None)
    with store.transaction():
        store.answers.abandon(owner, "k")

    assert begun(store, owner, "k", "other", LATER) is None


def test_blank_answers_are_known_as_given(store: Store, owner: Owner, other: Owner) -> None:
    finished(store, owner, "done", 201, "养蜂")
    begun(store, other, "running")

    with store.transaction():
        store.answers.blank()

    assert begun(store, owner, "done", "x") == StoredAnswer("asked", 201, None)
    assert begun(store, other, "running", "x") == StoredAnswer("asked", None, None)


def test_two_users_may_use_one_idempotency_key(store: Store, owner: Owner, other: Owner) -> None:
    finished(store, owner, "k", 201, '{"content": "养蜂"}')
    finished(store, other, "k", 200, "theirs")

    assert begun(store, owner, "k", at=LATER) == StoredAnswer("asked", 201, '{"content": "养蜂"}')


def test_answers_are_forgotten_by_age(store: Store, owner: Owner) -> None:
    begun(store, owner, "old")
    begun(store, owner, "new", at=LATER)

    with store.transaction():
        store.answers.forget(LATER)

    assert begun(store, owner, "old", at=LATER) is None
    assert begun(store, owner, "new", at=LATER) is not None
