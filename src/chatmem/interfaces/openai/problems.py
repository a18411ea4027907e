"""Errors of ours at the chat endpoint: problem details that OpenAI's clients understand as well.

`error` is what those look for; the rest is RFC 9457's. Errors of the model's server are not here:
they are passed on as they come.
"""

import json
from typing import Any, Final

from fastapi.responses import Response

from chatmem.errors import (
    ChatError,
    ChatmemError,
    ModelTimeoutError,
    NoModelError,
    SessionNotFoundError,
)

MEDIA_TYPE: Final = "application/problem+json"
_TITLES: Final = {
    400: "Bad request",
    404: "Not found",
    502: "The model's server does not answer",
    503: "Not available",
    504: "The model's server is too slow",
}


def problem(error: ChatmemError, instance: str) -> Response:
    """The answer for an error that ended a request."""
    status = status_of(error)
    body = {
        "type": "about:blank",
        "title": _TITLES[status],
        "status": status,
        "detail": words_of(error),
        "instance": instance,
        "error": error_of(error),
    }
    content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    return Response(content, status, media_type=MEDIA_TYPE)


def error_of(error: ChatmemError) -> dict[str, Any]:
    """The error in OpenAI's form."""
    kind = type(error).__name__
    return {"message": words_of(error), "type": kind, "param": None, "code": kind}


def words_of(error: ChatmemError) -> str:
    """What went wrong; a chat error's own words would say besides whether a turn was saved."""
    return error.problem if isinstance(error, ChatError) else str(error)


def status_of(error: ChatmemError) -> int:
    """The status that says it."""
    if isinstance(error, SessionNotFoundError):
        return 404
    if isinstance(error, NoModelError):
        return 503
    if isinstance(error, ModelTimeoutError):
        return 504
    if isinstance(error, ChatError):
        return 502
    return 400 if isinstance(error, ValueError) else 503
