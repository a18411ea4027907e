"""The model's server: what goes to it as it is, and its answer, passed on byte for byte.

A client that hangs up ends the request to the server too; what is saved is saved when the last
byte is out. Problem details have an `error` as well, which is what OpenAI's clients look for.

Source: interfaces.md (upstream from settings); decisions 7 (`httpx` passes chat through untouched).
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass, field
from functools import cached_property
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final
from urllib.parse import quote
from weakref import WeakValueDictionary

import anyio
import httpx
from fastapi.responses import Response
from starlette.types import Receive, Scope, Send

from chatmem import errors
from chatmem.chat.pipeline import HOW_TO_CONFIGURE
from chatmem.config import Settings
from chatmem.engine.state import stage
from chatmem.interfaces.openai.turns import ProxiedTurn
from chatmem.interfaces.problems import openai_error, problem_of
from chatmem.interfaces.threads import run_writing
from chatmem.providers.openai_client import KEPT_SECONDS, MOST_BYTES, plain_address

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
        """The client, made for the first request; it keeps no cookies: it serves all users."""
        return httpx.AsyncClient(
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            timeout=httpx.Timeout(self.silence_seconds, connect=self.connect_seconds),
            limits=httpx.Limits(max_keepalive_connections=100, keepalive_expiry=KEPT_SECONDS),
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
        self,
        path: str,
        headers: Mapping[bytes, bytes],
        content: bytes | None = None,
        **extensions: object,
    ) -> httpx.Response:
        """The answer; with `content`, which is posted, its beginning: who takes it closes it.

        Raises:
            ChatError: the server is not there, or too slow.
        """
        sent = {name: headers[name] for name in _REQUEST_HEADERS if name in headers}
        sent[b"accept-encoding"] = b"identity"  # what is passed on is what is read
        if self.api_key:
            sent[b"authorization"] = f"Bearer {self.api_key}".encode()
        is_posted = content is not None
        method, url = "POST" if is_posted else "GET", f"{self.base_url.rstrip('/')}/{path}"
        client = self.connections.client
        try:
            request = client.build_request(
                method, url, headers=sent, content=content, extensions=extensions
            )
            return await client.send(request, stream=is_posted)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise self.explained(error) from error

    def explained(self, error: Exception) -> errors.ChatError:
        """What went wrong with the server, as an error of ours that names it."""
        if isinstance(error, httpx.ConnectTimeout):
            limit = self.connections.connect_seconds
            return errors.ModelTimeoutError(f"{self.name}: no connection within {limit:g} s")
        if isinstance(error, httpx.TimeoutException):
            limit = self.connections.silence_seconds
            return errors.ModelTimeoutError(f"{self.name}: nothing came for {limit:g} s")
        return errors.ModelUnavailableError(
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
        raise errors.NoModelError(f"no address for the model is configured: {HOW_TO_CONFIGURE}")
    if llm.model is None and model is None:
        raise errors.NoModelError(
            f"no model is configured, and none is asked for: {HOW_TO_CONFIGURE}"
        )
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


PATH: Final = "chat/completions"
EVENTS: Final = "text/event-stream"
MAX_BODY_BYTES: Final = 64 * 1024 * 1024
"""Of an answer that comes at once: it is held until it is whole."""
_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Relay(Response):
    """The server's answer to a request, as it comes.

    The turn begins in a thread when the server has been asked, and is finished in one with what was
    passed on of a successful answer, when it is out: one turn of a session after the other
    (`in_turn`).
    """

    upstream: Upstream
    content: bytes
    turn: ProxiedTurn
    in_turn: Callable[[], AbstractAsyncContextManager[None]]
    _answer: bytearray | None = field(default=None, init=False)
    """Of a successful answer the beginning, as much as is read."""
    _is_stream: bool = field(default=False, init=False)
    _is_started: bool = field(default=False, init=False)
    _begun: asyncio.Future[None] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Make it an answer that a route may give."""
        super().__init__()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ask, pass on, save."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_until_closed, receive, tasks.cancel_scope)
            try:
                await self._pass_on(scope, send)
            except errors.ChatError as error:
                await self._fail(error, scope, receive, send)
            tasks.cancel_scope.cancel()
        await self._begin()
        if self._answer is not None and self.turn.remembers:
            with anyio.CancelScope(shield=True):
                async with self.in_turn():
                    await run_writing(self.turn.finish, bytes(self._answer), self._is_stream)

    async def _begin(self, event: str = "", _: object = None) -> None:
        """Begin the turn, once, and wait for it; at an event of the request do not wait."""
        if self._begun is None and (not event or event.endswith("response_headers.started")):
            self._begun = asyncio.ensure_future(run_writing(self.turn.begin))
        if self._begun and not event:
            await asyncio.shield(self._begun)  # it ends even where the client hangs up

    async def _pass_on(self, scope: Scope, send: Send) -> None:
        headers, asked = dict(scope["headers"]), self.content
        with stage("upstream"):
            response = await self.upstream.send(PATH, headers, asked, trace=self._begin)
        try:
            async with aclosing(response):  # which cancelling does not keep it from
                await self._begin()
                if response.is_success and EVENTS in response.headers.get("content-type", ""):
                    await self._stream(response, send)
                else:
                    await self._whole(response, send)
        except (httpx.HTTPError, httpx.StreamError) as error:
            if isinstance(error, httpx.TimeoutException) or not self._is_started:
                raise self.upstream.explained(error) from error
            problem = f"{self.upstream.name}: the answer broke off ({type(error).__name__})"
            raise errors.AnswerCutError(problem) from error

    async def _stream(self, response: httpx.Response, send: Send) -> None:
        self._answer, self._is_stream = bytearray(), True
        await self._start(response, send)
        async for chunk in response.aiter_bytes():
            self._answer += chunk[: MOST_BYTES - len(self._answer)]
            await _send_body(send, chunk, more=True)
        await _send_body(send, b"")

    async def _whole(self, response: httpx.Response, send: Send) -> None:
        content = bytearray()
        async for chunk in response.aiter_bytes():
            content += chunk
            if len(content) > MAX_BODY_BYTES:
                raise errors.MalformedAnswerError(
                    f"{self.upstream.name}: the answer has more than {MAX_BODY_BYTES:,} bytes"
                )
        body = bytes(content)
        if response.is_success:
            self._answer = content[:MOST_BYTES]
        else:
            body = self.upstream.without_key(body)
        await self._start(response, send, (b"content-length", b"%d" % len(body)))
        await _send_body(send, body)

    async def _start(
        self, response: httpx.Response, send: Send, *more: tuple[bytes, bytes]
    ) -> None:
        headers = [*answer_headers(response), *self._own_headers(), *more]
        self._is_started = True
        status = response.status_code
        await send({"type": "http.response.start", "status": status, "headers": headers})

    def _own_headers(self) -> list[tuple[bytes, bytes]]:
        if not self.turn.remembers:
            return []
        session = (b"x-chatmem-session", quote(self.turn.session_id, errors="replace").encode())
        prompt = self.turn.prompt
        told = [(b"x-chatmem-receipt", prompt.receipt.id.encode())] if prompt else []
        return [*told, session]

    async def _fail(
        self, error: errors.ChatError, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Say what went wrong: as an answer, or at the end of one that has begun."""
        _log.warning("%s: %s", PATH, error.problem)
        if not self._is_started:
            answer = problem_of(error).response(scope)
            answer.raw_headers.extend(self._own_headers())
            await answer(scope, receive, send)
            return
        told = openai_error(error.problem, type(error).__name__)
        event = json.dumps({"error": told}, ensure_ascii=False)
        # Blank lines first: the stream may have broken off inside of an event.
        await _send_body(send, f"\n\ndata: {event}\n\n".encode())


async def _until_closed(receive: Receive, scope: anyio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


async def _send_body(send: Send, content: bytes, *, more: bool = False) -> None:
    await send({"type": "http.response.body", "body": content, "more_body": more})
