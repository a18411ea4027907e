"""An answer of the model's server, passed on byte for byte as it comes.

A client that hangs up ends the request to the server too. What has to be kept is kept when the last
byte is out, so that nobody waits for it.

Source: interfaces.md (`POST /v1/chat/completions`).
"""

import json
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final
from urllib.parse import quote

import anyio
import httpx
from fastapi.responses import Response
from starlette.types import Receive, Scope, Send

from chatmem.engine.stages import stage
from chatmem.errors import AnswerCutError, ChatError, MalformedAnswerError
from chatmem.interfaces.openai.problems import error_of, problem
from chatmem.interfaces.openai.reply import Kept
from chatmem.interfaces.openai.upstream import Connections, Endpoint, headers_passed
from chatmem.interfaces.threads import run_writing
from chatmem.prompt.receipt import Receipt
from chatmem.providers.chat_deltas import DONE

RECEIPT_HEADER: Final = b"x-chatmem-receipt"
SESSION_HEADER: Final = b"x-chatmem-session"
UPSTREAM: Final = "upstream"
"""A stage: from the request to the model's server to the head of its answer."""
EVENTS: Final = "text/event-stream"
MOST_BODY_BYTES: Final = 64 * 1024 * 1024
"""Of an answer that comes at once: it is held until it is whole."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Errand:
    """What to ask which server, and what belongs to the answer.

    `begin` is done in a thread while the server is asked, `finish` in one with what was passed on
    of a successful answer, when it is out: one turn of a session after the other (`in_turn`).
    `receipt_event_model` adds the receipt to a stream, under this model's
    name.
    """

    connections: Connections
    endpoint: Endpoint
    path: str
    content: bytes
    _: KW_ONLY
    session_id: str | None = None
    receipt: Receipt | None = None
    receipt_event_model: str | None = None
    begin: Callable[[], None] | None = None
    finish: Callable[[Kept], None] | None = None
    in_turn: Callable[[], AbstractAsyncContextManager[None]] = nullcontext


@dataclass(slots=True)
class _Passing:
    """How far an answer has come."""

    send: Send
    kept: Kept | None = None
    is_begun: bool = False
    begun: anyio.Event = field(default_factory=anyio.Event)


class PassedOn(Response):
    """The answer to a client: the server's, as it comes."""

    def __init__(self, errand: Errand) -> None:
        super().__init__()
        self._errand = errand

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ask, pass on, keep."""
        passing = _Passing(send)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._begin, passing)
            tasks.start_soon(_until_hung_up, receive, tasks.cancel_scope)
            try:
                await self._pass(scope, passing)
            except ChatError as error:
                await self._fail(error, scope, receive, passing)
            tasks.cancel_scope.cancel()
        if passing.kept is not None and self._errand.finish is not None:
            with anyio.CancelScope(shield=True):
                async with self._errand.in_turn():
                    await run_writing(self._errand.finish, passing.kept)

    async def _begin(self, passing: _Passing) -> None:
        """What is done beside the request; it ends even where the client hangs up."""
        if self._errand.begin is not None:
            with anyio.CancelScope(shield=True):
                await run_writing(self._errand.begin)
        passing.begun.set()

    async def _pass(self, scope: Scope, passing: _Passing) -> None:
        errand = self._errand
        with stage(UPSTREAM):
            response = await errand.connections.send(
                errand.endpoint, errand.path, dict(scope["headers"]), errand.content
            )
        try:
            await passing.begun.wait()
            try:
                if response.is_success and EVENTS in response.headers.get("content-type", ""):
                    await self._stream(response, passing)
                else:
                    await self._whole(response, passing)
            except (httpx.HTTPError, httpx.StreamError) as error:
                raise self._broken(error, passing) from error
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()

    async def _stream(self, response: httpx.Response, passing: _Passing) -> None:
        passing.kept = Kept(is_stream=True)
        await self._begin_answer(response, passing)
        chunks = response.aiter_bytes()
        model, receipt = self._errand.receipt_event_model, self._errand.receipt
        if model is not None and receipt is not None:
            chunks = _with_receipt(chunks, _receipt_event(receipt, model))
        async for chunk in chunks:
            passing.kept.add(chunk)
            await _send(passing, chunk)
        await _send(passing, b"", more=False)

    async def _whole(self, response: httpx.Response, passing: _Passing) -> None:
        content = bytearray()
        async for chunk in response.aiter_bytes():
            content += chunk
            if len(content) > MOST_BODY_BYTES:
                raise MalformedAnswerError(
                    f"the model's server {self._errand.endpoint.name}: the answer has more than "
                    f"{MOST_BODY_BYTES:,} bytes"
                )
        body = bytes(content)
        if response.is_success:
            passing.kept = Kept()
            passing.kept.add(body)
        else:
            body = self._errand.endpoint.without_key(body)
        await self._begin_answer(response, passing, len(body))
        await _send(passing, body, more=False)

    async def _begin_answer(
        self, response: httpx.Response, passing: _Passing, length: int | None = None
    ) -> None:
        headers = [*headers_passed(response), *self._own_headers()]
        if length is not None:
            headers.append((b"content-length", b"%d" % length))
        start = {"type": "http.response.start", "status": response.status_code, "headers": headers}
        passing.is_begun = True
        await passing.send(start)

    def _own_headers(self) -> list[tuple[bytes, bytes]]:
        found = []
        if self._errand.receipt is not None:
            found.append((RECEIPT_HEADER, self._errand.receipt.id.encode()))
        if self._errand.session_id is not None:
            found.append(
                (SESSION_HEADER, quote(self._errand.session_id, errors="replace").encode())
            )
        return found

    def _broken(self, error: Exception, passing: _Passing) -> ChatError:
        if isinstance(error, httpx.TimeoutException) or not passing.is_begun:
            return self._errand.connections.explained(self._errand.endpoint, error)
        place = f"the model's server {self._errand.endpoint.name}"
        return AnswerCutError(f"{place}: the answer broke off ({type(error).__name__})")

    async def _fail(
        self, error: ChatError, scope: Scope, receive: Receive, passing: _Passing
    ) -> None:
        """Say what went wrong: as an answer, or at the end of one that has begun."""
        _log.warning("%s: %s", self._errand.path, error.problem)
        if not passing.is_begun:
            answer = problem(error, scope["path"])
            answer.raw_headers.extend(self._own_headers())
            await answer(scope, receive, passing.send)
            return
        event = json.dumps({"error": error_of(error)}, ensure_ascii=False)
        # Blank lines first: the stream may have broken off inside of an event.
        await _send(passing, f"\n\ndata: {event}\n\n".encode(), more=False)


async def _until_hung_up(receive: Receive, scope: anyio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


async def _send(passing: _Passing, content: bytes, *, more: bool = True) -> None:
    await passing.send({"type": "http.response.body", "body": content, "more_body": more})


async def _with_receipt(chunks: AsyncIterator[bytes], event: bytes) -> AsyncIterator[bytes]:
    """The stream with an event more before its `[DONE]`, or at its end where it has none."""
    held, is_told = b"", False
    async for chunk in chunks:
        *lines, held = (held + chunk).split(b"\n")
        for number, line in enumerate(lines):
            if not is_told and _is_done(line):
                lines[number], is_told = event + line, True
        if lines:
            yield b"\n".join(lines) + b"\n"
    if is_told or _is_done(held):
        yield held if is_told else event + held
    else:
        yield held + b"\n\n" + event


def _is_done(line: bytes) -> bool:
    return line.startswith(b"data:") and line.removeprefix(b"data:").strip() == DONE.encode()


def _receipt_event(receipt: Receipt, model: str) -> bytes:
    """A chunk without choices, as OpenAI's clients take one, with the receipt beside."""
    data: dict[str, Any] = {
        "id": f"chatmem-{receipt.id}",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": model,
        "choices": [],
        "chatmem": {"receipt": receipt.as_json()},
    }
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
