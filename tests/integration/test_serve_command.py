"""`chatmem serve`, as a process, and `chatmem keys`."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.doors import Chatmem, Done, first_said, piped

CHATMEM = str(Path(sys.executable).with_name("chatmem"))
Start = Callable[..., tuple[subprocess.Popen[str], dict[str, Any]]]


@pytest.fixture
def start(chatmem: Chatmem, data: Path) -> Iterator[Start]:
    """Starts a server and waits until it says where it listens."""
    running: list[subprocess.Popen[str]] = []

    def begin(*arguments: str) -> tuple[subprocess.Popen[str], dict[str, Any]]:
        process = piped(CHATMEM, "serve", "--port", "0", "--json", "--data", str(data), *arguments)
        running.append(process)
        return process, first_said(process, lambda: process.communicate(timeout=20)[1])

    yield begin
    for process in running:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=20)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_a_signal_and_keeps_what_was_acknowledged(
    start: Start, chatmem: Chatmem, ending: signal.Signals
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
    assert "Keeps bees" in chatmem("search", "bees", "--json").out


def begun(server: subprocess.Popen[str]) -> int:
    """The id of the next process of a server that says that it begins."""
    for line in server.stderr or ():
        message = str(json.loads(line)["message"])
        if message.startswith("Started server process"):
            return int(message.partition("[")[2].rstrip("]"))
    raise AssertionError("none began")


@pytest.mark.skipif(not hasattr(socket, "SO_REUSEPORT"), reason="no ports that are shared")
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_several_processes_answer_as_one_and_end_together(
    start: Start, data: Path, ending: signal.Signals
) -> None:
    process, said = start("--processes", "2")
    url, pids = said["url"], {begun(process), begun(process)}
    sent: dict[str, Any] = {"json": {"content": "Keeps bees"}, "headers": {"idempotency-key": "1"}}
    assert len({httpx.post(f"{url}/api/memory", **sent).json()["id"] for _ in range(20)}) == 1
    time.sleep(0.1)  # what was answered is counted then
    counted = 'chatmem_requests_total{method="POST",route="other",status="201"} 19.0'  # replayed
    assert counted in httpx.get(f"{url}/metrics").text
    assert httpx.get(f"{url}/ui").status_code == 404
    second = [CHATMEM, "serve", "--processes", "2", "--port", url[-5:], "--data", str(data)]
    assert b"already in use" in subprocess.run(second, capture_output=True, check=False).stderr

    (other,) = pids - {process.pid}
    os.kill(other, signal.SIGKILL)
    assert begun(process) not in pids
    assert all(httpx.get(f"{url}/api/memory/search?q=bees").json()["results"] for _ in range(9))
    process.send_signal(ending)
    process.communicate(timeout=60)  # all that write there have ended
    with pytest.raises(httpx.ConnectError):
        httpx.get(url)


def test_where_it_cannot_listen_it_says_why(chatmem: Chatmem) -> None:
    """Without keys, to this machine only; and where somebody else listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        for host, wanted, told in (
            ("0.0.0.0", "0", "chatmem keys create"),
            ("::", "0", "chatmem keys create"),
            ("no.such.host.invalid", "0", "no.such.host.invalid"),
            ("127.0.0.1", port, port),
        ):
            done = chatmem("serve", "--host", host, "--port", wanted)
            assert (done.code, done.out) == (1, "")
            assert told in done.err
            assert "Traceback" not in done.err


def test_with_keys_it_listens_until_a_key_is_revoked(start: Start, chatmem: Chatmem) -> None:
    made = chatmem("keys", "create", "美", "--json").json
    chatmem("keys", "create", "tom")
    _, said = start("--host", "0.0.0.0")
    assert said["keys"] is True
    stats = said["url"].replace("0.0.0.0", "127.0.0.1") + "/api/memory/stats"
    headers = {"authorization": f"Bearer {made['key']}", "host": "memory.example"}
    assert httpx.get(stats).status_code == 401
    assert httpx.get(stats, headers=headers).json()["user_id"] == "美"
    assert chatmem("keys", "revoke", made["id"]).code == 0
    assert httpx.get(stats, headers=headers).status_code == 401


def test_keys_are_shown_once(chatmem: Chatmem, data: Path) -> None:
    made = chatmem("keys", "create", "mei", "--json").json
    assert set(made) == {"id", "key", "user"}
    assert made["user"] == "mei"
    admin = chatmem("keys", "create", "root", "--admin", "--json").json

    listed = chatmem("keys", "list", "--json")
    assert made["key"] not in listed.out
    found = {one["id"]: one for one in listed.json}
    assert (found[made["id"]]["user"], found[made["id"]]["admin"]) == ("mei", False)
    assert found[admin["id"]]["admin"] is True
    assert made["key"].encode() not in (data / "chatmem.db").read_bytes()

    assert chatmem("keys", "revoke", made["id"]).code == 0
    again = chatmem("keys", "revoke", made["id"])
    assert again.code == 1
    assert "chatmem keys list" in again.err
    assert "revoked" in chatmem("keys").out


def test_a_place_with_all_keys_revoked_stays_closed_until_it_is_opened(chatmem: Chatmem) -> None:
    made = chatmem("keys", "create", "mei", "--json").json
    refused = chatmem("keys", "open")
    assert refused.code == 1
    assert "revoke" in refused.err

    assert "chatmem keys open" in chatmem("keys", "revoke", made["id"]).err
    assert chatmem("keys", "open", "--json").json == {"keys": False}
    assert "there are no keys" in chatmem("keys", "list").err


def test_what_keys_does_not_understand(chatmem: Chatmem) -> None:
    for wrong in ("create", "revoke", "list mei", "open mei", "revoke x --admin", "break x"):
        assert chatmem("keys", *wrong.split()).code == 2, wrong


CLOSED = """
import sys
sys.modules["chatmem.engine"] = None  # who opens the folder itself fails
from chatmem.interfaces.cli import main
main()
"""


def asked(*arguments: str) -> Done:
    """What a process says that cannot open a memory itself."""
    command = [sys.executable, "-c", CLOSED, *arguments]
    done = subprocess.run(command, input="Keeps ducks", capture_output=True, text=True, timeout=60)
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.skipif(sys.platform == "win32", reason="its Python has no such sockets")
def test_commands_on_its_folder_are_carried_out_by_a_server(
    start: Start, chatmem: Chatmem, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, _ = start()
    door = data / "chatmem.sock"
    assert stat.S_IMODE(door.stat().st_mode) == 0o600
    mine = asked("remember", "养蜜蜂 Keeps bees", "--json").json["id"]
    asked("remember", "Keeps goats", "--user", "tom")
    for command in (
        ("search", "bees"),
        ("--json", "search", "蜜蜂", "--user", "tom"),
        ("list", "--data", str(data), "--user", "tom"),
        ("forget", mine, "--yes", "--user", "tom"),
        ("context", "hello", "--user", "nobody", "--receipt"),
        ("list", "--limit", "0"),
    ):
        assert asked(*command) == chatmem(*command), command

    # What needs the process that asks, or another memory, is not done there.
    Path("note.txt").write_text("about goats", "utf-8")
    for own in (
        ("context", "hello", "--rag", "note.txt"),
        ("remember", "-"),
        ("forget", mine),
        ("list", "--data", "other"),
        ("list", "--database", "postgresql://h/d"),
        ("stats",),
    ):
        assert "chatmem.engine" in asked(*own).err, own
    with monkeypatch.context() as changed:
        changed.setenv("MEMORY_RETRIEVAL_LIMIT", "3")
        assert asked("list").code == 1

    process.kill()
    process.wait(20)
    assert door.exists() and asked("list").code == 1
    assert chatmem("list").out.count("Keeps") == 1
    process, _ = start()
    assert "Keeps bees" in asked("list").out
    process.terminate()
    process.wait(30)
    assert not door.exists()
