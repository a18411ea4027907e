"""`chatmem serve` and `chatmem keys`, as processes."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

CHATMEM = str(Path(sys.executable).with_name("chatmem"))
Start = Callable[..., tuple[subprocess.Popen[str], dict[str, Any]]]


def chatmem(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [CHATMEM, *arguments, "--data", str(data)],
        env=_environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CHATMEM_")}
    return kept | {"CHATMEM_EMBEDDER": "none"}


@pytest.fixture
def start(data: Path) -> Iterator[Start]:
    """Starts a server and waits until it says where it listens."""
    running: list[subprocess.Popen[str]] = []

    def begin(*arguments: str) -> tuple[subprocess.Popen[str], dict[str, Any]]:
        process = subprocess.Popen(
            [CHATMEM, "serve", "--port", "0", "--json", "--data", str(data), *arguments],
            env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        running.append(process)
        assert process.stdout is not None
        said = ""
        while not said.endswith("}\n"):
            line = process.stdout.readline()
            assert line, process.communicate(timeout=20)[1]
            said += line
        return process, json.loads(said)

    yield begin
    for process in running:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=20)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_a_signal_and_keeps_what_was_acknowledged(
    start: Start, data: Path, ending: signal.Signals
) -> None:
    process, said = start()
    assert said["keys"] is False
    with httpx.Client(base_url=said["url"], timeout=20) as client:
        assert client.get("/readyz").status_code == 200
        assert client.post("/api/memory", json={"content": "养蜜蜂 Keeps bees"}).is_success
    process.send_signal(ending)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, "")
    assert "Traceback" not in err
    lines = [json.loads(line) for line in err.splitlines()]
    assert {"status": 201, "route": "/api/memory"}.items() <= next(
        one for one in lines if one.get("route") == "/api/memory"
    ).items()
    assert "Keeps bees" in chatmem(data, "search", "bees", "--json").stdout


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_without_keys_it_listens_to_this_machine_only(data: Path, host: str) -> None:
    done = chatmem(data, "serve", "--host", host, "--port", "0")
    assert done.returncode == 1
    assert "chatmem keys create" in done.stderr
    assert done.stdout == ""


def test_with_keys_it_listens_to_others(start: Start, data: Path) -> None:
    made = json.loads(chatmem(data, "keys", "create", "美", "--json").stdout)
    _, said = start("--host", "0.0.0.0")
    url = said["url"].replace("0.0.0.0", "127.0.0.1")
    assert said["keys"] is True
    headers = {"authorization": f"Bearer {made['key']}", "host": "memory.example"}
    assert httpx.get(f"{url}/api/memory/stats", headers=headers).json()["user_id"] == "美"
    assert httpx.get(f"{url}/api/memory/stats").status_code == 401


def test_a_key_that_is_revoked_elsewhere_counts_no_more(start: Start, data: Path) -> None:
    made = json.loads(chatmem(data, "keys", "create", "mei", "--json").stdout)
    chatmem(data, "keys", "create", "tom")
    _, said = start()
    with httpx.Client(base_url=said["url"], timeout=20) as client:
        client.headers["authorization"] = f"Bearer {made['key']}"
        assert client.get("/api/memory/stats").status_code == 200
        assert chatmem(data, "keys", "revoke", made["id"]).returncode == 0
        assert client.get("/api/memory/stats").status_code == 401


def test_a_port_that_is_taken_is_said_to_be(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = chatmem(data, "serve", "--port", str(port))
    assert done.returncode == 1
    assert str(port) in done.stderr
    assert "Traceback" not in done.stderr


def test_a_host_that_is_none_is_said_to_be(data: Path) -> None:
    done = chatmem(data, "serve", "--host", "no.such.host.invalid")
    assert done.returncode == 1
    assert "no.such.host.invalid" in done.stderr


def test_keys_are_shown_once(data: Path) -> None:
    made = json.loads(chatmem(data, "keys", "create", "mei", "--json").stdout)
    assert set(made) == {"id", "key", "user"}
    assert made["user"] == "mei"
    admin = json.loads(chatmem(data, "keys", "create", "root", "--admin", "--json").stdout)

    listed = chatmem(data, "keys", "list", "--json").stdout
    assert made["key"] not in listed
    found = {one["id"]: one for one in json.loads(listed)}
    assert (found[made["id"]]["user"], found[made["id"]]["admin"]) == ("mei", False)
    assert found[admin["id"]]["admin"] is True
    assert made["key"].encode() not in (data / "chatmem.db").read_bytes()

    assert chatmem(data, "keys", "revoke", made["id"]).returncode == 0
    again = chatmem(data, "keys", "revoke", made["id"])
    assert again.returncode == 1
    assert "chatmem keys list" in again.stderr
    assert "revoked" in chatmem(data, "keys").stdout


def test_a_place_whose_keys_are_all_revoked_stays_closed_until_it_is_opened(data: Path) -> None:
    made = json.loads(chatmem(data, "keys", "create", "mei", "--json").stdout)
    refused = chatmem(data, "keys", "open")
    assert refused.returncode == 1
    assert "revoke" in refused.stderr

    revoked = chatmem(data, "keys", "revoke", made["id"])
    assert "chatmem keys open" in revoked.stderr
    opened = chatmem(data, "keys", "open", "--json")
    assert json.loads(opened.stdout) == {"keys": False}
    assert "there are no keys" in chatmem(data, "keys", "list").stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("create",),
        ("revoke",),
        ("list", "mei"),
        ("open", "mei"),
        ("revoke", "x", "--admin"),
        ("break", "x"),
    ],
)
def test_what_keys_does_not_understand(data: Path, arguments: tuple[str, ...]) -> None:
    assert chatmem(data, "keys", *arguments).returncode == 2
