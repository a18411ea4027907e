"""Models for a chat, at an address or on this machine: what servers tell of themselves.

On this machine only loopback is asked, and only which models there are.

Source: interfaces.md, "Settings", "Command line" (`chat`); decisions 7.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from chatmem.errors import NoModelError
from chatmem.providers.chat_model import ChatEndpoint
from chatmem.providers.openai_client import INSTALL, plain_address
from chatmem.providers.optional import optional_module

HOW_TO_CONFIGURE: Final = (
    "set CHATMEM_LLM_BASE_URL (an OpenAI-compatible address, such as http://127.0.0.1:11434/v1 "
    "for Ollama), CHATMEM_LLM_MODEL and, where the server wants one, CHATMEM_LLM_API_KEY; or the "
    "same under [llm] in chatmem.toml"
)
LOCAL_SERVERS: Final[Mapping[str, int]] = {
    "Ollama": 11434,
    "llama.cpp": 8080,
    "LM Studio": 1234,
    "vLLM": 8000,
}
"""Where each of them listens unless it is told otherwise."""
TIMEOUT_SECONDS: Final = 1.0
_NO_CHAT: Final = ("embed", "bge-", "rerank", "whisper", "tts")
"""In the name of a model that does not chat."""


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered; `models` are those that can chat."""

    name: str
    base_url: str
    models: tuple[str, ...]


def find_local_servers() -> list[LocalServer]:
    """Those of `LOCAL_SERVERS` that answer with at least one model; all are asked at once.

    Raises:
        ProviderError: `httpx` is not installed.
    """
    addresses = {name: f"http://127.0.0.1:{port}/v1" for name, port in LOCAL_SERVERS.items()}
    with ThreadPoolExecutor(max_workers=max(1, len(addresses))) as threads:
        found = threads.map(_models, addresses.values())
        return [
            LocalServer(name, address, models)
            for (name, address), models in zip(addresses.items(), found, strict=True)
            if models
        ]


def choose_endpoint(
    base_url: str | None, model: str | None, api_key: str | None = None
) -> ChatEndpoint:
    """The endpoint for what is known of it: a server is looked for, or asked for its models.

    Raises:
        NoModelError: no server, or none with this model; says what to do.
        ProviderError: the client is not installed, or the address or the key cannot be used.
    """
    if base_url is not None:
        if model is None:
            models = _models(base_url, api_key, TIMEOUT_SECONDS * 5)
            if not models:
                raise NoModelError(
                    f"{plain_address(base_url)} tells of no models: name one (--model, "
                    "CHATMEM_LLM_MODEL)"
                )
            model = models[0]
        return ChatEndpoint(model, base_url, api_key)
    found = find_local_servers()
    for server in found:
        if model is None or model in server.models:
            return ChatEndpoint(model or server.models[0], server.base_url)
    raise NoModelError(_nothing(found, model))


def _nothing(found: Sequence[LocalServer], model: str | None) -> str:
    if found:
        there = "; ".join(f"{one.name} has {', '.join(one.models)}" for one in found)
        return f"no server on this machine has the model {model!r}: {there}"
    looked = ", ".join(f"{name} on {port}" for name, port in LOCAL_SERVERS.items())
    return (
        f"no model is configured, and none runs on this machine (looked for {looked}). Start one, "
        "for example with `ollama run qwen3:4b`; or name one with --base-url and --model, or with "
        "CHATMEM_LLM_BASE_URL and CHATMEM_LLM_MODEL"
    )


def _models(
    base_url: str, api_key: str | None = None, timeout_seconds: float = TIMEOUT_SECONDS
) -> tuple[str, ...]:
    """The models that a server tells of; () where none answers as OpenAI's API does."""
    httpx: Any = optional_module("httpx", needed_for="a chat", install=INSTALL)
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    is_local = base_url.startswith(("http://127.0.0.1", "http://localhost"))
    try:
        with httpx.Client(timeout=timeout_seconds, trust_env=not is_local) as client:
            answer = client.get(f"{base_url.rstrip('/')}/models", headers=headers)
            names = [str(one["id"]) for one in answer.json()["data"]] if answer.is_success else []
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError):
        return ()
    return tuple(name for name in names if not any(part in name.lower() for part in _NO_CHAT))
