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
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from chatmem.engine.service import MemoryService
from chatmem.interfaces.mcp.server import Context, create_server


def mount(app: FastAPI) -> None:
    """Serve MCP at `/mcp`; the application checks the request and sets `request.state.memory`."""
    endpoint = _Endpoint()
    app.router.routes.append(Route("/mcp", endpoint))
    whole = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(scope: FastAPI) -> AsyncIterator[Any]:
        # A manager runs once, an application may be started again.
        endpoint.manager = StreamableHTTPSessionManager(
            create_server(_memory_of), json_response=True, stateless=True
        )
        async with whole(scope) as state, endpoint.manager.run():
            yield state
        endpoint.manager = None

    app.router.lifespan_context = lifespan


class _Endpoint:
    """The ASGI application at the path, while the server runs."""

    manager: StreamableHTTPSessionManager | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            # No session means nothing to listen to (GET) and nothing to end (DELETE).
            refusal = PlainTextResponse("Method Not Allowed", 405, {"Allow": "POST"})
            await refusal(scope, receive, send)
        elif self.manager is None:
            await PlainTextResponse("the server is stopping", 503)(scope, receive, send)
        else:
            await self.manager.handle_request(scope, receive, send)


def _memory_of(context: Context) -> MemoryService:
    if context.request is None:
        raise RuntimeError("an MCP request came without the HTTP request that carried it")
    memory: MemoryService = context.request.state.memory
    return memory
