"""What a client may ask of the server: requests a minute, the size of a body, the time for it.

Source: interfaces.md (Identity; bodies over 1 MiB get 413); `server.rate_per_minute`.
"""

import math
import time
from typing import Final

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chatmem.engine.state import stage
from chatmem.interfaces.problems import Problem, has_body, refuse
from chatmem.interfaces.rest.identity import UPLOADS

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
        refusal = self._past_rate(scope)
        reads_body = (
            scope["type"] == "http" and has_body(scope) and not scope["path"].startswith(UPLOADS)
        )
        if refusal is None and reads_body:
            refusal = _past_size(scope)
        if refusal is not None:
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
