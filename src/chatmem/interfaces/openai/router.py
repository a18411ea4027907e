"""`POST /v1/chat/completions` and `GET /v1/models`: any client of OpenAI's API gets memory.

    client = OpenAI(base_url="http://127.0.0.1:8600/v1", api_key="...")
    client.chat.completions.create(model="chatmem", messages=[...], stream=True)

The request goes on as it came, with what is remembered added to its system message, and the answer
comes back byte for byte. `X-Chatmem-Session` names the session (else the user and the
conversation's opening do); with `X-Chatmem-Memory: off` nothing is read or saved.

Source: interfaces.md (`POST /v1/chat/completions`).
"""

import json
from functools import partial
from typing import Annotated, Any, Final, cast
from urllib.parse import unquote

from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from starlette.types import Receive, Scope, Send

from chatmem.engine.service import MemoryService
from chatmem.errors import ChatError
from chatmem.interfaces.openai.request import OWN_MODEL, add_memory, read_request
from chatmem.interfaces.openai.turns import ProxiedTurn
from chatmem.interfaces.openai.upstream import Connections, Relay, answer_headers, upstream_of
from chatmem.interfaces.problems import described
from chatmem.interfaces.threads import run_reading

_ANY_OBJECT: Final = {"type": "object", "additionalProperties": True}
_MESSAGE: Final = {
    "type": "object",
    "properties": {"role": {"type": "string"}},
    "required": ["role"],
    "additionalProperties": True,
}
_EXAMPLE: Final = {
    "model": "chatmem",
    "messages": [{"role": "user", "content": "我下个月搬到柏林，帮我列个清单"}],
    "stream": True,
}
_ANSWER: Final = {"role": "assistant", "content": "先去市民局登记住址。"}
_COMPLETION: Final = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1772442000,
    "model": "small-model",
    "choices": [{"index": 0, "finish_reason": "stop", "message": _ANSWER}],
}

CHAT_REQUEST: Final[dict[str, Any]] = {
    "required": True,
    "description": "As OpenAI's API takes it; what is not named here is passed on as it is.",
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "properties": {
                    "model": {
                        "type": "string",
                        "description": "Passed on; `chatmem`, or none, is the configured model.",
                    },
                    "messages": {"type": "array", "minItems": 1, "items": _MESSAGE},
                    "stream": {"type": "boolean"},
                },
                "required": ["messages"],
                "additionalProperties": True,
            },
            "example": _EXAMPLE,
        }
    },
}
_JSON: Final = "application/json"
_TEXT: Final = {"schema": {"type": "string"}}
_PASSED: Final = described(
    "Whatever else the model's server answers, byte for byte.", _ANY_OBJECT, _JSON
)
CHAT_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "The model's answer, byte for byte.",
        "headers": {
            "X-Chatmem-Receipt": {
                "description": "The receipt's id: `GET /api/receipts/{id}` gives it.",
                **_TEXT,
            },
            "X-Chatmem-Session": {"description": "The session that it was saved in.", **_TEXT},
        },
        "content": {
            "application/json": {"schema": _ANY_OBJECT, "example": _COMPLETION},
            "text/event-stream": _TEXT,
        },
    },
    400: described("The body is no request; or the model's server says so."),
    404: described("The model's server says that it has none."),
    502: described("The model's server does not answer, or breaks off."),
    503: described("No model is configured; the detail says how to."),
    504: described("The model's server is too slow."),
    "default": _PASSED,
}
MODELS_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: described(
        "The list of the model's server, or the configured model alone.", _ANY_OBJECT, _JSON
    ),
    502: described("The model's server does not answer, and no model is configured by name."),
    503: described("No model's server is configured; the detail says how to."),
    504: described("The model's server is too slow, and no model is configured by name."),
    "default": _PASSED,
}
_OFF: Final = ("off", "false", "0", "no")
_FINAL_REFUSALS: Final = frozenset({401, 403, 429})
"""Told to who asks for the models: with another list the client would only fail later."""


router = APIRouter(tags=["chat"])


@router.post(
    "/v1/chat/completions",
    summary="Chat as OpenAI's API has it, with memory",
    response_class=Response,
    responses=CHAT_RESPONSES,
    openapi_extra={"requestBody": CHAT_REQUEST},
)
def complete(
    request: Request,
    x_chatmem_session: Annotated[
        str | None, Header(description="The session; else the conversation's opening says it.")
    ] = None,
    x_chatmem_memory: Annotated[
        str | None, Header(description="`off`: nothing is read from memory or saved.")
    ] = None,
) -> Response:
    """The model's answer, as it comes."""
    memory: MemoryService = request.state.memory
    connections: Connections = request.app.state.model_connections
    asked = read_request(getattr(request.state, "body", b""))
    upstream = upstream_of(memory.settings, connections, asked.model)
    session_id = _readable(x_chatmem_session) or asked.session(memory.user_id)
    with_memory = (x_chatmem_memory or "").strip().lower() not in _OFF
    turn = ProxiedTurn(memory, session_id, asked.conversation, with_memory)
    messages = None
    if with_memory:
        messages, turn.prompt = add_memory(memory, asked, session_id)
    in_turn = partial(connections.lock, memory.user_id, session_id)
    return Relay(upstream, asked.passed_on(upstream.model, messages), turn, in_turn)


async def _respond(scope: Scope, receive: Receive, send: Send) -> None:
    """The route without FastAPI's way to two headers, which takes as long as all before it."""
    request = Request(scope)
    given = map(request.headers.get, ("x-chatmem-session", "x-chatmem-memory"))
    response = await run_reading(complete, request, *given)
    await response(scope, receive, send)


cast("APIRoute", router.routes[0]).app = _respond


@router.get(
    "/v1/models",
    summary="The models behind the chat endpoint",
    response_class=Response,
    responses=MODELS_RESPONSES,
)
async def models(request: Request) -> Response:
    """The list of the model's server; where it has none, the configured model."""
    memory: MemoryService = request.state.memory
    upstream = upstream_of(memory.settings, request.app.state.model_connections, OWN_MODEL)
    own: Response | None = None
    if upstream.model is not None:
        model = {"id": upstream.model, "object": "model", "created": 0, "owned_by": "chatmem"}
        own = JSONResponse({"object": "list", "data": [model]})
    try:
        response = await upstream.send("models", dict(request.scope["headers"]))
    except ChatError:
        if own is None:
            raise
        return own
    body = response.content
    is_list = response.is_success and _is_list(body)
    if own is not None and not is_list and response.status_code not in _FINAL_REFUSALS:
        return own
    answer = Response(body if is_list else upstream.without_key(body), response.status_code)
    answer.raw_headers.extend(answer_headers(response))
    return answer


def _is_list(body: bytes) -> bool:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and isinstance(found.get("data"), list)


def _readable(header: str | None) -> str | None:
    """The session that a header names, in UTF-8, which may be percent-encoded."""
    given = (header or "").strip()
    try:
        return unquote(given.encode("latin-1").decode(), errors="strict").strip() or None
    except UnicodeError:
        return given
