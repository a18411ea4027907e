"""A synchronous object whose methods are awaited: they run in threads, the event loop goes on.

class AsyncJobs(Behind[Jobs]):
    list = awaited(Jobs.list)      # parameters, result and docstring are those of `Jobs.list`
"""

from collections.abc import Callable, Coroutine
from functools import partial, wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from anyio import to_thread

T = TypeVar("T")
P = ParamSpec("P")
R = TypeVar("R")


class Behind(Generic[T]):
    """What stands before a synchronous object and takes its calls."""

    def __init__(self, wrapped: T) -> None:
        self._wrapped = wrapped


def awaited(
    method: Callable[Concatenate[T, P], R],
) -> Callable[Concatenate[Behind[T], P], Coroutine[Any, Any, R]]:
    """The method as a coroutine, run in a thread of anyio's; a call that began is finished."""

    @wraps(method)
    async def call(self: Behind[T], /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await to_thread.run_sync(partial(method, self._wrapped, *args, **kwargs))

    return call
