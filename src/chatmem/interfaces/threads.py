"""Threads for the server's calls into the core.

A call computes, and Python runs one thread at a time: with 32 connections, 40 threads (anyio's
default) answered 49 searches a second, 2 threads 137. What waits has threads of its own: writes,
for locks, and whoever watches the server. Calls to a model's server are awaited.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Final, ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar

from chatmem.config import Settings

COMPUTING: Final = 2
"""With a store and an embedder in this process: one computes while the other reads."""
WAITING: Final = 16
"""Where calls wait for another machine; a number of connections that a database can bear."""
WRITING: Final = 4
"""Writes take turns anyway; four users' folders may be locked before a fifth user notices."""

P = ParamSpec("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)
_writing: RunVar[CapacityLimiter] = RunVar("chatmem_writing")
_watching: RunVar[CapacityLimiter] = RunVar("chatmem_watching")


def threads_for(settings: Settings) -> int:
    """How many threads the core's calls get with these settings."""
    is_far = settings.database is not None or settings.embedder.openai_model is not None
    return WAITING if is_far else COMPUTING


def limit_threads(count: int) -> None:
    """Give the calls of this event loop so many threads; without this they have anyio's 40."""
    to_thread.current_default_thread_limiter().total_tokens = count


async def run_writing(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """What the call gives, in a thread of those that may wait for a lock."""
    limiter = _limiter(_writing, WRITING)
    return await to_thread.run_sync(partial(call, *args, **kwargs), limiter=limiter)


async def run_watching(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """What the call gives, in the thread for whoever watches the server."""
    limiter = _limiter(_watching, 1)
    return await to_thread.run_sync(partial(call, *args, **kwargs), limiter=limiter)


async def run_beside(call: Callable[[], None]) -> None:
    """Run the call in a thread that is counted nowhere; what is wrong with it is in the log."""
    try:
        await to_thread.run_sync(call, limiter=CapacityLimiter(1))
    except Exception as error:  # noqa: BLE001 - nobody waits for it, and the server goes on
        _log.warning("%s was not done (%s)", call.__name__, type(error).__name__)


def _limiter(of_loop: RunVar[CapacityLimiter], count: int) -> CapacityLimiter:
    limiter = of_loop.get(None) or CapacityLimiter(count)
    of_loop.set(limiter)
    return limiter
