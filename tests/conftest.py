"""What tests of every kind may ask for."""

from collections.abc import Iterator

import pytest
from tests.postgres_server import PostgresServer, running_server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server, started by the first test that asks for it."""
    with running_server() as server:
        yield server


@pytest.fixture
def postgres_address(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of a database of this test's own, with chatmem's tables and nothing in them."""
    address = postgres_server.fresh()
    yield address
    postgres_server.done_with(address)
