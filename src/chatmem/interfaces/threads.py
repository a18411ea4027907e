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
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from functools import lru_cache, partial
from threading import Lock
from typing import Any, Final, ParamSpec, TypeVar, cast

from anyio import CancelScope, to_thread
from anyio.lowlevel import RunVar

from chatmem.config import Settings

COMPUTING: Final = 2
"""With a store and an embedder in this process: one computes, while the event loop reads and sends;
and one more, which a user who is alone leaves free for the next to come."""
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


@dataclass(slots=True)
class _Queue:
    """A user's calls, and how many threads are on them."""

    calls: deque[Callable[[], None]] = field(default_factory=deque)
    running: int = 0


class Threads:
    """So many threads, and a queue of each user; one that is done takes the next call at once."""

    def __init__(self, count: int) -> None:
        self._pool = ThreadPoolExecutor(count, "chatmem")
        self._count = count
        self._queues = lru_cache(_MOST_USERS)(lambda _: _Queue())
        self._lock = Lock()
        self._waiting = 0
        self._last_user = ""
        self._shared_until_s = float("-inf")

    async def run(self, call: Callable[[], T]) -> T:
        """What the call gives, which is carried out even if nobody waits for it any more."""
        user_id, loop = _user.get(), asyncio.get_running_loop()
        most, context, answer = self._most(user_id), copy_context(), loop.create_future()

        def give(into: Callable[[Any], object], value: object) -> None:
            with suppress(RuntimeError):  # the loop was closed
                loop.call_soon_threadsafe(lambda: answer.done() or into(value))

        def carry_out() -> None:
            try:
                found = context.run(call)
            except BaseException as error:  # noqa: BLE001 - it is raised where the call came from
                give(answer.set_exception, error)
            else:
                give(answer.set_result, found)

        queue = self._queues(user_id)
        with self._lock:
            queue.calls.append(carry_out)
            if queue.running < most:
                queue.running += 1
                self._begin(queue)
        with CancelScope(shield=True):
            await answer
        return cast("T", answer.result())

    def _most(self, user_id: str | None) -> int:
        """How many threads may be on the user's calls now; without a user all."""
        if user_id is None:
            return self._count
        if self._last_user not in ("", user_id):
            self._shared_until_s = time.monotonic() + ALONE_S
        self._last_user = user_id
        return 1 if time.monotonic() < self._shared_until_s else max(1, self._count - 1)

    def _begin(self, queue: _Queue) -> None:
        self._waiting += 1
        self._pool.submit(self._work, queue)

    def _work(self, queue: _Queue) -> None:
        """Carry out a queue's calls until none is left, or another queue waits for a thread."""
        is_first = True
        while True:
            with self._lock:
                self._waiting -= is_first
                if not queue.calls:
                    queue.running -= 1
                    return
                if self._waiting and not is_first:
                    self._begin(queue)
                    return
                call = queue.calls.popleft()
            is_first = False
            call()


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
    threads = of_loop.get(None)
    if threads is None:
        of_loop.set(threads := Threads(count))
    return threads
