"""A memory on real files that goes by keywords alone, and a chat model."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.doors import by_words, clock, server

from chatmem import MemoryService

__all__ = ["clock", "server"]


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryService]:
    monkeypatch.chdir(tmp_path)
    with by_words(tmp_path / "data") as opened:
        yield opened
