"""A PostgreSQL server that cannot serve, or goes away: each is said plainly, with what to do."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from tests.postgres_server import CUT_OFF_OTHERS

from chatmem.errors import DatabaseError
from chatmem.storage.postgres import advice
from chatmem.storage.postgres.advice import display_address
from chatmem.storage.postgres.database import PostgresDatabase


@pytest.fixture
def database(postgres_address: str) -> Iterator[PostgresDatabase]:
    opened = PostgresDatabase(postgres_address, pool_size=4)
    yield opened
    opened.close()


def _put(database: PostgresDatabase, name: str) -> None:
    database.execute("INSERT INTO setting (name, value) VALUES (:name, 'x')", {"name": name})


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
    with database.transaction():
        _put(database, "before")
    with (
        pytest.raises(DatabaseError, match=r"try again; what was not confirmed"),
        database.transaction(),
    ):
        _put(database, "lost")
        _cut_off_everybody(postgres_address)
        _put(database, "never")

    with database.transaction():
        _put(database, "after")
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
    with database.transaction():
        _put(database, "a")
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


def test_what_a_transaction_read_of_a_user_stays_true_in_it(database: PostgresDatabase) -> None:
    """Sixty times: read a number, add one, write it; in four threads, none is lost."""
    read = "SELECT next_row FROM owner WHERE user_id = :user_id"
    write = "UPDATE owner SET next_row = :row WHERE user_id = :user_id"

    def add_one(_: int) -> None:
        with database.transaction():
            ((row,),) = database.execute(read, {"user_id": "default"}, "default")
            database.execute(write, {"user_id": "default", "row": row + 1}, "default")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add_one, range(60)))

    assert database.execute(read, {"user_id": "default"}, "default") == [(60,)]


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
            pool.submit(_in_transaction, database, "new").result(20)
        assert _names(database) == []
    with database.snapshot():
        assert _names(database) == ["new"]


def _in_transaction(database: PostgresDatabase, name: str) -> None:
    with database.transaction():
        _put(database, name)


def test_what_is_closed_says_so(postgres_address: str) -> None:
    database = PostgresDatabase(postgres_address)
    database.close()
    database.close()

    with pytest.raises(DatabaseError, match="is closed: open the memory again"):
        _names(database)
    with pytest.raises(DatabaseError, match="is closed"), database.transaction():
        pass
