"""S2.1.2, S3.1, S3.2.1, S3.4.2, S5.4, S5.5: what is made of a session without being asked."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from tests.acceptance.conftest import daily_log
from tests.chat_model_server import ChatModelServer
from tests.doors import by_words

from chatmem import MemoryService
from chatmem.testing import FakeClock


def facts(memory: MemoryService) -> set[str]:
    """Valid long-term memories."""
    return {one.content for one in memory.list_memories().items if one.is_valid}


@pytest.mark.scenario("S2.1.2")
def test_what_a_turn_teaches_is_written_after_it_is_saved(
    memory: MemoryService, clock: FakeClock
) -> None:
    """Saving returns before anything was extracted; the job stands in the table."""
    now = clock()
    memory.save_conversation_turn("I live in Lisbon with my two cats", "Lovely", "s1", now=now)
    memory.save_conversation_turn("我对花生过敏", "记住了", "s1", now=now)
    assert facts(memory) == set()
    assert "extraction" in {job.kind for job in memory.jobs.list()}

    memory.wait_until_idle(now=now)

    assert any("Lisbon" in fact for fact in facts(memory))
    assert any("花生" in fact for fact in facts(memory))
    # The same said again is not written again.
    written = memory.list_memories().total
    memory.save_conversation_turn("As I said, I live in Lisbon", "Yes", "s1", now=now)
    memory.save_conversation_turn("我对花生过敏。", "知道", "s1", now=now)
    before = facts(memory)
    memory.wait_until_idle(now=now + timedelta(minutes=2))
    assert facts(memory) == before
    assert memory.list_memories().total == written


@pytest.mark.scenario("S2.1.2")
@pytest.mark.parametrize(
    ("question", "answer", "taught"),
    [
        ("So are you vegetarian?", "Yes", {"So are you vegetarian? Yes"}),
        ("你是素食者吗？", "是的", {"你是素食者吗？ 是的"}),
        ("Do you live in Berlin?", "No", {"Not so: live in Berlin"}),
        ("你对花生过敏吗？", "是的", {"花生过敏"}),
        ("Where do you live these days?", "Lisbon", {"Home: Lisbon"}),
        ("Would you like me to suggest vegetarian recipes?", "Yes", set()),
        ("So are you vegetarian?", "Why?", set()),
    ],
)
def test_an_answer_is_read_with_its_question(
    memory: MemoryService, question: str, answer: str, taught: set[str]
) -> None:
    memory.save_conversation_turn("Plan my dinners", question, "s1")
    memory.save_conversation_turn(answer, "OK", "s1")
    memory.sessions.end("s1")
    memory.wait_until_idle()
    assert facts(memory) == taught


@pytest.mark.scenario("S5.4.1")
@pytest.mark.parametrize("name", ["stream:idle", "turn_end", "session.idle"])
def test_an_idle_event_has_the_turn_extracted(
    memory: MemoryService, clock: FakeClock, name: str
) -> None:
    for role, content in (
        ("user", "My name is Ingrid and I work as a baker"),
        ("assistant", "Hello Ingrid"),
        ("user", "I love rye bread"),
        ("assistant", "Me too"),
    ):
        data = {"role": role, "content": content}
        memory.handle_event({"type": "message", "sessionId": "s1", "data": data}, now=clock())
    assert facts(memory) == set()

    handled = memory.handle_event({"type": name, "session_id": "s1"}, now=clock())

    assert "extraction" in handled.asked_for
    assert facts(memory) == set()  # nothing on the caller's time
    memory.wait_until_idle(now=clock())
    assert any("Ingrid" in fact for fact in facts(memory))


@pytest.mark.scenario("S5.4.1")
def test_nothing_is_extracted_while_it_is_switched_off(data: Path, clock: FakeClock) -> None:
    with by_words(data, auto_extract=False) as memory:
        memory.save_conversation_turn("I live in Lisbon", "Lovely", "s1", now=clock())
        memory.save_conversation_turn("I love rye bread", "Good", "s1", now=clock())
        memory.handle_event({"type": "stream:idle", "session_id": "s1"}, now=clock())
        memory.wait_until_idle(now=clock())
        assert facts(memory) == set()


@pytest.mark.scenario("S5.4.2")
def test_extraction_waits_for_sixty_seconds_and_four_new_messages(
    memory: MemoryService, clock: FakeClock
) -> None:
    began = clock()
    memory.save_conversation_turn("I live in Lisbon", "Lovely", "s1", now=began)
    memory.wait_until_idle(now=began + timedelta(hours=1))
    assert facts(memory) == set()  # two messages are too few, however long ago

    memory.save_conversation_turn("I have a dog called Bruno", "Good boy", "s1", now=began)
    memory.wait_until_idle(now=began)
    assert len(facts(memory)) == 2

    memory.save_conversation_turn("I work as a nurse", "Hard work", "s1", now=began)
    memory.save_conversation_turn("I love rye bread", "Tasty", "s1", now=began)
    memory.wait_until_idle(now=began + timedelta(seconds=59))
    assert len(facts(memory)) == 2  # four messages, but not sixty seconds

    memory.wait_until_idle(now=began + timedelta(seconds=60))
    assert len(facts(memory)) == 4


@pytest.mark.scenario("S5.4.3")
@pytest.mark.scenario("S3.2.1")
def test_what_was_extracted_stands_in_the_file_and_is_found(
    memory: MemoryService, clock: FakeClock
) -> None:
    memory.save_conversation_turn("I prefer window seats on trains", "Noted", "s1", now=clock())
    memory.save_conversation_turn("我住在杭州", "好地方", "s1", now=clock())
    memory.wait_until_idle(now=clock())

    written = memory.main.read().content
    assert "window seats" in written
    assert "杭州" in written
    (hit,) = [one for one in memory.search_memories("window seats") if one.memory.role is None]
    assert hit.memory.memory_type == "long_term"
    assert hit.memory.category == "preference"
    assert hit.memory.source == "user_stated"
    assert hit.memory.confidence >= 0.9
    assert hit.memory.session_id == "s1"
    assert memory.get_relevant_memories("杭州")[0].memory.content.endswith("杭州")


@pytest.mark.scenario("S5.5.1")
def test_at_three_quarters_everything_is_flushed_once_in_a_cycle(
    memory: MemoryService, clock: FakeClock
) -> None:
    def usage(tokens: int) -> tuple[str, ...]:
        data = {"currentTokens": tokens, "tokenLimit": 100_000, "messagesLength": 9}
        event = {"type": "session.usage_info", "session_id": "s1", "data": data}
        return memory.handle_event(event, now=clock()).asked_for

    memory.save_conversation_turn("I live in Lisbon", "Lovely", "s1", now=clock())
    assert usage(74_999) == ()
    memory.wait_until_idle(now=clock())
    assert facts(memory) == set()  # throttled: two messages

    assert usage(75_000) == ("flush",)
    memory.handle_event(
        {"type": "message", "session_id": "s1", "data": {"role": "user", "content": "我对虾过敏"}},
        now=clock(),
    )
    memory.wait_until_idle(now=clock())
    assert any("Lisbon" in fact for fact in facts(memory))
    assert any("虾" in fact for fact in facts(memory))  # the pending message counts
    assert usage(90_000) == ()
    assert usage(99_000) == ()

    memory.handle_event({"type": "session.compaction_complete", "session_id": "s1"}, now=clock())
    assert usage(80_000) == ("flush",)
    memory.wait_until_idle(now=clock())
    assert usage(30_000) == ()
    assert usage(80_000) == ("flush",)


@pytest.mark.scenario("S5.5.2")
def test_the_start_of_a_compaction_is_the_last_chance(
    memory: MemoryService, clock: FakeClock
) -> None:
    start = {"type": "session.compaction_start", "session_id": "s1"}
    memory.save_conversation_turn("I have a dog called Bruno", "Good boy", "s1", now=clock())

    assert memory.handle_event(start, now=clock()).asked_for == ("flush",)
    memory.wait_until_idle(now=clock())

    assert any("Bruno" in fact for fact in facts(memory))
    assert memory.handle_event(start, now=clock()).asked_for == ()

    full = {"currentTokens": 80, "tokenLimit": 100}
    usage = {"type": "session.usage_info", "session_id": "s2", "data": full}
    assert memory.handle_event(usage, now=clock()).asked_for == ("flush",)
    memory.wait_until_idle(now=clock())
    flushed = {**start, "session_id": "s2"}
    assert memory.handle_event(flushed, now=clock()).asked_for == ()  # there is nothing to save


@pytest.mark.scenario("S3.1.1")
def test_the_first_message_makes_working_memory(memory: MemoryService, clock: FakeClock) -> None:
    now = clock()
    assert memory.working_memory("s1", now=now) is None

    working = memory.sessions.receive("s1", "我下个月搬到柏林，帮我列个清单", now=now)

    assert working.session_id == "s1"
    assert working.turn_count == 1
    assert working.created_at == working.updated_at == now
    assert memory.working_memory("s1", now=now) == working


@pytest.mark.scenario("S3.1.2")
def test_every_turn_counts_and_is_analysed(memory: MemoryService, clock: FakeClock) -> None:
    """Receiving a message and saving its turn is one turn."""
    first, second, third = (clock() + timedelta(minutes=one) for one in (0, 5, 9))
    memory.save_conversation_turn("I am planning a trip to Lisbon", "Lovely!", "s1", now=first)
    memory.sessions.receive("s1", "My budget is 800 euros, I am so happy!", now=second)
    memory.save_conversation_turn(
        "My budget is 800 euros, I am so happy!", "Good.", "s1", now=second
    )

    working = memory.working_memory("s1", now=second)

    assert working is not None
    assert working.turn_count == 2
    assert working.created_at == first
    assert working.updated_at == second
    assert working.context_variables["destination"] == "Lisbon"
    assert "800" in str(working.context_variables["budget"])
    assert working.last_emotion == "happy"

    memory.save_conversation_turn("说说里斯本的天气吧", "晴天居多。", "s1", now=third)
    working = memory.working_memory("s1", now=third)
    assert working is not None
    assert working.turn_count == 3
    assert "天气" in str(working.current_topic)
    assert working.context_variables["destination"] == "Lisbon"


@pytest.mark.scenario("S3.1.3")
@pytest.mark.parametrize("message", ["太贵了，我们一共六个人", "A table for 6 people at 7 pm"])
def test_only_what_is_worth_it_is_archived_and_only_where_that_is_wanted(
    memory: MemoryService, clock: FakeClock, message: str
) -> None:
    def left_by(session_id: str, said: str) -> list[str]:
        memory.save_conversation_turn(said, "OK", session_id, now=clock())
        working = memory.working_memory(session_id, now=clock())
        assert working is not None and working.context_variables
        memory.working_memory(session_id, now=clock() + timedelta(minutes=31))
        return [one.content for one in memory.list_memories().items if one.session_id == session_id]

    assert left_by("s1", "Book me a table in Lisbon on 3 March") == []
    memory.config.set({"archive_working_memory": True})
    assert left_by("s2", message) == []
    assert "Lisbon" in left_by("s3", "Book me a table in Lisbon on 3 March")[0]
    memory.append_memory("Flies to Oslo on 5 May", session_id="s4", now=clock())
    assert len(left_by("s4", "I fly to Oslo on 5 May")) == 1


@pytest.mark.scenario("S3.1.3")
@pytest.mark.parametrize("how", ["on access", "by the sweep", "by the next message"])
def test_after_thirty_idle_minutes_it_is_gone_and_what_mattered_is_in_the_log(
    memory: MemoryService, clock: FakeClock, how: str
) -> None:
    memory.config.set({"archive_working_memory": True})
    began = clock()
    memory.save_conversation_turn(
        "Book me a table for 6 people in Lisbon on 3 March", "Done.", "s1", now=began
    )
    memory.save_conversation_turn("你好", "你好！", "s2", now=began)
    assert memory.working_memory("s1", now=began + timedelta(minutes=30)) is not None
    later = began + timedelta(minutes=31)

    if how == "by the sweep":
        assert memory._opened.worker.sweep(later) == 2
    elif how == "by the next message":
        memory.sessions.receive("s1", "hello again", now=later)
        again = memory.working_memory("s1", now=later)
        assert again is not None
        assert again.turn_count == 1
        assert again.context_variables == {}
        memory.sessions.end("s1")
    else:
        assert memory.working_memory("s1", now=later) is None
        assert memory.working_memory("s2", now=later) is None

    logs = [one for one in memory.list_memories().items if one.kind == "episodic"]
    assert len(logs) == 1  # a greeting is not worth a note
    assert logs[0].session_id == "s1"
    assert logs[0].source == "system"
    assert "Lisbon" in logs[0].content
    assert "Lisbon" in daily_log(memory)
    if how != "by the next message":
        assert memory.sessions.get("s1").ended_at is not None


@pytest.mark.scenario("S3.1.2")
def test_what_a_model_reads_in_a_turn_is_topic_and_variables(
    place: str, server: ChatModelServer, clock: FakeClock
) -> None:
    read = {"topic": "green roof", "variables": {"material": "sedum"}, "emotion": "neutral"}
    server.otherwise = json.dumps(read)
    with by_words(place, llm={"base_url": server.base_url, "model": "small-model"}) as memory:
        memory.save_conversation_turn("Something grows up there", "Nice", "s1", now=clock())
        memory.wait_until_idle(now=clock())
        working = memory.working_memory("s1", now=clock())

    assert working is not None
    assert working.current_topic == "green roof"
    assert working.context_variables["material"] == "sedum"
