"""The second wall: whatever a statement says, it shows and changes only what its user may.

The test's own connections are a superuser's, who sees past every policy; what is tested runs
through `PostgresDatabase`, as the role that a server takes on.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from tests.contract.given import delete, keep_contents, said
from tests.contract.test_dense import embed_all
from tests.postgres_server import PostgresServer, of_everybody
from tests.unit.storage.test_visibility import statements

from chatmem import MemoryService, Settings
from chatmem.errors import DatabaseError
from chatmem.model import MemoryFilter
from chatmem.storage.postgres.database import PostgresDatabase, translated
from chatmem.storage.postgres.migrate import MARKS, NEWEST
from chatmem.storage.postgres.security import ROLE, RoleRights
from chatmem.storage.postgres.store import PostgresStore
from chatmem.storage.tables.database import fill, read_migrations
from chatmem.testing import FakeEmbedder

NOBODYS = {"schema_version", "index_identity", "role_rule", "sharing", "setting", "setting_change"}
"""Tables without a row that is any user's: whoever adds one has to say so here."""
LISTED_ONLY = {"api_key"}
"""Rows of users that no user's statement shows, only those listed for the whole store."""
ANN, BOB = "ann", "bob"

_TABLES = """
SELECT relname FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
ORDER BY relname
"""
_WALLED = """
SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity
    AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid)
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
"""
_REQUIRED = """
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
WHERE attrelid = '{table}'::regclass AND attnum > 0 AND NOT attisdropped AND attnotnull
    AND NOT atthasdef
"""
_FILLED = {"text": "household", "bytea": b"", "bigint": 7, "integer": 7, "double precision": 0.5}


@pytest.fixture
def store(postgres_address: str) -> Iterator[PostgresStore]:
    opened = PostgresStore(postgres_address, pack_every=4)
    opened.dense.use(FakeEmbedder().identity, FakeEmbedder().dimension)
    yield opened
    opened.close()


@pytest.fixture
def database(store: PostgresStore) -> PostgresDatabase:
    return store.database


@pytest.fixture
def bobs(store: PostgresStore, postgres_address: str) -> list[str]:
    """Every table with rows of users; in each of them Bob has one, and nobody else has any."""
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        names = [name for (name,) in connection.execute(_TABLES).fetchall()]
        tables = [name for name in names if name not in NOBODYS]
        connection.execute("TRUNCATE owner")
        for table in tables:
            required = connection.execute(_REQUIRED.format(table=table).encode()).fetchall()
            statement, values = _row_of_bobs(table, required)
            connection.execute(translated(statement).encode(), values)
    return tables


def _row_of_bobs(table: str, required: list[Any]) -> tuple[str, dict[str, object]]:
    """A statement that adds a row, and its values."""
    values = {
        column: BOB if column in ("user_id", "head") else _filled(kind) for column, kind in required
    }
    marks = ", ".join(f":{column}" for column in values)
    return f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", values


def _filled(kind: str) -> object:
    return "0" * int(kind[4:-1]) if kind.startswith("bit(") else _FILLED[kind]


def _count(database: PostgresDatabase, table: str) -> int:
    ((count,),) = database.execute(f"SELECT count(*) FROM {table} AS it")
    return int(count)


def test_every_table_has_its_policy_or_is_known_to_be_nobodys(store: PostgresStore) -> None:
    walled = {str(name): bool(stands) for name, stands in store.database.execute(_WALLED)}

    assert {name for name, stands in walled.items() if not stands} == NOBODYS
    assert {"memory_code", "packed_row"} < walled.keys()


def test_acting_for_one_user_no_table_shows_a_row_of_another(
    database: PostgresDatabase, bobs: list[str]
) -> None:
    assert len(bobs) >= 30
    with database.acting_for(ANN):
        assert {table: _count(database, table) for table in bobs} == dict.fromkeys(bobs, 0)
    with database.acting_for(BOB):
        seen = {table for table in bobs if _count(database, table) == 1}
    assert seen == {*bobs} - LISTED_ONLY
    for table in bobs:
        assert database.execute(of_everybody(f"SELECT count(*) FROM {table}")) == [(1,)], table


def test_a_statement_of_nobody_sees_nothing(database: PostgresDatabase, bobs: list[str]) -> None:
    assert {table: _count(database, table) for table in bobs} == dict.fromkeys(bobs, 0)
    with database.snapshot():
        assert {table: _count(database, table) for table in bobs} == dict.fromkeys(bobs, 0)


def test_no_table_takes_a_row_for_another_user(database: PostgresDatabase, bobs: list[str]) -> None:
    for table in bobs:
        column = "head" if table == "circle" else "user_id"
        with database.acting_for(ANN), database.transaction():
            assert database.execute(f"DELETE FROM {table} RETURNING 1") == []
            assert database.execute(f"UPDATE {table} SET {column} = 'ann' RETURNING 1") == []
        with (
            pytest.raises(DatabaseError, match="violates row-level security policy"),
            database.acting_for(ANN),
            database.transaction(),
        ):
            required = database.execute(of_everybody(_REQUIRED.format(table=table)))
            database.execute(*_row_of_bobs(table, required))


def test_the_server_works_as_a_role_for_which_policies_hold(database: PostgresDatabase) -> None:
    assert database.rights.role == ROLE  # the tests connect as a superuser
    assert database.execute("SELECT current_user::text, session_user <> current_user") == [
        (ROLE, True)
    ]
    assert database.missing() == ()
    with pytest.raises(DatabaseError, match="does not let this user do that"):
        database.execute("ALTER TABLE atomic_memory DISABLE ROW LEVEL SECURITY")


def test_a_transaction_acts_for_the_user_whom_it_names_first(store: PostgresStore) -> None:
    ann, bob = store.owner(ANN), store.owner(BOB)
    keep_contents(store, bob, "tea")
    with store.transaction():
        assert store.pages.count(ann) == 0
        assert store.pages.count(bob) == 0
        with store.database.acting_for(BOB):
            assert store.pages.count(bob) == 1
        assert store.pages.count(bob) == 0
        assert store.users() == ["default", ANN, BOB]  # one of those for the whole store
        assert store.pages.count(bob) == 0
    assert store.pages.count(bob) == 1


def test_a_connection_forgets_for_whom_it_acted(store: PostgresStore) -> None:
    keep_contents(store, store.owner(BOB), "tea")
    database = store.database
    asked = "SELECT count(*), current_setting('chatmem.acting_for', true) FROM atomic_memory"
    assert database.execute(asked, {}, BOB) == [(1, "=bob")]
    with pytest.raises(DatabaseError), database.acting_for(BOB), database.transaction():
        database.execute("SELECT 1 / 0 FROM atomic_memory")
    with database.transaction():
        assert database.execute(of_everybody(asked)) == [(1, "*")]

    (found,) = database.execute(asked)
    assert found[0] == 0
    assert not found[1]
    with database.transaction():
        ((count, who),) = database.execute(asked)
        assert (count, who or "") == (0, "")


@pytest.mark.parametrize("name", ["*", "=ann", "'; RESET ROLE; --", "安 妮", ""])
def test_no_name_makes_a_user_anybody_else(store: PostgresStore, name: str) -> None:
    keep_contents(store, store.owner(ANN), "tea")
    with store.database.acting_for(name):
        assert _count(store.database, "atomic_memory") == 0
    assert store.database.execute("SELECT 1 FROM atomic_memory", {}, name) == []


def test_headers_say_who_a_statement_acts_for(store: PostgresStore) -> None:
    """One that reads rows of users acts for a user whom it names, or for everybody."""
    walled = {name for name, stands in store.database.execute(_WALLED) if stands}
    wrong = {
        ".".join(name)
        for name, statement in statements(PostgresDatabase).items()
        if {*re.findall(r"\w+", statement.text)} & walled
        and not re.search(r":(user_id|viewer|holder)\b", statement.text)
        and statement.acts_for not in ("for everybody", "part")
    }
    assert wrong == {
        "vectors.has_codes",  # the table's name is all that it asks for
        "vectors.keep_out",  # a lock
    }


def test_what_acts_for_nobody_names_nobody() -> None:
    for name, statement in statements(PostgresDatabase).items():
        if statement.acts_for == "for nobody":
            assert not re.search(r":(user_id|viewer|holder)\b", statement.text), name
        if statement.locks_circle:
            assert ":circle_id" in statement.text, name


@pytest.fixture
def memories(postgres_address: str) -> Iterator[dict[str, MemoryService]]:
    settings = Settings(embedder={"name": "none"})
    with MemoryService.open(postgres_address, ANN, settings=settings, background=False) as memory:
        yield {ANN: memory, BOB: memory.for_user(BOB)}


@contextmanager
def _roles(server: PostgresServer, **attributes: str) -> Iterator[dict[str, str]]:
    """Roles that may log in, by what the test calls them, and what is theirs gone afterwards."""
    names = {name: f"{server._prefix}_{name}" for name in attributes}
    for name, role in names.items():
        server.execute(f"CREATE ROLE {role} LOGIN {attributes[name]}")
    made = len(server._made)
    try:
        yield names
    finally:
        for address in server._made[made:]:
            server.drop(address)
        del server._made[made:]
        for role in names.values():
            server.execute(f"DROP ROLE {role}")


def _as(address: str, role: str) -> str:
    assert "user=postgres" in address
    return address.replace("user=postgres", f"user={role}")


def _prepared(server: PostgresServer, owner: str) -> str:
    """A new database in which the owner may make tables."""
    address = server.empty()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute(f"GRANT CREATE ON SCHEMA public TO {owner}".encode())
    return address


def test_one_role_makes_the_tables_and_another_serves(postgres_server: PostgresServer) -> None:
    with _roles(postgres_server, owning="", serving="") as role:
        address = _prepared(postgres_server, role["owning"])
        PostgresStore(_as(address, role["owning"])).close()
        with pytest.raises(DatabaseError, match="let its owner grant what is missing"):
            PostgresStore(_as(address, role["serving"])).users()
        postgres_server.execute(f"GRANT {ROLE} TO {role['serving']}")

        store = PostgresStore(_as(address, role["serving"]), pack_every=4)

        assert store.database.rights == RoleRights()
        assert store.missing() == ()
        _is_served(store)
        store.close()


def test_the_tables_owner_serves_behind_the_wall_too(postgres_server: PostgresServer) -> None:
    with _roles(postgres_server, owning="") as role:
        address = _prepared(postgres_server, role["owning"])
        store = PostgresStore(_as(address, role["owning"]), pack_every=4)

        assert store.database.execute("SELECT current_user::text") == [(role["owning"],)]
        _is_served(store)
        store.close()


def _is_served(store: PostgresStore) -> None:
    """Everything a server does, a change of the embedder too; and nobody sees another's rows."""
    first, second = FakeEmbedder(), FakeEmbedder(name="second")
    for name in (ANN, BOB):
        keep_contents(store, store.owner(name), *(f"{name} {place}" for place in range(6)))
    embed_all(store, first)
    assert store.pack() == 8
    embed_all(store, second)
    assert store.dense.finish()
    assert store.dense.identity() == second.identity
    delete(store, store.owner(ANN), "ann2")
    assert store.pages.count(store.owner(ANN)) == 5
    assert store.database.execute("SELECT 1 FROM atomic_memory") == []
    with store.database.acting_for(ANN):
        for table in ("atomic_memory", "memory_vector", "packed_posting"):
            found = store.database.execute(f"SELECT DISTINCT user_id FROM {table}")
            assert found == [(ANN,)]


def test_a_role_that_nothing_holds_back_is_told(postgres_server: PostgresServer) -> None:
    with _roles(postgres_server, owning="", free="BYPASSRLS") as role:
        address = _prepared(postgres_server, role["owning"])
        PostgresStore(_as(address, role["owning"])).close()
        postgres_server.execute(f"GRANT {role['owning']} TO {role['free']}")

        store = PostgresStore(_as(address, role["free"]))
        (missing,) = store.missing()
        assert missing.what == "row_security"
        assert "connect as a role without BYPASSRLS, or let an administrator run" in missing.why
        store.close()

        postgres_server.execute(f"GRANT {ROLE} TO {role['free']}")  # as it says
        store = PostgresStore(_as(address, role["free"]))
        assert store.missing() == ()
        assert store.database.execute("SELECT current_user::text") == [(ROLE,)]
        store.close()


BEFORE_SECURITY = """
CREATE TABLE schema_version (version integer NOT NULL);
INSERT INTO schema_version (version) VALUES (1);
INSERT INTO owner (user_id, number, next_row) VALUES ('ann', 2, 1), ('bob', 3, 300);
INSERT INTO atomic_memory (row_id, id, user_id, timestamp, create_time, content, role, session_id)
SELECT o.number << 32, o.user_id || '1', o.user_id, '2026-03-02T12:00:00.000Z',
    '2026-03-02T12:00:00.000Z', 'tea of ' || o.user_id, 'user', 's1'
FROM owner o WHERE o.user_id <> 'default';
"""


def _before_security(server: PostgresServer, owner: str) -> str:
    """A database as it was without policies, with rows of two users."""
    address = _prepared(server, owner)
    with psycopg.connect(_as(address, owner), autocommit=True) as connection:
        first = read_migrations("chatmem.storage.postgres")[1]
        connection.execute(fill(first, MARKS).encode())
        connection.execute(BEFORE_SECURITY)
    return address


@pytest.mark.parametrize("who", ["postgres", "owning"])
def test_a_database_with_data_gets_its_wall(postgres_server: PostgresServer, who: str) -> None:
    with _roles(postgres_server, owning="") as role:
        address = _before_security(postgres_server, role["owning"])
        store = PostgresStore(_as(address, role.get(who, who)))

        assert store.facts()["schema_version"] == NEWEST
        assert store.missing() == ()
        ann = store.owner(ANN)
        found = store.pages.page(ann, MemoryFilter(), (10, 0))[0]
        assert [record.content for record in found] == ["tea of ann"]
        alike = store.conversations.same_start(ann, said("tea of ann"), said("tea"))
        assert alike == [("ann1", "user", "tea of ann")]
        with store.database.acting_for(ANN):
            assert store.database.execute("SELECT id FROM atomic_memory") == [("ann1",)]
        unpacked = store.database.execute(
            of_everybody("SELECT user_id, unpacked FROM owner ORDER BY 1")
        )
        assert unpacked == [("ann", 1), ("bob", 300), ("default", 0)]
        store.close()


def test_a_serving_role_is_told_who_updates_the_schema(postgres_server: PostgresServer) -> None:
    with _roles(postgres_server, owning="", serving="") as role:
        address = _before_security(postgres_server, role["owning"])
        postgres_server.execute(f"GRANT {ROLE} TO {role['serving']}")
        with psycopg.connect(_as(address, role["owning"]), autocommit=True) as connection:
            connection.execute(f"GRANT SELECT ON schema_version TO {ROLE}".encode())

        expected = rf"has schema version 1, this chatmem needs {NEWEST}, and this user may not"
        with pytest.raises(DatabaseError, match=expected):
            PostgresStore(_as(address, role["serving"]))
