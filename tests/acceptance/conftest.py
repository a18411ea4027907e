"""Memories on real files: one that goes by keywords alone, one with the default embedder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chatmem import MemoryService, Settings
from chatmem.testing import FakeClock


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory of the test, without settings of anybody else."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def data(own_folder: Path) -> Path:
    """The data folder, as the settings name it."""
    return own_folder / "data"


@pytest.fixture
def by_words() -> Settings:
    return Settings(embedder={"name": "none"})


@pytest.fixture
def memory(data: Path, by_words: Settings) -> Iterator[MemoryService]:
    """Goes by keywords alone."""
    with MemoryService.open(data, settings=by_words, background=False) as opened:
        yield opened


@pytest.fixture
def meaning(data: Path) -> Iterator[MemoryService]:
    """Has the default embedder."""
    with MemoryService.open(data, background=False) as opened:
        yield opened


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()
