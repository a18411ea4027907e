"""Load on the server over loopback, a long run of turns, and a start: beside what is wanted.

    python bench/serve.py [--seconds 30] [--connections 32] [--rows 10000] [--turns 20000]
        [--start-rows 100000] [--processes 1]

Needs `wrk` for the load. The rate of a search is put beside the rate of the same call in a bare
loop in one process, over the same data; and, for information, beside that of this loop while the
server answers what costs nothing, since a busy core slows its neighbours. The memory of the server
after a long run of turns is put beside that after the first `SETTLED_TURNS`. 0 rows or turns leave
a part out. Exit 1 where a target is missed.
"""

import argparse
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from threadpoolctl import threadpool_limits

from chatmem import MemoryService, Settings
from chatmem.lab.bench.corpus import messages, questions

QUESTIONS = 50
LEAST_OF_BARE = 0.6
MOST_P99_OF_P50 = 2.0
MOST_GROWTH = 0.10
MOST_START_SECONDS = 3.0
SETTLED_TURNS = 5_000
SESSIONS = 200
_STEP_TURNS = 2_500
_RATE = re.compile(r"Requests/sec:\s+([\d.]+)")
_LATENCY = re.compile(r"(50|99)%\s+([\d.]+)(us|ms|s)")
_TO_MS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


@dataclass(slots=True)
class Report:
    """What was found, line by line, and whether it is what is wanted."""

    is_good: bool = True
    lines: list[tuple[str, str, str, str]] = field(default_factory=list)

    def add(self, measure: str, found: str, wanted: str = "", *, good: bool = True) -> None:
        """One line; without `wanted` it is for information."""
        verdict = ("ok" if good else "MISSED") if wanted else ""
        self.lines.append((measure, found, wanted, verdict))
        self.is_good &= good
        print(f"  {measure}: {found}", flush=True)

    def show(self) -> None:
        """Print all of it."""
        print(f"\n{'measure':<34}{'found':>20}  {'wanted':<18}")
        for measure, found, wanted, verdict in self.lines:
            print(f"{measure:<34}{found:>20}  {wanted:<18}{verdict}".rstrip())


@contextmanager
def server(folder: Path, processes: int = 1) -> Iterator[tuple[str, int, float]]:
    """A server on a free port: its address, process id, and seconds until it was ready."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    begun = subprocess.Popen(
        [
            str(Path(sys.executable).with_name("chatmem")),
            *("serve", "--data", str(folder), "--port", str(port)),
            *("--processes", str(processes)),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    began_all = threading.Semaphore(0)

    def read() -> None:
        for line in begun.stderr or ():
            if "Application startup complete" in line:
                began_all.release()

    threading.Thread(target=read, daemon=True).start()
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
        seconds = time.perf_counter() - began
        for _ in range(processes):
            began_all.acquire(timeout=60)
        yield address, begun.pid, seconds
    finally:
        begun.terminate()
        try:
            begun.wait(30)
        except subprocess.TimeoutExpired:  # calls that it has taken are not at their end
            begun.kill()
            begun.wait()


def fill(folder: Path, rows: int, *, learn: bool = True) -> None:
    """Bring made-up messages in, index them, and, where wanted, learn from them."""
    settings = Settings(memory={"auto_extract": learn})
    with MemoryService.open(folder, settings=settings) as memory:
        memory.save_messages(messages(rows, 11))
        memory.wait_until_idle()


def bare_rate(folder: Path, seconds: float = 5.0) -> float:
    """Searches a second in a loop, in this process, over the questions that wrk asks."""
    with MemoryService.open(folder, background=False) as memory:
        threadpool_limits(1)  # as the command line does; several are slower here
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


def load(report: Report, address: str, kind: str, asked: argparse.Namespace) -> float:
    """The rate of one kind of request; rate, latencies and errors are reported."""
    session = httpx.post(f"{address}/api/sessions").json()["session_id"]
    httpx.get(f"{address}/api/memory/search", params={"q": "warm up"}, timeout=60)
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script(kind, session))
        file.flush()
        done = subprocess.run(
            ["wrk", "-t2", f"-c{asked.connections}", f"-d{asked.seconds}s", "--latency",
             "--timeout", "30s", "-s", file.name, address],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    rate = float(_RATE.search(done.stdout)[1])  # type: ignore[index]
    ms = {
        place: float(value) * _TO_MS[unit] for place, value, unit in _LATENCY.findall(done.stdout)
    }
    errors = [
        " ".join(line.split())
        for line in done.stdout.splitlines()
        if "Non-2xx" in line or "Socket errors" in line
    ]
    share = ms["99"] / ms["50"]
    report.add(f"{kind}, requests a second", f"{rate:,.0f}")
    report.add(f"{kind}, p50 / p99 in ms", f"{ms['50']:,.1f} / {ms['99']:,.1f}")
    report.add(
        f"{kind}, p99 / p50",
        f"{share:.1f}",
        f"<= {MOST_P99_OF_P50:g}",
        good=share <= MOST_P99_OF_P50,
    )
    report.add(f"{kind}, errors", "; ".join(errors) or "0", "0", good=not errors)
    return rate


def soak(report: Report, address: str, pid: int, turns: int) -> None:
    """Turns over many sessions, one after the other; the memory of the server."""
    at: dict[int, float] = {}
    with httpx.Client(base_url=address, timeout=30) as client:
        for number in range(1, turns + 1):
            sent = {"user": f"Message {number} about the garden", "assistant": f"Answer {number}"}
            session = f"soak{number % SESSIONS}"
            client.post(f"/api/sessions/{session}/turns", json=sent).raise_for_status()
            if number % _STEP_TURNS == 0 or number == turns:
                at[number] = _rss_mib(pid)
                report.add(f"RSS after {number:,} turns, MiB", f"{at[number]:.0f}")
    if turns <= SETTLED_TURNS:
        print(f"  no growth is told: it counts after {SETTLED_TURNS:,} turns")
        return
    growth = (
        max(rss for number, rss in at.items() if number > SETTLED_TURNS) / at[SETTLED_TURNS] - 1
    )
    report.add(
        f"growth after {SETTLED_TURNS:,} turns",
        f"{growth:+.1%}",
        f"<= {MOST_GROWTH:.0%}",
        good=growth <= MOST_GROWTH,
    )


def start(report: Report, rows: int) -> None:
    """Seconds from the command to `/readyz`, with so many rows."""
    with tempfile.TemporaryDirectory() as name:
        fill(Path(name), rows, learn=False)
        with server(Path(name)) as (_, _, seconds):
            report.add(
                f"start to /readyz, {rows:,} rows, s",
                f"{seconds:.2f}",
                f"<= {MOST_START_SECONDS:g}",
                good=seconds <= MOST_START_SECONDS,
            )


def _rss_mib(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


def main() -> int:
    """0 where every target that was measured is met."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=20_000)
    parser.add_argument("--start-rows", type=int, default=100_000)
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if asked.rows:
            measure(report, folder, asked)
        elif asked.turns:
            with server(folder) as (address, pid, _):
                soak(report, address, pid, asked.turns)
    if asked.start_rows:
        start(report, asked.start_rows)
    report.show()
    return 0 if report.is_good else 1


def measure(report: Report, folder: Path, asked: argparse.Namespace) -> None:
    """Fill, serve, load, soak."""
    fill(folder, asked.rows)
    has_wrk = shutil.which("wrk") is not None
    if has_wrk:
        bare = bare_rate(folder)
        report.add("search in a bare loop, a second", f"{bare:,.0f}")
    else:
        print("wrk is not installed (Debian: apt install wrk): no load", file=sys.stderr)
        report.add("load", "wrk is missing", "wrk", good=False)
    with server(folder, asked.processes) as (address, pid, _):
        if has_wrk:
            busy = subprocess.Popen(
                ["wrk", "-t1", "-c1", "-d6s", f"{address}/healthz"], stdout=subprocess.DEVNULL
            )
            beside = bare_rate(folder)
            busy.wait()
            report.add("bare loop beside a busy core", f"{beside:,.0f}")
            rate = load(report, address, "search", asked)
            report.add("search / bare loop, other core busy", f"{rate / beside:.0%}")
            report.add(
                "search / bare loop",
                f"{rate / bare:.0%}",
                f">= {LEAST_OF_BARE:.0%}",
                good=rate >= LEAST_OF_BARE * bare,
            )
            load(report, address, "context", asked)
            load(report, address, "turns", asked)
        if asked.turns:
            soak(report, address, pid, asked.turns)


if __name__ == "__main__":
    sys.exit(main())
