"""The second wall under the visibility predicate: row-level security, and whom a statement serves.

`security.sql` has the policies. They compare each row with `chatmem.acting_for`, which
`database.py` sets before a statement, in the same round trip, until the transaction ends:

- a statement whose header says `for everybody` acts for the whole store;
- any other for whom the code that called it has named by `acting_for`;
- otherwise, inside a transaction or a snapshot, for the first user that a statement was given;
- outside for the user that it was given;
- for nobody where none was: no row of any user is there then.

Policies do not hold for superusers, nor for roles with BYPASSRLS. A server that connects as one of
them takes on the role `chatmem_server`, which the migration makes.
"""

from importlib.resources import files
from typing import Any, Final, NamedTuple

import psycopg

ROLE: Final = "chatmem_server"
NOBODY: Final = ""
EVERYBODY: Final = "*"
"""The whole store."""
SET_ACTING: Final = "SELECT set_config('chatmem.acting_for', %(who)s, true)"

_RIGHTS = """
SELECT me.rolsuper OR me.rolbypassrls,
    coalesce(pg_has_role(server.oid, %(right)s), false)
    AND coalesce(has_table_privilege(server.oid, to_regclass('atomic_memory'), 'SELECT'), false)
FROM pg_roles me LEFT JOIN pg_roles server ON server.rolname = %(role)s
WHERE me.rolname = current_user
"""
_SET_RIGHT_SINCE = 16
_WHY_OPEN = (
    "this role sees past row-level security, and can take on no role that does not: "
    f"connect as a role without BYPASSRLS, or let an administrator run `CREATE ROLE {ROLE} "
    f"NOLOGIN; GRANT {ROLE} TO` this role, and open the memory again"
)


class RoleRights(NamedTuple):
    """What row-level security is to the role that connects; by default it just holds."""

    role: str | None = None
    """The role to take on, so that it holds."""
    why_open: str | None = None
    """Why there is no second wall, and what to do."""


def one_user(user_id: str) -> str:
    """What `chatmem.acting_for` is for a user, whatever their name is."""
    return f"={user_id}"


def secure(connection: psycopg.Connection[Any]) -> None:
    """Make policies, their functions, the server's role and its rights anew, as they have to be.

    For the role that owns the tables; what it may not do (make a role) is left out.
    """
    script = files(__package__) / "security.sql"
    connection.execute(script.read_bytes())


def role_rights(connection: psycopg.Connection[Any]) -> RoleRights:
    """What the policies are to the role that is connected."""
    right = "SET" if connection.info.server_version >= _SET_RIGHT_SINCE * 10_000 else "MEMBER"
    found = connection.execute(_RIGHTS, {"role": ROLE, "right": right}).fetchone()
    bypasses, takes_role = found or (False, False)
    if not bypasses:
        return RoleRights()
    return RoleRights(role=ROLE) if takes_role else RoleRights(why_open=_WHY_OPEN)
