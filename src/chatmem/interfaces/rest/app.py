"""The application: what every request passes, the routers, and how errors look.

From outside in: id and time (`watch`), compression, who asks (`identity`), limits, idempotency, a
router. Source: interfaces.md (REST).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from anyio import create_task_group
from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from chatmem import __version__
from chatmem.engine.service import MemoryService
from chatmem.interfaces.mcp.server import McpRoute
from chatmem.interfaces.openai.router import router as openai_router
from chatmem.interfaces.openai.upstream import Connections
from chatmem.interfaces.problems import HANDLERS
from chatmem.interfaces.rest.idempotency import Idempotent
from chatmem.interfaces.rest.identity import Identify
from chatmem.interfaces.rest.limits import BODY_SECONDS, Limits
from chatmem.interfaces.rest.openapi import describe
from chatmem.interfaces.rest.page_sessions import PageSessions
from chatmem.interfaces.rest.routers import documents, memories, operation, sessions
from chatmem.interfaces.rest.watch import Metrics, Watch
from chatmem.interfaces.threads import limit_threads, run_beside, threads_for

_ROUTERS: Final = (
    memories.long_term,
    # Names below `/api/memory` come before `/api/memory/{id}`: the first route that fits answers.
    documents.router,
    memories.searches,
    operation.settings,
    operation.contents,
    operation.users,
    memories.router,
    sessions.router,
    sessions.receipts,
    openai_router,
    operation.router,
)
_ABOUT = "Memory for chat applications and agents. Times are UTC; errors are problem details."
_GZIP_FROM_BYTES = 1_024
_GZIP_LEVEL = 5
_NO_TELEMETRY: Final[Any] = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "auto_configure": False,
}


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
        app.include_router(router)
    app.router.routes.append(mcp)
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    return app
