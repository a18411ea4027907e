"""The model's server: what goes to it as it is, and what comes back.

Source: interfaces.md (upstream from settings); decisions 7 (`httpx` passes chat through untouched).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final
from weakref import WeakValueDictionary

import anyio
import httpx

from chatmem.chat.discover import HOW_TO_CONFIGURE
from chatmem.config import Settings
from chatmem.errors import ChatError, ModelTimeoutError, ModelUnavailableError, NoModelError
from chatmem.providers.openai_client import plain_address

_LOOPBACK: Final = ("all://127.0.0.1", "all://localhost", "all://[::1]")
_REQUEST_HEADERS: Final = (
    b"accept", b"content-type", b"openai-beta", b"openai-organization", b"openai-project",
    b"http-referer", b"x-title", b"traceparent", b"tracestate",
)  # fmt: skip
"""Headers of a client that the model's server gets. Keys and cookies are for us alone."""
_DROPPED_HEADERS: Final = frozenset({
    b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"te", b"trailer",
    b"transfer-encoding", b"upgrade", b"content-length", b"content-encoding", b"date", b"server",
    b"set-cookie", b"alt-svc", b"strict-transport-security", b"vary",
})  # fmt: skip
"""Headers of an answer that belong to its connection, or to its site, and not to what it says."""


@dataclass
class Connections:
    """What the chats of a server share: connections to model servers, and who saves next.

    Of one event loop. `silence_seconds` is what OpenAI's own clients wait: a client with less
    patience hangs up.
    """

    connect_seconds: float = 5.0
    silence_seconds: float = 600.0
    _locks: WeakValueDictionary[tuple[str, str], anyio.Lock] = field(
        default_factory=WeakValueDictionary
    )

    def lock(self, user_id: str, session_id: str) -> anyio.Lock:
        """The lock of a session, given to one after the other in the order in which they came."""
        return self._locks.setdefault((user_id, session_id), anyio.Lock())

    @cached_property
    def client(self) -> httpx.AsyncClient:
        """The client, made for the first request."""
        return httpx.AsyncClient(
            timeout=httpx.Timeout(self.silence_seconds, connect=self.connect_seconds),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=100),
            mounts=dict.fromkeys(_LOOPBACK),  # a proxy cannot reach this machine's own servers
        )

    async def close(self) -> None:
        """Close what is open; the next request opens new ones."""
        if "client" in vars(self):
            await vars(self).pop("client").aclose()


@dataclass(frozen=True, slots=True)
class Upstream:
    """The model's server that the settings name."""

    connections: Connections
    base_url: str
    model: str | None
    api_key: str | None = field(repr=False)

    @property
    def name(self) -> str:
        """What it is called in errors: its address, without anything secret."""
        return f"the model's server {plain_address(self.base_url)}"

    async def send(
        self, path: str, headers: Mapping[bytes, bytes], content: bytes | None = None
    ) -> httpx.Response:
        """The beginning of the answer; who takes it closes it. With `content` it is a POST.

        Raises:
            ChatError: the server is not there, or too slow.
        """
        sent = {name: headers[name] for name in _REQUEST_HEADERS if name in headers}
        sent[b"accept-encoding"] = b"identity"  # what is passed on is what is read
        if self.api_key:
            sent[b"authorization"] = f"Bearer {self.api_key}".encode()
        method = "GET" if content is None else "POST"
        url = f"{self.base_url.rstrip('/')}/{path}"
        client = self.connections.client
        try:
            request = client.build_request(method, url, headers=sent, content=content)
            return await client.send(request, stream=True)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise self.explained(error) from error

    def explained(self, error: Exception) -> ChatError:
        """What went wrong with the server, as an error of ours that names it."""
        if isinstance(error, httpx.ConnectTimeout):
            limit = self.connections.connect_seconds
            return ModelTimeoutError(f"{self.name}: no connection within {limit:g} s")
        if isinstance(error, httpx.TimeoutException):
            limit = self.connections.silence_seconds
            return ModelTimeoutError(f"{self.name}: nothing came for {limit:g} s")
        return ModelUnavailableError(
            f"{self.name}: no answer ({type(error).__name__}): does a server run there? "
            "llm.base_url (CHATMEM_LLM_BASE_URL) says where"
        )

    def without_key(self, content: bytes) -> bytes:
        """The words of a server that may repeat the key that it was given."""
        return content.replace(self.api_key.encode(), b"(key)") if self.api_key else content


def upstream_of(settings: Settings, connections: Connections, model: str | None = None) -> Upstream:
    """The server for a request that names this model, or none.

    Raises:
        NoModelError: no address, or no model's name; says how to configure them.
    """
    llm = settings.llm
    if llm.base_url is None:
        raise NoModelError(f"no address for the model is configured: {HOW_TO_CONFIGURE}")
    if llm.model is None and model is None:
        raise NoModelError(f"no model is configured, and none is asked for: {HOW_TO_CONFIGURE}")
    key = llm.api_key.get_secret_value() if llm.api_key else None
    return Upstream(connections, llm.base_url, llm.model, key or None)


def answer_headers(response: httpx.Response) -> list[tuple[bytes, bytes]]:
    """The answer's headers that go on to the client, as they came."""
    headers = [(name.lower(), value) for name, value in response.headers.raw]
    return [
        (name, value)
        for name, value in headers
        if name not in _DROPPED_HEADERS and not name.startswith(b"access-control-")
    ]
