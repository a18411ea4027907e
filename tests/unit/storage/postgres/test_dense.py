"""Several processes on one queue of vectors, and a change of embedder while they work."""

from collections.abc import Iterator

import numpy as np
import psycopg
import pytest
from tests.conftest import soon
from tests.contract.given import delete, keep_contents
from tests.contract.test_dense import CONTENTS as TEXTS
from tests.contract.test_dense import embed_all
from tests.postgres_server import of_everybody

from chatmem.storage.postgres.store import PostgresStore, Vacuum
from chatmem.storage.values import Owner
from chatmem.testing import FakeEmbedder

FIRST, SECOND = FakeEmbedder(), FakeEmbedder(name="second")


@pytest.fixture
def other(postgres_address: str) -> Iterator[PostgresStore]:
    """As another process has it."""
    opened = PostgresStore(postgres_address, pack_every=4)
    yield opened
    opened.close()


def _nearest(store: PostgresStore, owner: Owner, embedder: FakeEmbedder, text: str) -> set[int]:
    everyone = np.ones(len(TEXTS), bool)
    found = store.dense.candidates(owner, embedder.embed_query(text), 1, everyone)[0]
    return set(found.tolist())


def test_two_processes_embed_no_row_twice(store: PostgresStore, other: PostgresStore) -> None:
    keep_contents(store, store.owner("mei"), *TEXTS)

    first, second = store.dense.queued(5), other.dense.queued(50)

    assert [text for _, text in first] == list(TEXTS[:5])
    assert [text for _, text in second] == list(TEXTS[5:])
    assert store.dense.queued(5) == first


def test_what_a_process_took_and_never_gave_back_is_taken_by_another(
    store: PostgresStore, other: PostgresStore
) -> None:
    keep_contents(store, store.owner("mei"), *TEXTS)
    taken = store.dense.queued(50)
    assert other.dense.queued(50) == []

    with store.transaction():  # a minute later
        store.database.execute(
            of_everybody("UPDATE vector_queue SET taken_until = taken_until - interval '1 minute'")
        )

    assert other.dense.queued(50) == taken


def test_while_codes_are_made_again_the_vectors_themselves_are_searched(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    owners = [store.owner(name) for name in ("mei", "tom")]
    for owner in owners:
        keep_contents(store, owner, *TEXTS)
    embed_all(store, FIRST)
    store.pack()
    before = [store.owners.extent(owner).version for owner in owners]
    embed_all(store, SECOND)
    with monkeypatch.context() as broken:
        broken.setattr(type(store.dense), "_make_codes", lambda _: None)  # the process ends here
        assert store.dense.finish()

    assert store.dense.identity() == SECOND.identity
    assert all(
        one != two
        for one, two in zip(
            before, [store.owners.extent(owner).version for owner in owners], strict=True
        )
    )
    for owner in owners:
        assert 5 in _nearest(store, owner, SECOND, TEXTS[5])
    assert _packed_codes(store) == 0

    assert not store.dense.finish()  # another process goes on

    assert _packed_codes(store) == 2
    for owner in owners:
        assert 5 in _nearest(store, owner, SECOND, TEXTS[5])


def _packed_codes(store: PostgresStore) -> int:
    ((count,),) = store.database.execute(of_everybody("SELECT count(*) FROM packed_code"))
    return int(count)


def test_two_processes_make_an_index_only_once(store: PostgresStore, other: PostgresStore) -> None:
    owner = store.owner("mei")
    keep_contents(store, owner, *TEXTS)
    assert store.dense.use(FIRST.identity, FIRST.dimension)
    assert other.dense.use(FIRST.identity, FIRST.dimension)
    embed_all(store, FIRST)
    assert not store.dense.use(SECOND.identity, SECOND.dimension)
    assert not other.dense.use(SECOND.identity, SECOND.dimension)
    embed_all(other, SECOND)

    assert [store.dense.finish(), other.dense.finish()] == [True, False]
    assert 3 in _nearest(other, owner, SECOND, TEXTS[3])


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
