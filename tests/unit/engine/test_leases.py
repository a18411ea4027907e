"""Who of those that hold jobs is gone: only where a process number means what it meant to them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chatmem.engine.background import leases
from chatmem.engine.background.leases import ended, holder_of, new_holder

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


def test_who_runs_is_not_gone(another: subprocess.Popen[bytes]) -> None:
    assert ended([new_holder(), holder_of(another.pid)]) == []


def test_two_workers_of_a_process_are_two() -> None:
    assert new_holder() != new_holder()


def test_who_has_ended_is_found_at_once(another: subprocess.Popen[bytes]) -> None:
    holder = holder_of(another.pid)
    another.kill()
    another.wait()

    assert ended([new_holder(), holder]) == [holder]


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
    holder = part(new_holder(), 2, "12")

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


def test_the_start_of_the_machine_is_a_part_of_the_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    places = {new_holder().split(":")[0]}
    for boot in ("first", "second"):
        proc = tmp_path / boot
        (proc / "sys/kernel/random").mkdir(parents=True)
        (proc / "sys/kernel/random/boot_id").write_text(boot)
        (proc / "self/ns").mkdir(parents=True)
        (proc / "self/ns/pid").touch()
        monkeypatch.setattr(leases, "_PROC", proc)
        places.add(new_holder().split(":")[0])

    assert len(places) == 3


def test_without_proc_machines_are_told_apart_by_their_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, another: subprocess.Popen[bytes]
) -> None:
    monkeypatch.setattr(leases, "_PROC", tmp_path)
    holder, mine = holder_of(another.pid), new_holder()
    assert ended([holder, mine]) == []
    another.kill()
    another.wait()

    assert ended([holder, mine]) == [holder]
    monkeypatch.setattr("socket.gethostname", lambda: "elsewhere")
    assert ended([holder]) == []


@pytest.mark.parametrize("holder", ["", "host:12:abcdef01", "a:b:c:d", "mine", ":::"])
def test_a_name_that_is_not_understood_is_left_to_time(holder: str) -> None:
    assert ended([holder]) == []
