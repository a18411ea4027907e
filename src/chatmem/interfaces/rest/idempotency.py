"""`Idempotency-Key`: a write that is sent twice is carried out once.

The answer is replayed for a day. With the key, another request is refused (422), and so is one that
comes while the first is running (409), or after something was forgotten that the answer may quote
(410). What failed on our side may be tried again.

Source: interfaces.md (REST); the IETF's draft of the header.
"""

import hashlib
import logging
import re
from collections.abc import Sequence
from typing import Final

from anyio import CancelScope
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chatmem.engine.server import Answers, HttpAnswer, NoAnswer
from chatmem.errors import ChatmemError, StorageError
from chatmem.interfaces.problems import Problem, problem_of, refuse
from chatmem.interfaces.threads import run_writing

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
            with CancelScope(shield=True):
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
