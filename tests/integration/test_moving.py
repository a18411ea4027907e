"""A whole memory moves to another place and back: nothing is lost, nothing ranks otherwise."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.doors import by_words

from chatmem import MemoryService
from chatmem.errors import InvalidInputError, StorageError
from chatmem.testing import FakeEmbedder

NOW = datetime(2030, 1, 1, tzinfo=UTC)
QUESTIONS = ("我对什么过敏？", "Where do I live?", "柏林 清单", "answers", "oolong")


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[MemoryService]:
    """Two users, messages, memories of every kind, a household, a key and a setting."""
    embedder = FakeEmbedder()
    with MemoryService.open(tmp_path / "old", embedder=embedder, background=False) as memory:
        for number in range(30):
            memory.save_conversation_turn(
                f"我第{number}次搬到柏林，帮我列个清单", "签证、住房、保险。", f"s{number % 3}"
            )
        memory.append_memory("对花生过敏", importance=5, tags=("Finance", "財務"))
        memory.append_memory("Prefers short answers", "preference", key="answer style")
        memory.append_memory("Prefers long answers", "preference", key="answer style")
        memory.append_daily_log("Called the landlord about the keys")
        memory.update_user_profile("# Me\nDrinks oolong tea")
        memory.forget(memory.append_memory("Lives in Paris").id)
        other = memory.for_user("小明")
        other.append_memory("Lives next door, 住在隔壁", visibility="public")
        memory.people.create_household("home")
        memory.keys.create("小明")
        memory.config.set({"memory.rag_top_n": 7})
        memory.wait_until_idle()
        yield memory


def told(memory: MemoryService) -> list[object]:
    """What searches and recalls answer, to the ninth digit."""
    found: list[object] = []
    for question in QUESTIONS:
        recalled = memory.get_relevant_memories(question, now=NOW)
        for hits in (memory.search_memories(question), recalled):
            found.append([(hit.memory, round(hit.score, 9)) for hit in hits])
    return found


def opened(place: str | Path) -> MemoryService:
    return MemoryService.open(place, embedder=FakeEmbedder(), background=False)


def assert_the_same(memory: MemoryService, before: MemoryService) -> None:
    assert list(memory.export_records()) == list(before.export_records())
    for one in before.export_records():
        assert memory.history(one.id) == before.history(one.id)
    for session in before.sessions.list().items:
        assert memory.sessions.messages(session.session_id) == before.sessions.messages(
            session.session_id
        )
    assert memory.main.read() == before.main.read()
    assert memory.get_user_profile() == before.get_user_profile()
    assert memory.people.circles() == before.people.circles()
    assert memory.keys.list() == before.keys.list()
    assert memory.settings.memory.rag_top_n == 7
    assert [one for one in memory.diagnose() if not one.ok] == []


def test_everything_is_on_the_server_and_comes_back_into_a_folder(
    filled: MemoryService, postgres_address: str, tmp_path: Path
) -> None:
    moved = filled.move_to(postgres_address)
    with opened(postgres_address) as server:
        assert_the_same(server, filled)
        assert told(server) == told(filled)
        assert server.search_memories("隔壁")[0].memory.user_id == "小明"
        back = server.move_to(tmp_path / "new")
    with opened(tmp_path / "new") as again:
        assert_the_same(again, filled)
        assert told(again) == told(filled)

    assert moved.rows == back.rows
    assert moved.documents == back.documents


def test_a_moved_memory_goes_on(filled: MemoryService, postgres_address: str) -> None:
    filled.move_to(postgres_address)

    with opened(postgres_address) as server:
        saved = server.save_conversation_turn("I bought a kayak", "Nice", server.new_session())
        fact = server.append_memory("Owns a kayak")
        new = server.for_user("tom").append_memory("Rows too")
        server.wait_until_idle()

        assert {hit.memory.id for hit in server.search_memories("kayak")} >= {
            saved.user.id,
            fact.id,
        }
        assert server.for_user("tom").get(new.id).content == "Rows too"


def test_an_interrupted_move_goes_on_where_it_stopped(
    filled: MemoryService, postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatmem.engine.move.PAGE_ROWS", 10)

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        filled.move_to(postgres_address, stop)
    seen: list[int] = []
    filled.move_to(postgres_address, lambda done, total: seen.append(done))

    with opened(postgres_address) as server:
        assert_the_same(server, filled)
    assert len(seen) < sum(1 for _ in filled.export_records())  # what was there is not sent again


def test_a_place_that_holds_memories_is_refused(
    filled: MemoryService, postgres_address: str
) -> None:
    with by_words(postgres_address) as taken:
        taken.append_memory("Was here before")

    with pytest.raises(InvalidInputError, match="already holds"):
        filled.move_to(postgres_address)
    with by_words(postgres_address) as taken:
        assert [one.content for one in taken.export_records()] == ["Was here before"]


def test_what_changed_meanwhile_is_noticed(
    filled: MemoryService, postgres_address: str, tmp_path: Path
) -> None:
    def write(done: int, total: int) -> None:
        if done == total and len(filled.search_memories("late")) == 0:
            filled.append_memory("Came late")

    with pytest.raises(StorageError, match="into an empty one"):
        filled.move_to(postgres_address, write)
    with pytest.raises(StorageError, match="into an empty one"):
        filled.move_to(postgres_address)
    filled.wait_until_idle()
    filled.move_to(tmp_path / "empty")
