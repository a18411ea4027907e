"""A server that is killed and a database that goes away, in the middle: nothing confirmed is lost.

A few seconds of `bench/many_servers.py`, which does it for longer with `--kill --restart`; and what
clients see of a database that is away.
"""

import importlib
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Protocol

import pytest
from tests.conftest import soon
from tests.doors import Served, by_words, served

BENCH = Path(__file__).parents[2] / "bench"


class Restartable(Protocol):
    """A database server that is this file's own."""

    address: str

    def cut_off(self) -> None: ...

    def come_back(self) -> None: ...


@pytest.fixture(scope="module")
def many_servers() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        yield importlib.import_module("many_servers")
    for name in ("many_servers", "own_postgres"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def database(many_servers: ModuleType) -> Iterator[Restartable]:
    with many_servers.own_postgres() as own:
        yield own


@contextmanager
def served_memory(address: str) -> Iterator[Served]:
    with by_words(address, background=True) as memory, served(memory) as server:
        yield server


@pytest.mark.slow
def test_a_killed_server_and_a_restarted_database_lose_nothing_that_was_confirmed(
    many_servers: ModuleType, tmp_path: Path
) -> None:
    plan = many_servers.Plan(
        servers=2, clients=8, seconds=9.0, embedder="none", kills=True, restarts=True
    )
    outcome = many_servers.run(tmp_path, plan)

    assert outcome.turns
    assert outcome.kept
    assert outcome.lost == []
    assert outcome.errors == []
    # What the killed one had begun is done by the other; a fact is remembered once.
    assert outcome.jobs_left == []
    assert outcome.doubled == []
    assert outcome.last_s[1] > outcome.restarted_s > outcome.last_s[0]


def test_while_the_database_is_away_clients_are_asked_to_come_again(database: Restartable) -> None:
    with served_memory(database.address) as server, server.client() as client:
        assert client.post("/api/memory", json={"content": "Keeps bees"}).is_success
        database.cut_off()
        try:
            with ThreadPoolExecutor() as pool:
                waiting = [
                    pool.submit(client.get, "/api/memory/search", params={"q": "bees"}),
                    pool.submit(client.post, "/api/memory", json={"content": "Keeps hens"}),
                    pool.submit(client.get, "/readyz"),
                ]
            *refused, ready = (one.result() for one in waiting)
        finally:
            database.come_back()
        soon(lambda: client.get("/api/memory/main").is_success)
        found = client.get("/api/memory/search", params={"q": "bees"}).json()

    for answer in refused:
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert "try again" in answer.json()["detail"]
        assert "postgresql://" not in answer.json()["detail"]
    assert (ready.status_code, ready.json()["status"]) == (503, "unavailable")
    assert [hit["content"] for hit in found["results"]] == ["Keeps bees"]
