"""The application: what every request passes, the routers, how errors look, and where it listens.

From outside in: id and time (`watch`), compression, who asks (`identity`), limits, idempotency, a
router. The server waits only so long for a client that sends nothing. Source: interfaces.md (REST;
Identity: without keys on loopback only); `docs/security.md`.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import uvicorn
from anyio import create_task_group
from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from chatmem import __version__
from chatmem.engine.service import MemoryService
from chatmem.errors import InvalidInputError, StorageError
from chatmem.interfaces.mcp.server import McpRoute
from chatmem.interfaces.openai.router import router as openai_router
from chatmem.interfaces.openai.upstream import Connections
from chatmem.interfaces.problems import HANDLERS
from chatmem.interfaces.rest.identity import Identify, PageSessions, is_loopback
from chatmem.interfaces.rest.limits import BODY_SECONDS, Idempotent, Limits
from chatmem.interfaces.rest.openapi import describe
from chatmem.interfaces.rest.routers import documents, memories, operation, sessions
from chatmem.interfaces.rest.watch import Metrics, Watch
from chatmem.interfaces.threads import limit_threads, run_beside, threads_for

_ROUTERS: Final = (
    openai_router,  # what comes first is found soonest, and a person waits
    memories.searches,
    memories.long_term,
    # Names below `/api/memory` come before `/api/memory/{id}`: the first route that fits answers.
    documents.router,
    operation.settings,
    operation.contents,
    operation.users,
    memories.router,
    sessions.router,
    sessions.receipts,
    operation.router,
)
_ABOUT = "Memory for chat applications and agents. Times are UTC; errors are problem details."
_GZIP_FROM_BYTES = 1_024
_GZIP_LEVEL = 5
_NO_TELEMETRY: Final[Any] = dict.fromkeys(("tracing", "metrics", "logs", "auto_configure"), False)


def create_app(
    memory: MemoryService, *, body_seconds: float = BODY_SECONDS, threads: int | None = None
) -> FastAPI:
    """The server over this memory, which stays its owner's to close.

    `threads` call the core; the settings say how many where it is None.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        limit_threads(threads or threads_for(memory.settings))
        async with create_task_group() as tasks, mcp.serving():
            tasks.start_soon(run_beside, memory.warm_up)
            yield
        await connections.close()

    metrics = Metrics(memory)
    page_sessions = PageSessions(memory.keys)
    connections = Connections()
    mcp = McpRoute()
    app = FastAPI(
        title="chatmem",
        version=__version__,
        description=_ABOUT,
        # The usual pages fetch their scripts from elsewhere; this server needs nobody.
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        exception_handlers=HANDLERS,
        # Its own spans and logs have addresses as asked for, and the text of exceptions; ours are
        # in `watch`. Older versions of FastAPI have none and ignore this.
        telemetry=_NO_TELEMETRY,
        middleware=[
            Middleware(Watch, metrics=metrics),
            Middleware(GZipMiddleware, minimum_size=_GZIP_FROM_BYTES, compresslevel=_GZIP_LEVEL),
            Middleware(Identify, memory=memory, pages=page_sessions),
            Middleware(
                Limits, per_minute=memory.settings.server.rate_per_minute, body_seconds=body_seconds
            ),
            Middleware(Idempotent),
        ],
    )
    app.state.memory = memory
    app.state.metrics = metrics
    app.state.page_sessions = page_sessions
    app.state.model_connections = connections
    for router in _ROUTERS:
        app.router.routes.extend(router.routes)
    app.router.routes.append(mcp)
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    return app


HEAD_SECONDS: Final = 10.0
"""From the connection, or the first byte of a later request, to the end of a request's head."""
IDLE_SECONDS: Final = 15
SHUTDOWN_SECONDS: Final = 30
"""What requests at hand get when the server stops."""
_MOST_HEAD_BYTES: Final = 1 << 16
_MOST_CONNECTIONS: Final = 1_000
_BACKLOG: Final = 512


def listen(host: str, port: int, *, has_keys: bool, joins: bool = False) -> socket.socket:
    """A socket that listens there, beside others that share the port if it `joins`; 0: a free one.

    Raises:
        InvalidInputError: no such host, or others can reach it and there are no keys.
        StorageError: the port is taken, or may not be used.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise InvalidInputError(f"server.host: {host!r} is no address here ({error})") from error
    if not has_keys and not all(is_loopback(str(address[0])) for *_, address in found):
        raise InvalidInputError(
            f"server.host: {host} can be reached by other machines, and there are no keys: make "
            "one with `chatmem keys create USER`, or listen on 127.0.0.1"
        )
    family, *_, address = found[0]
    try:
        is_dual = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
        return socket.create_server(
            address, family=family, backlog=_BACKLOG, reuse_port=joins, dualstack_ipv6=is_dual
        )
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise StorageError(
            f"cannot listen on {host} port {port}: {reason}; choose another with --port"
        ) from error


def url_of(listener: socket.socket) -> str:
    """The address as a browser takes it."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def server_for(app: Any, head_seconds: float = HEAD_SECONDS) -> uvicorn.Server:  # noqa: ANN401
    """A server of this application, with limits; it logs nothing by itself."""
    config = uvicorn.Config(
        app,
        http=type("Http", (_PatientProtocol,), {"patience_seconds": head_seconds}),
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        # Who asks is who is connected: an address in a header can be anybody's invention.
        proxy_headers=False,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        limit_concurrency=_MOST_CONNECTIONS,
    )
    return uvicorn.Server(config)


class _PatientProtocol(HttpToolsProtocol):
    """HTTP/1.1 whose heads have to arrive in time, and be short: uvicorn itself takes any."""

    patience_seconds = HEAD_SECONDS
    _head_timer: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head_timer is not None:
            self._head_bytes += len(data)
            if self._head_bytes > _MOST_HEAD_BYTES:
                self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._await_head()

    def on_headers_complete(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
        self._head_timer, self._head_bytes = None, 0
        super().on_headers_complete()

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(self.patience_seconds, self.transport.close)
