"""Whose memory a request is about: handlers ask for `Current`, and who may do what concerns all."""

from typing import Annotated

from fastapi import Depends, HTTPException, Request

from chatmem.engine.service import MemoryService


async def current_memory(request: Request) -> MemoryService:
    """The memory of the user that the request stands for, as `identity` has found it.

    Not a plain function: that would cost each request another thread.
    """
    memory: MemoryService = request.state.memory
    return memory


Current = Annotated[MemoryService, Depends(current_memory)]


async def check_operator(request: Request) -> None:
    """Nothing, for whoever runs the server: an admin's key, or no key where none is needed.

    Raises:
        HTTPException: 403 for everybody else.
    """
    if not request.state.is_operator:
        raise HTTPException(403, "this concerns everybody on the server: it takes an admin's key")


ForOperators = Depends(check_operator)
