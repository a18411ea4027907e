"""One user's memory is never another's, and nothing ever leaves the machine."""

import json
import re
import socket
from pathlib import Path

import pytest
from tests.chat_model_server import ChatModelServer
from tests.doors import by_words, client_of

from chatmem import MemoryService, Settings

OF_A_SESSION = (
    ("GET", "/memory/working/{}", None),
    ("GET", "/api/sessions/{}/messages", None),
    ("POST", "/api/sessions/{}/context", {"message": "Which tree?"}),
    ("POST", "/api/sessions/{}/context", {"message": "Which tree?", "format": "text"}),
    ("POST", "/api/sessions/{}/events", {"type": "turn_end"}),
    ("POST", "/api/sessions/{}/events", {"type": "message", "data": {"role": "user"}}),
    ("POST", "/api/sessions/{}/turns", {"user": "Which tree?", "assistant": "None."}),
    ("POST", "/api/memory", {"content": "Likes trees", "session_id": "{}"}),
    ("POST", "/v1/chat/completions", {"messages": [{"role": "user", "content": "Which tree?"}]}),
    ("POST", "/v1/chat/completions", {"messages": [{"role": "assistant", "content": "Hi"}]}),
)
"""Whatever takes a session's name: in the address, in the body, or in a header."""


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


@pytest.mark.parametrize("number", range(len(OF_A_SESSION)))
def test_anothers_session_name_is_as_good_as_an_unused_one(data: Path, number: int) -> None:
    method, where, body = OF_A_SESSION[number]
    with (
        ChatModelServer("A zelkova?") as model,
        by_words(data, llm={"base_url": model.base_url, "model": "small"}) as memory,
    ):
        memory.for_user("ann").save_conversation_turn("The zebrawood tree", "Lovely.", "taken")
        key, _ = memory.keys.create("bob")
        with client_of(memory, key) as bob:
            found = []
            for name in ("taken", "fresh"):
                sent = None if body is None else json.loads(json.dumps(body).replace("{}", name))
                headers = {"x-chatmem-session": name}
                answer = bob.request(method, where.format(name), json=sent, headers=headers)
                told = re.sub(
                    r'"(id|[a-z_]*ids|[a-z_]*(at|time|stamp|from))": ?[^,}]+', "", answer.text
                )
                found.append(
                    (answer.status_code, re.sub(r"[0-9a-z]{12,}", "", told.replace(name, "")))
                )
    assert found[0] == found[1]
    assert "zebrawood" not in str(found)
    assert "zebrawood" not in str(model.received)
