"""The database file is the one that was opened, and opening it waits for nobody."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.integration.conftest import Open

from chatmem import MemoryService
from chatmem.errors import DatabaseError

HOLDS = """
import apsw, fcntl, sys
database, lock = sys.argv[1:]
with open(lock, "a") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    (connection := apsw.Connection(database)).execute("BEGIN IMMEDIATE")
    print("held", flush=True)
    sys.stdin.read()
"""


def unlink(file: Path) -> None:
    file.unlink()


def replace_by_a_copy(file: Path) -> None:
    beside = file.with_name("copy.db")
    shutil.copyfile(file, beside)
    os.replace(beside, file)


@pytest.mark.parametrize("lose", [unlink, replace_by_a_copy])
def test_nothing_is_acknowledged_once_another_file_stands_there(
    memory: MemoryService, data: Path, main: Path, lose: Callable[[Path], None]
) -> None:
    memory.append_memory("Keeps bees")
    lose(data / "chatmem.db")
    before = main.read_text("utf-8")

    with pytest.raises(DatabaseError, match="was removed or replaced while it was open"):
        memory.append_memory("Keeps hens")
    with pytest.raises(DatabaseError, match="open it again"):
        memory.save_conversation_turn("Hello", "Hello", "s1")
    assert main.read_text("utf-8") == before


@pytest.fixture
def writer(memory: MemoryService, data: Path) -> Iterator[None]:
    """Another process that holds the locks of files and database."""
    lock = data / "prompts" / "memory" / ".lock"
    command = [sys.executable, "-c", HOLDS, str(data / "chatmem.db"), str(lock)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield
        holder.communicate("")


@pytest.mark.usefixtures("writer")
def test_a_memory_opens_and_is_read_while_somebody_writes(reopen: Open) -> None:
    again = reopen()

    assert again.list_memories().total == 0
    assert list(again.search_memories("bees")) == []
