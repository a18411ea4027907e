"""Bring a database to the newest schema version, in one transaction.

Versions 1 to 5 are the baseline that the specifications start from; version 6 adds `memory_type`
exactly as S1.1 says; version 7 is today's shape. In a file that another program made, whatever
version it says, `legacy.py` adds what the baseline has and the file lacks, before version 7 copies
the rows.
"""

import re
from importlib.resources import files

import apsw

from chatmem.errors import SchemaVersionError
from chatmem.storage.sqlite import legacy

_FILE_NAME = re.compile(r"(\d{4})\.sql")


def scripts() -> dict[int, str]:
    """The migration scripts by the version that each leads to."""
    folder = files(__package__) / "migrations"
    return {
        int(match[1]): entry.read_text("utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if (match := _FILE_NAME.fullmatch(entry.name))
    }


NEWEST = max(scripts())


def version_of(connection: apsw.Connection) -> int:
    """The schema version that the file carries; 0 for a new file."""
    return int(connection.pragma("user_version"))


def refuse_newer(connection: apsw.Connection, path: object) -> None:
    """Nothing, for a file that this version can read; reads only.

    Raises:
        SchemaVersionError: the file was written by a newer chatmem.
    """
    found = version_of(connection)
    if found > NEWEST:
        raise SchemaVersionError(
            f"{path} has schema version {found}, this chatmem knows up to {NEWEST}: "
            "use the newer chatmem that wrote it; nothing was changed"
        )


def migrate(connection: apsw.Connection, path: object) -> tuple[int, int]:
    """The version before and after; the caller has opened the transaction.

    Raises:
        SchemaVersionError: the file was written by a newer chatmem.
    """
    refuse_newer(connection, path)
    before = version_of(connection)
    foreign = before < legacy.FOREIGN_UP_TO and legacy.holds_memories(connection)
    for version, script in scripts().items():
        if version <= before:
            continue
        if foreign and version <= legacy.FOREIGN_UP_TO:
            legacy.complete(connection)
        if not (foreign and legacy.is_done(connection, version)):
            connection.execute(script)
        connection.pragma("user_version", version)
    return before, NEWEST
