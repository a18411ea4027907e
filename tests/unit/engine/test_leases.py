"""Who holds jobs and keys, and who of them is gone; stages of work as they are heard."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest
from anyio import run
from anyio.to_thread import run_sync
from numpy.typing import NDArray
from tests.conftest import run_python

from chatmem import MemoryService, Settings
from chatmem.engine import leases
from chatmem.engine.leases import LEASE, ended, holder_of
from chatmem.engine.server import ANSWER_LIFETIME, HttpAnswer
from chatmem.engine.state import COMPOSE, EMBED, listening, stage
from chatmem.testing import FakeClock, FakeEmbedder

HAS_PROC = Path("/proc/self/stat").exists()


@pytest.fixture
def another() -> Iterator[subprocess.Popen[bytes]]:
    """A process that waits to be ended."""
    begun = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield begun
    begun.kill()
    begun.communicate()


def part(holder: str, place: int, value: str) -> str:
    """The holder's name with one part changed: machine, number, start, worker."""
    parts = holder.split(":")
    parts[place] = value
    return ":".join(parts)


def test_two_workers_of_a_process_are_two() -> None:
    assert holder_of(os.getpid()) != holder_of(os.getpid())


@pytest.mark.skipif(not HAS_PROC, reason="the system does not tell the state of processes")
def test_who_was_killed_has_ended_even_where_its_parent_has_not_noticed(
    another: subprocess.Popen[bytes],
) -> None:
    holder = holder_of(another.pid)
    another.kill()
    os.waitid(os.P_PID, another.pid, os.WEXITED | os.WNOWAIT)

    assert ended([holder]) == [holder]


@pytest.mark.skipif(not HAS_PROC, reason="the system does not tell when processes began")
def test_a_number_that_another_process_has_got_since_has_ended() -> None:
    holder = part(holder_of(os.getpid()), 2, "12")

    assert ended([holder]) == [holder]


def test_nobody_can_tell_of_another_machine_or_an_earlier_start_of_it(
    another: subprocess.Popen[bytes],
) -> None:
    holder = holder_of(another.pid)
    another.kill()
    another.wait()
    elsewhere = part(holder, 0, "0123456789abcdef")

    assert ended([elsewhere]) == []
    assert ended([holder]) == [holder]


def test_the_start_is_part_of_the_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    places = {holder_of(os.getpid()).split(":")[0]}
    for boot in ("first", "second"):
        proc = tmp_path / boot
        (proc / "sys/kernel/random").mkdir(parents=True)
        (proc / "sys/kernel/random/boot_id").write_text(boot)
        (proc / "self/ns").mkdir(parents=True)
        (proc / "self/ns/pid").touch()
        monkeypatch.setattr(leases, "_PROC", proc)
        places.add(holder_of(os.getpid()).split(":")[0])

    assert len(places) == 3


def test_without_proc_machines_are_told_apart_by_their_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, another: subprocess.Popen[bytes]
) -> None:
    monkeypatch.setattr(leases, "_PROC", tmp_path)
    holder, mine = holder_of(another.pid), holder_of(os.getpid())
    assert ended([holder, mine]) == []
    another.kill()
    another.wait()

    assert ended([holder, mine]) == [holder]
    monkeypatch.setattr("socket.gethostname", lambda: "elsewhere")
    assert ended([holder]) == []


@pytest.mark.parametrize("holder", ["", "host:12:abcdef01", "a:b:c:d", "mine", ":::"])
def test_a_name_that_is_not_understood_is_left_to_time(holder: str) -> None:
    assert ended([holder]) == []


NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
DONE = HttpAnswer(201, {"content-type": "application/json"}, '{"content": "养蜂"}')


def test_a_key_is_free_again_after_a_day(memory: MemoryService) -> None:
    memory.answers.begin("k", "asked", now=NOON)
    memory.answers.finish("k", DONE)
    later = NOON + ANSWER_LIFETIME + timedelta(seconds=1)
    assert memory.answers.begin("k", "other", now=later) is None


def test_an_answer_may_not_outlive_what_it_quotes(memory: MemoryService) -> None:
    kept = memory.append_memory("Keeps bees")
    memory.answers.begin("k", "asked")
    memory.answers.finish("k", HttpAnswer(201, {}, "Keeps bees"))
    memory.append_memory("Keeps hens")
    assert memory.answers.begin("k", "asked") == HttpAnswer(201, {}, "Keeps bees")

    memory.for_user("tom").forget_all()
    assert memory.answers.begin("k", "asked") == HttpAnswer(201, {}, "Keeps bees")
    memory.forget(kept.id)

    assert memory.answers.begin("k", "asked") == "deleted"
    assert memory.answers.begin("k", "other") == "other_request"


def test_what_another_process_carries_out_holds_its_key_for_a_while(
    memory: MemoryService, tmp_path: Path
) -> None:
    settings = Settings(embedder={"name": "none"})
    with MemoryService.open(tmp_path / "data", settings=settings, background=False) as another:
        another.answers.begin("k", "asked", now=NOON)
        another.answers.begin("l", "asked", now=NOON)
        another._engine.holder = "another-machine:1:1:x"
        another.answers.begin("m", "asked", now=NOON)

    for key in "klm":
        assert memory.answers.begin(key, "asked", now=NOON + LEASE) == "in_progress"
        later = NOON + LEASE + timedelta(seconds=1)
        assert memory.answers.begin(key, "asked", now=later) is None


def test_a_request_whose_end_could_not_be_noted_is_free_again(memory: MemoryService) -> None:
    assert memory.answers.begin("k", "asked", now=NOON) is None
    memory._engine.under_way.clear()  # as when the database was away at its end

    assert memory.answers.begin("k", "asked", now=NOON) is None
    assert memory.answers.begin("k", "asked", now=NOON) == "in_progress"


def test_what_a_file_loses_is_taken_out_of_answers(memory: MemoryService, tmp_path: Path) -> None:
    memory.append_memory("Keeps bees")
    memory.append_memory("Keeps hens")
    memory.answers.begin("k", "asked")
    memory.answers.finish("k", HttpAnswer(201, {}, "Keeps bees"))
    document = tmp_path / "data" / "prompts" / "memory" / "MEMORY.md"
    lines = document.read_text("utf-8").splitlines(keepends=True)
    document.write_text("".join(one for one in lines if "bees" not in one), "utf-8")
    memory.sync()

    assert memory.answers.begin("k", "asked") == "deleted"


DIES = """
import os, sys
from chatmem import MemoryService, Settings
settings = Settings(embedder={"name": "none"})
memory = MemoryService.open(sys.argv[1], settings=settings, background=False)
assert memory.answers.begin("k", "asked") is None
os._exit(9)
"""


def test_a_process_that_died_holds_no_key(memory: MemoryService, tmp_path: Path) -> None:
    assert run_python(DIES, str(tmp_path / "data")).returncode == 9
    assert memory.answers.begin("k", "asked") is None
    assert memory.answers.begin("k", "asked") == "in_progress"


class Heard:
    """Notes what begins and ends."""

    def __init__(self) -> None:
        self.told: list[str] = []

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        self.told.append(name)
        try:
            yield
        finally:
            self.told.append(f"/{name}")


def test_a_stage_that_fails_ends_all_the_same() -> None:
    heard = Heard()
    with listening(heard), suppress(ValueError), stage(EMBED):
        raise ValueError("no")
    assert heard.told == ["embed", "/embed"]


def test_a_thread_is_heard_by_the_task_that_began_it_alone() -> None:
    first, second = Heard(), Heard()

    def work(name: str) -> None:
        with stage(name):
            pass

    async def both() -> None:
        with listening(first):
            await run_sync(work, EMBED)
        with listening(second):
            await run_sync(work, COMPOSE)

    run(both)
    assert (first.told, second.told) == (["embed", "/embed"], ["compose", "/compose"])


class Counting(FakeEmbedder):
    asked = 0

    def embed_query(self, text: str) -> NDArray[np.float32]:
        Counting.asked += 1
        return super().embed_query(text)


def test_the_embedder_is_asked_once_and_nothing_is_kept(tmp_path: Path) -> None:
    with MemoryService.open(tmp_path, embedder=Counting(), background=False) as memory:
        memory.warm_up()
        assert Counting.asked == 1
        assert memory.list_memories(None).total == 0


def test_the_clock_moves_only_when_told_and_is_set_without_time_passing() -> None:
    clock = FakeClock()
    start = clock()

    assert clock() == start
    assert clock.advance(days=1, seconds=1.5) == start + timedelta(days=1, seconds=1.5)
    with pytest.raises(ValueError, match="does not run back"):
        clock.advance(seconds=-1)
    clock.set(datetime(2020, 1, 1, 8, tzinfo=timezone(timedelta(hours=8))))
    assert clock() == datetime(2020, 1, 1, tzinfo=UTC)
    assert clock.monotonic() == 86_401.5
