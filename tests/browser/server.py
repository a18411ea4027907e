"""The real server in a process of its own, and the memory of one user on it."""

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
from tests.doors import by_words, first_said

from chatmem import MemoryService

USER_HEADER: Final = "X-Chatmem-User"
_CHATMEM: Final = str(Path(sys.executable).with_name("chatmem"))
_OURS: Final = ("CHATMEM_", "MEMORY_")
_SERIOUS: Final = frozenset({"error", "critical"})


@dataclass(frozen=True)
class Server:
    """`chatmem serve` on a free port of loopback, over a folder; `log` has what it logged."""

    url: str
    data: Path
    log: Path
    process: subprocess.Popen[str]

    def log_size(self) -> int:
        return self.log.stat().st_size

    def complaints(self, since: int) -> list[str]:
        """What it logged as an error, behind this size of the log."""
        with self.log.open("rb") as file:
            file.seek(since)
            lines = file.read().decode("utf-8", "replace").splitlines()
        return [line for line in lines if _is_serious(line)]


@dataclass(frozen=True)
class Served:
    """One user of a server.

    `memory` is the same memory, opened by the test's own process: what it writes, the page shows,
    and what the page writes, it finds. `url` is the server's, `page_url` where the page begins.
    """

    server: Server
    user: str
    memory: MemoryService

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def page_url(self) -> str:
        return f"{self.server.url}/ui"

    @property
    def data(self) -> Path:
        return self.server.data

    @property
    def folder(self) -> Path:
        """Of the user's Markdown files: `MEMORY.md`, `daily/`."""
        return self.server.data / "prompts" / "memory" / "users" / self.user

    def rest(self) -> httpx.Client:
        """The REST interface, as this user."""
        return httpx.Client(base_url=self.url, headers={USER_HEADER: self.user}, timeout=20)


@contextmanager
def serve(folder: Path, environment: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A server over `folder/data`, by keywords alone unless the environment says otherwise."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    given = kept | {"CHATMEM_EMBEDDER": "none"} | dict(environment or {})
    data, log = folder / "data", folder / "server.log"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [_CHATMEM, "serve", "--port", "0", "--json", "--data", str(data)],
            cwd=folder, env=given, stdout=subprocess.PIPE, stderr=errors, text=True,
        )  # fmt: skip
    try:
        why = lambda: log.read_text("utf-8", "replace")[-2000:]  # noqa: E731
        yield Server(first_said(process, why)["url"], data, log, process)
    finally:
        process.terminate()
        try:
            process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate(timeout=20)


@contextmanager
def user_of(server: Server, user: str | None = None) -> Iterator[Served]:
    """A user whom nobody had before, unless one is named."""
    name = user or f"u{uuid.uuid4().hex[:10]}"
    with by_words(server.data, name, scan_interval_seconds=0.0) as memory:
        yield Served(server, name, memory)


def _is_serious(line: str) -> bool:
    if "JavaScript did not respond" in line:  # the window was gone before it could
        return False
    if 'tasks within timeout:"' in line:  # and names none of them: all ended on a busy machine
        return False
    try:
        return json.loads(line).get("level") in _SERIOUS
    except (ValueError, AttributeError):
        return bool(line.strip()) and "Traceback" in line
