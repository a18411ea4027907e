"""Nothing is connected to but the configured addresses: commands, imports, server and page.

And nothing is kept to be sent later.

A hook in every Python process notes each address, and so does the system, where `strace` may look.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from platformdirs import user_cache_path
from tests.chat_model_server import ChatModelServer
from tests.doors import serving

CHATMEM = str(Path(sys.executable).with_name("chatmem"))
HOOK = """
import os, sys

def note(event, given):
    if event in ("socket.connect", "socket.sendto"):
        tell(given[1])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        tell((given[0], "name"))

def tell(address):
    if isinstance(address, tuple):
        with open(os.environ["ADDRESSES_SEEN"], "a") as file:
            file.write(f"{address[0]} {address[1]}\\n")

sys.addaudithook(note)
"""
CONNECTED = re.compile(
    r"sin6?_port=htons\((?P<port>\d+)\).*?(?:inet_addr\(|AF_INET6, )\"(?P<host>[^\"]+)\""
)
ASKED = ("/readyz", "/openapi.json", "/api/memory/search?q=bees", "/api/memory/stats", "/metrics")
VIEWS = ("/", "/search?q=bees", "/browse", "/sessions", "/profile", "/prompt?message=bees",
         "/chat", "/overview", "/settings")  # fmt: skip


@cache
def can_trace() -> bool:
    """Whether there is a strace, and it is let look."""
    program = shutil.which("strace")
    return program is not None and not subprocess.run(
        [program, "-f", "-e", "trace=connect", "true"], capture_output=True, check=False
    ).returncode  # fmt: skip


@dataclass
class Guard:
    """A folder in which processes are started that tell what they connect to."""

    folder: Path
    model: ChatModelServer

    def __post_init__(self) -> None:
        hook = self.folder / "hook"
        hook.mkdir()
        hook.joinpath("sitecustomize.py").write_text(HOOK, "utf-8")
        self.seen_by_hook = self.folder / "seen.txt"
        kept = {name: one for name, one in os.environ.items() if not name.startswith("CHATMEM_")}
        paths = [str(hook), *filter(None, [os.environ.get("PYTHONPATH")])]
        self.caches = self.folder / "caches"
        self.caches.mkdir()
        self.caches.joinpath("chatmem").symlink_to(user_cache_path("chatmem"))
        self.environment = {
            **kept,
            "PYTHONPATH": os.pathsep.join(paths),
            "ADDRESSES_SEEN": str(self.seen_by_hook),
            "XDG_CACHE_HOME": str(self.caches),
            "CHATMEM_LLM_BASE_URL": self.model.base_url,
            "CHATMEM_LLM_MODEL": "small-model",
        }

    def command(self, *arguments: str) -> list[str]:
        """A command of ours, traced where that can be."""
        trace = str(self.folder / "trace.txt")
        calls = ("-e", "trace=connect,sendto", "-e", "signal=none")
        tracer = ["strace", "-D", "-f", "-A", "-qq", *calls, "-o", trace] if can_trace() else []
        return [*tracer, CHATMEM, *arguments]

    def run(self, *arguments: str) -> str:
        """What the command prints."""
        done = subprocess.run(
            self.command(*arguments), cwd=self.folder, env=self.environment, text=True,
            capture_output=True, timeout=180, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def addresses(self) -> set[tuple[str, str]]:
        """Every host and port that anything was sent to, or name that was asked for."""
        lines = self.seen_by_hook.read_text("utf-8").splitlines() if self.hooked else []
        found = {(host, port) for host, _, port in (line.partition(" ") for line in lines)}
        trace = self.folder / "trace.txt"
        if trace.exists():
            calls = CONNECTED.finditer(trace.read_text("utf-8", "replace"))
            found |= {(one["host"], one["port"]) for one in calls}
        return found

    @property
    def hooked(self) -> bool:
        return self.seen_by_hook.exists()


@pytest.fixture
def guard(own_folder: Path) -> Iterator[Guard]:
    with ChatModelServer("Good to know.") as model:
        yield Guard(own_folder, model)


def test_commands_and_imports_connect_to_nothing_but_the_model(guard: Guard) -> None:
    said = [{"role": "user", "content": "I keep bees"}, {"role": "assistant", "content": "Nice"}]
    guard.folder.joinpath("talk.json").write_text(json.dumps(said), "utf-8")
    del guard.environment["CHATMEM_LLM_BASE_URL"], guard.environment["CHATMEM_LLM_MODEL"]

    guard.run("import", "talk.json")
    assert "bees" in guard.run("search", "bees")
    for command in (("doctor",), ("context", "bees"), ("reindex",)):
        guard.run(*command)

    assert guard.addresses() == set()
    assert [one.name for one in guard.caches.iterdir()] == ["chatmem"]


def test_a_model_that_is_configured_is_all_that_a_chat_connects_to(guard: Guard) -> None:
    """And so the guard sees what there is to see."""
    assert "Good to know." in guard.run("chat", "I keep bees")

    assert guard.hooked
    trace = guard.folder / "trace.txt"
    assert not can_trace() or f"htons({guard.model.port})" in trace.read_text("utf-8")
    assert {(host, port) for host, port in guard.addresses() if port != "name"} == {
        ("127.0.0.1", str(guard.model.port))
    }
    assert {host for host, port in guard.addresses() if port == "name"} <= {"127.0.0.1"}


def test_the_server_and_its_page_connect_to_nothing_but_the_model(guard: Guard) -> None:
    command = guard.command("serve")
    with (
        serving(*command, cwd=guard.folder, env=guard.environment) as url,
        httpx.Client(base_url=url, timeout=60) as client,
    ):
        turn = {"user": "I keep bees", "assistant": "Nice"}
        assert client.post("/api/sessions/s1/turns", json=turn).is_success
        wish = {"message": "What do I keep?"}
        assert client.post("/api/sessions/s1/context", json=wish).is_success
        for address in (*ASKED, *(f"/ui{view}" for view in VIEWS)):
            assert client.get(address, headers={"accept": "text/html"}).is_success, address
        chat = {"messages": [{"role": "user", "content": "What do I keep?"}]}
        assert client.post("/v1/chat/completions", json=chat).is_success
    own_port = str(urlsplit(url).port)
    allowed = {("127.0.0.1", one) for one in (own_port, "name", str(guard.model.port))}
    assert ("127.0.0.1", str(guard.model.port)) in guard.addresses() <= allowed
