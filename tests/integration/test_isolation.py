"""One user's memory is never another's, and nothing ever leaves the machine."""

import socket
from pathlib import Path

import pytest

from chatmem import MemoryService, Settings


def test_a_bullet_with_a_stolen_id_takes_nothing_over(memory: MemoryService, main: Path) -> None:
    mallory = memory.for_user("mallory")
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
