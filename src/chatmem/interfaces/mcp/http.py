"""MCP over Streamable HTTP, at `/mcp` of the server.

Every request stands by itself: it is about the memory of the user whose key it carries, there is no
session that another could take over, and none is lost when the server restarts.

Source: interfaces.md (`/mcp`, Identity).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from chatmem.engine.service import MemoryService
from chatmem.interfaces.mcp.server import Context, create_server

PATH = "/mcp"
MAX_BODY_BYTES = 1 << 20
"""As for the rest of the server. Source: interfaces.md."""


def mount(app: FastAPI) -> None:
    """Serves MCP at `/mcp`; whoever identifies requests sets `request.state.memory` before.

    Host and Origin are the application's to check, as for every other path.
    """
    endpoint = _Endpoint()
    app.router.routes.append(Route(PATH, endpoint))
    whole = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(scope: FastAPI) -> AsyncIterator[Any]:
        async with whole(scope) as state, endpoint.running():
            yield state

    app.router.lifespan_context = lifespan


class _Endpoint:
    """The ASGI application at the path, while the server runs."""

    def __init__(self) -> None:
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answers requests until its end; may be entered again after that."""
        manager = StreamableHTTPSessionManager(
            create_server(_memory_of),
            json_response=True,
            stateless=True,
            max_request_body_size=MAX_BODY_BYTES,
        )
        async with manager.run():
            self._manager = manager
            try:
                yield
            finally:
                self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["method"] != "POST":
            # No session means nothing to listen to (GET) and nothing to end (DELETE).
            refused = PlainTextResponse("Method Not Allowed", 405, {"Allow": "POST"})
            await refused(scope, receive, send)
        elif self._manager is None:
            await PlainTextResponse("the server is stopping", 503)(scope, receive, send)
        else:
            await self._manager.handle_request(scope, receive, send)


def _memory_of(context: Context) -> MemoryService:
    request: Request | None = context.request
    if request is None:
        raise RuntimeError("an MCP request came without the HTTP request that carried it")
    memory: MemoryService = request.state.memory
    return memory
