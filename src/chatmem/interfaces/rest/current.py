"""Whose memory a request is about: handlers ask for `Current` and for nothing else."""

from typing import Annotated

from fastapi import Depends, Request

from chatmem.engine.service import MemoryService


async def current_memory(request: Request) -> MemoryService:
    """The memory of the user that the request stands for, as `identity` has found it.

    Not a plain function: that would cost each request another thread.
    """
    memory: MemoryService = request.state.memory
    return memory


Current = Annotated[MemoryService, Depends(current_memory)]
