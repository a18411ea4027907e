"""Bring a database to the newest schema version, and its tables onto Citus.

One process migrates at a time, in one transaction; the others wait, and find it done.

The user leads every primary key and is named by every statement, so a shard is chosen before a
statement runs, and what one user's search reads stands in one shard.
"""

import re
from contextlib import suppress
from typing import Any, TypeAlias

import psycopg
from psycopg import errors

from chatmem.errors import DatabaseError
from chatmem.storage.postgres.advice import LOCK_WAIT_S, WAIT_S, display_address, explained
from chatmem.storage.postgres.security import EVERYBODY, role_rights, secure
from chatmem.storage.tables.database import fill, read_migrations, refuse_newer

_ALONE = """
SELECT set_config('lock_timeout', %(wait)s, true), set_config('chatmem.acting_for', %(who)s, true),
    pg_advisory_xact_lock(%(lock)s)
"""
"""One process migrates, and sees the rows of all users."""
_ALONE_NAMES = {"lock": 0x63686174_6D656D, "who": EVERYBODY, "wait": f"{LOCK_WAIT_S}s"}  # "chatmem"
_TABLE = re.compile(r"^CREATE TABLE (\w+) \(.*?\)( \{by user\})?;$", re.MULTILINE | re.DOTALL)
MARKS = {"text": 'text COLLATE "C"', "by user": ""}
_KEPT_TOGETHER = ["document_text", "job", "vector_queue"]
"""Left where they are by Citus: it takes no `SKIP LOCKED` over several nodes; documents are few."""
_CITUS = "SELECT 1 FROM pg_extension WHERE extname = 'citus'"
_SPREAD_OWNER = "SELECT create_distributed_table('owner', 'user_id', shard_count => %s)"
_SPREAD = "SELECT create_distributed_table(%s, 'user_id', colocate_with => 'owner')"

NEWEST = max(read_migrations(__package__))
AnyConnection: TypeAlias = psycopg.Connection[Any]


def migrate(connection: AnyConnection, name: str) -> None:
    """Bring it to the newest version, as the role that owns the tables, or is to.

    Any other role finds them done, or is told.

    Raises:
        SchemaVersionError: the schema was written by a newer chatmem.
        DatabaseError: no pgvector, or no right to make tables.
    """
    before = _version_on(connection)
    refuse_newer(name, before, NEWEST)
    if before == NEWEST:
        if role_rights(connection).why_open is not None:
            # Try to make the role that was missing; an administrator may have allowed it since.
            with suppress(errors.InsufficientPrivilege), connection.transaction():
                connection.execute(_ALONE, _ALONE_NAMES)
                secure(connection)
        return
    try:
        with connection.transaction():
            _migrate(connection, name)
    except errors.InsufficientPrivilege as error:
        if before == 0:
            raise
        raise DatabaseError(
            f"{name} has schema version {before}, this chatmem needs {NEWEST}, and this user may "
            "not change tables: open the memory once as the user who owns them; nothing was changed"
        ) from error


def _migrate(connection: AnyConnection, name: str) -> None:
    connection.execute(_ALONE, _ALONE_NAMES)
    before = _version_on(connection)  # another process may have been faster
    if before == NEWEST:
        return
    refuse_newer(name, before, NEWEST)
    _require_pgvector(connection, name)
    if before == 0:
        connection.execute("CREATE TABLE schema_version (version integer NOT NULL)")
        connection.execute("INSERT INTO schema_version (version) VALUES (0)")
    for version, script in read_migrations(__package__).items():
        if version > before:
            connection.execute(fill(script, MARKS).encode())
    connection.execute("UPDATE schema_version SET version = %s", (NEWEST,))
    secure(connection)


def _version_on(connection: AnyConnection) -> int:
    there = connection.execute("SELECT to_regclass('schema_version') IS NOT NULL").fetchone()
    if not there or not there[0]:
        return 0
    found = connection.execute("SELECT version FROM schema_version").fetchone()
    return int(found[0]) if found else 0


def _require_pgvector(connection: AnyConnection, name: str) -> None:
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except errors.InsufficientPrivilege as error:
        raise DatabaseError(
            f"{name} has pgvector, but this user may not switch it on: let an administrator run "
            "`CREATE EXTENSION vector` in this database, once; nothing was changed"
        ) from error
    except (errors.UndefinedFile, errors.FeatureNotSupported) as error:
        raise DatabaseError(
            f"{name} has no pgvector: install it on the server (package postgresql-NN-pgvector, or "
            "github.com/pgvector/pgvector), then open the memory again; nothing was changed"
        ) from error


def distribute(address: str, shards: int) -> list[str]:
    """The tables that Citus now spreads over its nodes by their user, in so many shards.

    What is about no single user is copied to every node. Citus moves what is in the database.

    Raises:
        DatabaseError: no Citus, or what Citus says; nothing was changed.
    """
    name = display_address(address)
    tables = {
        table: bool(by_user)
        for script in read_migrations(__package__).values()
        for table, by_user in _TABLE.findall(script)
    }
    spread = [table for table, by_user in tables.items() if by_user and table not in _KEPT_TOGETHER]
    spread.remove("owner")
    try:
        with psycopg.connect(address, autocommit=True, connect_timeout=WAIT_S) as connection:
            if not connection.execute(_CITUS).rowcount:
                raise DatabaseError(
                    f"{name} has no Citus: let an administrator install it and run `CREATE "
                    "EXTENSION citus` in this database; nothing was changed"
                )
            migrate(connection, name)
            with connection.transaction():
                connection.execute(_SPREAD_OWNER, (shards,))
                for table in spread:
                    connection.execute(_SPREAD, (table,))
                for table, by_user in tables.items():
                    if not by_user:
                        connection.execute("SELECT create_reference_table(%s)", (table,))
    except psycopg.Error as error:
        raise explained(name, error) from error
    return ["owner", *spread]
