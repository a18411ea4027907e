import re
import sqlite3
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from tests.migration.old_files import BARE, COMPLETE, GUIDS, read, write_old

from chatmem.errors import DatabaseError
from chatmem.storage.sqlite.migrate import NEWEST, register_functions
from chatmem.storage.sqlite.store import SqliteStore
from chatmem.storage.tables.database import read_migrations
from chatmem.storage.values import IndexEntry, index_entry


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


def _fails_at_two(content: str) -> IndexEntry:
    if content == "two":
        raise _PowerCutError
    return index_entry(content)


def test_a_failure_half_way_leaves_version_5_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_old(tmp_path / "old.db", COMPLETE, [{"content": "one"}, {"content": "two"}])
    before = _content(path)

    with monkeypatch.context() as power, pytest.raises(_PowerCutError):
        power.setattr("chatmem.storage.tables.memories.index_entry", _fails_at_two)
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
