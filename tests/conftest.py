"""What tests of every kind may ask for."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings
from tests.postgres_server import PostgresServer, running_server

Found = TypeVar("Found")
Program = subprocess.CompletedProcess[str]

# `make test` says the same each time, however slow the machine; `make fuzz` draws other examples,
# ten times as many: a test that wants fewer or more than a hundred says so by `examples`.
settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.register_profile("fuzz", max_examples=1_000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def examples(count: int) -> int:
    """That many, and ten times as many in `make fuzz`."""
    return count * settings().max_examples // 100


def some(found: Found | None) -> Found:
    """What was found; an AssertionError where it is None."""
    assert found is not None
    return found


def soon(found: Callable[[], object], seconds: float = 20) -> None:
    """Waits until it is true: something else, which does not tell of its end, is at work."""
    ends = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < ends, f"it did not come true within {seconds} s"
        time.sleep(0.01)


def run_python(code: str, *arguments: str) -> Program:
    """The program, run to its end in a process of its own."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def labelled(name: str) -> list[dict[str, Any]]:
    """The lines of one set of messages with what is to be made of them."""
    file = Path(__file__).parent / "data" / f"{name}.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """What tests that are coroutines run on."""
    return "asyncio"


@pytest.fixture(autouse=True)
def day_lasts() -> None:
    """None begins in the last half minute of a day: what is today then stays so until it ends."""
    now = datetime.now()
    if (now + timedelta(seconds=30)).date() != now.date():
        time.sleep(30)


@pytest.fixture
def nobody() -> Iterator[int]:
    """A port that refuses: it is taken, and nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield int(taken.getsockname()[1])


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server, started by the first test that asks for it."""
    with running_server() as server:
        yield server


@pytest.fixture
def postgres_address(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of a database of this test's own, with chatmem's tables and nothing in them."""
    address = postgres_server.fresh()
    yield address
    postgres_server.done_with(address)
