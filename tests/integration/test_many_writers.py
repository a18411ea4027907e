"""Processes and threads that write at once or are killed, a database that goes away: all is kept.

With a few seconds of `bench/kill.py` and `bench/many_servers.py`, which do it for longer.
"""

import importlib
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Protocol

import pytest
from tests.conftest import some, soon
from tests.doors import Served, by_words, piped, served

from chatmem import ChatmemError, MemoryService, Settings
from chatmem.testing import FakeEmbedder

WRITER = textwrap.dedent(
    """
    import sys
    from chatmem import MemoryService, Settings

    folder, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    settings = Settings(embedder={"name": "none"})
    with MemoryService.open(folder, settings=settings, background=False) as memory:
        print("ready", flush=True)
        sys.stdin.readline()
        for number in range(count):
            saved = memory.save_conversation_turn(
                f"{name} asks number {number}", f"{name} is answered number {number}", name
            )
            print(*saved.ids, flush=True)
            print(memory.append_memory(f"{name} keeps fact {number}").id, flush=True)
            if number % 5 == 0:
                print(memory.append_daily_log(f"{name} notes {number}").id, flush=True)
            if number % 7 == 3:
                memory.update(memory.append_memory(f"{name} draft {number}").id, importance=4)
    """
)


def start(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    """A process that is ready to write, and waits for a line."""
    process = piped(sys.executable, "-c", WRITER, str(folder), name, str(count))
    assert some(process.stdout).readline() == "ready\n"
    return process


def assert_sound(memory: MemoryService, main: Path) -> None:
    """The store finds nothing to complain of, and files and rows say the same."""
    assert [one.detail for one in memory.diagnose() if not one.ok] == []
    documents = "".join(file.read_text("utf-8") for file in main.parent.rglob("*.md"))
    kept = memory.list_memories(limit=1_000).items
    assert all(documents.count(f"id={one.id} ") == 1 for one in kept)
    assert documents.count("<!-- id=") == len(kept)


def test_two_processes_write_at_once_and_nothing_is_lost(
    data: Path, main: Path, reopen: Callable[[], MemoryService]
) -> None:
    reopen().close()
    writers = [start(data, name, 25) for name in ("ada", "bo", "cy")]
    for one in writers:
        some(one.stdin).write("\n")
        some(one.stdin).flush()

    ids: list[str] = []
    for one in writers:
        out, errors = one.communicate(timeout=60)
        assert (one.returncode, errors) == (0, "")
        ids += out.split()

    memory = reopen()
    assert len(ids) == len(set(ids)) == 3 * (25 * 3 + 5)
    stored = {one.id for one in memory.export_records()}
    assert stored >= set(ids)
    assert len(stored) == len(ids) + 3 * 4
    assert_sound(memory, main)
    for name in ("ada", "bo", "cy"):
        found = memory.search_memories(f"{name} number 24", limit=5)
        assert found[0].memory.content.startswith(name)


def test_threads_save_and_search_at_once(data: Path, main: Path) -> None:
    settings = Settings(memory={"scan_interval_seconds": 0.05})

    def work(memory: MemoryService, number: int) -> list[str]:
        ids: list[str] = []
        for step in range(12):
            saved = memory.save_conversation_turn(
                f"worker{number} asks {step}", f"worker{number} hears {step}", f"s{number}"
            )
            ids += saved.ids
            ids.append(memory.append_memory(f"worker{number} learned {step}").id)
            found = memory.search_memories(f"worker{number} asks {step}")
            assert saved.user.id in [hit.memory.id for hit in found]
            memory.get_relevant_memories(f"worker{number} learned")
            memory.count_access(ids[-1:])
            memory.update(ids[-1], importance=5)
        return ids

    with MemoryService.open(data, settings=settings, embedder=FakeEmbedder()) as memory:
        with ThreadPoolExecutor(8) as pool:
            done = list(pool.map(work, [memory] * 8, range(8)))
        memory.wait_until_indexed()
        ids = [one for part in done for one in part]
        assert {one.id for one in memory.export_records()} == set(ids)
        assert memory.stats().waiting_for_vectors == 0
        assert all(one.importance == 5 for one in memory.list_memories(limit=200).items)
        assert_sound(memory, main)


def test_closing_while_others_work_ends_them_with_a_clear_error(data: Path) -> None:
    memory = MemoryService.open(data, embedder=FakeEmbedder())

    def work() -> None:
        for step in range(10_000):
            memory.save_conversation_turn(f"asks {step}", f"hears {step}", "s1")
            memory.search_memories(f"asks {step}")

    with ThreadPoolExecutor(4) as pool:
        running = [pool.submit(work) for _ in range(4)]
        time.sleep(0.2)
        memory.close()

    for one in running:
        assert isinstance(one.exception(), ChatmemError)


BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture(scope="module")
def bench() -> Iterator[Callable[[str], ModuleType]]:
    """Imports a script of the benchmark."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        yield importlib.import_module
    for name in ("kill", "many_servers", "own_postgres"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def many_servers(bench: Callable[[str], ModuleType]) -> ModuleType:
    return bench("many_servers")


def test_what_was_acknowledged_is_there_once(
    bench: Callable[[str], ModuleType], tmp_path: Path
) -> None:
    outcome = bench("kill").run(3, seed=7, folder=tmp_path)

    assert outcome.acknowledged > 3
    assert outcome.lost == ()
    assert outcome.doubled == ()


class Restartable(Protocol):
    """A database server that is this file's own."""

    address: str

    def cut_off(self) -> None: ...

    def come_back(self) -> None: ...


@pytest.fixture(scope="module")
def database(many_servers: ModuleType) -> Iterator[Restartable]:
    with many_servers.own_postgres() as own:
        yield own


@contextmanager
def served_memory(address: str) -> Iterator[Served]:
    with by_words(address, background=True) as memory, served(memory) as server:
        yield server


@pytest.mark.slow
def test_a_killed_server_and_a_restarted_database_lose_nothing_that_was_confirmed(
    many_servers: ModuleType, tmp_path: Path
) -> None:
    plan = many_servers.Plan(
        servers=2, clients=8, seconds=9.0, embedder="none", kills=True, restarts=True
    )
    outcome = many_servers.run(tmp_path, plan)

    assert outcome.turns
    assert outcome.kept
    assert outcome.lost == []
    assert outcome.errors == []
    # What the killed one had begun is done by the other; a fact is remembered once.
    assert outcome.jobs_left == []
    assert outcome.doubled == []
    assert outcome.last_s[1] > outcome.restarted_s > outcome.last_s[0]


def test_while_the_database_is_away_clients_are_asked_to_come_again(database: Restartable) -> None:
    with served_memory(database.address) as server, server.client() as client:
        assert client.post("/api/memory", json={"content": "Keeps bees"}).is_success
        database.cut_off()
        try:
            with ThreadPoolExecutor() as pool:
                waiting = [
                    pool.submit(client.get, "/api/memory/search", params={"q": "bees"}),
                    pool.submit(client.post, "/api/memory", json={"content": "Keeps hens"}),
                    pool.submit(client.get, "/readyz"),
                ]
            *refused, ready = (one.result() for one in waiting)
        finally:
            database.come_back()
        soon(lambda: client.get("/api/memory/main").is_success)
        found = client.get("/api/memory/search", params={"q": "bees"}).json()

    for answer in refused:
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert "try again" in answer.json()["detail"]
        assert "postgresql://" not in answer.json()["detail"]
    assert (ready.status_code, ready.json()["status"]) == (503, "unavailable")
    assert [hit["content"] for hit in found["results"]] == ["Keeps bees"]


def test_many_bullets_come_in_by_batches_between_which_others_write(tmp_path: Path) -> None:
    with by_words(tmp_path) as memory, ThreadPoolExecutor(1) as pool:
        others = memory.for_user("mei")
        bullets, between = "".join(f"- fact {number}\n" for number in range(600)), set[int]()
        writing = pool.submit(memory.main.write, bullets)
        while not writing.done():
            others.save_conversation_turn("Hi", "Hello", "s")
            between.add(len(memory._store.memories.documented(memory._owner)))
    assert between - {0, 600}
