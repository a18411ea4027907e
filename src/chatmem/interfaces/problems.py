"""Errors as problem details (RFC 9457), one for every error of the tree.

No traceback, no value that was sent, no hint at other users. Under `/v1` the answer also carries
`error`, in OpenAI's form. Source: interfaces.md ("problem details for errors").
"""

import json
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, Final, TypeAlias

import anyio
from fastapi import Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from chatmem import errors

Handler: TypeAlias = Callable[[Request, Any], Coroutine[Any, Any, Response]]
MEDIA_TYPE: Final = "application/problem+json"
PROBLEM_REF: Final = {"$ref": "#/components/schemas/Problem"}
_STATUSES: Final[tuple[tuple[int, tuple[type[Exception], ...]], ...]] = (
    (404, (errors.NotOwnerError,)),
    (409, (errors.NothingToRestoreError, errors.WouldForgetError)),
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
    """An answer that says what is wrong: its status, a sentence, and members besides.

    `kind` is the error's name for OpenAI's clients; without one they get the status's.
    """

    status: int
    detail: str
    members: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = ""

    def closing(self) -> "Problem":
        """The same, and the connection ends with it."""
        return replace(self, headers={**self.headers, "connection": "close"})

    def response(self, scope: Scope) -> Response:
        """The answer to this request."""
        path = scope.get("path", "")
        is_chat = path.startswith("/v1/")
        # OpenAI's API has 400 for what is not valid.
        status = 400 if is_chat and self.status == 422 else self.status
        title = HTTPStatus(status).phrase
        body = {
            "type": "about:blank",
            "title": title,
            "status": status,
            "detail": self.detail,
            "instance": path,
            "request_id": scope.get("state", {}).get("request_id"),
            **self.members,
        }
        if is_chat:
            kind = self.kind or title.lower().replace(" ", "_")
            body["error"] = openai_error(self.detail, kind)
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        return Response(content, status, self.headers, media_type=MEDIA_TYPE)

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

    await problem.closing()(scope, receive, send_and_drain)


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
    found = Problem(status, str(error), kind=type(error).__name__ if is_ours else "")
    if status == 500:
        why = "something went wrong that should not; the server's log has its id"
        return replace(found, detail=why)
    if isinstance(error, errors.StaleEtagError):
        return replace(found, members={"content": error.current, "etag": error.etag})
    if isinstance(error, errors.NotOwnerError):
        return replace(found, detail="there is none with this id for this user")
    if isinstance(error, errors.StorageError):
        why = found.detail if for_operator else _NO_STORAGE
        return replace(found, detail=why, headers=_SOON)
    return replace(found, detail=error.problem) if isinstance(error, errors.ChatError) else found


def openai_error(message: str, kind: str) -> dict[str, Any]:
    """The `error` that OpenAI's clients look for."""
    return {"message": message, "type": kind, "param": None, "code": kind}


def described(
    description: str, schema: dict[str, Any] = PROBLEM_REF, media: str = MEDIA_TYPE, **more: object
) -> dict[str, Any]:
    """An answer, a problem where nothing else is said, as the OpenAPI document describes it."""
    return {"description": description, "content": {media: {"schema": schema, **more}}}


async def _of_ours(request: Request, error: errors.ChatmemError) -> Response:
    for_operator = bool(getattr(request.state, "is_operator", False))
    return problem_of(error, for_operator=for_operator).response(request.scope)


async def _of_validation(request: Request, error: RequestValidationError) -> Response:
    # What was sent is the sender's, and does not go into the answer.
    wrong = [{name: one[name] for name in ("loc", "msg", "type")} for one in error.errors()]
    first = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in wrong[:3])
    return Problem(422, first or "not valid", {"errors": wrong}).response(request.scope)


async def _of_http(request: Request, error: HTTPException) -> Response:
    if error.status_code == 400 and error.__cause__ is not None:
        # The framework could not read the body: bytes that are no UTF-8, or too deep a nesting.
        detail = "the body is no JSON in UTF-8 that can be read"
        where = [{"loc": ["body"], "msg": detail, "type": "body_unreadable"}]
        return Problem(422, detail, {"errors": where}).response(request.scope)
    detail = error.detail
    if error.status_code == 404 and detail == HTTPStatus.NOT_FOUND.phrase:
        detail = "there is nothing at this address"
    return Problem(error.status_code, detail, headers=error.headers or {}).response(request.scope)


HANDLERS: Final[dict[int | type[Exception], Handler]] = {
    errors.ChatmemError: _of_ours,
    RequestValidationError: _of_validation,
    HTTPException: _of_http,
}
"""What answers an error that a route raises; a coroutine each, since a function takes a thread."""


async def _drain(receive: Receive) -> None:
    left = _DRAIN_BYTES
    with anyio.move_on_after(_DRAIN_SECONDS):
        while left > 0:
            message = await receive()
            if message["type"] != "http.request" or not message.get("more_body", False):
                return
            left -= len(message.get("body", b""))
