"""The application: routers, who may call them, and how errors look.

Source: interfaces.md (REST).
"""

from fastapi import FastAPI

from chatmem import __version__
from chatmem.engine.service import MemoryService
from chatmem.interfaces.rest.routers import ROUTERS


def create_app(memory: MemoryService) -> FastAPI:
    """The server over this memory, which stays its owner's to close."""
    app = FastAPI(title="chatmem", version=__version__)
    app.state.memory = memory
    for router in ROUTERS:
        app.include_router(router)
    return app
