"""The models behind the chat endpoint."""

import json
from typing import Final

import httpx
from fastapi import Request
from fastapi.responses import JSONResponse, Response

from chatmem.errors import ChatError
from chatmem.interfaces.openai.problems import problem
from chatmem.interfaces.openai.upstream import Connections, Endpoint, headers_passed

PATH: Final = "models"
_ITS_LAST_WORD: Final = frozenset({401, 403, 429})
"""Refusals that are told to the client: with another list it would only fail later."""


async def list_models(connections: Connections, endpoint: Endpoint, request: Request) -> Response:
    """The server's own list as it comes; where it has none, the configured model alone."""
    try:
        response = await connections.send(endpoint, PATH, dict(request.scope["headers"]))
        try:
            body = await response.aread()
        except httpx.HTTPError as error:
            raise connections.explained(endpoint, error) from error
        finally:
            await response.aclose()
    except ChatError as error:
        return _configured(endpoint) or problem(error, request.url.path)
    is_list = response.is_success and _is_list(body)
    own = None if is_list or response.status_code in _ITS_LAST_WORD else _configured(endpoint)
    if own is not None:
        return own
    answer = Response(body if is_list else endpoint.without_key(body), response.status_code)
    answer.raw_headers.extend(headers_passed(response))
    return answer


def _configured(endpoint: Endpoint) -> Response | None:
    if endpoint.model is None:
        return None
    model = {"id": endpoint.model, "object": "model", "created": 0, "owned_by": "chatmem"}
    return JSONResponse({"object": "list", "data": [model]})


def _is_list(body: bytes) -> bool:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and isinstance(found.get("data"), list)
