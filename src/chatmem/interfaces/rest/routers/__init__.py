"""One router for each resource; `ROUTERS` are all of them, in the order of the documentation.

Names below `/api/memory` come before `/api/memory/{id}`: the first route that fits answers.
"""

from fastapi import APIRouter

from chatmem.interfaces.rest.routers import (
    config,
    documents,
    long_term,
    memories,
    receipts,
    search,
    sessions,
    stats_export,
)

ROUTERS: tuple[APIRouter, ...] = (
    long_term.router,
    documents.router,
    search.router,
    config.router,
    stats_export.router,
    memories.router,
    sessions.router,
    receipts.router,
)
