"""`chatmem serve`: the server, until Ctrl-C or the system ends it."""

import logging
import signal
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    import socket

    import uvicorn

    from chatmem.engine.service import MemoryService

HostOption = Annotated[
    str | None, typer.Option("--host", help="Address to listen on; others' need keys.")
]
PortOption = Annotated[
    int | None, typer.Option("--port", min=0, max=65535, help="Port; 0 takes a free one.")
]


def serve(target: Target, host: HostOption = None, port: PortOption = None) -> None:
    """Serve memory over HTTP: the page, REST, MCP at /mcp, and OpenAI's chat API at /v1."""
    from chatmem.providers.optional import is_installed, require_installed

    for package in ("fastapi", "uvicorn", "mcp", "prometheus_client", "httpx"):
        require_installed(
            package, needed_for="chatmem serve", install="pip install 'chatmem[server]'"
        )
    from chatmem.interfaces.rest.app import create_app
    from chatmem.interfaces.rest.listening import listen, server_for, url_of
    from chatmem.interfaces.rest.logs import log_as_json

    given = {"host": host, "port": port}
    own = {name: value for name, value in given.items() if value is not None}
    with target.open(background=True, **({"server": own} if own else {})) as memory:
        place = memory.settings.server
        with listen(place.host, place.port, has_keys=memory.keys.are_needed()) as listening:
            log_as_json(logging.StreamHandler(sys.stderr))
            app = create_app(memory)
            has_page = is_installed("nicegui")
            if has_page:
                from chatmem.interfaces.web import mount_page

                mount_page(app)
            server = server_for(app)
            _announce(url_of(listening), memory, as_json=target.as_json, has_page=has_page)
            _run(server, listening)


def _announce(url: str, memory: "MemoryService", *, as_json: bool, has_page: bool) -> None:
    from chatmem.interfaces.cli import output

    if as_json:
        output.print_json({"url": url, "keys": memory.keys.are_needed()})
    else:
        who = "keys are asked for" if memory.keys.are_needed() else "for this machine only, no keys"
        print(f"chatmem listens on {url} ({who}); Ctrl-C ends it")
        if not has_page:
            print("Without the page: `pip install 'chatmem[web]'` brings it")
    sys.stdout.flush()


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
