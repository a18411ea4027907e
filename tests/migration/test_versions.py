"""Files of every version are upgraded to one schema or left alone; none loses anything."""

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import psycopg
import pytest
from tests.conftest import some
from tests.migration.old_files import BARE, COMPLETE, GUIDS, read, write_old
from tests.postgres_server import PostgresServer

from chatmem import MemoryService
from chatmem.errors import DatabaseError
from chatmem.storage.sqlite.migrate import NEWEST, register_functions
from chatmem.storage.sqlite.store import SqliteStore
from chatmem.storage.tables.database import read_migrations
from chatmem.testing import FakeEmbedder


def _open_and_close(path: Path) -> None:
    SqliteStore(path).close()


def _schema(path: Path) -> dict[str, str | None]:
    """Name to statement, without the differences that renaming and comments make.

    `sqlite_sequence` is SQLite's own; it stays once a table of the file has been AUTOINCREMENT.
    """
    found = read(path, "SELECT name, sql FROM sqlite_master WHERE name <> 'sqlite_sequence'")
    return {
        name: re.sub(r"\s+", " ", re.sub(r"--.*", "", sql)).replace('"', "") if sql else None
        for name, sql in found
    }


def _content(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, and the schema."""
    with closing(sqlite3.connect(path)) as connection:
        return {"dump": [(line,) for line in connection.iterdump()]} | {
            "version": connection.execute("PRAGMA user_version").fetchall()
        }


def test_versions_are_numbered_without_a_gap() -> None:
    assert list(read_migrations("chatmem.storage.sqlite")) == list(range(1, NEWEST + 1))


@pytest.mark.parametrize("schema", [COMPLETE, GUIDS, BARE], ids=["complete", "guids", "bare"])
def test_an_upgraded_file_has_the_schema_of_a_fresh_one(tmp_path: Path, schema: str) -> None:
    fresh, old = tmp_path / "fresh.db", write_old(tmp_path / "old.db", schema, [])

    _open_and_close(fresh)
    _open_and_close(old)

    assert _schema(old) == _schema(fresh)


@pytest.mark.parametrize("version", range(1, NEWEST))
def test_our_own_older_versions_have_it_too(tmp_path: Path, version: int) -> None:
    fresh, old = tmp_path / "fresh.db", tmp_path / "old.db"
    with closing(apsw.Connection(str(old))) as connection:
        register_functions(connection)
        for number, script in read_migrations("chatmem.storage.sqlite").items():
            if number <= version:
                connection.execute(script).fetchall()
        connection.execute(f"PRAGMA user_version = {version}")

    _open_and_close(fresh)
    _open_and_close(old)

    assert _schema(old) == _schema(fresh)
    assert read(old, "PRAGMA user_version") == [(NEWEST,)]


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    path = write_old(tmp_path / "old.db", COMPLETE, [{"content": "一"}, {"content": "two"}])
    _open_and_close(path)
    before = path.read_bytes()

    _open_and_close(path)
    _open_and_close(path)

    assert path.read_bytes() == before


class _PowerCutError(Exception):
    pass


def _fails_at_two(*values: object) -> object:
    if values == ("two",):
        raise _PowerCutError
    return values[0]


def test_a_failure_half_way_leaves_version_5_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_old(tmp_path / "old.db", COMPLETE, [{"content": "one"}, {"content": "two"}])
    before = _content(path)

    with monkeypatch.context() as power, pytest.raises(_PowerCutError):
        power.setattr("chatmem.storage.sqlite.migrate._clean", _fails_at_two)
        SqliteStore(path)

    assert _content(path) == before
    _open_and_close(path)
    assert read(path, "SELECT content FROM atomic_memory ORDER BY row_id") == [("one",), ("two",)]


def test_a_table_in_the_way_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    schema = COMPLETE + "CREATE TABLE tombstone (name TEXT);"
    path = write_old(tmp_path / "old.db", schema, [{"content": "one"}])
    before = _content(path)

    with pytest.raises(DatabaseError, match=r"old\.db .*tombstone already exists"):
        _open_and_close(path)

    assert _content(path) == before


SAVED = Path(__file__).parent / "saved"
Open = Callable[[str], MemoryService]


def _sqlite(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.getfixturevalue("tmp_path") / "data"
    shutil.copytree(SAVED / "memory", folder / "prompts" / "memory")
    with closing(sqlite3.connect(folder / "chatmem.db")) as connection:
        connection.executescript((SAVED / "sqlite.sql").read_text("utf-8"))
    return folder


def _postgres(request: pytest.FixtureRequest) -> str:
    server: PostgresServer = request.getfixturevalue("postgres_server")
    address = server.empty()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute((SAVED / "postgres.sql").read_bytes())
    return address


@pytest.fixture(params=[_sqlite, _postgres])
def opened(request: pytest.FixtureRequest) -> Iterator[MemoryService]:
    memory = MemoryService.open(
        request.param(request), "mei", embedder=FakeEmbedder(dimension=16), background=False
    )
    yield memory
    memory.close()


def _contents(memory: MemoryService) -> dict[str, bool]:
    return {one.content: one.is_valid for one in memory.export_records() if one.role is None}


def test_memories_are_all_there(opened: MemoryService) -> None:
    assert _contents(opened) == {
        "喜欢喝绿茶": False,
        "Drinks oolong now": True,
        "Lives in Lisbon": True,
        "Has two cats": True,
        "Called the dentist": True,
    }
    assert _contents(opened.for_user("tom")) == {"Plays the cello": True}
    (cats,) = [one for one in opened.export_records() if one.content == "Has two cats"]
    changes = [(one.action, one.before and one.before.content) for one in opened.history(cats.id)]
    assert changes == [("add", None), ("edit", "Has a cat")]
    (tea,) = [one for one in opened.export_records() if one.content == "喜欢喝绿茶"]
    (oolong,) = [one for one in opened.export_records() if one.content == "Drinks oolong now"]
    assert (tea.superseded_by, tea.value, tea.access_count) == (oolong.id, "绿茶", 1)
    assert oolong.tags == ("tea",)


def test_they_are_found_by_words_and_vectors_with_nothing_made_anew(opened: MemoryService) -> None:
    assert opened.stats().waiting_for_vectors == 0
    for query, content in (("Lisbon", "Lives in Lisbon"), ("海边", "明天去海边。")):
        (best, *_) = found = opened.search_memories(query)
        assert best.memory.content == content
        assert best.parts.bm25
        assert best.parts.vector
        assert found.missing == ()
    tom = opened.for_user("tom")
    assert tom.get_relevant_memories("lisbon")[0].memory.content == "Lives in Lisbon"


def test_conversations_documents_people_and_settings_are_there(opened: MemoryService) -> None:
    (session,) = opened.sessions.list().items
    assert (session.session_id, session.title, session.message_count) == ("s1", "Dog walks", 4)
    assert opened.get_user_profile() == "Prefers short answers."
    assert "Drinks oolong now" in opened.read_main()
    household = some(opened.people.household())
    assert [one.user_id for one in household.members] == ["mei", "tom"]
    assert opened.settings.memory.rag_top_n == 7
    assert [one.user_id for one in opened.keys.list()] == ["mei"]


def test_it_goes_on_from_there(opened: MemoryService) -> None:
    opened.append_memory("Drinks cocoa now", "preference", key="drink", value="cocoa")
    opened.wait_until_indexed()
    assert _contents(opened)["Drinks oolong now"] is False
    assert [one for one in opened.diagnose() if not one.ok] == []
    opened.reindex()
    assert opened.search_memories("cocoa")[0].memory.content == "Drinks cocoa now"
