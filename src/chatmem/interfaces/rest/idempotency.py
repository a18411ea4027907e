"""`Idempotency-Key`: a write that is sent twice is carried out once.

The answer is replayed for a day. With the key, another request is refused (422), and so is one that
comes while the first is running (409), or after something was forgotten that the answer may quote
(410). What failed on our side may be tried again.

Source: interfaces.md (REST); the IETF's draft of the header.
"""

import hashlib
import logging
import re
from typing import Final

from anyio import CancelScope
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chatmem.engine.server import Answers, HttpAnswer, NoAnswer
from chatmem.errors import ChatmemError, StorageError
from chatmem.interfaces.rest.limits import read_body, replay
from chatmem.interfaces.rest.problems import Problem, problem_of, refuse
from chatmem.interfaces.threads import run_writing

_METHODS: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_PATHS: Final = ("/api/", "/memory/")
_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")
_HEADERS: Final = (b"content-type", b"etag", b"location")
_NOT_A_KEY: Final = Problem(422, "Idempotency-Key: takes 1 to 255 visible ASCII characters")
_REFUSALS: Final[dict[NoAnswer, Problem]] = {
    NoAnswer.OTHER_REQUEST: Problem(
        422, "Idempotency-Key: was used for another request; choose a new one"
    ),
    NoAnswer.IN_PROGRESS: Problem(
        409, "Idempotency-Key: its first request is still running", headers={"retry-after": "1"}
    ),
    NoAnswer.DELETED: Problem(
        410,
        "Idempotency-Key: its request was carried out; the answer is not kept any more, since "
        "something has been forgotten that it may have quoted",
    ),
}
_PASSING_STATUSES: Final = frozenset({408, 409, 425, 429})
"""Of the moment, like all from 500 on: nothing was done, the next attempt may fare better."""

_log = logging.getLogger(__name__)


class Idempotent:
    """Carries out a write with a key once; `WholeBody` has read its body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, or refuse it."""
        key = _key(scope)
        if key is None:
            await self._app(scope, receive, send)
            return
        if not _KEY.fullmatch(key):
            await refuse(_NOT_A_KEY, scope, receive, send)
            return
        answers: Answers = scope["state"]["memory"].answers
        body = await read_body(receive) or b""
        try:
            before = await run_writing(answers.begin, key, _digest(scope, body))
        except ChatmemError as error:
            await problem_of(error)(scope, receive, send)
            return
        if before is None:
            await _Attempt(answers, key, send).carry_out(self._app, scope, replay(body, receive))
        elif isinstance(before, HttpAnswer):
            headers = {**dict(before.headers), "idempotency-replayed": "true"}
            await Response(before.body, before.status, headers)(scope, receive, send)
        else:
            await _REFUSALS[before](scope, receive, send)


class _Attempt:
    """The first request of a key: its answer is passed on, and kept before its end is out."""

    def __init__(self, answers: Answers, key: str, send: Send) -> None:
        self._answers = answers
        self._key = key
        self._send = send
        self._status = 500
        self._headers: tuple[tuple[str, str], ...] = ()
        self._body = bytearray()
        self._is_settled = False

    async def carry_out(self, app: ASGIApp, scope: Scope, receive: Receive) -> None:
        """Let the application answer; whatever happens, the key is settled after."""
        try:
            await app(scope, receive, self.send)
        finally:
            if not self._is_settled:
                await self._settle(has_ended=False)

    async def send(self, message: Message) -> None:
        """A part of the answer."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = tuple(
                (name.decode("latin-1"), value.decode("latin-1"))
                for name, value in message.get("headers", [])
                if name.lower() in _HEADERS
            )
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._settle(has_ended=True)
        await self._send(message)

    async def _settle(self, *, has_ended: bool) -> None:
        """Store the answer, or release the key; the answer goes out even if that fails."""
        self._is_settled = True
        is_done = has_ended and self._status < 500 and self._status not in _PASSING_STATUSES
        body = self._body.decode("utf-8", "replace")
        answer = HttpAnswer(self._status, self._headers, body)
        with CancelScope(shield=True):
            try:
                if is_done:
                    await run_writing(self._answers.finish, self._key, answer)
                else:
                    await run_writing(self._answers.abandon, self._key)
            except StorageError as error:
                _log.warning("the answer to a write with a key is not kept: %s", error)


def _key(scope: Scope) -> str | None:
    if scope["type"] != "http" or scope["method"] not in _METHODS:
        return None
    if not scope["path"].startswith(_PATHS) and scope["path"] != "/api/memory":
        return None
    return Headers(scope=scope).get("idempotency-key")


def _digest(scope: Scope, body: bytes) -> str:
    """A hash of the request: method, address, conditions, body."""
    headers = Headers(scope=scope)
    parts: tuple[bytes, ...] = (
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
