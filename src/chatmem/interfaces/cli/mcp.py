"""`chatmem mcp`: memory's tools for a client that starts this process (MCP on stdio)."""

import logging
import signal
import sys

from chatmem.interfaces.cli.finishing import finish_work
from chatmem.interfaces.cli.target import Target


def mcp(target: Target) -> None:
    """Serve memory's tools to an MCP client over standard input and output."""
    import anyio

    from chatmem.providers.optional import require_installed

    require_installed("mcp", needed_for="chatmem mcp", install="pip install 'chatmem[server]'")
    from chatmem.interfaces.mcp.server import serve_stdio

    # Standard output belongs to the protocol.
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    with target.open(background=True) as memory:
        # A thread that waits for a line cannot be woken: Ctrl-C ends the process on the spot, which
        # costs nothing that was acknowledged.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        try:
            anyio.run(serve_stdio, memory)
        finally:
            finish_work(memory)
