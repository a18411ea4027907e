"""A server on a free port of loopback, for the tests of its edge."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx
from fastapi import FastAPI

from chatmem import MemoryService
from chatmem.interfaces.rest.app import create_app
from chatmem.interfaces.rest.limits import BODY_SECONDS
from chatmem.interfaces.rest.server import listen, server_for, url_of


@dataclass(frozen=True)
class Served:
    memory: MemoryService
    url: str
    port: int
    app: FastAPI

    def client(self, key: str | None = None, **headers: str) -> httpx.Client:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if key is not None:
            given["authorization"] = f"Bearer {key}"
        return httpx.Client(base_url=self.url, headers=given, timeout=20)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)


@contextmanager
def served(
    memory: MemoryService,
    *,
    head_seconds: float = 10.0,
    extend: Callable[[FastAPI], None] | None = None,
    body_seconds: float = BODY_SECONDS,
    threads: int | None = None,
) -> Iterator[Served]:
    app = create_app(memory, body_seconds=body_seconds, threads=threads)
    if extend is not None:
        extend(app)
    with listen("127.0.0.1", 0, has_keys=memory.keys.are_needed()) as listening:
        server = server_for(app, head_seconds)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        until = time.monotonic() + 20
        while not server.started and time.monotonic() < until:
            time.sleep(0.01)
        try:
            yield Served(memory, url_of(listening), listening.getsockname()[1], app)
        finally:
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive()
