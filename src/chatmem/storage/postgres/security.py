"""The second wall under the visibility predicate: row-level security, and whom a statement serves.

`security.sql` has the policies. They compare each row with `chatmem.acting_for`, which
`database.py` sets before a statement, in the same round trip, until the transaction ends:

- a statement acts for whom the code that called it has named by `acting_for`;
- inside a transaction or a snapshot otherwise for the user whom its first statement named;
- outside for the user bound to `:user_id` or `:viewer`;
- for nobody where no user is named: no row of any user is there then.

What is about no single user (which jobs are due, who owns something, what is too old, who is in a
circle) is listed in `WHOLE_STORE`; moving everything says so by `whole_store`.

Policies do not hold for superusers, nor for roles with BYPASSRLS. A server that connects as one of
them takes on the role `chatmem_server`, which the migration makes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import psycopg

from chatmem.storage.postgres.statements import statements, translated
from chatmem.storage.tables.database import Bindings

ROLE: Final = "chatmem_server"
NOBODY: Final = ""
EVERYBODY: Final = "*"
"""The whole store."""
SET_ACTING: Final = translated("SELECT set_config('chatmem.acting_for', :who, true)")
WHOLE_STORE: Final[Mapping[str, str]] = {
    "extraction": "forget_events",
    "index": "count_without_tokens",
    "jobs": "due holders state given_up",
    "memories": "foreign",
    "moving": (
        "is_empty no_owners go_on_owner go_on_history go_on_conversation go_on_summary "
        "go_on_profile go_on_job"
    ),
    "owners": "number create everybody name",
    "packed": "to_pack",
    "people": (
        "create circle members circles_of invite invited uninvite delete_invitations put_head "
        "put_member remove_member delete_members delete"
    ),
    "serving": (
        "add_key key_by_hash keys revoke_key any_key forget_revoked_keys forget_receipts "
        "blank_answers forget_answers"
    ),
    "sessions": "is_foreign",
    "vectors": (
        "cached cached_next drop_live clear_next clear_codes queue_length take enqueue_all "
        "dequeue_done owner_from"
    ),
    "working": "idle",
}
"""Statements that act for the whole store, by their file."""

_STANDING = """
SELECT me.rolsuper OR me.rolbypassrls,
    coalesce(pg_has_role(server.oid, %(right)s), false)
    AND coalesce(has_table_privilege(server.oid, to_regclass('atomic_memory'), 'SELECT'), false)
FROM pg_roles me LEFT JOIN pg_roles server ON server.rolname = %(role)s
WHERE me.rolname = current_user
"""
_SET_RIGHT_SINCE = 16


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether policies hold for the role that connects, and whether it can take on the server's."""

    bypasses: bool
    takes_role: bool

    @property
    def role(self) -> str | None:
        """The role to take on, None where there is no need, or none to take."""
        return ROLE if self.bypasses and self.takes_role else None

    @property
    def why_open(self) -> str | None:
        """Why there is no second wall, and what to do; None where there is one."""
        if not self.bypasses or self.takes_role:
            return None
        return (
            "this role sees past row-level security, and can take on no role that does not: "
            f"connect as a role without BYPASSRLS, or let an administrator run `CREATE ROLE {ROLE} "
            f"NOLOGIN; GRANT {ROLE} TO` this role, and open the memory again"
        )


@cache
def whole_store_statements() -> frozenset[str]:
    """The texts of the statements in `WHOLE_STORE`."""
    return frozenset(
        statements(name)[title] for name, titles in WHOLE_STORE.items() for title in titles.split()
    )


def one_user(user_id: str) -> str:
    """What `chatmem.acting_for` is for a user, whatever their name is."""
    return f"={user_id}"


def named(bindings: Bindings) -> str | None:
    """Whom the bindings name, as `chatmem.acting_for` has it; None for nobody."""
    user_id = bindings.get("user_id") or bindings.get("viewer")
    return None if user_id is None else one_user(user_id)


def secure(connection: psycopg.Connection[Any]) -> None:
    """Make policies, their functions, the server's role and its rights anew, as they have to be.

    For the role that owns the tables; what it may not do (make a role) is left out.
    """
    script = files(__package__) / "security.sql"
    connection.execute(script.read_bytes())


def standing(connection: psycopg.Connection[Any]) -> Standing:
    """How the role that is connected stands to the policies."""
    right = "SET" if connection.info.server_version >= _SET_RIGHT_SINCE * 10_000 else "MEMBER"
    found = connection.execute(_STANDING, {"role": ROLE, "right": right}).fetchone()
    return Standing(*found) if found else Standing(bypasses=False, takes_role=False)
