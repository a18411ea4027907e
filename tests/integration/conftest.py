"""A memory on real files that goes by keywords alone."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chatmem import MemoryService, Settings

Open = Callable[..., MemoryService]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of the test, without settings of anybody else."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def data(own_folder: Path) -> Path:
    return own_folder / "data"


@pytest.fixture
def main(data: Path) -> Path:
    """MEMORY.md of the default user."""
    return data / "prompts" / "memory" / "MEMORY.md"


@pytest.fixture
def reopen(data: Path) -> Iterator[Open]:
    """Opens the memory, as often as it is called; settings of `[memory]` as arguments."""
    opened: list[MemoryService] = []

    def open_again(**memory: object) -> MemoryService:
        settings = Settings(
            embedder={"name": "none"}, memory={"scan_interval_seconds": 0.0, **memory}
        )
        opened.append(MemoryService.open(data, settings=settings, background=False))
        return opened[-1]

    yield open_again
    for one in opened:
        one.close()


@pytest.fixture
def memory(reopen: Open) -> MemoryService:
    """Looks for outside edits before every call."""
    return reopen()
