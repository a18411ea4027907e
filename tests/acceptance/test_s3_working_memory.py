"""S3.1: the state of a running session."""

import json
from datetime import timedelta

import pytest
from tests.acceptance.conftest import daily_log
from tests.chat_model_server import ChatModelServer
from tests.doors import by_words

from chatmem import MemoryService
from chatmem.testing import FakeClock


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
