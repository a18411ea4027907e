"""Bodies of requests: whole before anything looks at them, within a size and a time.

Source: interfaces.md (bodies over 1 MiB get 413).
"""

import time
from typing import Final

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chatmem.interfaces.rest.metrics import note_stage
from chatmem.interfaces.rest.page_sessions import PAGE
from chatmem.interfaces.rest.problems import Problem, has_body, refuse

MAX_BODY_BYTES: Final = 1 << 20
BODY_SECONDS: Final = 20.0
"""From the request's head to the end of its body."""
_TOO_LARGE: Final = Problem(413, f"the body has more than {MAX_BODY_BYTES} bytes")
_BAD_LENGTH: Final = Problem(400, "Content-Length: takes a whole number")
_ENCODED: Final = Problem(415, "Content-Encoding: bodies are taken as they are")


class WholeBody:
    """Reads the body and hands it on in one piece, or refuses it."""

    def __init__(self, app: ASGIApp, body_seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; those without a body go on as they are."""
        if scope["type"] != "http" or not has_body(scope) or _is_upload(scope):
            await self._app(scope, receive, send)
            return
        refused = _refusal(scope)
        if refused is not None:
            await refuse(refused, scope, receive, send)
            return
        began_s = time.perf_counter()
        try:
            with anyio.fail_after(self._body_seconds):
                body = await _read(receive)
        except TimeoutError:
            late = Problem(408, f"the body took more than {self._body_seconds:g} s", closes=True)
            await late.response(scope)(scope, receive, send)
            return
        except _TooLargeError:
            await refuse(_TOO_LARGE, scope, receive, send)
            return
        note_stage(scope, "read_body", began_s)
        if body is not None:
            await self._app(scope, _Replay(body, receive), send)


def _is_upload(scope: Scope) -> bool:
    """True for a file that a person brings in on the page, which goes to disk piece by piece."""
    return str(scope["path"]).startswith(f"{PAGE}/_nicegui/client/")


class _TooLargeError(Exception):
    """More has come than may."""


class _Replay:
    """The body in one message, then whatever the connection says: that the client hung up, say."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


async def _read(receive: Receive) -> bytes | None:
    """The whole body; None where the client went away before its end."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > MAX_BODY_BYTES:
            raise _TooLargeError
        if not message.get("more_body", False):
            return bytes(body)


def _refusal(scope: Scope) -> Problem | None:
    headers = dict(scope["headers"])
    if headers.get(b"content-encoding", b"identity").lower() != b"identity":
        return _ENCODED
    length = headers.get(b"content-length")
    if length is None:
        return None
    if not length.isdigit():
        return _BAD_LENGTH
    return _TOO_LARGE if int(length) > MAX_BODY_BYTES else None
