"""Many requests at once: those that wait hold up nobody else."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from anyio import create_task_group, run, to_thread
from anyio.to_thread import run_sync
from fastapi import FastAPI
from tests.doors import served

from chatmem import MemoryService, Settings
from chatmem.interfaces import threads

MANY = 24


@contextmanager
def locked_folder(memory: MemoryService) -> Iterator[None]:
    """Another writer holds the lock of the user's folder."""
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with memory._space.documents.folder.lock():
            held.set()
            done.wait(20)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(hold)
        assert held.wait(5)
        try:
            yield
        finally:
            done.set()


def test_writes_that_wait_for_a_lock_hold_up_no_health_or_reads(memory: MemoryService) -> None:
    memory.append_memory("Drinks oolong")
    with served(memory) as server, server.client() as client, ThreadPoolExecutor(MANY) as pool:
        client.get("/api/memory/search", params={"q": "oolong"}).raise_for_status()
        with locked_folder(memory):
            writes = [
                pool.submit(client.post, "/api/memory", json={"content": f"Fact number {number}"})
                for number in range(MANY)
            ]
            time.sleep(0.3)
            assert not any(one.done() for one in writes)
            began_s = time.perf_counter()
            for path in ("/healthz", "/readyz", "/metrics", "/api/memory/search?q=oolong"):
                assert client.get(path).status_code == 200, path
            assert time.perf_counter() - began_s < 2
        assert [one.result().status_code for one in writes] == [201] * MANY


def test_searches_in_every_thread_do_not_stop_health(memory: MemoryService) -> None:
    with served(memory) as server, server.client() as client, ThreadPoolExecutor(MANY) as pool:
        client.get("/api/memory/stats").raise_for_status()
        done = threading.Event()
        search = type(memory).search_memories

        def slow(self: MemoryService, *given: object, **named: object) -> object:
            done.wait(20)
            return search(self, *given, **named)  # type: ignore[arg-type]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(MemoryService, "search_memories", slow)
            asked = [
                pool.submit(client.get, "/api/memory/search", params={"q": "tea"})
                for _ in range(MANY)
            ]
            time.sleep(0.3)
            for path in ("/healthz", "/readyz"):
                assert client.get(path, timeout=2).status_code == 200, path
            done.set()
            assert [one.result().status_code for one in asked] == [200] * MANY


def test_what_computes_has_few_threads_and_what_waits_has_its_own() -> None:
    async def counts() -> tuple[int, int, int]:
        threads.limit_threads(threads.COMPUTING)
        most = {"computing": 0, "writing": 0, "watching": 0}
        now = dict.fromkeys(most, 0)
        lock = threading.Lock()

        def work(kind: str) -> None:
            with lock:
                now[kind] += 1
                most[kind] = max(most[kind], now[kind])
            time.sleep(0.02)
            with lock:
                now[kind] -= 1

        async with create_task_group() as tasks:
            for _ in range(8):
                tasks.start_soon(run_sync, work, "computing")
                tasks.start_soon(threads.run_writing, work, "writing")
                tasks.start_soon(threads.run_watching, work, "watching")
        return most["computing"], most["writing"], most["watching"]

    assert run(counts) == (threads.COMPUTING, threads.WRITING, 1)


@pytest.mark.parametrize(
    ("settings", "count"),
    [
        ({"embedder": {"name": "usem3"}}, threads.COMPUTING),
        ({"embedder": {"name": "openai:small"}}, threads.WAITING),
        ({"database": "postgresql://db/chatmem"}, threads.WAITING),
    ],
)
def test_what_is_elsewhere_gets_more_threads(settings: dict[str, object], count: int) -> None:
    assert threads.threads_for(Settings(**settings)) == count  # type: ignore[arg-type]


def test_an_application_may_be_given_another_number(memory: MemoryService) -> None:
    found: list[float] = []

    def extend(app: FastAPI) -> None:
        @app.get("/healthz/threads")
        async def read() -> None:
            found.append(to_thread.current_default_thread_limiter().total_tokens)

    for given, count in ((None, threads.COMPUTING), (7, 7)):
        with served(memory, extend=extend, threads=given) as server, server.client() as client:
            client.get("/healthz/threads").raise_for_status()
        assert found.pop() == count
