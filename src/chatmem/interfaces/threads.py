"""Threads for the server's calls into the core.

A call computes, and Python runs one thread at a time: with 32 connections, 40 threads (anyio's
default) answered 49 searches a second, 2 threads 137. What waits has threads of its own: writes,
for locks, and whoever watches the server. Calls to a model's server are awaited.

A user's calls queue up behind one another. A thread that is done takes the next call of the queue
that has waited longest, without asking the event loop: users take turns, however many calls one of
them sends.
"""

import asyncio
import logging
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from functools import lru_cache, partial
from threading import Lock
from typing import Final, ParamSpec, TypeVar

from anyio import CancelScope, to_thread

from chatmem.config import Settings

COMPUTING: Final = 3
"""With a store and an embedder in this process; a user has one: while it embeds, the event loop
reads and sends, and two would only take turns."""
SWITCH_S: Final = 0.0005
WAITING: Final = 16
"""Where calls wait for another machine; a number of connections that a database can bear."""
WRITING: Final = 4
"""Writes take turns anyway; a user whose folder is locked waits with half of them."""

_MOST_USERS: Final = 10_000

P = ParamSpec("P")
T = TypeVar("T")
_log = logging.getLogger(__name__)
_user: ContextVar[str | None] = ContextVar("chatmem_user", default=None)


def threads_for(settings: Settings) -> int:
    """How many threads the core's calls get with these settings."""
    is_far = settings.database is not None or settings.embedder.openai_model is not None
    return WAITING if is_far else COMPUTING


def work_for(user_id: str) -> None:
    """From now on calls of this task, and of those that it starts, are this user's."""
    _user.set(user_id)


class _Queue(deque[Callable[[], None]]):
    """A user's calls, and how many threads they have."""

    running = 0


class Threads:
    """So many threads, half of them for a user; each takes one call after the other."""

    def __init__(self, count: int) -> None:
        self._queues = lru_cache(_MOST_USERS)(lambda _: _Queue())
        self._ready: deque[_Queue] = deque()
        self._lock = Lock()
        self.limit(count)

    def limit(self, count: int) -> None:
        """So many from now on."""
        self._pool = ThreadPoolExecutor(count, "chatmem")
        self._most = max(1, count // 2)

    async def run(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What the call gives, once it is its user's turn."""
        answer, user_id = Future[T](), _user.get()
        queue = _Queue() if user_id is None else self._queues(user_id)
        work = partial(copy_context().run, call, *args, **kwargs)
        with self._lock:
            queue.append(partial(_carry_out, answer, work))
            if queue.running < self._most:
                queue.running += 1
                self._ready.append(queue)
                self._pool.submit(self._work)
        with CancelScope(shield=True):
            found = await asyncio.wrap_future(answer)
        return found

    def _work(self) -> None:
        """Carry out calls, of each queue that is ready in turn, until one has none left."""
        while True:
            queue = self._ready.popleft()
            with self._lock:
                if not queue:
                    queue.running -= 1
                    return
                call = queue.popleft()
            call()
            self._ready.append(queue)


def _carry_out(answer: Future[T], work: Callable[[], T]) -> None:
    if answer.set_running_or_notify_cancel():
        try:
            answer.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where the call came from
            answer.set_exception(error)


_reading = Threads(WAITING)
run_reading = _reading.run
"""What the call gives, in a thread of those that compute."""
run_writing = Threads(WRITING).run
"""What the call gives, in a thread of those that may wait for a lock."""
run_watching = Threads(1).run
"""What the call gives, in the thread for whoever watches the server."""


def limit_threads(count: int) -> None:
    """Give the calls that compute so many threads; without this they have `WAITING`.

    A thread that comes back from the database waits for its turn `SWITCH_S`, not Python's 5 ms.
    """
    to_thread.current_default_thread_limiter().total_tokens = count
    _reading.limit(count)
    sys.setswitchinterval(SWITCH_S)


async def run_beside(call: Callable[[], None]) -> None:
    """Run the call in a thread that is counted nowhere; what is wrong with it is in the log."""
    try:
        await Threads(1).run(call)
    except Exception as error:  # noqa: BLE001 - nobody waits for it, and the server goes on
        _log.warning("%s was not done (%s)", call.__name__, type(error).__name__)
