"""Bring a database to the newest schema version, in one transaction.

One process migrates at a time; the others wait, and find it done.
"""

import re
from contextlib import suppress
from typing import Any, TypeAlias

import psycopg
from psycopg import errors

from chatmem.errors import DatabaseError
from chatmem.storage.postgres.advice import LOCK_WAIT_S
from chatmem.storage.postgres.security import EVERYBODY, role_rights, secure
from chatmem.storage.tables.database import fill, read_migrations, refuse_newer

_LOCK = 0x63686174_6D656D  # "chatmem"
_HAS_VERSION = "SELECT to_regclass('schema_version')"
_VERSION = "SELECT version FROM schema_version"
_PARTITIONS = "SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass('owner')"
_ALONE = """
SELECT set_config('lock_timeout', %(wait)s, true), set_config('chatmem.acting_for', %(who)s, true),
    pg_advisory_xact_lock(%(lock)s)
"""
"""One process migrates, and sees the rows of all users."""
BY_USER = re.compile(r"^CREATE TABLE (\w+) \(.*\) \{by user\}$", re.MULTILINE | re.DOTALL)


NEWEST = max(read_migrations(__package__))
AnyConnection: TypeAlias = psycopg.Connection[Any]


def migrate(connection: AnyConnection, name: str, partitions: int = 0) -> None:
    """Bring it to the newest version; tables of users get so many hash partitions, if any.

    For the role that owns the tables, or is to; any other finds them done, or is told.

    Raises:
        SchemaVersionError: the schema was written by a newer chatmem.
        DatabaseError: no pgvector, or no right to make tables.
    """
    before = _version_on(connection)
    refuse_newer(name, before, NEWEST)
    if before == NEWEST:
        if _is_open(connection):
            _close(connection)
        return
    try:
        with connection.transaction():
            _migrate(connection, name, partitions)
    except errors.InsufficientPrivilege as error:
        if before == 0:
            raise
        raise DatabaseError(
            f"{name} has schema version {before}, this chatmem needs {NEWEST}, and this user may "
            "not change tables: open the memory once as the user who owns them; nothing was changed"
        ) from error


def _migrate(connection: AnyConnection, name: str, partitions: int) -> None:
    connection.execute(_ALONE, {"lock": _LOCK, "who": EVERYBODY, "wait": f"{LOCK_WAIT_S}s"})
    before = _version_on(connection)  # another process may have been faster
    if before == NEWEST:
        return
    refuse_newer(name, before, NEWEST)
    _require_pgvector(connection, name)
    if before == 0:
        connection.execute("CREATE TABLE schema_version (version integer NOT NULL)")
        connection.execute("INSERT INTO schema_version (version) VALUES (0)")
    else:
        partitions = partitions_of(connection)  # a new table of users has as many as the others
    for version, script in read_migrations(__package__).items():
        if version > before:
            connection.execute(spelled_out(script, partitions).encode())
    connection.execute("UPDATE schema_version SET version = %s", (NEWEST,))
    secure(connection)


def partitions_of(connection: AnyConnection) -> int:
    """In how many hash partitions the tables of users stand, 0 for none."""
    found = connection.execute(_PARTITIONS).fetchone()
    return int(found[0]) if found else 0


def _is_open(connection: AnyConnection) -> bool:
    """True where policies do not hold for who connects, and there is no role yet to take on."""
    return role_rights(connection).why_open is not None


def _close(connection: AnyConnection) -> None:
    """Try to make the role that was missing; an administrator may have allowed it since."""
    with suppress(errors.InsufficientPrivilege), connection.transaction():
        connection.execute(_ALONE, {"lock": _LOCK, "who": EVERYBODY, "wait": f"{LOCK_WAIT_S}s"})
        secure(connection)


def _version_on(connection: AnyConnection) -> int:
    if connection.execute(_HAS_VERSION).fetchone() == (None,):
        return 0
    found = connection.execute(_VERSION).fetchone()
    return int(found[0]) if found else 0


def spelled_out(script: str, partitions: int) -> str:
    """The script with its marks filled; a table's partitions are made right behind it."""
    clause = "PARTITION BY HASH (user_id)" if partitions else ""
    statements = []
    for statement in script.split(";\n"):
        table = BY_USER.search(statement)
        statements.append(fill(statement, {"text": 'text COLLATE "C"', "by user": clause}))
        if table is not None:
            statements += [
                f"CREATE TABLE {table[1]}_{remainder} PARTITION OF {table[1]} "
                f"FOR VALUES WITH (MODULUS {partitions}, REMAINDER {remainder})"
                for remainder in range(partitions)
            ]
    return ";\n".join(statements)


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
