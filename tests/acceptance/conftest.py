"""Memories on both stores: one that goes by keywords alone, one with the default embedder."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from tests.chat_model_server import ChatEndpoint, ChatModelServer
from tests.doors import default_embedder, http

from chatmem import ChatPipeline, MemoryService, Settings
from chatmem.testing import FakeClock

__all__ = ["http"]


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


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> str:
    """Where a memory is kept: in the data folder, and once more in a PostgreSQL database."""
    if request.param == "postgres" and request.node.get_closest_marker("files") is None:
        return str(request.getfixturevalue("postgres_address"))
    if request.param == "postgres":
        pytest.skip("is about files")
    return str(request.getfixturevalue("data"))


@pytest.fixture
def memory(place: str, by_words: Settings) -> Iterator[MemoryService]:
    """Goes by keywords alone."""
    with MemoryService.open(place, settings=by_words, background=False) as opened:
        yield opened


@pytest.fixture
def meaning(place: str) -> Iterator[MemoryService]:
    """Has the default embedder."""
    with MemoryService.open(place, embedder=default_embedder(), background=False) as opened:
        yield opened


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def server() -> Iterator[ChatModelServer]:
    """A chat model behind a real address."""
    with ChatModelServer("好的。") as running:
        yield running


@pytest.fixture
def endpoint(server: ChatModelServer) -> Iterator[ChatEndpoint]:
    with server.endpoint() as made:
        yield made


@pytest.fixture
def pipeline(memory: MemoryService, endpoint: ChatEndpoint) -> ChatPipeline:
    return ChatPipeline(memory, endpoint)


def daily_log(memory: MemoryService) -> str:
    """What stands in the daily logs, of which there is one."""
    (day,) = memory.daily_logs.days().items
    return memory.daily_logs.read(date.fromisoformat(str(day))).content
