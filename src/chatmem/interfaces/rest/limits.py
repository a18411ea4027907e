"""What a client may ask: so often, with such a body in such a time, and once what it sends twice.

A write with an `Idempotency-Key` is carried out once: its answer is replayed for a day. With the
key, another request is refused (422), and so is one that comes while the first is running (409), or
after something was forgotten that the answer may quote (410). What failed on our side may be tried
again.

Source: interfaces.md (REST; Identity; bodies over 1 MiB get 413); `server.rate_per_minute`; the
IETF's draft of the header.
"""

import hashlib
import logging
import math
import re
import time
from collections.abc import Sequence
from typing import Final

import anyio
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chatmem.engine.server import Answers, HttpAnswer, NoAnswer
from chatmem.engine.state import stage
from chatmem.errors import ChatmemError, StorageError
from chatmem.interfaces.problems import Problem, has_body, problem_of, refuse
from chatmem.interfaces.rest.identity import UPLOADS
from chatmem.interfaces.threads import run_writing

MAX_BODY_BYTES: Final = 1 << 20
BODY_SECONDS: Final = 20.0
"""From the request's head to the end of its body."""
_MOST_BUCKETS: Final = 10_000
_TOO_LARGE: Final = Problem(413, f"the body has more than {MAX_BODY_BYTES} bytes")
_ENCODED: Final = Problem(415, "Content-Encoding: bodies are taken as they are")


class Limits:
    """Refuses requests past their key's rate, and large or slow bodies.

    Puts `body`, the bytes that were read, into the request's state; without a key there is no rate.
    """

    def __init__(self, app: ASGIApp, per_minute: int, body_seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._buckets = Buckets(per_minute) if per_minute else None
        self._body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, or refuse it."""
        is_upload = scope.get("path", "").startswith(UPLOADS)
        reads_body = scope["type"] == "http" and has_body(scope) and not is_upload
        if refusal := self._past_rate(scope) or (_past_size(scope) if reads_body else None):
            await refuse(refusal, scope, receive, send)
        elif not reads_body:
            await self._app(scope, receive, send)
        else:
            await self._with_body(scope, receive, send)

    def _past_rate(self, scope: Scope) -> Problem | None:
        key_id = scope.get("state", {}).get("key_id")
        if self._buckets is None or key_id is None:
            return None
        wait_s = math.ceil(self._buckets.take(key_id, time.monotonic()))
        detail = f"this key asks too often: {wait_s} s"
        return Problem(429, detail, headers={"retry-after": str(wait_s)}) if wait_s else None

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with stage("read_body"), anyio.fail_after(self._body_seconds):
                body = await _read(receive)
        except TimeoutError:
            late = Problem(408, f"the body took more than {self._body_seconds:g} s")
            await late.closing()(scope, receive, send)
            return
        if body is not None and len(body) > MAX_BODY_BYTES:
            await refuse(_TOO_LARGE, scope, receive, send)
        elif body is not None:
            scope["state"]["body"] = body
            await self._app(scope, _replay(body, receive), send)


async def _read(receive: Receive) -> bytes | None:
    """The whole body, or more than `MAX_BODY_BYTES` of it; None where the client went away."""
    body = bytearray()
    while len(body) <= MAX_BODY_BYTES:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Receives the body in one message, then what the connection says: that it was closed, say."""
    left = [body]

    async def receive_again() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return receive_again


def _past_size(scope: Scope) -> Problem | None:
    headers = dict(scope["headers"])
    if headers.get(b"content-encoding", b"identity").lower() != b"identity":
        return _ENCODED
    return _TOO_LARGE if int(headers.get(b"content-length", b"0")) > MAX_BODY_BYTES else None


class Buckets:
    """A bucket for each key: it holds a minute's requests, and fills again evenly."""

    def __init__(self, per_minute: int) -> None:
        self._size = float(per_minute)
        self._per_second = per_minute / 60
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str, now_s: float) -> float:
        """Seconds until the key may ask again; 0 where it may now, and has used one request."""
        left, at_s = self._left.pop(key, (self._size, now_s))
        left = min(self._size, left + max(0.0, now_s - at_s) * self._per_second)
        wait_s = max(0.0, (1 - left) / self._per_second)
        self._left[key] = (left if wait_s else left - 1, now_s)
        if len(self._left) > _MOST_BUCKETS:
            del self._left[next(iter(self._left))]
        return wait_s


WRITES: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_PATHS: Final = ("/api/", "/memory/")
_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")
_HEADERS: Final = ("content-type", "etag", "location")
_NOT_A_KEY: Final = Problem(422, "Idempotency-Key: takes 1 to 255 visible ASCII characters")
_REFUSALS: Final[dict[NoAnswer, Problem]] = {
    "other_request": Problem(
        422, "Idempotency-Key: was used for another request; choose a new one"
    ),
    "in_progress": Problem(
        409, "Idempotency-Key: its first request is still running", headers={"retry-after": "1"}
    ),
    "deleted": Problem(
        410,
        "Idempotency-Key: its request was carried out; the answer is not kept any more, since "
        "something has been forgotten that it may have quoted",
    ),
}
_PASSING_STATUSES: Final = frozenset({408, 409, 425, 429})
"""Of the moment, like all from 500 on: nothing was done, the next attempt may fare better."""

_log = logging.getLogger(__name__)


class Idempotent:
    """Carries out a write with a key once; `Limits` has read its body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, or refuse it."""
        key = None
        if scope["type"] == "http" and takes_key(scope["method"], scope["path"]):
            key = Headers(scope=scope).get("idempotency-key")
        if key is None:
            await self._app(scope, receive, send)
            return
        if not _KEY.fullmatch(key):
            await refuse(_NOT_A_KEY, scope, receive, send)
            return
        answers: Answers = scope["state"]["memory"].answers
        try:
            before = await run_writing(answers.begin, key, _digest(scope))
        except ChatmemError as error:
            await problem_of(error)(scope, receive, send)
            return
        if before is None:
            await self._carry_out(answers, key, scope, receive, send)
        elif isinstance(before, HttpAnswer):
            headers = {**before.headers, "idempotency-replayed": "true"}
            await Response(before.body, before.status, headers)(scope, receive, send)
        else:
            await _REFUSALS[before](scope, receive, send)

    async def _carry_out(
        self, answers: Answers, key: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Let the application answer; whatever happens, the key is settled before it goes out."""
        messages: list[Message] = []

        async def hold(message: Message) -> None:
            messages.append(message)

        answered: list[Message] = []
        try:
            await self._app(scope, receive, hold)
            answered = messages
        finally:
            with anyio.CancelScope(shield=True):
                await _settle(answers, key, answered)
        for message in messages:
            await send(message)


def takes_key(method: str, path: str) -> bool:
    """True for the writes that may come with an `Idempotency-Key`."""
    return method in WRITES and path.startswith(_PATHS)


async def _settle(answers: Answers, key: str, messages: Sequence[Message]) -> None:
    """Store the answer, or release the key; the answer goes out even if that fails."""
    status = messages[0]["status"] if messages else 500
    try:
        if status >= 500 or status in _PASSING_STATUSES:
            await run_writing(answers.abandon, key)
            return
        given = Headers(raw=messages[0]["headers"])
        headers = {name: given[name] for name in _HEADERS if name in given}
        body = b"".join(one.get("body", b"") for one in messages[1:])
        answer = HttpAnswer(status, headers, body.decode("utf-8", "replace"))
        await run_writing(answers.finish, key, answer)
    except StorageError as error:
        _log.warning("the answer to a write with a key is not kept: %s", error)


def _digest(scope: Scope) -> str:
    """A hash of the request: method, address, conditions, body."""
    headers = Headers(scope=scope)
    parts: tuple[bytes, ...] = (
        scope["method"].encode(),
        scope.get("raw_path") or scope["path"].encode(),
        scope.get("query_string", b""),
        headers.get("content-type", "").encode("latin-1"),
        headers.get("if-match", "").encode("latin-1"),
        scope["state"].get("body", b""),
    )
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()
