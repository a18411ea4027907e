"""Servers that run until they are ended: `chatmem serve` (HTTP) and `chatmem mcp` (stdio)."""

import logging
import signal
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    import socket

    import uvicorn


def serve(
    target: Target,
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; others' need keys.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")
    ] = None,
) -> None:
    """Serve memory over HTTP: the page, REST, MCP at /mcp, and OpenAI's chat API at /v1."""
    from chatmem.providers.optional import is_installed, require_installed

    for package in ("fastapi", "uvicorn", "mcp", "prometheus_client", "httpx"):
        require_installed(
            package, needed_for="chatmem serve", install="pip install 'chatmem[server]'"
        )
    from chatmem.interfaces.rest.app import create_app, listen, server_for, url_of
    from chatmem.interfaces.rest.watch import log_as_json

    given = {"host": host, "port": port}
    own = {name: value for name, value in given.items() if value is not None}
    with target.open(background=True, **({"server": own} if own else {})) as memory:
        address = memory.settings.server
        with listen(address.host, address.port, has_keys=memory.keys.are_needed()) as listening:
            log_as_json(logging.StreamHandler(sys.stderr))
            app = create_app(memory)
            has_page = is_installed("nicegui")
            if has_page:
                from chatmem.interfaces.web.pages import mount_page

                mount_page(app)
            http_server = server_for(app)
            url, has_keys = url_of(listening), memory.keys.are_needed()
            access = "keys are asked for" if has_keys else "for this machine only, no keys"
            lines = [f"chatmem listens on {url} ({access}); Ctrl-C ends it"]
            if not has_page:
                lines.append("Without the page: `pip install 'chatmem[web]'` brings it")
            target.print({"url": url, "keys": has_keys}, lines)
            sys.stdout.flush()
            _run(http_server, listening)


def _run(server: "uvicorn.Server", listening: "socket.socket") -> None:
    """Serve until a signal; the work at hand is finished, also when a service manager asks."""
    ends = (signal.SIGINT, signal.SIGTERM)
    # The server raises a signal again when it is done with it: nothing is left to do then.
    before = {one: signal.signal(one, lambda *_: None) for one in ends}
    try:
        server.run(sockets=[listening])
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


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
            output.finish_work(memory)
