"""A server that is mistyped, cannot serve or goes away is told plainly; a schema is made once."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from tests.postgres_server import CUT_OFF_OTHERS, PostgresServer
from tests.unit.storage.postgres.conftest import rows

from chatmem.errors import DatabaseAwayError, DatabaseError, SchemaVersionError
from chatmem.storage.postgres import advice
from chatmem.storage.postgres.advice import display_address, explained
from chatmem.storage.postgres.database import PostgresDatabase
from chatmem.storage.postgres.migrate import NEWEST, distribute
from chatmem.storage.postgres.store import PostgresStore


@pytest.fixture
def database(postgres_address: str) -> Iterator[PostgresDatabase]:
    opened = PostgresDatabase(postgres_address, pool_size=4)
    yield opened
    opened.close()


def _put(database: PostgresDatabase, name: str) -> None:
    database.execute("INSERT INTO setting (name, value) VALUES (:name, 'x')", {"name": name})


def _put_at_once(database: PostgresDatabase, name: str) -> None:
    with database.transaction():
        _put(database, name)


def _names(database: PostgresDatabase) -> list[str]:
    return [row[0] for row in database.execute("SELECT name FROM setting ORDER BY name")]


def _cut_off_everybody(address: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(CUT_OFF_OTHERS)


def test_a_server_that_is_not_there_is_named_without_the_password() -> None:
    with pytest.raises(DatabaseError, match="cannot be reached") as caught:
        PostgresDatabase("postgresql://mei:secret@127.0.0.1:1/chat")

    assert "postgresql://mei@127.0.0.1:1/chat" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert display_address("postgresql://[nowhere:secret") == "the PostgreSQL address"


def test_a_database_that_does_not_exist_is_told_from_a_lost_server(postgres_address: str) -> None:
    address = postgres_address.replace("chatmem_test", "nowhere", 1)

    with pytest.raises(DatabaseError, match=r"has no such database: make it \(`createdb`\)"):
        PostgresDatabase(address)


def test_a_server_without_citus_cannot_be_spread_over_nodes(postgres_address: str) -> None:
    with pytest.raises(DatabaseError, match="has no Citus: let an administrator"):
        distribute(postgres_address, 32)
    with pytest.raises(DatabaseError, match="cannot be reached"):
        distribute("postgresql://nobody@127.0.0.1:8721/none", 32)


def test_a_server_that_takes_no_writes_is_refused(postgres_address: str) -> None:
    address = f"{postgres_address}&options=-cdefault_transaction_read_only%3Don"

    with pytest.raises(DatabaseError, match=r"takes no writes \(a replica.*name the primary"):
        PostgresDatabase(address)


def test_a_server_that_becomes_a_replica_says_so_at_a_write(database: PostgresDatabase) -> None:
    with pytest.raises(DatabaseError, match="name the primary"), database.transaction():
        database.execute("SET TRANSACTION READ ONLY")
        _put(database, "a")
    assert _names(database) == []


def test_an_old_server_is_refused(postgres_address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "OLDEST", 99)

    with pytest.raises(DatabaseError, match=r"chatmem needs 99 or newer: upgrade the server"):
        PostgresDatabase(postgres_address)


def test_a_connection_lost_in_a_transaction_undoes_it_and_the_next_one_works(
    database: PostgresDatabase, postgres_address: str
) -> None:
    _put_at_once(database, "before")
    with (
        pytest.raises(DatabaseError, match=r"try again; what was not confirmed"),
        database.transaction(),
    ):
        _put(database, "lost")
        _cut_off_everybody(postgres_address)
        _put(database, "never")

    _put_at_once(database, "after")
    assert _names(database) == ["after", "before"]


def test_a_connection_lost_before_the_commit_is_no_success(
    database: PostgresDatabase, postgres_address: str
) -> None:
    with pytest.raises(DatabaseError), database.transaction():
        _put(database, "lost")
        _cut_off_everybody(postgres_address)

    assert _names(database) == []


def test_lost_connections_are_made_anew(database: PostgresDatabase, postgres_address: str) -> None:
    with ThreadPoolExecutor(4) as pool:  # as many connections as the pool has
        list(pool.map(lambda _: database.execute("SELECT pg_sleep(0.05)"), range(4)))
    _cut_off_everybody(postgres_address)

    assert _names(database) == []
    with database.snapshot():
        assert _names(database) == []
    _cut_off_everybody(postgres_address)
    _put_at_once(database, "a")
    assert _names(database) == ["a"]


def test_rows_kept_locked_are_waited_for_and_then_named(database: PostgresDatabase) -> None:
    statement = "UPDATE owner SET version = version + 1 WHERE user_id = :user_id"
    bindings = {"user_id": "default"}
    locked, done = threading.Event(), threading.Event()

    def hold() -> None:
        with database.transaction():
            database.execute(statement, bindings, "default")
            locked.set()
            done.wait(20)

    with ThreadPoolExecutor(1) as pool:
        held = pool.submit(hold)
        assert locked.wait(20)
        with pytest.raises(DatabaseError, match="keeps these rows locked"), database.transaction():
            database.execute("SET LOCAL lock_timeout = '50ms'")
            database.execute(statement, bindings, "default")
        done.set()
        held.result(20)


def test_users_do_not_wait_for_one_another(database: PostgresDatabase) -> None:
    with database.transaction():
        database.execute("INSERT INTO owner (user_id) VALUES (:user_id)", {"user_id": "mei"}, "mei")

    def read(user_id: str) -> None:
        with database.transaction():
            database.execute(
                "SELECT version FROM owner WHERE user_id = :user_id", {"user_id": user_id}, user_id
            )

    with database.transaction(), ThreadPoolExecutor(1) as pool:
        database.execute(
            "SELECT version FROM owner WHERE user_id = :user_id", {"user_id": "default"}, "default"
        )
        pool.submit(read, "mei").result(5)


def test_a_snapshot_answers_the_same_and_the_next_one_anew(database: PostgresDatabase) -> None:
    with database.snapshot():
        first = _names(database)
        first.append("changed by its reader")
        with ThreadPoolExecutor(1) as pool:
            pool.submit(_put_at_once, database, "new").result(20)
        assert _names(database) == []
    with database.snapshot():
        assert _names(database) == ["new"]


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://mei:gehe/im@127.0.0.1:1/chat",
        "postgresql://mei:gehe@im@127.0.0.1:1/chat",
        "postgresql://mei:gehe im@127.0.0.1:1/chat",
        "postgresql://mei:gehe%zzim@127.0.0.1:1/chat",
        "postgresql://mei:geheim@127.0.0.1:1x2/chat",
        "postgresql://mei:geheim@127.0.0.1:1/chat?sslmod=require",
        "postgresql://mei:geheim@[::1/chat",
    ],
)
def test_an_address_that_is_misread_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(DatabaseError, match=r"cannot be read .*percent-encoded") as caught:
        PostgresDatabase(address)

    assert not any(part in str(caught.value) for part in ("gehe", "im@", "mei"))
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ('FATAL:  password authentication failed for user "mei"', "the user or the password"),
        ("fe_sendauth: no password supplied", "the user or the password"),
        ('FATAL:  role "mei" does not exist', "the user or the password"),
        ('FATAL:  database "chat" does not exist', "no such database"),
        (
            'FATAL:  no pg_hba.conf entry for host "::1", user "mei", database "chat"',
            "pg_hba.conf, or GRANT CONNECT",
        ),
        ('FATAL:  permission denied for database "chat"', "GRANT CONNECT"),
        ("server does not support SSL, but SSL was required", "check sslmode"),
        ('connection is bad: invalid sslmode value: "maybe"', "mend the one that is named"),
    ],
)
def test_what_a_server_says_to_who_wants_in_has_its_advice(said: str, advice: str) -> None:
    error = explained("postgresql://mei@host/chat", psycopg.OperationalError(said))

    assert advice in str(error)
    assert not isinstance(error, DatabaseAwayError)


@pytest.mark.parametrize(
    "said",
    [
        "connection to server failed: Connection refused",
        "consuming input failed: SSL SYSCALL error: EOF detected",
        "FATAL:  the database system is starting up",
        "FATAL:  sorry, too many clients already",
    ],
)
def test_a_server_that_may_be_there_again_soon_is_told_from_one_that_refuses(said: str) -> None:
    error = explained("postgresql://mei@host/chat", psycopg.OperationalError(said))

    assert isinstance(error, DatabaseAwayError)
    assert "try again" in str(error) or "raise max_connections" in str(error)


def test_the_schema_of_a_newer_chatmem_is_left_alone(postgres_address: str) -> None:
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute("UPDATE schema_version SET version = 99")

    expected = rf"has schema version 99, this chatmem knows up to {NEWEST}: use the newer"
    with pytest.raises(SchemaVersionError, match=expected):
        PostgresStore(postgres_address)


def test_a_server_without_pgvector_is_refused(postgres_server: PostgresServer) -> None:
    address = postgres_server.empty()
    nowhere = f"{address}&options=-cextension_control_path%3D/nowhere"

    with pytest.raises(DatabaseError, match="has no pgvector: install it on the server"):
        PostgresStore(nowhere)

    assert rows(address, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'") == []


def test_who_may_not_switch_pgvector_on_is_told_who_may(postgres_server: PostgresServer) -> None:
    address = postgres_server.empty()
    name = address.split("/")[3].split("?")[0]
    postgres_server.execute(f"CREATE ROLE {name}_user LOGIN")
    try:
        limited = address.replace("user=postgres", f"user={name}_user")
        with pytest.raises(DatabaseError, match="let an administrator run `CREATE EXTENSION"):
            PostgresStore(limited)
    finally:
        postgres_server.execute(f"DROP ROLE {name}_user")


def test_processes_that_open_a_new_database_make_it_once(postgres_server: PostgresServer) -> None:
    address = postgres_server.empty()
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: PostgresStore(address), range(4)))

    assert [store.users() for store in stores] == [["default"]] * 4
    for store in stores:
        store.close()


def test_the_user_leads_every_primary_key_of_a_table_of_users(postgres_address: str) -> None:
    found = rows(
        postgres_address,
        "SELECT c.relname, a.attname FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid "
        "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] "
        "WHERE i.indisprimary AND c.relnamespace = 'public'::regnamespace AND EXISTS ("
        "    SELECT 1 FROM pg_attribute u WHERE u.attrelid = c.oid AND u.attname = 'user_id')",
    )

    assert {table for table, column in found if column != "user_id"} == {"api_key"}
    assert len(found) > 20
