"""The public doors as tests go through them: commands, HTTP, a server on loopback."""

import io
import json
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient
from tests.chat_model_server import ChatModelServer
from tests.conftest import some, soon

from chatmem import MemoryService, Settings
from chatmem.engine.factory import make_embedder
from chatmem.interfaces.cli.app import run
from chatmem.interfaces.rest.app import create_app, listen, server_for, url_of
from chatmem.interfaces.rest.limits import BODY_SECONDS
from chatmem.testing import FakeClock

HERE = "http://127.0.0.1:8600"


@cache
def default_embedder() -> Any:  # noqa: ANN401 - whatever `embedder=` takes
    """The embedder of an installation without settings: its model is loaded once a session."""
    return make_embedder(Settings())


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of the test, without settings of anybody else."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def data(own_folder: Path) -> Path:
    """The data folder, as the settings name it."""
    return own_folder / "data"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def server() -> Iterator[ChatModelServer]:
    """A chat model behind a real address."""
    with ChatModelServer() as running:
        yield running


def by_words(
    place: Path | str,
    user_id: str = "default",
    *,
    background: bool = False,
    llm: Mapping[str, object] | None = None,
    **memory: Any,  # noqa: ANN401 - as many types as there are settings
) -> MemoryService:
    """A memory that goes by keywords alone; settings of `[memory]` as arguments."""
    settings = Settings(embedder={"name": "none"}, llm=dict(llm or {}), memory=memory)
    return MemoryService.open(place, user_id, settings=settings, background=background)


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """Each line of the output, as JSON."""
        return [json.loads(line) for line in self.out.splitlines()]


Chatmem = Callable[..., Done]


@pytest.fixture
def chatmem(
    own_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Chatmem:
    """Runs a command in the test's folder, without an embedder; `typed` is its standard input."""
    for name in [name for name in os.environ if name.startswith(("CHATMEM_", "MEMORY_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("CHATMEM_EMBEDDER", "none")

    def call(*arguments: str, typed: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = run(arguments)
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return call


def piped(*command: str, **more: Any) -> Popen[str]:  # noqa: ANN401 - as many types as it takes
    """A process that runs; its standard streams are pipes of text."""
    return Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True, **more)


def first_said(process: Popen[str], why: Callable[[], str]) -> Any:  # noqa: ANN401
    """The JSON that a process prints first; where it ends before, an AssertionError says why."""
    said = ""
    while not said.endswith("}\n"):
        line = some(process.stdout).readline()
        assert line, why()
        said += line
    return json.loads(said)


@contextmanager
def serving(*command: str, **more: Any) -> Iterator[str]:  # noqa: ANN401
    """The address of `chatmem serve` in a process of its own, which must not fail inside."""
    process = piped(*command, "--port", "0", "--json", **more)
    try:
        yield str(first_said(process, lambda: process.communicate(timeout=20)[1])["url"])
        process.terminate()
        assert "Traceback" not in process.communicate(timeout=60)[1]
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate(timeout=20)


@contextmanager
def client_of(
    memory: MemoryService, key: str | None = None, address: str = "127.0.0.1"
) -> Iterator[TestClient]:
    """A client of a server over the memory: on this machine, unless its address is another's."""
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    app, asked_from = create_app(memory), (address, 50_000)
    with TestClient(app, base_url=HERE, client=asked_from, headers=headers) as client:
        yield client


@pytest.fixture
def http(memory: MemoryService) -> Iterator[TestClient]:
    """A client of a server without keys."""
    with client_of(memory) as client:
        yield client


@dataclass(frozen=True)
class Served:
    """A running server over a memory."""

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
    """A server on a free port of loopback; `extend` may add routes to it."""
    app = create_app(memory, body_seconds=body_seconds, threads=threads)
    if extend is not None:
        extend(app)
    with listen("127.0.0.1", 0, has_keys=memory.keys.are_needed()) as listening:
        server = server_for(app, head_seconds)
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        try:
            soon(lambda: server.started)
            yield Served(memory, url_of(listening), listening.getsockname()[1], app)
        finally:
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive()
