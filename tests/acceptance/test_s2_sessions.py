"""S2.3 and S2.4: sessions, what is kept of them, and their summaries."""

import re

import pytest

from chatmem import ChatContextBuilder, MemoryService


@pytest.mark.scenario("S2.3.2")
def test_the_first_answer_of_a_session_brings_its_summary(memory: MemoryService) -> None:
    """In the session's own language; with id, title, snippet and time."""
    memory.save_conversation_turn("请帮我计划去柏林的搬家，预算三千欧元。", "好的，先订车。", "zh")
    memory.save_conversation_turn(
        "Please help me plan a birthday party for my sister.", "With pleasure!", "en"
    )
    memory.wait_until_idle()

    chinese, english = memory.sessions.summary("zh"), memory.sessions.summary("en")

    assert chinese is not None
    assert english is not None
    assert "柏林" in chinese.title + chinese.snippet
    assert re.search("[a-z]", chinese.title + chinese.snippet) is None
    assert "birthday" in english.title
    assert english.session_id == "en"
    assert english.created_at.tzinfo is not None
    recent = memory.get_recent_session_summaries()
    assert [one.session_id for one in recent] == ["en", "zh"]
    assert [one.session_id for one in memory.get_recent_session_summaries(1)] == ["en"]


@pytest.mark.scenario("S2.3.2")
def test_the_end_of_a_session_renews_its_summary(memory: MemoryService) -> None:
    session = memory.new_session()
    memory.save_conversation_turn("I need a new bicycle for the city.", "Which kind?", session)
    memory.wait_until_idle()
    for number in range(6):
        memory.save_conversation_turn(
            f"The bicycle must carry two children and cost at most {900 + number} euros.",
            "I see.",
            session,
        )
    memory.new_session()
    memory.wait_until_idle()

    renewed = memory.sessions.summary(session)

    assert renewed is not None
    assert renewed.message_count == 14
    assert "two children" in renewed.snippet
    assert memory.sessions.get(session).ended_at is not None


@pytest.mark.scenario("S2.4.1")
def test_every_message_is_kept_with_its_session(memory: MemoryService) -> None:
    memory.save_conversation_turn("几点了？", "三点。", "s1")
    memory.save_conversation_turn("几点了？", "三点。", "s1")  # a duplicate leaves no hole

    kept = memory.sessions.messages("s1")

    assert [(one.session_id, one.role, one.content) for one in kept] == [
        ("s1", "user", "几点了？"),
        ("s1", "assistant", "三点。"),
    ] * 2
    assert all(one.create_time.tzinfo is not None for one in kept)
    assert not any(one.is_collected for one in kept)
    memory.sessions.collect("s1", kept[1].id)
    assert [one.id for one in memory.sessions.collected()] == [kept[1].id]
    memory.sessions.collect("s1", kept[1].id, collected=False)
    assert memory.sessions.collected() == []


@pytest.mark.scenario("S2.4.2")
def test_a_new_session_has_an_id_of_its_own_and_an_empty_window(memory: MemoryService) -> None:
    first = memory.new_session()
    memory.save_conversation_turn("hello", "hello to you", first)
    builder = ChatContextBuilder(memory, use_memory=False)
    assert len(builder.build_messages("and now?", first)) == 3

    second = memory.new_session()

    assert second != first
    assert len({memory.new_session() for _ in range(100)}) == 100
    assert builder.build_messages("and now?", second) == [{"role": "user", "content": "and now?"}]
    assert memory.sessions.messages(second) == []
    assert len(memory.sessions.messages(first)) == 2
