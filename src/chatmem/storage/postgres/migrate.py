"""Bring a database to the newest schema version, and its tables into partitions or onto Citus.

One process migrates at a time, in one transaction; the others wait, and find it done.

The user leads every primary key and is named by every statement, so a partition is chosen before a
statement runs, and what one user's search reads stands in one partition. How many there are the
tables themselves say: those of an existing database are made anew by the migrations and filled from
the old ones, in one transaction.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

import psycopg
from psycopg import errors, sql

from chatmem.errors import DatabaseError, InvalidInputError
from chatmem.storage.postgres.advice import LOCK_WAIT_S, WAIT_S, display_address, explained
from chatmem.storage.postgres.security import EVERYBODY, role_rights, secure
from chatmem.storage.tables.database import fill, read_migrations, refuse_newer

_VERSION = "SELECT version FROM schema_version"
_PARTITIONS = "SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass('owner')"
_ALONE = """
SELECT set_config('lock_timeout', %(wait)s, true), set_config('chatmem.acting_for', %(who)s, true),
    pg_advisory_xact_lock(%(lock)s)
"""
"""One process migrates, and sees the rows of all users."""
_ALONE_NAMES = {"lock": 0x63686174_6D656D, "who": EVERYBODY, "wait": f"{LOCK_WAIT_S}s"}  # "chatmem"
_BY_USER = re.compile(r"^CREATE TABLE (\w+) \(.*\) \{by user\}$", re.MULTILINE | re.DOTALL)
MOST_PARTITIONS = 1_024
_BEFORE = "chatmem_before"
"""A schema that is there only inside the transaction."""
_MADE = re.compile(r"^CREATE (TABLE|SEQUENCE) (\w+)", re.MULTILINE)
_CODES = ("memory_code", "memory_near")
"""Tables whose codes are as long as the embedder's vectors: made when the first one comes."""
_KEPT_TOGETHER = ["document_text", "job", "vector_queue"]
"""Left where they are by Citus: it takes no `SKIP LOCKED` over several nodes; documents are few."""

_PARTS = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = to_regclass(%s)"
_COLUMNS = """
SELECT attname FROM pg_attribute
WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
ORDER BY attnum
"""
_CODE_BITS = """
SELECT atttypmod FROM pg_attribute
WHERE attrelid = to_regclass('chatmem_before.memory_code') AND attname = 'code'
"""


NEWEST = max(read_migrations(__package__))
AnyConnection: TypeAlias = psycopg.Connection[Any]
Progress: TypeAlias = Callable[[int, int], None]


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
        if role_rights(connection).why_open is not None:
            # Try to make the role that was missing; an administrator may have allowed it since.
            with suppress(errors.InsufficientPrivilege), connection.transaction():
                connection.execute(_ALONE, _ALONE_NAMES)
                secure(connection)
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
    connection.execute(_ALONE, _ALONE_NAMES)
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
    return int(_one(connection, _PARTITIONS))


def _version_on(connection: AnyConnection) -> int:
    return int(_one(connection, _VERSION) or 0) if _is_there(connection, "schema_version") else 0


def spelled_out(script: str, partitions: int) -> str:
    """The script with its marks filled; a table's partitions are made right behind it."""
    clause = "PARTITION BY HASH (user_id)" if partitions else ""
    statements = []
    for statement in script.split(";\n"):
        table = _BY_USER.search(statement)
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


def partition(address: str, count: int, progress: Progress | None = None) -> bool:
    """True when the tables of users now stand in so many hash partitions, and did not before.

    0 is one table each again. Everything is copied in one transaction, during which others wait: it
    takes as much room once more, and the right to make tables. `progress` gets the tables done.

    Raises:
        InvalidInputError: a number that makes no sense.
        DatabaseError: it cannot be done here; nothing was changed.
    """
    if count != 0 and not 2 <= count <= MOST_PARTITIONS:
        raise InvalidInputError(
            f"count: got {count}, takes 2 to {MOST_PARTITIONS} partitions, or 0 for none"
        )
    with _connected(address) as (connection, name):
        migrate(connection, name, count)
        if partitions_of(connection) == count:
            return False
        with connection.transaction():
            _make_anew(connection, name, count, progress)
        connection.execute("ANALYZE")
    return True


def distribute(address: str, shards: int) -> list[str]:
    """The tables that Citus now spreads over its nodes by their user, in so many shards.

    What is about no single user is copied to every node. For a database that is new, or in one
    piece: Citus moves what is in it.

    Raises:
        DatabaseError: no Citus, tables in partitions, or what Citus says; nothing was changed.
    """
    with _connected(address) as (connection, name):
        if not connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'citus'").rowcount:
            raise DatabaseError(
                f"{name} has no Citus: let an administrator install it and run `CREATE EXTENSION "
                "citus` in this database; nothing was changed"
            )
        migrate(connection, name)
        if partitions_of(connection):
            raise DatabaseError(
                f"{name} has its tables in hash partitions: undo that first with --count 0"
            )
        with connection.transaction():
            return _distribute(connection, shards)


@contextmanager
def _connected(address: str) -> Iterator[tuple[AnyConnection, str]]:
    """A connection, and the database's name; errors name it, and say what to do."""
    name = display_address(address)
    try:
        with psycopg.connect(address, autocommit=True, connect_timeout=WAIT_S) as connection:
            yield connection, name
    except psycopg.Error as error:
        raise explained(name, error) from error


def _distribute(connection: AnyConnection, shards: int) -> list[str]:
    by_user = [table for table in _tables() if table in _tables_by_user()]
    spread = [table for table in by_user if table not in _KEPT_TOGETHER]
    spread.remove("owner")
    connection.execute(
        "SELECT create_distributed_table('owner', 'user_id', shard_count => %s)", (shards,)
    )
    for table in spread:
        connection.execute(
            "SELECT create_distributed_table(%s, 'user_id', colocate_with => 'owner')", (table,)
        )
    for table in _tables():
        if table not in by_user and table != "schema_version":
            connection.execute("SELECT create_reference_table(%s)", (table,))
    return ["owner", *spread]


def _make_anew(connection: AnyConnection, name: str, count: int, progress: Progress | None) -> None:
    """The tables as the migrations make them, with what was in those before."""
    connection.execute(
        "SELECT set_config('chatmem.acting_for', %s, true), set_config('lock_timeout', %s, true), "
        "set_config('maintenance_work_mem', '256MB', true)",
        (EVERYBODY, f"{LOCK_WAIT_S}s"),
    )
    schema = _one(connection, "SELECT current_schema()")
    tables = [table for table in (*_tables(), *_CODES) if _is_there(connection, table)]
    _put_aside(connection, tables)
    migrate(connection, name, count)
    bits = _one(connection, _CODE_BITS)
    if bits is not None:
        connection.execute("SELECT chatmem_make_codes(%s)", (bits,))
    for done, table in enumerate(tables, 1):
        _fill(connection, schema, table)
        if progress is not None:
            progress(done, len(tables))
    for sequence in _made("SEQUENCE"):
        connection.execute(
            sql.SQL("SELECT setval(%s, last_value, is_called) FROM {}").format(
                sql.Identifier(_BEFORE, sequence)
            ),
            (sequence,),
        )
    connection.execute(f"DROP SCHEMA {_BEFORE} CASCADE".encode())


def _put_aside(connection: AnyConnection, tables: list[str]) -> None:
    """All that the migrations made, into a schema of its own; whoever wants to read it waits."""
    connection.execute(f"CREATE SCHEMA {_BEFORE}".encode())
    parts = [row[0] for one in tables for row in connection.execute(_PARTS, (one,)).fetchall()]
    kinds = {"TABLE": [*tables, *parts], "SEQUENCE": _made("SEQUENCE")}
    for kind, names in kinds.items():
        for name in names:
            statement = f"ALTER {kind} {{}} SET SCHEMA {_BEFORE}"
            connection.execute(sql.SQL(statement).format(sql.Identifier(name)))


def _fill(connection: AnyConnection, schema: str, table: str) -> None:
    """Everything that was in the table before, and nothing else."""
    target, source = sql.Identifier(schema, table), sql.Identifier(_BEFORE, table)
    names = [row[0] for row in connection.execute(_COLUMNS, (table,)).fetchall()]
    columns = sql.SQL(", ").join(map(sql.Identifier, names))
    connection.execute(sql.SQL("DELETE FROM {}").format(target))
    copy = sql.SQL("INSERT INTO {} ({}) SELECT {} FROM {}")
    connection.execute(copy.format(target, columns, columns, source))


def _made(kind: str) -> list[str]:
    """Names of the tables or sequences that the migrations make."""
    scripts = read_migrations(__package__).values()
    return [name for script in scripts for made, name in _MADE.findall(script) if made == kind]


def _tables() -> list[str]:
    return ["schema_version", *_made("TABLE")]


def _tables_by_user() -> set[str]:
    return {
        match[1]
        for script in read_migrations(__package__).values()
        for statement in script.split(";\n")
        if (match := _BY_USER.search(statement))
    }


def _is_there(connection: AnyConnection, table: str) -> bool:
    return _one(connection, "SELECT to_regclass(%s) IS NOT NULL", table) is True


def _one(connection: AnyConnection, statement: str, *values: object) -> Any:  # noqa: ANN401
    found = connection.execute(statement.encode(), values).fetchone()
    return found[0] if found else None
