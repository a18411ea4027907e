"""Errors as problem details (RFC 9457), one for every error of the tree.

No traceback, no value that was sent, no hint at other users. Under `/v1` the answer also carries
`error`, in OpenAI's form. Source: interfaces.md ("problem details for errors").
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, Final

import anyio
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from chatmem import errors

MEDIA_TYPE: Final = "application/problem+json"
_STATUSES: Final[tuple[tuple[int, tuple[type[Exception], ...]], ...]] = (
    (404, (errors.NotOwnerError,)),
    (409, (errors.NothingToRestoreError,)),
    (412, (errors.StaleEtagError,)),
    (503, (errors.NoModelError, errors.TurnNotSavedError)),
    (504, (errors.ModelTimeoutError,)),
    (502, (errors.ChatError, errors.AgentError)),
    (503, (errors.StorageError, errors.ProviderError, errors.ReaderWeightsError)),
    (404, (LookupError,)),
    (422, (ValueError,)),
)
"""Of errors of ours; the first that fits counts."""
_NO_STORAGE: Final = (
    "the files or the database cannot be used right now: try again; whoever runs it can see why"
)
_SOON: Final = {"retry-after": "2"}
"""Seconds until a database that is starting again, or a lock that is held, may be there."""
_DRAIN_SECONDS: Final = 2.0
_DRAIN_BYTES: Final = 16 * 1024 * 1024
"""A client that is still sending sees no answer if the connection is cut at once."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An answer that says what is wrong: its status, a sentence, and members besides."""

    status: int
    detail: str
    members: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    closes: bool = False

    def response(self, scope: Scope) -> Response:
        """The answer to this request."""
        title = _title(self.status)
        path = scope.get("path", "")
        body = {
            "type": "about:blank",
            "title": title,
            "status": self.status,
            "detail": self.detail,
            "instance": path,
            "request_id": scope.get("state", {}).get("request_id"),
            **self.members,
        }
        if path.startswith("/v1/"):
            kind = title.lower().replace(" ", "_")
            body["error"] = {"message": self.detail, "type": kind, "param": None, "code": kind}
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        headers = {**self.headers, "connection": "close"} if self.closes else self.headers
        return Response(content, self.status, headers, media_type=MEDIA_TYPE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer this request."""
        await self.response(scope)(scope, receive, send)


async def refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer before the application has seen the request, whose body may be still on its way."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": problem.detail[:100]})
        return
    if not has_body(scope):
        await problem(scope, receive, send)
        return

    async def send_and_drain(message: Message) -> None:
        if message["type"] != "http.response.body":
            await send(message)
            return
        await send({**message, "more_body": True})
        await _drain(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    await replace(problem, closes=True)(scope, receive, send_and_drain)


def has_body(scope: Scope) -> bool:
    """True when the request announces a body."""
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value.strip() != b"0")
        for name, value in scope["headers"]
    )


def problem_of(error: Exception, *, for_operator: bool = False) -> Problem:
    """The answer for an error; only operators read about files, nobody about errors not ours."""
    is_ours = isinstance(error, errors.ChatmemError)
    status = next((code for code, kinds in _STATUSES if is_ours and isinstance(error, kinds)), 500)
    if status == 500:
        return Problem(500, "something went wrong that should not; the server's log has its id")
    if isinstance(error, errors.StaleEtagError):
        return Problem(412, str(error), {"content": error.current, "etag": error.etag})
    if isinstance(error, errors.NotOwnerError):
        return Problem(404, "there is none with this id for this user")
    if isinstance(error, errors.StorageError):
        return Problem(503, str(error) if for_operator else _NO_STORAGE, headers=_SOON)
    return Problem(status, error.problem if isinstance(error, errors.ChatError) else str(error))


def add_handlers(app: FastAPI) -> None:
    """Every error that a handler raises gets its problem details."""
    app.add_exception_handler(errors.ChatmemError, _of_ours)
    app.add_exception_handler(RequestValidationError, _of_validation)
    app.add_exception_handler(HTTPException, _of_http)


def _of_ours(request: Request, error: Exception) -> Response:
    for_operator = bool(getattr(request.state, "is_operator", False))
    return problem_of(error, for_operator=for_operator).response(request.scope)


def _of_validation(request: Request, error: Exception) -> Response:
    found = error.errors() if isinstance(error, RequestValidationError) else []
    # What was sent is the sender's, and does not go into the answer.
    wrong = [{name: one[name] for name in ("loc", "msg", "type")} for one in found]
    first = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in wrong[:3])
    return Problem(422, first or "not valid", {"errors": wrong}).response(request.scope)


def _of_http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return problem_of(error).response(request.scope)
    if error.status_code == 400 and error.__cause__ is not None:
        # The framework could not read the body: bytes that are no UTF-8, or too deep a nesting.
        detail = "the body is no JSON in UTF-8 that can be read"
        where = [{"loc": ["body"], "msg": detail, "type": "body_unreadable"}]
        return Problem(422, detail, {"errors": where}).response(request.scope)
    detail = error.detail
    if error.status_code == 404 and detail == _title(404):
        detail = "there is nothing at this address"
    return Problem(error.status_code, detail, headers=error.headers or {}).response(request.scope)


async def _drain(receive: Receive) -> None:
    left = _DRAIN_BYTES
    with anyio.move_on_after(_DRAIN_SECONDS):
        while left > 0:
            message = await receive()
            if message["type"] != "http.request" or not message.get("more_body", False):
                return
            left -= len(message.get("body", b""))


def _title(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"
