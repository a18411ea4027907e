"""A limit on silence: who reads from a connection is woken when nothing comes any more."""

import contextlib
import math
import socket
import threading
import time
from typing import Self

_CHECKS = 4
_LONGEST_TICK_SECONDS = 1.0


class Alarm:
    """Closes a socket for both sides once nothing was heard for too long.

    Another thread reads from it: its reading ends, and `expired` says why. Without a socket nothing
    happens but that.
    """

    def __init__(self, sock: object, first_seconds: float, between_seconds: float) -> None:
        """`first_seconds` is the first limit, `between_seconds` one that may be set later."""
        self.expired = False
        self.limit_seconds = first_seconds
        self._sock = sock if isinstance(sock, socket.socket) else None
        self._tick = min(first_seconds / _CHECKS, between_seconds / _CHECKS, _LONGEST_TICK_SECONDS)
        self._deadline = time.monotonic() + first_seconds
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="chatmem-alarm", daemon=True)

    def heard(self) -> None:
        """Something came: begin anew to wait."""
        self._deadline = time.monotonic() + self.limit_seconds

    def rest(self) -> None:
        """Wait for nothing, until `listen`."""
        self._deadline = math.inf

    def listen(self, limit_seconds: float) -> None:
        """Wait again, from now on, for this long."""
        self.limit_seconds = limit_seconds
        self.heard()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(self._tick):
            if time.monotonic() < self._deadline:
                continue
            self.expired = True
            if self._sock is not None:
                with contextlib.suppress(OSError):
                    # The plain one: that of a TLS socket is not for another thread.
                    socket.socket.shutdown(self._sock, socket.SHUT_RDWR)
            return
