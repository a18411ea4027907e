"""One user's memory is never another's, and nothing ever leaves the machine."""

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from chatmem import MemoryService, Settings
from chatmem.errors import MemoryNotFoundError


@pytest.fixture
def mallory(memory: MemoryService) -> MemoryService:
    return memory.for_user("mallory")


def test_no_method_shows_or_changes_what_belongs_to_another(
    memory: MemoryService, mallory: MemoryService, data: Path
) -> None:
    turn = memory.save_conversation_turn("My pin is under the fern", "Noted, the fern.", "s1")
    fact = memory.append_memory("Hides the key under the fern", "preference", key="hiding")
    note = memory.append_daily_log("Watered the fern")
    mine = {one.id: one for one in memory.export_records()}

    for memory_id in (*turn.ids, fact.id, note.id):
        calls: list[Callable[[str], object]] = [
            mallory.get,
            mallory.promote,
            mallory.forget,
            mallory.restore,
            mallory.history,
            lambda one: mallory.update(one, content="Changed by mallory"),
            lambda one: mallory.supersede(one, one),
        ]
        for call in calls:
            with pytest.raises(MemoryNotFoundError):
                call(memory_id)
    mallory.count_access(mine)
    mallory.set_topic("s9", "fern")
    same_turn = mallory.save_conversation_turn("My pin is under the fern", "Noted, the fern.", "s1")
    assert same_turn.duplicates == ()
    own = {*same_turn.ids, mallory.append_memory("Mallory's hiding place", key="hiding").id}

    assert {hit.memory.id for hit in mallory.search_memories("fern key pin hiding")} == own
    recalled = mallory.get_relevant_memories("I like the fern and hiding", 50, session_id="s1")
    assert {hit.memory.id for hit in recalled} <= own
    assert {one.id for one in mallory.list_memories(None).items} == own
    assert {one.id for one in mallory.export_records()} == own
    assert "fern" not in mallory.read_main()
    assert mallory.stats().long_term == 1
    mallory.sync()
    mallory.reindex()
    assert mallory.forget_all() == 1

    assert {one.id: one for one in memory.export_records()} == mine
    assert [one.access_count for one in memory.export_records()] == [0] * 4
    assert memory.get(fact.id).is_valid
    found = memory.get_relevant_memories("zzz", session_id="s9")
    assert list(found) == []  # the topic is mallory's


def test_a_bullet_with_a_stolen_id_takes_nothing_over(
    memory: MemoryService, mallory: MemoryService, main: Path
) -> None:
    fact = memory.append_memory("Hides the key under the fern")
    theirs = main.parent / "users" / "mallory" / "MEMORY.md"
    theirs.write_text(f"- Mine now <!-- id={fact.id} -->\n", "utf-8")

    mallory.sync()

    assert memory.get(fact.id) == fact
    assert [one.content for one in mallory.list_memories().items] == ["Mine now"]
    assert mallory.list_memories().items[0].id != fact.id
    theirs.write_text("", "utf-8")
    mallory.reindex(accept=["MEMORY.md"])
    assert memory.get(fact.id) == fact


def test_no_connection_is_ever_opened(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole way, with the default embedder and all background work."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a network connection was opened")

    for name in ("connect", "connect_ex", "bind", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)

    with MemoryService.open(data, settings=Settings()) as memory:
        memory.save_conversation_turn("我下个月搬到柏林", "好的，我帮你列清单。", "s1")
        fact = memory.append_memory("Moves to Berlin next month", key="home")
        memory.append_daily_log("Packed the books")
        memory.wait_until_indexed()
        assert memory.search_memories("搬家去哪个城市？")
        assert memory.get_relevant_memories("where do I move to?")
        memory.update(fact.id, content="Moves to Hamburg next month")
        memory.restore(fact.id)
        memory.reindex()
        memory.forget(fact.id)
        assert [one.detail for one in memory.diagnose() if not one.ok] == []
        assert memory.stats().waiting_for_vectors == 0
