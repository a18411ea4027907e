"""Tables of users in hash partitions: the same rows, the same rules, one partition a user."""

import re
from typing import Any

import numpy as np
import psycopg
import pytest
from tests.contract.given import keep_contents, rows_with
from tests.unit.storage.postgres.conftest import rows

from chatmem.errors import DatabaseError, InvalidInputError
from chatmem.model.time import utc_now
from chatmem.storage.postgres.database import PostgresDatabase, translated
from chatmem.storage.postgres.migrate import distribute, partition
from chatmem.storage.postgres.store import PostgresStore
from chatmem.storage.values import Owner

USERS = "abcdefgh"
PARTITIONS = 4


def filled(address: str) -> PostgresStore:
    """A store in which each user has six memories with vectors, four of them packed, and a job."""
    store = PostgresStore(address, pack_every=4)
    store.dense.use("words:1", 64)
    for place, name in enumerate(USERS):
        owner = store.owner(name)
        keep_contents(store, owner, *(f"tea {number} of {name}" for number in range(6)))
        with store.transaction():
            store.jobs.put(owner, "summary", "s", utc_now())
        while queued := store.dense.queued(64):
            with store.transaction():
                vectors = np.ones((len(queued), 64), np.float32)
                vectors[:, place] = 9
                store.dense.put(queued, list(range(len(queued))), vectors)
    store.pack()
    return store


def everything(address: str) -> dict[str, list[Any]]:
    """All rows of all tables, in order."""
    names = rows(
        address,
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition "
        "AND relnamespace = 'public'::regnamespace ORDER BY relname",
    )
    return {name: rows(address, f"SELECT t FROM {name} t ORDER BY t::text") for (name,) in names}


def partitions_with_rows(address: str, table: str) -> set[str]:
    return {
        name for (name,) in rows(address, f"SELECT DISTINCT tableoid::regclass::text FROM {table}")
    }


def test_a_database_with_rows_is_split_and_joined_again(address: str) -> None:
    filled(address).close()
    before = everything(address)

    assert partition(address, PARTITIONS)
    assert everything(address) == before
    for table in ("atomic_memory", "memory_vector", "memory_code", "packed_posting", "owner"):
        assert len(partitions_with_rows(address, table)) > 1
    assert not partition(address, PARTITIONS)  # they stand so already

    assert partition(address, 2)
    assert partition(address, 0)
    assert everything(address) == before
    assert partitions_with_rows(address, "atomic_memory") == {"atomic_memory"}


def test_a_new_database_gets_its_tables_in_partitions(address: str) -> None:
    assert partition(address, PARTITIONS) is False  # there was nothing to move

    filled(address).close()
    assert len(partitions_with_rows(address, "atomic_memory")) > 1
    assert len(partitions_with_rows(address, "memory_code")) > 1
    plain = rows(
        address,
        "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid "
        "WHERE c.relkind = 'r' AND NOT c.relispartition AND a.attname = 'user_id' "
        "AND c.relnamespace = 'public'::regnamespace ORDER BY 1",
    )
    assert [name for (name,) in plain] == ["api_key", "invitation", "membership"]


def test_a_store_that_is_open_meanwhile_goes_on(address: str) -> None:
    store = filled(address)
    done: list[tuple[int, int]] = []
    partition(address, PARTITIONS, lambda *progress: done.append(progress))
    assert done[-1][0] == done[-1][1] == len(done)

    owners = [store.owner(name) for name in USERS]
    for owner in owners:
        keep_contents(store, owner, "milk")
        assert rows_with(store, owner, "tea") == list(range(6))
        assert rows_with(store, owner, "milk") == [6]  # row numbers go on
    new = store.owner("newcomer")
    assert new.number > max(owner.number for owner in owners)
    assert store.check() == []
    assert [job.owner for job in store.jobs.due(utc_now(), ["summary"], 100)] == owners
    store.close()


def test_a_statement_of_a_user_reads_one_partition(address: str) -> None:
    filled(address).close()
    partition(address, PARTITIONS)
    of_user = {"user_id": "c", "viewer": "c", "low": 0, "high": 1 << 62, "limit": 10, "offset": 0}
    asked = {
        ("memories", "export"): of_user,
        ("memories", "own_by_id"): of_user | {"id": "x"},
        ("index", "newest"): of_user,
        ("vectors", "range"): of_user,
        ("packed_index", "postings"): of_user | {"terms": '["tea"]'},
        ("packed_index", "codes"): of_user,
        ("conversations", "window"): of_user | {"session_id": "s"},
        ("owners", "take_rows"): of_user | {"count": 1, "owner": 1},
    }
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("SET chatmem.acting_for = '=c'")
        for settings in ("force_custom_plan", "force_generic_plan"):
            connection.execute(f"SET plan_cache_mode = {settings}")
            for (file, name), bindings in asked.items():
                statement = translated(PostgresDatabase.statements(file)[name].text)
                plan = "\n".join(
                    row[0]
                    for row in connection.execute(
                        f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) {statement}",
                        bindings,
                        prepare=True,
                    )
                )
                read = {
                    match[1]
                    for line in plan.splitlines()
                    if "never executed" not in line
                    and (match := re.search(r" on \w+_(\d+)\b", line))
                }
                assert len(read) == 1, f"{file}.{name}:\n{plan}"


def test_what_has_to_be_unique_is(address: str) -> None:
    filled(address).close()
    partition(address, PARTITIONS)
    store = PostgresStore(address, pack_every=4)
    owner: Owner = store.owner("a")
    (first, *_) = store.memories.export(owner)
    for table in ("atomic_memory", "owner", "memory_vector", "packed_row", "vector_queue"):
        keys = (
            "SELECT 1 FROM pg_index WHERE indrelid = %s::regclass AND indisprimary AND indisvalid"
        )
        assert rows(address, keys, table) == [(1,)], table
    with pytest.raises(psycopg.errors.UniqueViolation):
        rows(
            address,
            "INSERT INTO atomic_memory (row_id, id, user_id, timestamp, create_time, content) "
            "VALUES (99, %s, 'a', '', '', '')",
            first.id,
        )
    assert store.memories.get(owner, first.id) == first
    store.close()


def test_numbers_that_make_no_sense_and_a_server_without_citus_are_refused(address: str) -> None:
    for count in (-1, 1, 1_025):
        with pytest.raises(InvalidInputError, match="takes 2 to 1024 partitions"):
            partition(address, count)
    with pytest.raises(DatabaseError, match="has no Citus: let an administrator"):
        distribute(address, 32)
    with pytest.raises(DatabaseError, match="cannot be reached"):
        partition("postgresql://nobody@127.0.0.1:8721/none", 4)


def test_a_table_that_somebody_holds_leaves_everything_as_it_was(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(address).close()
    before = everything(address)
    monkeypatch.setattr("chatmem.storage.postgres.migrate.LOCK_WAIT_S", 1)
    with psycopg.connect(address) as holder:
        holder.execute("LOCK TABLE conversation IN ACCESS SHARE MODE")
        with pytest.raises(DatabaseError, match="locked"):
            partition(address, PARTITIONS)

    assert everything(address) == before
