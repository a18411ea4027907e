"""A memory on real files that goes by keywords alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chatmem import MemoryService, Settings


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryService]:
    monkeypatch.chdir(tmp_path)
    settings = Settings(embedder={"name": "none"})
    with MemoryService.open(tmp_path / "data", settings=settings, background=False) as opened:
        yield opened
