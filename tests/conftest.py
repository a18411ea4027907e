"""What tests of every kind may ask for."""

import os
from collections.abc import Iterator
from typing import TypeVar

import pytest
from hypothesis import settings
from tests.postgres_server import PostgresServer, running_server

Found = TypeVar("Found")

# `make test` says the same each time; `make fuzz` draws other examples, and ten times as many:
# a test that wants fewer or more than a hundred says so by `examples`.
settings.register_profile("same", derandomize=True, database=None)
settings.register_profile("fuzz", max_examples=1_000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def examples(count: int) -> int:
    """That many, and ten times as many in `make fuzz`."""
    return count * settings().max_examples // 100


def some(found: Found | None) -> Found:
    """What was found; an AssertionError where it is None."""
    assert found is not None
    return found


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
