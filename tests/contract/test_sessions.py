"""Sessions, summaries, working memory, how far extraction has come, and jobs, on every store."""

from datetime import timedelta

from tests.conftest import some
from tests.contract.given import NOON, job_of, memory, said

from chatmem.model import SessionSummary, WorkingMemory
from chatmem.storage.tables.store import Store
from chatmem.storage.values import Extraction, OpenTurn, Owner

MINUTE = timedelta(minutes=1)
FAR = NOON + timedelta(days=1)


def say(store: Store, owner: Owner, session_id: str, *texts: str) -> None:
    """Messages of the user, a minute between them."""
    with store.transaction():
        for place, text in enumerate(texts):
            at = NOON + place * MINUTE
            store.sessions.open(owner, session_id, at)
            message = said(text, session_id=session_id, timestamp=at)
            columns = {"session_id": session_id, "role": "user", "timestamp": at}
            record = memory(f"{owner.user_id}-{session_id}-{text}", text, owner.user_id, **columns)
            store.memories.insert_all(owner, [(record, "user")])
            store.conversations.insert_all(owner, [(message, record.id)])


def summary_of(session_id: str, title: str = "Tea", minutes: int = 0) -> SessionSummary:
    at = NOON + minutes * MINUTE
    return SessionSummary(
        session_id=session_id, title=title, snippet="About tea", created_at=at, updated_at=at
    )


def test_a_session_is_new_until_something_was_said(store: Store, owner: Owner) -> None:
    with store.transaction():
        assert store.sessions.open(owner, "s1", NOON)
        assert store.sessions.open(owner, "s1", NOON)
    say(store, owner, "s1", "hello")
    with store.transaction():
        assert not store.sessions.open(owner, "s1", NOON + MINUTE)


def test_sessions_are_listed_by_their_last_message(store: Store, owner: Owner) -> None:
    say(store, owner, "s1", "one", "two", "three")
    say(store, owner, "s2", "one")

    listed = store.sessions.page(owner, 10, 0)

    assert [one.session_id for one in listed] == ["s1", "s2"]
    assert [one.message_count for one in listed] == [3, 1]
    assert listed[0].updated_at == NOON + 2 * MINUTE
    assert store.sessions.count(owner) == 2
    assert [one.session_id for one in store.sessions.page(owner, 1, 1)] == ["s2"]


def test_two_users_may_have_sessions_of_one_id(store: Store, owner: Owner, other: Owner) -> None:
    say(store, owner, "s1", "mine")
    assert store.sessions.get(other, "s1") is None
    say(store, other, "s1", "theirs", "too")

    assert [one.content for one in store.conversations.of_session(owner, "s1")] == ["mine"]
    with store.transaction():
        assert store.conversations.delete_session(owner, "s1") == 1
        assert store.sessions.delete(owner, "s1")
    assert len(store.conversations.of_session(other, "s1")) == 2
    assert store.sessions.get(other, "s1") is not None


def test_an_ended_session_runs_again_with_the_next_message(store: Store, owner: Owner) -> None:
    say(store, owner, "s1", "one")
    with store.transaction():
        store.sessions.end(owner, "s1", NOON + MINUTE)
    ended = some(store.sessions.get(owner, "s1"))
    assert ended.ended_at == NOON + MINUTE

    with store.transaction():
        store.sessions.open(owner, "s1", NOON + 2 * MINUTE)
    again = some(store.sessions.get(owner, "s1"))
    assert again.ended_at is None


def test_a_persons_title_wins_over_the_summarys(store: Store, owner: Owner) -> None:
    say(store, owner, "s1", "one")
    with store.transaction():
        store.summaries.put(owner, summary_of("s1", "Tea"))
    first = store.sessions.get(owner, "s1")
    with store.transaction():
        store.sessions.rename(owner, "s1", "My own")
    second = store.sessions.get(owner, "s1")
    with store.transaction():
        store.sessions.rename(owner, "s1", None)
    third = store.sessions.get(owner, "s1")

    assert [one.title for one in (first, second, third) if one] == ["Tea", "My own", "Tea"]


def test_the_window_has_the_newest_messages_oldest_first(store: Store, owner: Owner) -> None:
    say(store, owner, "s1", "one", "two", "three")
    window = store.conversations.window(owner, "s1", 2)
    assert [one.content for one in window] == ["two", "three"]


def test_collected_messages_come_newest_first(store: Store, owner: Owner, other: Owner) -> None:
    say(store, owner, "s1", "one", "two", "three")
    first, _, third = store.conversations.of_session(owner, "s1")
    with store.transaction():
        assert store.conversations.collect(owner, "s1", first.id, True)
        assert store.conversations.collect(owner, "s1", third.id, True)
        assert not store.conversations.collect(other, "s1", first.id, True)
        assert not store.conversations.collect(owner, "s2", first.id, True)
    assert [one.content for one in store.conversations.collected(owner, 10, 0)] == ["three", "one"]
    assert store.conversations.collected(other, 10, 0) == []

    with store.transaction():
        store.conversations.collect(owner, "s1", third.id, False)
    assert [one.content for one in store.conversations.collected(owner, 10, 0)] == ["one"]


def test_a_job_of_a_kind_waits_once_for_a_session(store: Store, owner: Owner) -> None:
    with store.transaction():
        store.jobs.put(owner, "summary", "s1", NOON + MINUTE)
        store.jobs.put(owner, "summary", "s1", NOON)
        store.jobs.put(owner, "analysis", "s1", NOON + 2 * MINUTE)

    assert store.jobs.due(NOON - MINUTE, ["summary", "analysis"], 10) == []
    assert [one.kind for one in store.jobs.due(NOON, ["summary", "analysis"], 10)] == ["summary"]
    both = store.jobs.due(FAR, ["summary", "analysis"], 10)
    assert [one.kind for one in both] == ["summary", "analysis"]
    assert [one.kind for one in store.jobs.due(FAR, ["analysis"], 10)] == ["analysis"]


def test_a_job_that_is_asked_for_while_it_is_done_stays(store: Store, owner: Owner) -> None:
    job = job_of(store, owner, "summary")
    with store.transaction():
        assert store.jobs.lease(job, "here", NOON, FAR)
        store.jobs.put(owner, "summary", "s1", NOON)
    with store.transaction():
        store.jobs.done(job)
    (again,) = store.jobs.due(FAR, ["summary"], 10)
    with store.transaction():
        store.jobs.done(again)
    assert store.jobs.due(FAR, ["summary"], 10) == []


def test_deleting_a_session_takes_all_that_belongs_to_it(store: Store, owner: Owner) -> None:
    say(store, owner, "s1", "one")
    say(store, owner, "s2", "two")
    working = WorkingMemory(session_id="s1", created_at=NOON, updated_at=NOON)
    with store.transaction():
        store.summaries.put(owner, summary_of("s1"))
        store.working.put(owner, OpenTurn(working))
        store.jobs.put(owner, "summary", "s1", NOON)
        store.jobs.put(owner, "summary", "s2", NOON)
        store.extraction.put(owner, "s1", Extraction(7))
        store.extraction.handle(owner, "s1", "e1", NOON)
    with store.transaction():
        store.conversations.delete_session(owner, "s1")
        assert store.sessions.delete(owner, "s1")
        assert not store.sessions.delete(owner, "s1")

    assert store.sessions.get(owner, "s1") is None
    assert store.summaries.of_session(owner, "s1") is None
    assert store.working.get(owner, "s1") is None
    assert store.extraction.get(owner, "s1") == Extraction()
    with store.transaction():
        assert store.extraction.handle(owner, "s1", "e1", NOON)
    assert [one.session_id for one in store.jobs.due(FAR, ["summary"], 10)] == ["s2"]


def test_messages_past_a_number_are_read_in_order(store: Store, owner: Owner, other: Owner) -> None:
    say(store, owner, "s1", "one", "two", "three")
    say(store, owner, "s2", "else")
    say(store, other, "s1", "theirs")
    first, second, _ = store.conversations.of_session(owner, "s1")

    behind = store.conversations.after(owner, "s1", first.id, 10)
    assert [one.content for one in behind] == ["two", "three"]
    assert [one.content for one in store.conversations.after(owner, "s1", 0, 1)] == ["one"]
    assert store.conversations.count_after(owner, "s1", second.id) == 1
    assert store.conversations.count_after(other, "s1", 0) == 1


def test_a_messages_number_is_never_given_again(store: Store, owner: Owner, other: Owner) -> None:
    say(store, owner, "s1", "one", "two")
    newest = store.conversations.window(owner, "s1", 1)[0]
    with store.transaction():
        assert not store.conversations.take_back(other, newest.id)
    with store.transaction():
        assert store.conversations.take_back(owner, newest.id)
    say(store, owner, "s1", "three")
    assert store.conversations.window(owner, "s1", 1)[0].id > newest.id


def test_a_message_taken_back_says_if_its_memory_is_anybodys(store: Store, owner: Owner) -> None:
    say(store, owner, "s1", "one")
    with store.transaction():
        store.conversations.insert_all(owner, [(said("one"), f"{owner.user_id}-s1-one")])
    first, second = store.conversations.of_session(owner, "s1")
    with store.transaction():
        assert not store.conversations.take_back(owner, second.id)
        assert store.conversations.take_back(owner, first.id)


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
