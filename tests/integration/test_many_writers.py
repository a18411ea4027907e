"""Processes and threads that write at once, and processes that die: what was told is kept."""

import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.conftest import some
from tests.doors import piped

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
