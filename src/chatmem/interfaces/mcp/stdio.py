"""MCP over standard input and output, for one user.

Source: interfaces.md (`chatmem mcp`).
"""

from mcp.server.stdio import stdio_server

from chatmem.engine.service import MemoryService
from chatmem.interfaces.mcp.server import create_server


async def serve_stdio(memory: MemoryService) -> None:
    """Returns when the client closes standard input; while it runs, prints go to stderr."""
    server = create_server(lambda _: memory)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
