"""The tables of users in hash partitions, or spread over the nodes of Citus.

The user leads every primary key and is named by every statement, so a partition is chosen before a
statement runs, and what one user's search reads stands in one partition. How many there are is said
by the tables themselves, once: the tables of an existing database are made anew by the migrations,
as for a new one, and filled from the old ones, in one transaction.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import sql

from chatmem.errors import DatabaseError, InvalidInputError
from chatmem.storage.postgres.advice import LOCK_WAIT_S, WAIT_S, display_address, explained
from chatmem.storage.postgres.migrate import BY_USER, migrate, partitions_of
from chatmem.storage.postgres.security import EVERYBODY
from chatmem.storage.tables.database import read_migrations

MOST_PARTITIONS = 1_024
_BEFORE = "chatmem_before"
"""A schema that is there only inside the transaction."""
_MADE = re.compile(r"^CREATE (TABLE|SEQUENCE) (\w+)", re.MULTILINE)
_FUNCTION = re.compile(r"^CREATE FUNCTION (\w+)\(\)", re.MULTILINE)
_CODES = ("memory_code", "memory_near")
"""Tables whose codes are as long as the embedder's vectors: made when the first one comes."""
_KEPT_TOGETHER = ["document_text", "job", "vector_queue"]
"""Left where they are by Citus: it takes no triggers, and no `SKIP LOCKED` over several nodes."""

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

Progress = Callable[[int, int], None]
_Connection = psycopg.Connection[Any]


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
def _connected(address: str) -> Iterator[tuple[_Connection, str]]:
    """A connection, and the database's name; errors name it, and say what to do."""
    name = display_address(address)
    try:
        with psycopg.connect(address, autocommit=True, connect_timeout=WAIT_S) as connection:
            yield connection, name
    except psycopg.Error as error:
        raise explained(name, error) from error


def _distribute(connection: _Connection, shards: int) -> list[str]:
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


def _make_anew(connection: _Connection, name: str, count: int, progress: Progress | None) -> None:
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
    bits = connection.execute(_CODE_BITS).fetchone()
    if bits is not None:
        connection.execute("SELECT chatmem_make_codes(%s)", bits)
    connection.execute("ALTER TABLE document_text DISABLE TRIGGER USER")  # nobody has edited
    for done, table in enumerate(tables, 1):
        _fill(connection, schema, table)
        if progress is not None:
            progress(done, len(tables))
    connection.execute("ALTER TABLE document_text ENABLE TRIGGER USER")
    for sequence in _made("SEQUENCE"):
        connection.execute(
            sql.SQL("SELECT setval(%s, last_value, is_called) FROM {}").format(
                sql.Identifier(_BEFORE, sequence)
            ),
            (sequence,),
        )
    connection.execute(f"DROP SCHEMA {_BEFORE} CASCADE".encode())


def _put_aside(connection: _Connection, tables: list[str]) -> None:
    """All that the migrations made, into a schema of its own; whoever wants to read it waits."""
    connection.execute(f"CREATE SCHEMA {_BEFORE}".encode())
    for table in tables:
        parts = [row[0] for row in connection.execute(_PARTS, (table,)).fetchall()]
        for one in (table, *parts):
            _move(connection, "TABLE", one)
    for sequence in _made("SEQUENCE"):
        _move(connection, "SEQUENCE", sequence)
    for function in (found for script in _scripts() for found in _FUNCTION.findall(script)):
        _move(connection, "FUNCTION", function)


def _move(connection: _Connection, kind: str, name: str) -> None:
    statement = sql.SQL("ALTER {} {} SET SCHEMA {}")
    connection.execute(
        statement.format(sql.SQL(kind), sql.Identifier(name), sql.Identifier(_BEFORE))
    )


def _fill(connection: _Connection, schema: str, table: str) -> None:
    """Everything that was in the table before, and nothing else."""
    target, source = sql.Identifier(schema, table), sql.Identifier(_BEFORE, table)
    names = [row[0] for row in connection.execute(_COLUMNS, (table,)).fetchall()]
    columns = sql.SQL(", ").join(map(sql.Identifier, names))
    connection.execute(sql.SQL("DELETE FROM {}").format(target))
    copy = sql.SQL("INSERT INTO {} ({}) SELECT {} FROM {}")
    connection.execute(copy.format(target, columns, columns, source))


def _scripts() -> Iterable[str]:
    return read_migrations(__package__).values()


def _made(kind: str) -> list[str]:
    """Names of the tables or sequences that the migrations make."""
    return [name for script in _scripts() for made, name in _MADE.findall(script) if made == kind]


def _tables() -> list[str]:
    return ["schema_version", *_made("TABLE")]


def _tables_by_user() -> set[str]:
    return {
        match[1]
        for script in _scripts()
        for statement in script.split(";\n")
        if (match := BY_USER.search(statement))
    }


def _is_there(connection: _Connection, table: str) -> bool:
    return _one(connection, "SELECT to_regclass(%s) IS NOT NULL", table) is True


def _one(connection: _Connection, statement: str, *values: object) -> Any:  # noqa: ANN401
    found = connection.execute(statement.encode(), values).fetchone()
    return found[0] if found else None
