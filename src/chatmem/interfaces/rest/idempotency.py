"""Writes that may be sent twice: `Idempotency-Key` says that they are one.

The first is carried out, and its answer kept for a day; the same request with the same key gets
that answer again. Another request with the key is refused (422), and so is one that comes while the
first is still running (409). Where something was forgotten since, the answer is gone (410): it
may have quoted that. What failed on our side was not done and may be tried again.

Source: interfaces.md (REST); the IETF's draft of the header.
"""

import hashlib
import logging
import re
from collections.abc import Iterable
from typing import Final

from anyio import CancelScope
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chatmem.engine.answers import InProgress, KeptAnswer, LetGo, OtherRequest
from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError, StorageError
from chatmem.interfaces.rest.problems import Problem, problem_of, refuse
from chatmem.interfaces.threads import run_writing

KEY_HEADER: Final = "idempotency-key"
REPLAYED: Final = (b"idempotency-replayed", b"true")
_METHODS: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_PATHS: Final = ("/api/", "/memory/")
_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")
_KEPT_HEADERS: Final = (b"content-type", b"etag", b"location")
_NOT_A_KEY: Final = Problem(422, "Idempotency-Key: takes 1 to 255 visible ASCII characters")
_OTHER: Final = Problem(422, "Idempotency-Key: was used for another request; choose a new one")
_RUNNING: Final = Problem(
    409, "Idempotency-Key: its first request is still running", headers={"retry-after": "1"}
)
_LET_GO: Final = Problem(
    410,
    "Idempotency-Key: its request was carried out; the answer is not kept any more, since "
    "something has been forgotten that it may have quoted",
)
_REFUSED: Final[dict[type, Problem]] = {
    OtherRequest: _OTHER,
    InProgress: _RUNNING,
    LetGo: _LET_GO,
}
_PASSING_STATUSES: Final = frozenset({408, 409, 425, 429})
"""Of the moment, like all from 500 on: nothing was done, the next attempt may fare better."""

_log = logging.getLogger(__name__)


class Idempotent:
    """Carries out a write with a key once; `WholeBody` has read its body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; those without a key go on as they are."""
        key = _key(scope)
        if key is None:
            await self._app(scope, receive, send)
            return
        if not _KEY.fullmatch(key):
            await refuse(_NOT_A_KEY, scope, receive, send)
            return
        memory: MemoryService = scope["state"]["memory"]
        body = await _body(receive)
        try:
            before = await run_writing(memory.answers.begin, key, _digest(scope, body))
        except ChatmemError as error:
            await problem_of(error).response(scope)(scope, receive, send)
            return
        if before is None:
            await _Attempt(memory, key, send).carry_out(self._app, scope, _again(body, receive))
        elif isinstance(before, KeptAnswer):
            await _replay(before, send)
        else:
            await _REFUSED[type(before)].response(scope)(scope, receive, send)


class _Attempt:
    """The first request of a key: its answer is passed on, and kept before its end is out."""

    def __init__(self, memory: MemoryService, key: str, send: Send) -> None:
        self._memory = memory
        self._key = key
        self._send = send
        self._status = 500
        self._headers: tuple[tuple[str, str], ...] = ()
        self._body = bytearray()
        self._has_ended = False
        self._is_settled = False

    async def carry_out(self, app: ASGIApp, scope: Scope, receive: Receive) -> None:
        """Let the application answer; whatever happens, the key is settled after."""
        try:
            await app(scope, receive, self.send)
        finally:
            if not self._is_settled:
                with CancelScope(shield=True):
                    await run_writing(self._settle)

    async def send(self, message: Message) -> None:
        """A part of the answer."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = tuple(
                (name.decode("latin-1"), value.decode("latin-1"))
                for name, value in message.get("headers", [])
                if name.lower() in _KEPT_HEADERS
            )
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                self._has_ended = True
                with CancelScope(shield=True):
                    await run_writing(self._settle)
        await self._send(message)

    def _settle(self) -> None:
        """Say how it ended; where that cannot be written, the answer goes out all the same."""
        has_ended, self._is_settled = self._has_ended, True
        try:
            if not has_ended or self._status >= 500 or self._status in _PASSING_STATUSES:
                self._memory.answers.abandon(self._key)
                return
            body = self._body.decode("utf-8", "replace")
            self._memory.answers.finish(self._key, KeptAnswer(self._status, self._headers, body))
        except StorageError as error:
            _log.warning("the answer to a write with a key is not kept: %s", error)


def _key(scope: Scope) -> str | None:
    if scope["type"] != "http" or scope["method"] not in _METHODS:
        return None
    if not scope["path"].startswith(_PATHS) and scope["path"] != "/api/memory":
        return None
    return Headers(scope=scope).get(KEY_HEADER)


def _digest(scope: Scope, body: bytes) -> str:
    """What was asked, as a hash: method, address, the conditions, and the body."""
    headers = Headers(scope=scope)
    parts: Iterable[bytes] = (
        scope["method"].encode(),
        scope.get("raw_path") or scope["path"].encode(),
        scope.get("query_string", b""),
        headers.get("content-type", "").encode("latin-1"),
        headers.get("if-match", "").encode("latin-1"),
        body,
    )
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()


async def _body(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if message["type"] != "http.request" or not message.get("more_body", False):
            return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    left = [body]

    async def replay() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return replay


async def _replay(answer: KeptAnswer, send: Send) -> None:
    body = answer.body.encode("utf-8")
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers]
    if answer.status not in (204, 304):
        headers.append((b"content-length", str(len(body)).encode()))
    await send(
        {
            "type": "http.response.start",
            "status": answer.status,
            "headers": [*headers, REPLAYED],
        }
    )
    await send({"type": "http.response.body", "body": body})
