import gc
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import apsw
import numpy as np
import pytest
from tests.contract.given import delete, edit, keep, keep_contents, memory, rows_with
from tests.contract.test_dense import embed_all

from chatmem.errors import DatabaseError
from chatmem.storage.sqlite import database as module
from chatmem.storage.sqlite.database import SqliteDatabase
from chatmem.storage.sqlite.store import SqliteStore
from chatmem.testing import FakeEmbedder

ADD_NOTE = "INSERT INTO note VALUES (:words)"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.db"


@pytest.fixture
def database(path: Path) -> Iterator[SqliteDatabase]:
    opened = SqliteDatabase(path)
    with opened.transaction():
        opened.execute("CREATE TABLE note (words TEXT)")
    yield opened
    opened.close()


def test_a_full_disk_changes_nothing(database: SqliteDatabase) -> None:
    with database.transaction():
        database.execute("INSERT INTO note VALUES ('kept')")
        ((pages,),) = database.execute("PRAGMA page_count")
    database.writer.execute(f"PRAGMA max_page_count = {pages + 2}")

    with (
        pytest.raises(DatabaseError, match=r"the disk is full: free some space"),
        database.transaction(),
    ):
        database.execute(ADD_NOTE, [{"words": "x" * 4_000}] * 100)

    assert database.execute("SELECT words FROM note") == [("kept",)]
    with database.transaction():
        database.execute("INSERT INTO note VALUES ('small')")
    assert len(database.execute("SELECT * FROM note")) == 2


def test_another_writer_who_does_not_end_is_an_error(
    path: Path, database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY_TIMEOUT_MS", 50)
    hurried = SqliteDatabase(path)
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseError, match=r"some\.db is locked"), hurried.transaction():
        pass
    assert hurried.execute("SELECT * FROM note") == []
    other.execute("ROLLBACK")
    other.close()
    with hurried.transaction():
        hurried.execute("INSERT INTO note VALUES ('later')")
    assert database.execute("SELECT words FROM note") == [("later",)]
    hurried.close()


def test_what_is_written_to_a_file_that_is_gone_is_told(
    path: Path, database: SqliteDatabase
) -> None:
    with pytest.raises(DatabaseError, match="removed or replaced"), database.transaction():
        database.execute("INSERT INTO note VALUES ('lost')")
        path.unlink()


def test_an_sql_error_names_the_file(database: SqliteDatabase) -> None:
    with pytest.raises(DatabaseError, match=r"some\.db answered with an error \(.*no such table"):
        database.execute("SELECT * FROM nowhere")


def test_connections_of_ended_threads_are_let_go(database: SqliteDatabase) -> None:
    def open_files() -> int:
        gc.collect()
        return len(os.listdir("/proc/self/fd"))

    def read() -> None:
        assert database.execute("SELECT * FROM note") == []

    if not Path("/proc/self/fd").exists():
        pytest.skip("the system does not list open files")
    read()
    before = open_files()
    for _ in range(30):
        with ThreadPoolExecutor(1) as pool:
            pool.submit(read).result()

    assert open_files() <= before + 2


def test_an_extension_that_does_not_load_is_stated_with_the_reason(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sqlite_vec.__spec__.origin", str(path.with_name("gone.py")))
    database = SqliteDatabase(path)

    (missing,) = database.missing()

    assert missing.what == "vectors"
    assert "could not be loaded" in missing.why
    assert "keywords only" in missing.why
    database.close()


def test_the_check_accepts_others_writes(path: Path, database: SqliteDatabase) -> None:
    with database.transaction():
        database.execute("CREATE VIRTUAL TABLE words USING fts5 (tokens)")
    other = SqliteDatabase(path)
    for number in range(3):
        for writer in (database, other):
            with writer.transaction():
                writer.execute("INSERT INTO words VALUES (:it)", {"it": f"heron {number}"})
        assert database.execute("SELECT * FROM words WHERE words MATCH 'heron'")
        assert database.integrity() == other.integrity() == ["ok"]
    other.close()


Open = Callable[..., SqliteStore]
CONTENTS = tuple(f"note {place} 茶" for place in range(6))


@pytest.fixture
def opened(path: Path) -> Iterator[Open]:
    """Opens the store again and again, one at a time."""
    stores: list[SqliteStore] = []

    def run(*, extensions: bool = True, full_text: bool = True) -> SqliteStore:
        for store in stores:
            store.close()
        stores.append(SqliteStore(path, extensions=extensions, full_text=full_text, pack_every=4))
        return stores[-1]

    yield run
    stores[-1].close()


def _damage(path: Path, statement: str) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(statement)
    connection.close()


def test_vectors_written_with_the_extension_survive_a_time_without(opened: Open) -> None:
    store = opened()
    owner = store.owner("mei")
    keep_contents(store, owner, *CONTENTS)
    embed_all(store)
    store.pack()
    without = opened(extensions=False)
    delete(without, owner, "mei5")
    delete(without, owner, "mei1")
    keep(without, owner, memory("new", "new 茶"), memory("newer", "newer 茶"))
    without.pack()
    assert rows_with(without, owner, "茶") == [0, 2, 3, 4, 6, 7]

    again = opened()
    embed_all(again)
    rows, _ = again.dense.vectors(owner, np.arange(8))
    assert rows.tolist() == [0, 2, 3, 4, 6, 7]
    eligible = again.lexical.rows(owner)["state"] > 0
    found = again.dense.candidates(owner, FakeEmbedder().embed_query("茶"), 9, eligible)[0]
    assert sorted(set(found.tolist())) == [0, 2, 3, 4, 6, 7]
    assert again.check() == []


@pytest.mark.parametrize("had_table", [False, True])
def test_rows_written_without_fts5_are_not_missed_in_silence(opened: Open, had_table: bool) -> None:
    if had_table:
        store = opened()
        keep_contents(store, store.owner("mei"), "first 茶")
    without = opened(full_text=False)
    owner = without.owner("mei")
    keep_contents(without, owner, "second 茶", "third 茶")

    store = opened()

    held = rows_with(store, owner, "茶")
    assert len(held) == 2 + had_table
    (missing,) = store.missing()
    assert "run `chatmem reindex`" in missing.why
    assert "run `chatmem reindex`" in store.check()[0]
    store.reindex()
    assert rows_with(store, owner, "茶") == held
    assert (store.check(), store.missing()) == ([], ())


def test_packed_words_deleted_without_fts5_are_gone_once_nobody_writes(
    opened: Open, path: Path
) -> None:
    store = opened()
    owner = store.owner("mei")
    keep_contents(store, owner, "qqxyzzy7 secret", *CONTENTS)
    store.pack()
    without = opened(full_text=False)
    delete(without, owner, "mei0")
    again = opened()
    again.reindex()
    again.pack()
    with closing(apsw.Connection(str(path))) as other:
        other.execute("BEGIN IMMEDIATE")
        assert (again.purge(), again.purge_due) == (False, True)
    assert (again.purge(), again.purge_due) == (True, False)

    assert rows_with(again, owner, "qqxyzzy7") == []
    files = b"".join(part.read_bytes() for part in path.parent.iterdir())
    assert b"qqxyzzy7" not in files


DAMAGES = (
    "DROP TABLE memory_fts_data",
    "DROP TABLE memory_fts_content",
    "DROP TABLE memory_fts",
    "DELETE FROM memory_fts_data WHERE id > 10",
    "UPDATE memory_fts_data SET block = zeroblob(40) WHERE id > 10",
)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_is_told_lived_with_and_healed(
    opened: Open, path: Path, damage: str, packed: bool
) -> None:
    store = opened()
    owner = store.owner("mei")
    keep_contents(store, owner, *CONTENTS)
    if packed:
        assert store.pack() == 4
    store.close()
    _damage(path, damage)

    store = opened()
    assert any("run `chatmem reindex`" in found for found in store.check())
    assert rows_with(store, owner, "茶") == list(range(6))
    assert "run `chatmem reindex`" in store.missing()[0].why

    new = memory("new", "new 茶")
    try:
        keep(store, owner, new)
    except DatabaseError as error:  # found as late as in the commit: said once, lived with then
        assert "run `chatmem reindex`" in str(error)
        assert store.memories.get(owner, "new") is None
        keep(store, owner, new)
    edit(store, owner, memory("mei1", "changed"))
    delete(store, owner, "mei0")
    store.pack()
    assert rows_with(store, owner, "茶") == [2, 3, 4, 5, 6]

    store.reindex()
    assert rows_with(store, owner, "茶") == [2, 3, 4, 5, 6]
    assert rows_with(store, owner, "chang") == [1]
    store.pack()
    assert rows_with(store, owner, "茶") == [2, 3, 4, 5, 6]
    assert store.check() == []
