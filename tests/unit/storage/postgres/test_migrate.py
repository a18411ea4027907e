"""The schema is made once, by one process, and never by an older chatmem than wrote it."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from tests.postgres_server import PostgresServer
from tests.unit.storage.postgres.conftest import rows

from chatmem.errors import DatabaseError, SchemaVersionError
from chatmem.storage.postgres.migrate import NEWEST
from chatmem.storage.postgres.store import PostgresStore


def test_the_schema_of_a_newer_chatmem_is_left_alone(postgres_address: str) -> None:
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute("UPDATE schema_version SET version = 99")

    expected = rf"has schema version 99, this chatmem knows up to {NEWEST}: use the newer"
    with pytest.raises(SchemaVersionError, match=expected):
        PostgresStore(postgres_address)


def test_a_server_without_pgvector_is_refused(postgres_server: PostgresServer) -> None:
    address = postgres_server.empty()
    nowhere = f"{address}&options=-cextension_control_path%3D/nowhere"

    with pytest.raises(DatabaseError, match="has no pgvector: install it on the server"):
        PostgresStore(nowhere)

    assert rows(address, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'") == []


def test_who_may_not_switch_pgvector_on_is_told_who_may(postgres_server: PostgresServer) -> None:
    address = postgres_server.empty()
    name = address.split("/")[3].split("?")[0]
    postgres_server.execute(f"CREATE ROLE {name}_user LOGIN")
    try:
        limited = address.replace("user=postgres", f"user={name}_user")
        with pytest.raises(DatabaseError, match="let an administrator run `CREATE EXTENSION"):
            PostgresStore(limited)
    finally:
        postgres_server.execute(f"DROP ROLE {name}_user")


def test_processes_that_open_a_new_database_make_it_once(postgres_server: PostgresServer) -> None:
    address = postgres_server.empty()
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: PostgresStore(address), range(4)))

    assert [store.users() for store in stores] == [["default"]] * 4
    for store in stores:
        store.close()


def test_the_user_leads_every_primary_key_of_a_table_of_users(postgres_address: str) -> None:
    found = rows(
        postgres_address,
        "SELECT c.relname, a.attname FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid "
        "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] "
        "WHERE i.indisprimary AND c.relnamespace = 'public'::regnamespace AND EXISTS ("
        "    SELECT 1 FROM pg_attribute u WHERE u.attrelid = c.oid AND u.attname = 'user_id')",
    )

    assert {table for table, column in found if column != "user_id"} == {"api_key"}
    assert len(found) > 20
