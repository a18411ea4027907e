"""A memory on real files that goes by keywords alone, and a chat model."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.chat_model_server import ChatModelServer

from chatmem import MemoryService, Settings


@pytest.fixture
def server() -> Iterator[ChatModelServer]:
    """A chat model behind a real address."""
    with ChatModelServer() as running:
        yield running


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryService]:
    monkeypatch.chdir(tmp_path)
    settings = Settings(embedder={"name": "none"})
    with MemoryService.open(tmp_path / "data", settings=settings, background=False) as opened:
        yield opened
