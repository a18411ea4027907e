"""Servers on this machine, found by themselves."""

import socket
from collections.abc import Iterator

import pytest
from tests.chat_model_server import ChatModelServer

from chatmem.chat.pipeline import choose_endpoint, find_local_servers
from chatmem.errors import NoModelError


@pytest.fixture
def silent() -> Iterator[int]:
    """A port that takes a connection and says nothing."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield int(taken.getsockname()[1])


def listen(monkeypatch: pytest.MonkeyPatch, **ports: int) -> None:
    monkeypatch.setattr("chatmem.chat.pipeline.LOCAL_SERVERS", ports)


def test_the_ones_that_answer_are_found_with_the_models_that_chat(
    nobody: int, silent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        ChatModelServer(models=("nomic-embed-text", "qwen3:4b", "llama3.2")) as one,
        ChatModelServer(models=("bge-m3",)) as embeds_only,
        ChatModelServer(models=("phi-4",)) as other,
    ):
        listen(monkeypatch, a=nobody, b=one.port, c=silent, d=embeds_only.port, e=other.port)
        found = find_local_servers()

        assert [(server.name, server.models) for server in found] == [
            ("b", ("qwen3:4b", "llama3.2")),
            ("e", ("phi-4",)),
        ]
        assert found[0].base_url == one.base_url


def test_the_first_model_is_chosen_or_the_server_that_has_the_one_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with (
        ChatModelServer(models=("qwen3:4b",)) as one,
        ChatModelServer(models=("phi-4", "phi-4-mini")) as other,
    ):
        listen(monkeypatch, Ollama=one.port, vLLM=other.port)
        chosen = [
            choose_endpoint(None, None),
            choose_endpoint(None, "phi-4-mini"),
            choose_endpoint(other.base_url, None),
            choose_endpoint("http://example.invalid/v1", "some-model"),
        ]
        with pytest.raises(NoModelError, match=r"no server .*'gpt'.*Ollama has qwen3:4b"):
            choose_endpoint(None, "gpt")

        assert [(endpoint.name, endpoint.base_url) for endpoint in chosen] == [
            ("qwen3:4b", one.base_url),
            ("phi-4-mini", other.base_url),
            ("phi-4", other.base_url),
            ("some-model", "http://example.invalid/v1"),
        ]
    for endpoint in chosen:
        endpoint.close()


def test_where_nothing_runs_it_says_what_to_do(
    nobody: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    listen(monkeypatch, Ollama=nobody)
    with pytest.raises(NoModelError, match=rf"looked for Ollama on {nobody}\).*CHATMEM_LLM_MODEL"):
        choose_endpoint(None, None)
    with pytest.raises(NoModelError, match="tells of no models"):
        choose_endpoint(f"http://127.0.0.1:{nobody}/v1", None)
