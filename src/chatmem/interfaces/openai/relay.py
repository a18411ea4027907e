"""An answer of the model's server, passed on byte for byte as it comes; or what went wrong.

A client that hangs up ends the request to the server too; what is saved is saved when the last
byte is out. Problem details have an `error` as well, which is what OpenAI's clients look for.

Source: interfaces.md (`POST /v1/chat/completions`).
"""

import json
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote

import anyio
import httpx
from fastapi.responses import Response
from starlette.types import Receive, Scope, Send

from chatmem import errors
from chatmem.engine.state import stage
from chatmem.interfaces.openai.turns import ProxiedTurn
from chatmem.interfaces.openai.upstream import Upstream, answer_headers
from chatmem.interfaces.problems import openai_error, problem_of
from chatmem.interfaces.threads import run_writing
from chatmem.providers.chat_deltas import MOST_BYTES

PATH: Final = "chat/completions"
EVENTS: Final = "text/event-stream"
MAX_BODY_BYTES: Final = 64 * 1024 * 1024
"""Of an answer that comes at once: it is held until it is whole."""
_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Relay(Response):
    """The server's answer to a request, as it comes.

    The turn begins in a thread while the server is asked, and is finished in one with what was
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

    def __post_init__(self) -> None:
        """Make it an answer that a route may give."""
        super().__init__()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ask, pass on, save."""
        self._has_begun = anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._begin)
            tasks.start_soon(_until_closed, receive, tasks.cancel_scope)
            try:
                await self._pass_on(scope, send)
            except errors.ChatError as error:
                await self._fail(error, scope, receive, send)
            tasks.cancel_scope.cancel()
        if self._answer is not None and self.turn.remembers:
            with anyio.CancelScope(shield=True):
                async with self.in_turn():
                    await run_writing(self.turn.finish, bytes(self._answer), self._is_stream)

    async def _begin(self) -> None:
        """What is done beside the request; it ends even where the client hangs up."""
        with anyio.CancelScope(shield=True):
            await run_writing(self.turn.begin)
        self._has_begun.set()

    async def _pass_on(self, scope: Scope, send: Send) -> None:
        with stage("upstream"):
            response = await self.upstream.send(PATH, dict(scope["headers"]), self.content)
        try:
            await self._has_begun.wait()
            try:
                if response.is_success and EVENTS in response.headers.get("content-type", ""):
                    await self._stream(response, send)
                else:
                    await self._whole(response, send)
            except (httpx.HTTPError, httpx.StreamError) as error:
                raise self._broken(error) from error
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()

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
        receipt = self.turn.receipt
        return [(b"x-chatmem-receipt", receipt.id.encode()), session] if receipt else [session]

    def _broken(self, error: Exception) -> errors.ChatError:
        if isinstance(error, httpx.TimeoutException) or not self._is_started:
            return self.upstream.explained(error)
        kind = type(error).__name__
        return errors.AnswerCutError(f"{self.upstream.name}: the answer broke off ({kind})")

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
