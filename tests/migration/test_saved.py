"""A memory that an older version wrote opens, and nothing in it is lost (`write_saved.py`)."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from tests.conftest import some
from tests.postgres_server import PostgresServer

from chatmem import MemoryService
from chatmem.testing import FakeEmbedder

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
