"""PostgreSQL's errors as ours: what is wrong with which server, and what to do."""

import re
from typing import Any

import psycopg
from psycopg import conninfo, errors
from psycopg_pool import PoolClosed, PoolTimeout

from chatmem.errors import DatabaseAwayError, DatabaseError

WAIT_S = 10
"""How long a caller waits for a connection."""
LOCK_WAIT_S = 30
"""How long a statement waits for another's lock: a long import of the same user may hold it."""
OLDEST = 15
"""The oldest server, by its major version."""

_NO_DATABASE = "has no such database: make it (`createdb`), or name another in the address"
_NO_ENTRY = "refuses the user or the password: check both in the address"
_FULL = (
    "has no connection left: raise max_connections, lower the pool's size, or put a pooler between"
)
_NOT_UP = "is shutting down or starting: try again; what was not confirmed may not have been kept"
_NO_WAY_IN = (
    "lets this user not in from here, or not into this database: let its administrator allow it "
    "(pg_hba.conf, or GRANT CONNECT), or name another user or database"
)
_NO_TLS = (
    "does not offer the encrypted connection that the address asks for, or one that cannot be "
    "trusted: check sslmode and sslrootcert in the address"
)
_ADDRESS = (
    "takes postgresql://user:password@host:port/database, in which special characters of user and "
    "password are percent-encoded (%40 for @, %2F for /, %3A for :, %3F for ?, %23 for #)"
)
_BAD_OPTION = "cannot be asked with the options of this address: mend the one that is named here"
_LOST = (
    "cannot be reached, or the connection was lost: check the address and that the server runs, "
    "then try again; what was not confirmed may not have been kept"
)
_NO_WRITES = (
    "takes no writes (a replica, or a server set to read only): name the primary in the address, "
    "or several hosts with target_session_attrs=read-write"
)
_ADVICE: tuple[tuple[tuple[type[psycopg.Error], ...], str], ...] = (
    ((PoolClosed,), "is closed: open the memory again"),
    ((errors.ReadOnlySqlTransaction,), _NO_WRITES),
    ((errors.InvalidPassword, errors.InvalidAuthorizationSpecification), _NO_ENTRY),
    ((errors.InvalidCatalogName,), _NO_DATABASE),
    (
        (errors.InsufficientPrivilege,),
        "does not let this user do that: let its owner grant what is missing, or name another user",
    ),
    (
        (errors.UndefinedTable, errors.UndefinedColumn),
        "lacks a table or column of chatmem: check the search_path in the address, or restore the "
        "database",
    ),
    ((errors.DiskFull,), "has no space left: free some and try again; nothing was changed"),
    ((errors.TooManyConnections,), _FULL),
    (
        (errors.LockNotAvailable,),
        f"keeps these rows locked for more than {LOCK_WAIT_S} s: try again, or end what holds them",
    ),
    (
        (errors.DeadlockDetected, errors.SerializationFailure),
        "undid this, because another write was in its way: try again; nothing was changed",
    ),
    ((errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow), _NOT_UP),
    (
        (PoolTimeout,),
        "gave no connection in time: check that it runs, and whether more are open than it takes, "
        "then try again; nothing was changed",
    ),
)

_REFUSALS = {
    _NO_WAY_IN: ("pg_hba.conf", "permission denied", "not currently accepting connections"),
    _NO_ENTRY: ("authentication failed", "no password supplied", "FATAL: role "),
    _NO_DATABASE: ("FATAL: database ",),
    _FULL: ("too many clients", "too many connections", "connection slots"),
    _NOT_UP: ("starting up", "shutting down"),
    _NO_TLS: ("support SSL", "certificate"),
    _BAD_OPTION: ("connection option", " value: "),
}
"""What is in an answer to who wants in: libpq gives no code with it."""
_QUOTED = re.compile(r'"[^"]*"')


def refuse_unreadable(address: str) -> None:
    """Refuse an address that cannot be meant as it is read: nothing of it is repeated, since what
    is misread may be the password.

    Raises:
        DatabaseError: it is none, or its parts are not where they belong.
    """  # noqa: D205
    try:
        parts = conninfo.conninfo_to_dict(address)
    except psycopg.Error as error:
        raise _unreadable(_QUOTED.sub('"..."', _first_line(error))) from None
    hosts = str(parts.get("host") or "").split(",")
    if any("@" in host[1:] for host in hosts) or "@" in str(parts.get("dbname") or ""):
        raise _unreadable("an @ stands where none can be")
    if not str(parts.get("port") or "0").replace(",", "").isdigit():
        raise _unreadable("its port is no number")


def refuse_unfit(connection: psycopg.Connection[Any], name: str) -> None:
    """Refuse a server that is too old, or that takes no writes.

    Raises:
        DatabaseError: it is one of them.
    """
    if connection.info.server_version < OLDEST * 10_000:
        version = connection.info.server_version // 10_000
        raise DatabaseError(
            f"{name} is PostgreSQL {version}, chatmem needs {OLDEST} or newer: upgrade the server; "
            "nothing was changed"
        )
    found = connection.execute("SHOW transaction_read_only").fetchone()
    if found is not None and found[0] == "on":
        raise DatabaseError(f"{name} {_NO_WRITES}")


def _unreadable(why: str) -> DatabaseError:
    return DatabaseError(f"the PostgreSQL address cannot be read ({why}): it {_ADDRESS}")


def display_address(address: str) -> str:
    """The address as it may be shown: without the password."""
    try:
        parts = conninfo.conninfo_to_dict(address)
    except psycopg.Error:
        return "the PostgreSQL address"
    place = ":".join(str(parts[name]) for name in ("host", "port") if parts.get(name))
    user = f"{parts['user']}@" if parts.get("user") else ""
    return f"postgresql://{user}{place}/{parts.get('dbname') or ''}"


def explained(name: str, error: psycopg.Error) -> DatabaseError:
    """Our error for psycopg's; `name` is the address as it may be shown."""
    advice = _advice(error)
    # The server, not the statement, is what is wrong, and may be there again soon.
    is_away = isinstance(error, PoolTimeout) or advice in (_NOT_UP, _LOST, _FULL)
    kind = DatabaseAwayError if is_away else DatabaseError
    return kind(f"{name} {advice} ({_first_line(error)})")


def _advice(error: psycopg.Error) -> str:
    for kinds, advice in _ADVICE:
        if isinstance(error, kinds):
            return advice
    if isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
        answer = " ".join(str(error).split())
        for advice, parts in _REFUSALS.items():
            if any(part in answer for part in parts):
                return advice
        return _LOST
    return "answered with an error; nothing was changed"


def _first_line(error: psycopg.Error) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
