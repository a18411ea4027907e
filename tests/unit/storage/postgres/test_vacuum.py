"""What was deleted leaves the tables without anybody waiting for it."""

import psycopg
import pytest
from tests.conftest import soon
from tests.contract.given import delete, keep_contents

from chatmem.storage.postgres.store import PostgresStore, Vacuum


def dead_rows(address: str) -> int:
    """Rows that are deleted and still in their pages, as the server counts them when it looks."""
    dead = 0
    with psycopg.connect(address, autocommit=True) as connection:
        told: list[str] = []
        connection.add_notice_handler(lambda notice: told.append(notice.message_primary or ""))
        connection.execute("VACUUM (VERBOSE) atomic_memory, memory_index, packed_posting")
        for text in told:
            for line in text.splitlines():
                if line.startswith("tuples: "):
                    dead += int(line.split()[1])
    return dead


def test_deleted_rows_leave_their_pages_soon(address: str) -> None:
    store = PostgresStore(address, pack_every=4)
    owner = store.owner("mei")
    keep_contents(store, owner, *(f"tea {number}" for number in range(9)))
    store.pack()
    delete(store, owner, "mei1")
    assert dead_rows(address) > 0  # that is what they are counted by
    vacuum = Vacuum(address, calm_s=0.1)
    delete(store, owner, "mei0")
    for _ in range(5):
        vacuum.ask()
    soon(lambda: vacuum.rounds)

    assert vacuum.rounds == 1  # for all five
    assert dead_rows(address) == 0
    vacuum.close()
    store.close()


def test_a_process_that_ends_at_once_vacuums_first(address: str) -> None:
    store = PostgresStore(address)
    owner = store.owner("mei")
    keep_contents(store, owner, "tea", "milk")
    dead_rows(address)
    delete(store, owner, "mei0")
    store.purge()
    store.close()

    assert dead_rows(address) == 0


def test_a_server_that_is_gone_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    vacuum = Vacuum("postgresql://nobody@127.0.0.1:8722/none", calm_s=0.0)
    vacuum.ask()
    vacuum.close()

    assert vacuum.rounds == 0
    assert "deleted rows are not vacuumed yet" in caplog.text
