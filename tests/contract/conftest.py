"""The stores that the suite runs on. A new store joins `STORES`, and passes or is not done."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from chatmem.storage.postgres.store import PostgresStore
from chatmem.storage.sqlite.store import SqliteStore
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Owner

PACK_EVERY = 4
"""Few, so that a handful of rows already stands partly in packs and partly in front of them."""

OpenStore = Callable[[Path], Store]
Settle = Callable[[Store], None]


def _sqlite(request: pytest.FixtureRequest, key: str | None = None) -> OpenStore:
    return lambda folder: SqliteStore(folder / "chatmem.db", key=key, pack_every=PACK_EVERY)


def _postgres(request: pytest.FixtureRequest) -> OpenStore:
    address: str = request.getfixturevalue("postgres_address")
    return lambda _: PostgresStore(address, pack_every=PACK_EVERY)


STORES: dict[str, Callable[[pytest.FixtureRequest], OpenStore]] = {
    "sqlite": _sqlite,
    "encrypted": partial(_sqlite, key="0a" * 32),
    "postgres": _postgres,
}


@pytest.fixture(params=STORES)
def open_store(request: pytest.FixtureRequest) -> OpenStore:
    """Opens the test's store, as often as it is called."""
    return STORES[request.param](request)


@pytest.fixture
def store(open_store: OpenStore, tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def owner(store: Store) -> Owner:
    return store.owner("mei")


@pytest.fixture
def other(store: Store) -> Owner:
    return store.owner("tom")


@pytest.fixture(params=[False, True], ids=["fresh", "packed"])
def settle(request: pytest.FixtureRequest) -> Settle:
    """Packs what can be packed, or leaves it: nothing that is found may depend on it."""

    def run(store: Store) -> None:
        if request.param:
            assert store.pack() > 0

    return run
