"""Memories on both stores: one that goes by keywords alone, one with the default embedder."""

from collections.abc import Iterator
from datetime import date

import pytest
from tests.chat_model_server import ChatEndpoint, ChatModelServer
from tests.doors import by_words, clock, data, default_embedder, http, own_folder, server

from chatmem import ChatPipeline, MemoryService

__all__ = ["clock", "data", "http", "own_folder", "server"]


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> str:
    """Where a memory is kept: in the data folder, and once more in a PostgreSQL database."""
    if request.param == "postgres" and request.node.get_closest_marker("files") is None:
        return str(request.getfixturevalue("postgres_address"))
    if request.param == "postgres":
        pytest.skip("is about files")
    return str(request.getfixturevalue("data"))


@pytest.fixture
def memory(place: str) -> Iterator[MemoryService]:
    """Goes by keywords alone."""
    with by_words(place) as opened:
        yield opened


@pytest.fixture
def meaning(place: str) -> Iterator[MemoryService]:
    """Has the default embedder."""
    with MemoryService.open(place, embedder=default_embedder(), background=False) as opened:
        yield opened


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
