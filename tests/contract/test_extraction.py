"""How far extraction has come, handled events, and leases of jobs, on every store."""

from datetime import timedelta

from tests.contract.given import NOON, job_of

from chatmem.storage.tables.store import Store
from chatmem.storage.values import Extraction, Owner

MINUTE = timedelta(minutes=1)


def test_a_session_begins_unread_and_is_kept(store: Store, owner: Owner, other: Owner) -> None:
    assert store.extraction.get(owner, "s1") == Extraction()
    read = Extraction(7, NOON, {"cycle": 2, "stage": "asked"})
    with store.transaction():
        store.extraction.put(owner, "s1", read)
        store.extraction.put(owner, "s2", Extraction(1))

    assert store.extraction.get(owner, "s1") == read
    assert store.extraction.get(other, "s1") == Extraction()


def test_an_event_is_handled_once_a_session(store: Store, owner: Owner, other: Owner) -> None:
    with store.transaction():
        assert store.extraction.handle(owner, "s1", "e1", NOON)
        assert not store.extraction.handle(owner, "s1", "e1", NOON)
        assert store.extraction.handle(owner, "s2", "e1", NOON)
    with store.transaction():
        assert store.extraction.handle(other, "s1", "e1", NOON)
    with store.transaction():
        store.extraction.forget_events(NOON + MINUTE)
        assert store.extraction.handle(owner, "s1", "e1", NOON)


def test_a_deleted_session_is_unread_again(store: Store, owner: Owner) -> None:
    with store.transaction():
        store.sessions.open(owner, "s1", NOON)
        store.extraction.put(owner, "s1", Extraction(7))
        store.extraction.handle(owner, "s1", "e1", NOON)
        store.sessions.delete(owner, "s1")
    assert store.extraction.get(owner, "s1") == Extraction()
    with store.transaction():
        assert store.extraction.handle(owner, "s1", "e1", NOON)


def test_a_leased_job_is_its_holders_until_the_lease_ends(store: Store, owner: Owner) -> None:
    job = job_of(store, owner, "summary")
    mine, theirs = ((name, NOON, NOON + 5 * MINUTE) for name in ("mine", "theirs"))
    with store.transaction():
        assert store.jobs.lease(job, *mine)
        assert not store.jobs.lease(job, *theirs)
        assert store.jobs.lease(job, *mine)

    assert store.jobs.holders() == ["mine"]
    assert store.jobs.due(NOON, ["summary"], 10) == []
    assert len(store.jobs.due(NOON, ["summary"], 10, "mine")) == 1
    assert len(store.jobs.due(NOON, ["summary"], 10, "theirs", ["mine"])) == 1
    assert len(store.jobs.due(NOON + 5 * MINUTE, ["summary"], 10, "theirs")) == 1
    with store.transaction():
        assert store.jobs.lease(job, *theirs, ["mine"])


def test_a_job_is_put_off_given_up_tried_again(store: Store, owner: Owner, other: Owner) -> None:
    job = job_of(store, owner, "extraction")
    with store.transaction():
        store.jobs.lease(job, "mine", NOON, NOON + MINUTE)
        store.jobs.postponed(job, NOON + 2 * MINUTE)
    assert store.jobs.holders() == []
    assert store.jobs.due(NOON + MINUTE, ["extraction"], 10) == []

    (job,) = store.jobs.due(NOON + 2 * MINUTE, ["extraction"], 10)
    with store.transaction():
        store.jobs.give_up(job, "no disk", NOON)
    assert store.jobs.due(NOON + 9 * MINUTE, ["extraction"], 10) == []
    assert store.jobs.state()[2] == 1
    (report,) = store.jobs.of_user(owner, 10)
    assert (report.state, report.error) == ("failed", "no disk")
    assert store.jobs.of_user(other, 10) == []

    with store.transaction():
        assert not store.jobs.retry(other, report.number, NOON)
    with store.transaction():
        assert store.jobs.retry(owner, report.number, NOON)
        assert not store.jobs.retry(owner, report.number, NOON)
    (job,) = store.jobs.due(NOON, ["extraction"], 10)
    assert job.attempts == 0
    with store.transaction():
        assert not store.jobs.discard(owner, report.number)
        store.jobs.give_up(job, "no disk", NOON)
        assert store.jobs.discard(owner, report.number)
    assert store.jobs.of_user(owner, 10) == []


def test_a_job_asked_for_again_is_put_off_without_its_lease(store: Store, owner: Owner) -> None:
    job = job_of(store, owner, "extraction")
    with store.transaction():
        store.jobs.lease(job, "mine", NOON, NOON + 5 * MINUTE)
        store.jobs.put(owner, "extraction", "s1", NOON)
        store.jobs.postponed(job, NOON + 2 * MINUTE)

    assert store.jobs.holders() == []
    assert len(store.jobs.due(NOON, ["extraction"], 10, "theirs")) == 1


def test_something_new_revives_a_job_that_was_given_up(store: Store, owner: Owner) -> None:
    job = job_of(store, owner, "extraction")
    with store.transaction():
        store.jobs.give_up(job, "no disk", NOON)
        store.jobs.put(owner, "extraction", "s1", NOON + MINUTE)
    assert store.jobs.state()[2] == 0
    assert store.jobs.due(NOON, ["extraction"], 10) == []
    assert len(store.jobs.due(NOON + MINUTE, ["extraction"], 10)) == 1
