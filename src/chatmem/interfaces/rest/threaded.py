"""Routes whose handlers run in the threads that are meant for them."""

from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, Final

from fastapi.routing import APIRoute

from chatmem.interfaces.threads import run_writing

_READING: Final = frozenset({"GET", "HEAD"})


class Threaded(APIRoute):
    """A route; the handler of one that may write does not hold up those that read."""

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Any],
        **given: Any,  # noqa: ANN401 - FastAPI's, passed on
    ) -> None:
        may_write = not set(given.get("methods") or _READING) <= _READING
        if may_write and not iscoroutinefunction(endpoint):
            endpoint = _in_writing_thread(endpoint)
        super().__init__(path, endpoint, **given)


def _in_writing_thread(handler: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(handler)
    async def handle(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        return await run_writing(handler, *args, **kwargs)

    return handle
