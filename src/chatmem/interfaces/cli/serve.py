"""Servers that run until they are ended: `chatmem serve` (HTTP) and `chatmem mcp` (stdio)."""

import io
import json
import logging
import os
import signal
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chatmem.interfaces.cli import DOOR, READY, READY_SECONDS, shell, surroundings
from chatmem.interfaces.cli.app import run

if TYPE_CHECKING:
    import uvicorn

    from chatmem.engine.service import MemoryService

_MOST_WAITING = 128
_MOST_PROCESSES = 64 if hasattr(socket, "SO_REUSEPORT") else 1


def serve(
    target: shell.Target,
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; others' need keys.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, max=_MOST_PROCESSES, help="How many answer; several: no page.")
    ] = 1,
    joins: Annotated[bool, typer.Option(hidden=True)] = False,  # what `_others` has begun
) -> None:
    """Serve memory over HTTP: the page, REST, MCP at /mcp, and OpenAI's chat API at /v1."""
    from chatmem.providers.optional import is_installed, require_installed

    for package in ("fastapi", "uvicorn", "mcp", "prometheus_client", "httpx"):
        require_installed(
            package, needed_for="chatmem serve", install="pip install 'chatmem[server]'"
        )
    if processes > 1 and not joins:
        counts = tempfile.TemporaryDirectory()  # of all; told before their package is loaded
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = counts.name
    from chatmem.interfaces.rest.app import create_app, listen, server_for, url_of
    from chatmem.interfaces.rest.watch import log_as_json

    given = {"host": host, "port": port}
    own = {name: value for name, value in given.items() if value is not None}
    with target.open(background=True, **({"server": own} if own else {})) as memory:
        address, keys = memory.settings.server, memory.keys.are_needed()
        with listen(address.host, address.port, has_keys=keys, joins=joins) as listening:
            if processes > 1:  # from here on: nobody else has it
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            log_as_json(logging.StreamHandler(sys.stderr))
            app = create_app(memory)
            has_page = processes == 1 and is_installed("nicegui")
            if has_page:
                from chatmem.interfaces.web.pages import mount_page

                mount_page(app)
            http_server = server_for(app)
            if joins:
                threading.Thread(target=_end_with_input, args=[http_server], daemon=True).start()
                _run(http_server, listening)
                return
            url = url_of(listening)
            access = "keys are asked for" if keys else "for this machine only, no keys"
            lines = [f"chatmem listens on {url} ({access}); Ctrl-C ends it"]
            if not has_page:
                brings = "one process" if processes > 1 else "`pip install 'chatmem[web]'`"
                lines.append(f"Without the page: {brings} brings it")
            folder, port = target.data or memory.settings.data, listening.getsockname()[1]
            with commands_taken(memory, folder), _others(processes, port):
                target.print({"url": url, "keys": keys}, lines)
                sys.stdout.flush()
                _run(http_server, listening)


@contextmanager
def _others(processes: int, port: int) -> Iterator[None]:
    """So many answer at the port inside, with this one; its end, of any kind, ends their input."""
    command = [sys.executable, *sys.orig_argv[1:], "--joins", "--port", str(port)]
    given, end = os.pipe()
    with open(given), ThreadPoolExecutor(processes) as keepers, open(end, "w") as running:

        def keep() -> None:
            while not running.closed and subprocess.run(command, stdin=given).returncode:
                logging.getLogger(__name__).warning("a process died: another begins")
                time.sleep(1)

        for _ in range(1, processes):
            keepers.submit(keep)
        yield


def _end_with_input(server: "uvicorn.Server") -> None:
    sys.stdin.read()
    server.should_exit = True


class _Stream:
    """A standard stream of the server, or, for a command of another process, what stands for it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._own = getattr(sys, name)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a stream has
        call = shell.SERVED.get()
        if call and self._name not in call.streams:
            raise shell.OwnProcessError
        return getattr(call.streams[self._name] if call else self._own, name)


@contextmanager
def commands_taken(memory: "MemoryService", folder: str | Path) -> Iterator[None]:
    """Inside, commands on this folder that its owner gives in other processes are run here.

    They come over a socket in the folder that only its owner can connect to (ADR 0015). Where that
    cannot be, those processes open the folder themselves.
    """
    place, here = os.path.realpath(folder), surroundings()
    door = Path(place, DOOR)

    class Handler(socketserver.StreamRequestHandler):
        timeout = READY_SECONDS

        def handle(self) -> None:
            with suppress(OSError):  # whoever asked is gone
                self.wfile.write(READY)
                if line := self.rfile.readline():
                    asked: dict[str, Any] = json.loads(line)
                    answer: dict[str, object] | None = None
                    streams = {name: io.StringIO() for name in ("stdout", "stderr")}
                    shell.SERVED.set(
                        shell.Served(memory, place, asked["cwd"], streams)
                    )  # of this thread
                    with suppress(shell.OwnProcessError):
                        if asked["surroundings"] == here:
                            answer = {"code": run(asked["arguments"])}
                            answer |= {name: one.getvalue() for name, one in streams.items()}
                    self.wfile.write(json.dumps(answer).encode() + b"\n")

    with ExitStack() as stack:
        # No such sockets here, or a path that is too long for one: nobody is asked then.
        with suppress(AttributeError, OSError):
            if memory.settings.database:
                raise FileNotFoundError(folder)  # nothing of it is in a folder
            listener = socketserver.ThreadingUnixStreamServer(str(door), Handler, False)
            listener.request_queue_size = _MOST_WAITING
            listener.daemon_threads = True  # they keep no server from ending
            stack.callback(listener.server_close)
            door.unlink(missing_ok=True)  # of a server that was killed
            listener.server_bind()
            door.chmod(0o600)
            listener.server_activate()  # until here nobody can connect
            for name in ("stdin", "stdout", "stderr"):
                stack.callback(setattr, sys, name, getattr(sys, name))
                setattr(sys, name, _Stream(name))
            stack.callback(door.unlink, missing_ok=True)
            threading.Thread(target=listener.serve_forever).start()
            stack.callback(listener.shutdown)
        yield


def _run(server: "uvicorn.Server", listening: socket.socket) -> None:
    """Serve until a signal; the work at hand is finished, also when a service manager asks."""
    ends = (signal.SIGINT, signal.SIGTERM)
    # The server raises a signal again when it is done with it: nothing is left to do then.
    before = {one: signal.signal(one, lambda *_: None) for one in ends}
    try:
        server.run(sockets=[listening])
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def mcp(target: shell.Target) -> None:
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
            shell.finish_work(memory)
