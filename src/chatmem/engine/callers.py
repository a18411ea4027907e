"""Callers come first: background work waits while one is here.

Python runs one thread at a time, so work that nobody waits for makes everybody slower. A thread
that works in the background says so once (`work_behind`), and asks between its steps whether it may
go on (`make_way`); what it calls itself does not count as a caller.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

QUIET_S: Final = 0.05
MOST_WAIT_S: Final = 1.0
"""A step waits until no caller was seen for QUIET_S, but not for ever."""


class Callers:
    """When a caller was last seen, by the monotonic clock, and who waits for that."""

    def __init__(self) -> None:
        self._seen_s = float("-inf")
        self._thread = threading.local()

    def note(self) -> None:
        """A caller is here, unless this thread works in the background."""
        if self._stop is None:
            self._seen_s = time.monotonic()

    def make_way(self) -> None:
        """Let callers finish; returns at once in a thread that is no background work's.

        Nothing that a caller may need is to be held meanwhile: no lock, no transaction.
        """
        stop = self._stop
        if stop is None:
            return
        until = time.monotonic() + MOST_WAIT_S
        while time.monotonic() < until and not stop.is_set():
            quiet = self._seen_s + QUIET_S - time.monotonic()
            if quiet <= 0:
                return
            stop.wait(quiet)

    @property
    def must_stop(self) -> bool:
        """True in a thread of the background that is to end: long work ends between two steps."""
        return self._stop is not None and self._stop.is_set()

    @contextmanager
    def work_behind(self, stop: threading.Event) -> Iterator[None]:
        """This thread works in the background from here on; `stop` ends its waiting."""
        self._thread.stop = stop
        try:
            yield
        finally:
            self._thread.stop = None

    @property
    def _stop(self) -> threading.Event | None:
        found: threading.Event | None = getattr(self._thread, "stop", None)
        return found
