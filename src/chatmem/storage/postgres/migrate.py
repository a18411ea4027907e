"""Bring a database to the newest schema version, in one transaction.

One process migrates at a time; the others wait, and find it done.
"""

import re
from importlib.resources import files

from psycopg import errors

from chatmem.errors import DatabaseError, SchemaVersionError
from chatmem.storage.postgres.database import Connection, Database

_FILE_NAME = re.compile(r"(\d{4})\.sql")
_LOCK = 0x63686174_6D656D  # "chatmem"
_BY_USER = re.compile(r"^CREATE TABLE (\w+) \(.*\) \{by user\}$", re.MULTILINE | re.DOTALL)


def scripts() -> dict[int, str]:
    """The migration scripts by the version that each leads to."""
    folder = files(__package__) / "migrations"
    return {
        int(match[1]): entry.read_text("utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if (match := _FILE_NAME.fullmatch(entry.name))
    }


NEWEST = max(scripts())


def version_of(database: Database) -> int:
    """The schema version that the database carries; 0 for a new one."""
    if database.one("SELECT to_regclass('schema_version')") == (None,):
        return 0
    found = database.one("SELECT version FROM schema_version")
    return int(found[0]) if found else 0


def migrate(database: Database, partitions: int = 0) -> None:
    """Bring it to the newest version; tables of users get so many hash partitions, if any.

    Raises:
        SchemaVersionError: the schema was written by a newer chatmem.
        DatabaseError: no pgvector, or no right to make tables.
    """
    _refuse_newer(database)
    if version_of(database) == NEWEST:
        return
    with database.transaction():
        connection = database.connection
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        before = version_of(database)  # another process may have been faster
        if before == NEWEST:
            return
        _refuse_newer(database)
        _require_pgvector(connection, database.name)
        if before == 0:
            connection.execute("CREATE TABLE schema_version (version integer NOT NULL)")
            connection.execute("INSERT INTO schema_version (version) VALUES (0)")
        for version, script in scripts().items():
            if version > before:
                connection.execute(spelled_out(script, partitions).encode())
        connection.execute("UPDATE schema_version SET version = %s", (NEWEST,))


def spelled_out(script: str, partitions: int) -> str:
    """The script with its marks filled; a table's partitions are made right behind it."""
    clause = "PARTITION BY HASH (user_id)" if partitions else ""
    statements = []
    for statement in script.split(";\n"):
        text = statement.replace("{text}", 'text COLLATE "C"')
        table = _BY_USER.search(text)
        statements.append(text.replace("{by user}", clause))
        if table is not None:
            statements += [
                f"CREATE TABLE {table[1]}_{place} PARTITION OF {table[1]} "
                f"FOR VALUES WITH (MODULUS {partitions}, REMAINDER {place})"
                for place in range(partitions)
            ]
    return ";\n".join(statements)


def _refuse_newer(database: Database) -> None:
    found = version_of(database)
    if found > NEWEST:
        raise SchemaVersionError(
            f"{database.name} has schema version {found}, this chatmem knows up to {NEWEST}: "
            "use the newer chatmem that wrote it; nothing was changed"
        )


def _require_pgvector(connection: Connection, name: str) -> None:
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
