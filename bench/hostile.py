"""One hostile user and eight ordinary ones on one server: how long the ordinary ones wait.

    python bench/hostile.py [--seconds 60] [--users 8]

The same ordinary users, who save turns, search and ask for prompts at a steady pace, are measured
without the hostile one and then with: it sends the largest bodies that are taken, the deepest, and
text that repeats what patterns stumble over, on many connections at once, without a pause. On
loopback, in a folder of its own. Exit 1 where ordinary calls take more than twice as long at the
99th percentile, or one of them longer than a quarter of a second.
"""

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import numpy as np
from serve import server

from chatmem.lab.bench.corpus import messages, questions

MOST_OF_ALONE = 2.0
MOST_WAIT_MS = 250.0
PACE_S = 0.25
"""Between two calls of an ordinary user."""
HOSTILE_CONNECTIONS = 12
BODY_BYTES, PROFILE_BYTES = 1_000_000, 200_000
"""Of the largest text that is taken, as JSON."""
TEXTS = (
    *("a@", "- a\n", "```\n", "<!--", "-->", "我，", "password is "),
    *("[SYSTEM]\n", "<memory>", "{{", "w "),
)
"""Repeated to the length of a body."""


@dataclass
class Waits:
    """Milliseconds that ordinary calls took, by kind, and the answers that were errors."""

    by_kind: dict[str, list[float]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, kind: str, wait_ms: float, answer: httpx.Response) -> None:
        """Count one call."""
        with self.lock:
            self.by_kind.setdefault(kind, []).append(wait_ms)
            if answer.status_code >= 400:
                self.errors.append(f"{kind}: {answer.status_code}")


def ordinary(address: str, number: int, stop: threading.Event, waits: Waits) -> None:
    """Turns, searches and prompts of one user, one call each `PACE_S`, until `stop`."""
    said = [one.content for one in messages(400, 100 + number)]
    asked = questions(50, 200 + number)
    chance = random.Random(number)
    with httpx.Client(
        base_url=address, headers={"X-Chatmem-User": f"user-{number}"}, timeout=60
    ) as client:
        session = client.post("/api/sessions").json()["session_id"]
        calls: dict[str, Callable[[int], httpx.Response]] = {
            "turn": lambda n: client.post(
                f"/api/sessions/{session}/turns",
                json={"user": said[n % len(said)], "assistant": f"I see ({n})."},
            ),
            "search": lambda n: client.get("/api/memory/search", params={"q": asked[n % 50]}),
            "context": lambda n: client.post(
                f"/api/sessions/{session}/context", json={"message": asked[n % 50]}
            ),
        }
        n = 0
        for call in calls.values():  # the first of each opens what the later ones find open
            call(n)
        while not stop.wait(PACE_S * (0.5 + chance.random())):
            kind = list(calls)[n % len(calls)]
            began_s = time.perf_counter()
            answer = calls[kind](n)
            waits.add(kind, (time.perf_counter() - began_s) * 1000, answer)
            n += 1


def attacks() -> Iterator[tuple[str, str, object]]:
    """Method, path and body of each, for ever."""
    chance = random.Random(7)
    while True:
        for text in TEXTS:
            size = len(json.dumps(text, ensure_ascii=False).encode()) - 2
            whole, profile = text * (BODY_BYTES // size), text * (PROFILE_BYTES // size)
            session = f"hostile-{chance.randrange(20)}"
            yield "POST", f"/api/sessions/{session}/turns", {"user": whole, "assistant": "ok"}
            yield "GET", "/api/memory/search", {"q": whole[:2_000]}
            yield "POST", f"/api/sessions/{session}/context", {"message": "hi", "rag": [whole]}
            yield "PUT", "/api/memory/profile", {"content": profile}
            yield "POST", "/api/memory", {"content": whole}
            writes = [{"content": f"{text}{n}"} for n in range(300)]
            yield (
                "POST", f"/api/sessions/{session}/events",
                {"type": "tool_result", "data": {"memory_writes": writes}},
            )  # fmt: skip
        bullets = "".join(f"- fact {chance.random()}\n" for _ in range(36_000))
        yield "PUT", "/api/memory/main", {"content": f"## Facts\n\n{bullets}"}
        yield "PUT", "/api/memory/daily/2026-01-01", {"content": bullets}
        yield "POST", "/api/memory", json.loads('{"content": ' + "[" * 60 + "1" + "]" * 60 + "}")
        yield "POST", "/api/memory", {"content": "x", "tags": ["t"] * 150_000}
        yield "POST", "/api/sessions/h/context", {"message": "hi", "rag": ["a. b"] * 100_000}
        yield "DELETE", "/memory/long-term", None


def hostile(address: str, stop: threading.Event, sent: list[int]) -> None:
    """All attacks, one after the other on each of many connections, until `stop`."""
    every, lock = attacks(), threading.Lock()
    user = {"X-Chatmem-User": "hostile", "If-Match": "*"}

    def send() -> None:
        with httpx.Client(base_url=address, headers=user, timeout=60) as client:
            while not stop.is_set():
                with lock:
                    method, path, body = next(every)
                try:
                    given = {"params": body} if method == "GET" else {"json": body}
                    if method in ("DELETE", "PUT"):
                        path += "?forget=true"
                    client.request(method, path, **given)  # type: ignore[arg-type]
                except httpx.HTTPError:
                    continue
                sent[0] += 1

    threads = [threading.Thread(target=send, daemon=True) for _ in range(HOSTILE_CONNECTIONS)]
    for one in threads:
        one.start()


@contextmanager
def load(address: str, users: int) -> Iterator[Waits]:
    """The ordinary users at work."""
    waits, stop = Waits(), threading.Event()
    threads = [
        threading.Thread(target=ordinary, args=(address, number, stop, waits), daemon=True)
        for number in range(users)
    ]
    for one in threads:
        one.start()
    try:
        yield waits
    finally:
        stop.set()
        for one in threads:
            one.join(60)


def measure(seconds: float, users: int, *, with_hostile: bool) -> tuple[Waits, int]:
    """What the ordinary users waited, and how many requests of the hostile one were answered."""
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as (address, _, _):
        stop, sent = threading.Event(), [0]
        with load(address, users) as waits:
            time.sleep(3)  # until everything is loaded
            with waits.lock:
                waits.by_kind.clear()
            if with_hostile:
                hostile(address, stop, sent)
            time.sleep(seconds)
            stop.set()
        return waits, sent[0]


def main() -> int:
    """The table; 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--users", type=int, default=8)
    asked = parser.parse_args()
    alone, _ = measure(asked.seconds, asked.users, with_hostile=False)
    beside, sent = measure(asked.seconds, asked.users, with_hostile=True)
    is_good = not (alone.errors or beside.errors)
    print("                   alone                            beside the hostile one, ms")
    print(f"{'call':<10}" + f"{'n':>6}{'p50':>9}{'p99':>9}{'longest':>9}" * 2)
    for kind in ("turn", "search", "context", "all"):
        rows = []
        for waits in (alone, beside):
            every = [one for found in waits.by_kind.values() for one in found]
            found = waits.by_kind.get(kind, every)
            rows.append((len(found), *np.percentile(found, (50, 99)).tolist(), max(found)))
        line = "".join(f"{n:>6}{p50:>9.1f}{p99:>9.1f}{most:>9.1f}" for n, p50, p99, most in rows)
        print(f"{kind:<10}{line}")
        is_good &= rows[1][2] <= MOST_OF_ALONE * rows[0][2] and rows[1][3] <= MOST_WAIT_MS
    print(f"requests of the hostile user: {sent}; errors: {[*alone.errors, *beside.errors][:5]}")
    print("ok" if is_good else "MISSED")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
