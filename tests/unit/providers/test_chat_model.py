"""A language model behind an address, over real HTTP on loopback."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import BaseModel
from tests.chat_model_server import ChatModelServer, Reply
from tests.conftest import run_python

from chatmem.errors import ProviderError
from chatmem.providers import optional
from chatmem.providers.chat_model import ChatEndpoint

KEY = "sk-test-very-secret"


class Trip(BaseModel):
    city: str
    days: int


def model_of(server: ChatModelServer, silence_seconds: float = 60.0) -> ChatEndpoint:
    return ChatEndpoint("small-model", server.base_url, KEY, silence_seconds, attempts=1)


def test_an_answer_of_the_wrong_shape_is_asked_for_once_more(server: ChatModelServer) -> None:
    server.planned = [Reply('{"city": "Berlin"'), Reply('{"city": "Berlin", "days": 3}')]
    assert model_of(server).extract("Find the trip.", "x", Trip).days == 3
    assert len(server.received) == 2

    server.planned = [Reply('{"city": 1}'), Reply("I would rather not.")]
    with pytest.raises(ProviderError, match=r"small-model.*cannot be used.*llm\.model"):
        model_of(server).extract("Find the trip.", "x", Trip)
    assert len(server.received) == 4


def test_it_answers_threads_one_after_another_and_at_once(server: ChatModelServer) -> None:
    model = model_of(server)
    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(model.complete, ["x"] * 4, ["y"] * 4))

    assert [*at_once, model.complete("x", "y")] == ["ok"] * 5


def test_it_answers_where_an_event_loop_runs_already(server: ChatModelServer) -> None:
    model = model_of(server)

    async def inside() -> str:
        return model.complete("x", "y")

    assert asyncio.run(inside()) == "ok"
    server.planned = [Reply(status=500, body=b"{}")]
    with pytest.raises(ProviderError, match="status 500"):
        asyncio.run(inside())


def test_nothing_of_this_machine_or_of_another_server_is_sent(
    server: ChatModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID"):
        monkeypatch.setenv(name, "of-another-server")

    ChatEndpoint("m", server.base_url).complete("x", "y")

    assert set(server.received[0].headers) == {
        *("accept", "accept-encoding", "connection", "content-length"),
        *("content-type", "host", "user-agent"),
    }


def test_a_server_that_knows_no_json_mode_is_asked_without(server: ChatModelServer) -> None:
    server.planned = [
        Reply(status=400, body=b'{"error": {"message": "unknown field: response_format"}}'),
        Reply('Here it is:\n```json\n{"city": "Berlin", "days": 3}\n```'),
    ]

    assert model_of(server).extract("Find the trip.", "x", Trip).city == "Berlin"
    assert ["response_format" in one.body for one in server.received] == [True, False]


def test_the_client_is_loaded_with_the_first_request() -> None:
    code = (
        "import sys; from chatmem.chat.pipeline import ChatPipeline; "
        "from chatmem.providers.chat_model import ChatEndpoint; "
        "ChatEndpoint('m', 'http://127.0.0.1:1/v1'); sys.exit('httpx' in sys.modules)"
    )

    assert run_python(code).returncode == 0


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optional, "find_spec", lambda name: None)

    with pytest.raises(ProviderError, match=r"pip install 'chatmem\[llm\]'"):
        ChatEndpoint("m", "http://127.0.0.1:1/v1")
