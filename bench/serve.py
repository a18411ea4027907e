"""Load on the server over loopback, and a long run of turns: rates, latencies, memory.

    python bench/serve.py [--seconds 30] [--connections 32] [--rows 10000] [--turns 20000]

Needs `wrk` for the load. The rate of a search is put beside the rate of the same call in a bare
loop in one process, over the same data.
"""

import argparse
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from chatmem import MemoryService
from chatmem.interfaces.cli.bench.corpus import messages, questions

QUESTIONS = 50
_RATE = re.compile(r"Requests/sec:\s+([\d.]+)")
_LATENCY = re.compile(r"(50|99)%\s+([\d.]+)(us|ms|s)")
_TO_MS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


@contextmanager
def server(folder: Path) -> Iterator[tuple[str, int]]:
    """A server process on a free port: its address and process id."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    begun = subprocess.Popen(
        [
            str(Path(sys.executable).with_name("chatmem")),
            *("serve", "--data", str(folder), "--port", str(port)),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    began = time.perf_counter()
    try:
        while True:
            try:
                if httpx.get(f"{address}/readyz", timeout=1).status_code == httpx.codes.OK:
                    break
            except httpx.HTTPError:
                time.sleep(0.02)
            if begun.poll() is not None or time.perf_counter() - began > 60:
                raise RuntimeError("the server did not start")
        print(f"start to /readyz: {time.perf_counter() - began:.2f} s")
        yield address, begun.pid
    finally:
        begun.terminate()
        begun.wait(30)


def fill(folder: Path, rows: int) -> None:
    """Bring made-up messages in, and learn from them."""
    with MemoryService.open(folder) as memory:
        memory.save_messages(messages(rows, 11))
        memory.wait_until_idle()


def bare_rate(folder: Path, seconds: float = 5.0) -> float:
    """Searches a second in a loop, in this process, over the questions that wrk asks."""
    with MemoryService.open(folder, background=False) as memory:
        wanted = questions(QUESTIONS, 21)
        for question in wanted:
            memory.search_memories(question)
        done, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            memory.search_memories(wanted[done % QUESTIONS])
            done += 1
        return done / (time.perf_counter() - began)


def script(kind: str, session: str) -> str:
    """What wrk sends: searches, contexts or turns, one question after the other."""
    quoted = ",".join(json.dumps(one, ensure_ascii=False) for one in questions(QUESTIONS, 21))
    head = f"local q = {{{quoted}}}\nlocal n = 0\n"
    head += "local function enc(s) return (s:gsub('[^%w]', function(c) "
    head += "return string.format('%%%02X', c:byte()) end)) end\n"
    head += "local function body(s) return (s:gsub('[\"\\\\]', '')) end\n"
    send = {
        "search": "return wrk.format('GET', '/api/memory/search?limit=10&q=' "
        ".. enc(q[n % #q + 1]))",
        "context": f"return wrk.format('POST', '/api/sessions/{session}/context', "
        "{['content-type']='application/json'}, "
        "'{\"message\":\"' .. body(q[n % #q + 1]) .. '\"}')",
        "turns": f"return wrk.format('POST', '/api/sessions/{session}/turns', "
        "{['content-type']='application/json'}, "
        "'{\"user\":\"' .. n .. ' ' .. body(q[n % #q + 1]) "
        '..  \'","assistant":"ok \' .. n .. \'"}\')',
    }[kind]
    return f"{head}function request()\n  n = n + 1\n  {send}\nend\n"


def load(address: str, kind: str, seconds: int, connections: int) -> None:
    """Rate, latencies and errors of one kind of request."""
    session = httpx.post(f"{address}/api/sessions").json()["session_id"]
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script(kind, session))
        file.flush()
        done = subprocess.run(
            ["wrk", "-t2", f"-c{connections}", f"-d{seconds}s", "--latency", "--timeout", "30s",
             "-s", file.name, address],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    rate = float(_RATE.search(done.stdout)[1])  # type: ignore[index]
    ms = {
        place: float(value) * _TO_MS[unit] for place, value, unit in _LATENCY.findall(done.stdout)
    }
    errors = [
        line.strip()
        for line in done.stdout.splitlines()
        if "Non-2xx" in line or "Socket errors" in line
    ]
    print(
        f"{kind}: {rate:,.0f}/s, p50 {ms['50']:.1f} ms, p99 {ms['99']:.1f} ms "
        f"({ms['99'] / ms['50']:.1f}x), {'; '.join(errors) or '0 errors'}"
    )


def soak(address: str, pid: int, turns: int) -> None:
    """Turns over 200 sessions, one after the other; the memory of the server."""
    at: list[tuple[int, float]] = []
    with httpx.Client(base_url=address, timeout=30) as client:
        for number in range(turns):
            sent = {"user": f"Message {number} about the garden", "assistant": f"Answer {number}"}
            client.post(f"/api/sessions/soak{number % 200}/turns", json=sent).raise_for_status()
            if (number + 1) % 2500 == 0:
                at.append((number + 1, _rss_mib(pid)))
    told = ", ".join(f"{number}: {rss:.0f}" for number, rss in at)
    print(f"soak, RSS in MiB after so many turns: {told}")


def _rss_mib(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


def main() -> int:
    """Fill, serve, load, soak."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=20_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder, given.rows)
        if shutil.which("wrk") is None:
            print("wrk is not installed (Debian: apt install wrk): no load")
        else:
            print(f"search in a bare loop: {bare_rate(folder):,.0f}/s")
        with server(folder) as (address, pid):
            for kind in ("search", "context", "turns") if shutil.which("wrk") else ():
                load(address, kind, given.seconds, given.connections)
            if given.turns:
                soak(address, pid, given.turns)
    return 0


if __name__ == "__main__":
    sys.exit(main())
