"""MCP over Streamable HTTP, at `/mcp` of the server.

Every request stands by itself: it is about the memory of the user whose key it carries, there is no
session that another could take over, and none is lost when the server restarts.

Source: interfaces.md (`/mcp`, Identity).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from chatmem.engine.service import MemoryService
from chatmem.interfaces.mcp.server import Context, create_server


class McpRoute(Route):
    """The address; before it, the application checks a request and sets `state.memory`."""

    def __init__(self) -> None:
        # No session means nothing to listen to (GET) and nothing to end (DELETE).
        super().__init__("/mcp", self._answer, methods=["POST"])
        self.app = self._answer

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Requests are answered inside; a manager runs once, an application may again."""
        self._manager = StreamableHTTPSessionManager(
            create_server(_memory_of), json_response=True, stateless=True
        )
        async with self._manager.run():
            yield

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


def _memory_of(context: Context) -> MemoryService:
    if context.request is None:
        raise RuntimeError("an MCP request came without the HTTP request that carried it")
    memory: MemoryService = context.request.state.memory
    return memory
