"""A session's name means something within its user only."""

import json
import re
from pathlib import Path

import pytest
from tests.chat_model_server import ChatModelServer
from tests.doors import by_words, client_of

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
