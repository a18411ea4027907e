"""Databases of a PostgreSQL server for the tests of its store."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from tests.postgres_server import PostgresServer

from chatmem.storage.postgres.store import PostgresStore


def rows(address: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """What a superuser reads, who sees past every policy."""
    with psycopg.connect(address, autocommit=True) as connection:
        return connection.execute(statement.encode(), values).fetchall()


@pytest.fixture
def store(postgres_address: str) -> Iterator[PostgresStore]:
    opened = PostgresStore(postgres_address, pack_every=4)
    yield opened
    opened.close()


@pytest.fixture
def address(postgres_server: PostgresServer) -> Iterator[str]:
    """A database of the test's own: its tables are made anew, its pages nobody else has touched."""
    address = postgres_server.empty()
    yield address
    postgres_server.drop(address)
