"""Extraction by a model over real HTTP: typed, checked against what was said, replaced by rules."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatmem import MemoryService, Settings
from chatmem.model.time import utc_now
from chatmem.testing.chat_model_server import ChatModelServer, Reply


@pytest.fixture
def server() -> Iterator[ChatModelServer]:
    with ChatModelServer(otherwise="{}") as running:
        yield running


@pytest.fixture
def memory(data: Path, server: ChatModelServer) -> Iterator[MemoryService]:
    settings = Settings(
        embedder={"name": "none"},
        memory={"extract_interval_seconds": 0.0, "min_new_messages": 1},
        llm={"base_url": server.base_url, "model": "small"},
    )
    with MemoryService.open(data, settings=settings, background=False) as opened:
        yield opened


def answer(server: ChatModelServer, *memories: dict[str, Any]) -> None:
    """What the model says to everything that it is asked."""
    server.otherwise = json.dumps({"memories": memories})


def tell(memory: MemoryService, *texts: str) -> set[str]:
    """Valid memories after these messages."""
    for text in texts:
        memory.save_conversation_turn(text, "OK", "s1", now=utc_now())
    memory.wait_until_idle()
    return {one.content for one in memory.list_memories().items if one.is_valid}


def test_what_the_model_finds_is_settled_like_anything_else(
    memory: MemoryService, server: ChatModelServer
) -> None:
    answer(server, {"content": "Lives in Paris", "key": "home", "value": "Paris", "message": 1})
    assert tell(memory, "so Paris has been good to us, all these years") == {"Lives in Paris"}
    answer(server, {"content": "Lives in Berlin", "key": "home", "value": "Berlin", "message": 1})
    assert tell(memory, "Berlin it is, since Monday") == {"Lives in Berlin"}
    asked = [one for one in server.received if "worth\nremembering" in one.system]
    assert asked
    assert "Paris has been good" in asked[0].user


def test_what_was_not_said_is_not_remembered(
    memory: MemoryService, server: ChatModelServer
) -> None:
    answer(
        server,
        {"content": "Owns a sailing yacht", "key": "possession:yacht", "value": "yacht"},
        {"content": "Likes rye bread", "category": "preference"},
    )
    assert tell(memory, "rye bread again, never enough of it") == {"Likes rye bread"}


def test_what_the_model_is_not_sure_of_is_dropped(
    memory: MemoryService, server: ChatModelServer
) -> None:
    answer(server, {"content": "Likes rye bread", "confidence": 0.6})
    assert tell(memory, "rye bread, maybe") == set()


@pytest.mark.parametrize(
    "reply",
    [
        Reply(text="I am sorry, I cannot do that."),
        Reply(text='{"memories": [{"content": ""}]}'),
        Reply(text='{"memories": [{"content": "Lives in Oslo", "category": "opinion"}]}'),
        Reply(status=500, body=b"oops"),
        Reply(status=401, body=b'{"error": {"message": "no key"}}'),
        Reply(hang_up=True),
    ],
)
def test_a_model_that_fails_is_replaced_by_the_rules(
    memory: MemoryService, server: ChatModelServer, reply: Reply
) -> None:
    server.reply = lambda question: reply  # type: ignore[method-assign]
    assert tell(memory, "I live in Oslo") == {"Lives in Oslo"}


def test_a_model_gets_only_what_the_person_said(
    memory: MemoryService, server: ChatModelServer
) -> None:
    answer(server)
    memory.save_conversation_turn(
        '<memory source="MEMORY.md">\n- Lives in Paris\n</memory>\nrye bread please',
        "I live in a server, says the assistant",
        "s1",
    )
    memory.wait_until_idle()
    asked = [one for one in server.received if "worth\nremembering" in one.system]
    assert "rye bread" in asked[0].user
    assert "Paris" not in asked[0].user
    assert "server" not in asked[0].user


@pytest.mark.parametrize("thoughts", ["<think>Paris?</think>\n", "Not {Paris}.\n</think>\n\n"])
def test_a_model_that_thinks_first_is_understood(
    memory: MemoryService, server: ChatModelServer, thoughts: str
) -> None:
    answer(server, {"content": "Likes rye bread", "category": "preference"})
    server.otherwise = thoughts + server.otherwise
    assert tell(memory, "rye bread again, never enough of it") == {"Likes rye bread"}
