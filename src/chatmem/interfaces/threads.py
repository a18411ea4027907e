"""Threads for the server's calls into the core.

A call computes, and Python runs one thread at a time: with 32 connections, 40 threads (anyio's
default) answered 49 searches a second, 2 threads 137. What waits has threads of its own: writes,
for locks, and whoever watches the server. Calls to a model's server are awaited.

A user's calls queue up behind one another, and the first of each queue wait for a thread in the
order in which they came: users take turns, however many calls one of them sends.
"""

import asyncio
import logging
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from functools import lru_cache, partial
from typing import Final, ParamSpec, TypeVar

from anyio import CancelScope, Semaphore, to_thread
from anyio.lowlevel import RunVar

from chatmem.config import Settings

COMPUTING: Final = 3
"""With a store and an embedder in this process: one computes while the other reads; and one more,
which a user who is alone leaves free for the next to come."""
ALONE_S: Final = 10.0
"""A user has more than one thread of a kind where nobody else has called for so long."""
SWITCH_S: Final = 0.0005
WAITING: Final = 16
"""Where calls wait for another machine; a number of connections that a database can bear."""
WRITING: Final = 4
"""Writes take turns anyway; four users' folders may be locked before a fifth user notices."""

_MOST_USERS: Final = 10_000

P = ParamSpec("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)
_user: ContextVar[str | None] = ContextVar("chatmem_user", default=None)
_reading: RunVar["Threads"] = RunVar("chatmem_reading")
_writing: RunVar["Threads"] = RunVar("chatmem_writing")
_watching: RunVar["Threads"] = RunVar("chatmem_watching")


def threads_for(settings: Settings) -> int:
    """How many threads the core's calls get with these settings."""
    is_far = settings.database is not None or settings.embedder.openai_model is not None
    return WAITING if is_far else COMPUTING


def limit_threads(count: int) -> None:
    """Give the calls of this event loop so many threads; without this they have `WAITING`.

    A thread that comes back from the database waits for its turn `SWITCH_S`, not Python's 5 ms.
    """
    to_thread.current_default_thread_limiter().total_tokens = count
    _reading.set(Threads(count))
    sys.setswitchinterval(SWITCH_S)


@contextmanager
def working_for(user_id: str) -> Iterator[None]:
    """Calls of this task, and of those that it starts, are this user's inside."""
    token = _user.set(user_id)
    try:
        yield
    finally:
        _user.reset(token)


class Threads:
    """So many threads, and a queue of each user: anyio's would give the interpreter's lock away."""

    def __init__(self, count: int) -> None:
        self._pool = ThreadPoolExecutor(count, "chatmem")
        most, semaphore = max(1, count - 1), partial(Semaphore, fast_acquire=True)
        self._queues = lru_cache(_MOST_USERS)(lambda _: (semaphore(most), semaphore(1)))
        self._last_user = ""
        self._shared_until_s = float("-inf")

    async def run(self, call: Callable[[], T]) -> T:
        """What the call gives; it is among those of its user that may ask for a thread."""
        user_id = _user.get()
        async with nullcontext() if user_id is None else self._turn(user_id):
            start = asyncio.get_running_loop().run_in_executor
            with CancelScope(shield=True):
                answer = await start(self._pool, copy_context().run, call)
        return answer

    @asynccontextmanager
    async def _turn(self, user_id: str) -> AsyncIterator[None]:
        if self._last_user not in ("", user_id):
            self._shared_until_s = time.monotonic() + ALONE_S
        self._last_user = user_id
        when_alone, when_shared = self._queues(user_id)
        async with when_alone:
            is_shared = time.monotonic() < self._shared_until_s
            async with when_shared if is_shared else nullcontext():
                yield


async def run_reading(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """What the call gives, in a thread of those that compute."""
    return await _threads(_reading, WAITING).run(partial(call, *args, **kwargs))


async def run_writing(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """What the call gives, in a thread of those that may wait for a lock."""
    return await _threads(_writing, WRITING).run(partial(call, *args, **kwargs))


async def run_watching(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """What the call gives, in the thread for whoever watches the server."""
    return await _threads(_watching, 1).run(partial(call, *args, **kwargs))


async def run_beside(call: Callable[[], None]) -> None:
    """Run the call in a thread that is counted nowhere; what is wrong with it is in the log."""
    try:
        await Threads(1).run(call)
    except Exception as error:  # noqa: BLE001 - nobody waits for it, and the server goes on
        _log.warning("%s was not done (%s)", call.__name__, type(error).__name__)


def _threads(of_loop: RunVar[Threads], count: int) -> Threads:
    threads = of_loop.get(None) or Threads(count)
    of_loop.set(threads)
    return threads
