"""Deleting deletes: after a purge the words are nowhere that the store has written.

On SQLite that is any byte of its files. A server's files hold deleted rows until it vacuums, which
it does by itself: there it is any row of any table, and any statistic that ANALYZE made of them.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from tests.conftest import some
from tests.contract.conftest import Settle
from tests.contract.given import NOON, delete, edit, entry, keep, memory, rows_with, said
from tests.contract.test_dense import embed_all

from chatmem.storage.postgres.store import PostgresStore
from chatmem.storage.sqlite.cipher import is_encrypted
from chatmem.storage.sqlite.store import SqliteStore
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner

SECRET = "Zanzibarische Quittungsnummer qqxyzzy7 魑魅魍魉 的秘密"
TERMS = ("zanzibarisch", "quittungsnumm", "qqxyzzy7", "魑", "魑魅", "魍魉", "魑魅魍魉")

Left = Callable[[], list[str]]


@pytest.fixture
def left(request: pytest.FixtureRequest, store: Store, tmp_path: Path) -> Left:
    """Which of the secret's terms stand anywhere, in any case."""
    terms = [*TERMS, *(word.lower() for word in SECRET.split())]

    def find() -> list[str]:
        if isinstance(store, PostgresStore):
            data = _everything(request.getfixturevalue("postgres_address"))
        elif isinstance(store, SqliteStore) and is_encrypted(store.path):
            data = store.database.writer.serialize("main")  # its pages, free ones too, decrypted
        else:
            data = b"\n".join(part.read_bytes() for part in tmp_path.iterdir() if part.is_file())
        return [term for term in terms if term.encode() in data.lower()]

    if isinstance(store, PostgresStore):
        find()  # makes the statistics
    return find


def _everything(address: str) -> bytes:
    """Every row of every table, and what the server knows of their values."""
    with psycopg.connect(address, autocommit=True) as connection:
        tables = connection.execute(
            "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables "
            "WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        found = [
            str(row)
            for (table,) in [*tables, ("pg_stats",)]
            for row in connection.execute(f"SELECT t::text FROM {table} t".encode())
        ]
        connection.execute("ANALYZE")
    return "\n".join(found).encode()


@pytest.fixture
def secret(store: Store, owner: Owner) -> str:
    """The id of a memory that stands among others, with all that hangs on it, and a vector."""
    filler = [
        memory(f"f{place}", f"ordinary note {place}", role="user", session_id="s1")
        for place in range(60)
    ]
    record = memory("secret", SECRET, session_id="s1", role="user", key="qqxyzzy7 key")
    keep(store, owner, *filler[:2], record, *filler[2:])
    with store.transaction():
        store.history.add(owner, entry(record, before=record))
        store.conversations.insert_all(owner, [(said(SECRET), "secret")])
        store.memories.count_access(owner, ["secret"], NOON)
    embed_all(store)
    return "secret"


def test_deleted_words_are_nowhere_in_the_files(
    store: Store, owner: Owner, settle: Settle, secret: str, left: Left
) -> None:
    settle(store)
    assert left()

    assert delete(store, owner, secret)
    store.purge()

    assert left() == []


def test_words_that_were_edited_away_are_nowhere_once_the_history_is_gone(
    store: Store, owner: Owner, settle: Settle, secret: str, left: Left
) -> None:
    settle(store)
    before = some(store.memories.get(owner, secret))
    edit(store, owner, replace(before, content="nothing to see", key=None))
    embed_all(store)
    assert delete(store, owner, secret)
    store.purge()

    assert left() == []


def test_words_deleted_between_packings_do_not_come_back(
    store: Store, owner: Owner, secret: str, left: Left
) -> None:
    delete(store, owner, secret)
    store.pack()
    store.reindex()
    store.pack()
    store.purge()

    assert left() == []


def test_many_deletions_leave_every_index_in_order(
    store: Store, owner: Owner, settle: Settle, secret: str
) -> None:
    settle(store)
    for place in range(0, 60, 2):
        delete(store, owner, f"f{place}")

    assert store.check() == []
    left = rows_with(store, owner, "note")
    assert len(left) == 30
    assert {one.id for one in store.memories.by_rows(owner, left).values()} == {
        f"f{place}" for place in range(1, 60, 2)
    }
    later = memory("later", "note", timestamp=NOON + timedelta(days=1))
    assert keep(store, owner, later) == [61]
