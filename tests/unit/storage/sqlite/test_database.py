import gc
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from chatmem.errors import DatabaseError
from chatmem.storage.sqlite import database as module
from chatmem.storage.sqlite.database import SqliteDatabase
from chatmem.storage.sqlite.store import SqliteStore

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
        database.execute_many(ADD_NOTE, [{"words": "x" * 4_000}] * 100)

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


def test_a_closed_database_says_so(path: Path) -> None:
    database = SqliteDatabase(path)
    database.close()
    database.close()

    for use in (
        lambda: database.execute("SELECT 1"),
        lambda: database.execute_many("SELECT 1", [{}]),
        database.checkpoint,
        database.transaction().__enter__,
        database.snapshot().__enter__,
    ):
        with pytest.raises(DatabaseError, match=r"some\.db is closed: open the memory again"):
            use()


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
    monkeypatch.setattr("sqlite_vec.loadable_path", lambda: str(path.with_name("gone.so")))
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


def test_a_statement_is_planned_once_whatever_is_bound(path: Path) -> None:
    store = SqliteStore(path)
    owner = store.owner("ada")
    planned = list[object]()

    def note(*action: object) -> int:
        planned.append(action)
        return apsw.SQLITE_OK

    with store.transaction():
        store._db.writer.authorizer = note
        store.memories.same_start(owner, "s1", "user", "Hello")
        assert planned
        planned.clear()
        store.memories.same_start(owner, "s2", "assistant", "Hello to you, too")
        assert not planned
    store.close()
