"""The routers; `ROUTERS` are all of them, in the order of the documentation.

Names below `/api/memory` come before `/api/memory/{id}`: the first route that fits answers.
"""

from fastapi import APIRouter

from chatmem.interfaces.rest.routers import documents, memories, operation, search, sessions

ROUTERS: tuple[APIRouter, ...] = (
    memories.long_term,
    documents.router,
    search.router,
    operation.settings,
    operation.contents,
    memories.router,
    sessions.router,
    sessions.receipts,
    operation.router,
)
