"""The model's server: what goes to it as it is, and what comes back.

Source: interfaces.md (upstream from settings); decisions 7 (`httpx` passes chat through untouched).
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

import httpx

from chatmem.chat.discover import HOW_TO_CONFIGURE
from chatmem.config import Settings
from chatmem.errors import ChatError, ModelTimeoutError, ModelUnavailableError, NoModelError
from chatmem.providers.openai_client import plain_address

_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
_PASSED_ON: Final = (
    b"accept", b"content-type", b"openai-beta", b"openai-organization", b"openai-project",
    b"http-referer", b"x-title", b"traceparent", b"tracestate",
)  # fmt: skip
"""Headers of a client that the model's server gets. Keys and cookies are for us alone."""
_KEPT_BACK: Final = frozenset({
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "upgrade", "content-length", "content-encoding", "date", "server",
    "set-cookie", "alt-svc", "strict-transport-security", "vary",
})  # fmt: skip
"""Headers of an answer that belong to its connection, or to its site, and not to what it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to wait for the model's server, in seconds.

    `silence_seconds` is what OpenAI's own clients wait: a client with less patience hangs up.
    """

    connect_seconds: float = 5.0
    silence_seconds: float = 600.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the settings say that the model is."""

    base_url: str
    model: str | None
    api_key: str | None = field(repr=False)

    @property
    def name(self) -> str:
        """The address, without anything secret."""
        return plain_address(self.base_url)

    def url(self, path: str) -> str:
        """An address below the endpoint's."""
        return f"{self.base_url.rstrip('/')}/{path}"

    def without_key(self, content: bytes) -> bytes:
        """The words of a server that may repeat the key that it was given."""
        return content.replace(self.api_key.encode(), b"(key)") if self.api_key else content


def endpoint_of(settings: Settings, asked_model: str | None = None) -> Endpoint:
    """The endpoint for a request that names this model, or none.

    Raises:
        NoModelError: no address, or no model's name; says how to configure them.
    """
    llm = settings.llm
    if llm.base_url is None:
        raise NoModelError(f"no address for the model is configured: {HOW_TO_CONFIGURE}")
    if llm.model is None and asked_model is None:
        raise NoModelError(f"no model is configured, and none is asked for: {HOW_TO_CONFIGURE}")
    key = llm.api_key.get_secret_value() if llm.api_key else None
    return Endpoint(llm.base_url, llm.model, key or None)


@dataclass(slots=True)
class Connections:
    """Kept connections to model servers, in the event loop that they were opened in."""

    patience: Patience = field(default_factory=Patience)
    _clients: dict[bool, httpx.AsyncClient] = field(default_factory=dict)
    _loop: asyncio.AbstractEventLoop | None = None

    async def send(
        self,
        endpoint: Endpoint,
        path: str,
        headers: Mapping[bytes, bytes],
        content: bytes | None = None,
    ) -> httpx.Response:
        """The beginning of the answer; who takes it closes it. With `content` it is a POST.

        Raises:
            ModelUnavailableError: the server is not there.
            ModelTimeoutError: it is too slow.
        """
        sent = {name: headers[name] for name in _PASSED_ON if name in headers}
        sent[b"accept-encoding"] = b"identity"  # what is passed on is what is read
        if endpoint.api_key:
            sent[b"authorization"] = f"Bearer {endpoint.api_key}".encode()
        method = "GET" if content is None else "POST"
        client = self._client(endpoint)
        try:
            request = client.build_request(
                method, endpoint.url(path), headers=sent, content=content
            )
            return await client.send(request, stream=True)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise self.explained(endpoint, error) from error

    def explained(self, endpoint: Endpoint, error: Exception) -> ChatError:
        """What went wrong with the server, as an error of ours that names it."""
        place = f"the model's server {endpoint.name}"
        if isinstance(error, httpx.ConnectTimeout):
            limit = self.patience.connect_seconds
            return ModelTimeoutError(f"{place}: no connection within {limit:g} s")
        if isinstance(error, httpx.TimeoutException):
            limit = self.patience.silence_seconds
            return ModelTimeoutError(f"{place}: nothing came for {limit:g} s")
        reason = type(error).__name__
        return ModelUnavailableError(
            f"{place}: no answer ({reason}): does a server run there? llm.base_url "
            "(CHATMEM_LLM_BASE_URL) says where"
        )

    async def close(self) -> None:
        """Close what is open; the next request opens new ones."""
        clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            await client.aclose()

    def _client(self, endpoint: Endpoint) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:  # connections of another loop cannot be used in this one
            self._clients, self._loop = {}, loop
        is_near = urlsplit(endpoint.base_url).hostname in _LOOPBACK
        if is_near not in self._clients:
            timeout = httpx.Timeout(
                self.patience.silence_seconds, connect=self.patience.connect_seconds
            )
            self._clients[is_near] = httpx.AsyncClient(
                timeout=timeout,
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=100),
                trust_env=not is_near,  # a proxy cannot reach this machine's own servers
            )
        return self._clients[is_near]


def headers_passed(response: httpx.Response) -> list[tuple[bytes, bytes]]:
    """The answer's headers that go on to the client, as they came."""
    return list(_passed(response.headers.raw))


def _passed(raw: Iterable[tuple[bytes, bytes]]) -> Iterable[tuple[bytes, bytes]]:
    for name, value in raw:
        lower = name.lower()
        if lower.decode("latin-1") not in _KEPT_BACK and not lower.startswith(b"access-control-"):
            yield lower, value
