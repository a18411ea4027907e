"""S1: short-term turns and long-term memories; what an agent sends as system and as user."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.ai_requests import ScriptedRequests
from tests.doors import by_words
from tests.migration.old_files import COMPLETE, Row, read, write_old

from chatmem import AgentController, ChatContextBuilder, MemoryService
from chatmem.storage.tables.database import read_migrations

ADD_COLUMN = "ALTER TABLE atomic_memory ADD COLUMN memory_type TEXT DEFAULT 'short_term'"


def default_of_memory_type(database: Path) -> str:
    """As the standard library reads it."""
    found = read(database, "PRAGMA table_info(atomic_memory)")
    (default,) = (default for _, name, _, _, default, _ in found if name == "memory_type")
    return str(default)


@pytest.fixture
def version_5(data: Path) -> Path:
    """A database of schema version 5 with two messages, as another program made it."""
    data.mkdir()
    rows: list[Row] = [
        {"content": "周末想去爬山", "tags": '["周末"]', "timestamp": "2025-11-02 08:30:00"},
        {"content": "Bring the blue tent", "tags": "camping,gear", "session_id": "a"},
    ]
    return write_old(data / "chatmem.db", COMPLETE, rows)


@pytest.mark.scenario("S1.1.1")
def test_version_6_adds_the_column_as_the_specification_writes_it(version_5: Path) -> None:
    assert ADD_COLUMN in " ".join(read_migrations("chatmem.storage.sqlite")[6].split())
    assert min(version for version in read_migrations("chatmem.storage.sqlite") if version > 5) == 6

    with closing(sqlite3.connect(version_5)) as connection:
        connection.executescript(read_migrations("chatmem.storage.sqlite")[6])

    assert default_of_memory_type(version_5) == "'short_term'"
    assert read(version_5, "SELECT memory_type FROM atomic_memory") == [("short_term",)] * 2


@pytest.mark.scenario("S1.1.1", "S1.1.2")
def test_a_version_5_database_is_upgraded_when_it_is_opened(version_5: Path) -> None:
    """Its records are short-term, and found."""
    with by_words(version_5.parent) as memory:
        assert memory.stats().schema_version >= 6
        page = memory.list_memories(None)

        assert [one.memory_type for one in page.items] == ["short_term", "short_term"]
        assert {one.content for one in page.items} == {"周末想去爬山", "Bring the blue tent"}
        assert memory.search_memories("爬山")[0].memory.tags == ("周末",)
        assert memory.search_memories("tent")[0].memory.tags == ("camping", "gear")
        assert memory.list_memories("long_term").total == 0

    assert read(version_5, "PRAGMA user_version")[0][0] >= 6
    assert default_of_memory_type(version_5) == "'short_term'"


@pytest.mark.scenario("S1.2.1")
def test_a_turn_becomes_one_record_for_each_role(memory: MemoryService) -> None:
    saved = memory.save_conversation_turn(
        "我下个月搬到柏林", "好的，需要我列个清单吗？", "s1", "assistant-app"
    )

    user, assistant = (memory.get(memory_id) for memory_id in saved.ids)
    assert (user.role, user.content) == ("user", "我下个月搬到柏林")
    assert (assistant.role, assistant.content) == ("assistant", "好的，需要我列个清单吗？")
    for record in (user, assistant):
        assert record.memory_type == "short_term"
        assert record.session_id == "s1"
        assert record.app_type == "assistant-app"
    assert memory.list_memories(None).total == 2


@pytest.mark.scenario("S1.2.2")
def test_the_users_record_is_the_processed_message_as_it_was_given(memory: MemoryService) -> None:
    raw = "/ask   Which gate does my train leave from? --verbose"
    processed = "Which gate does my train leave from?"

    saved = memory.save_conversation_turn(processed, "Gate 7.", "s1")

    assert memory.get(saved.user.id).content == processed
    assert all(raw != one.content for one in memory.list_memories(None).items)


@pytest.mark.scenario("S1.2.3")
def test_the_assistants_record_is_the_complete_reply(memory: MemoryService) -> None:
    reply = "\n\n".join(
        f"## Step {number}\n\n- 第 {number} 步：*sand* the edge\n\n```\nrun({number})\n```"
        for number in range(2_000)
    )

    saved = memory.save_conversation_turn("How do I mend the table?", reply, "s1")

    assert len(reply) > 90_000
    assert memory.get(saved.assistant.id).content == reply


@pytest.mark.scenario("S1.3.1")
def test_the_same_turn_is_not_saved_twice(memory: MemoryService) -> None:
    first = memory.save_conversation_turn("Remind me to water the ferns", "I will.", "s1")
    second = memory.save_conversation_turn("Remind me to water the ferns", "I will.", "s1")

    assert first.duplicates == ()
    assert second.duplicates == second.ids == first.ids
    assert memory.list_memories(None).total == 2


@pytest.mark.scenario("S1.3.1")
def test_the_first_fifty_characters_decide_for_each_role_by_itself(memory: MemoryService) -> None:
    start = "把" * 50
    memory.save_conversation_turn(f"{start}一", f"{start}甲", "s1")

    same_user = memory.save_conversation_turn(f"{start}二", "别的回答", "s1")
    same_reply = memory.save_conversation_turn("另一个问题", f"{start}乙", "s1")
    other_start = memory.save_conversation_turn(f"{start[:49]}三", f"{start[:49]}丙", "s1")
    other_session = memory.save_conversation_turn(f"{start}一", f"{start}甲", "s2")

    assert same_user.duplicates == (same_user.user.id,)
    assert same_reply.duplicates == (same_reply.assistant.id,)
    alike = memory.save_conversation_turn("Good morning to you", "Good morning to you", "s1")
    echoed = memory.save_conversation_turn("我说了什么？", "另一个问题", "s1")
    assert other_start.duplicates == other_session.duplicates == alike.duplicates == ()
    assert echoed.duplicates == ()
    assert memory.list_memories(None).total == 2 + 1 + 1 + 2 + 2 + 2 + 2


@pytest.mark.scenario("S1.3.2")
def test_different_turns_of_a_session_are_all_saved(memory: MemoryService) -> None:
    memory.save_conversation_turn("What is the tallest tree?", "A coast redwood.", "s1")
    memory.save_conversation_turn("And the oldest one?", "A bristlecone pine.", "s1")

    page = memory.list_memories(None)
    assert page.total == 4
    assert {one.session_id for one in page.items} == {"s1"}


@pytest.mark.scenario("S1.4.2", "S1.5.1")
def test_recall_gives_long_term_memories_only(memory: MemoryService) -> None:
    memory.save_conversation_turn(
        "我养了一只叫豆豆的鹦鹉", "豆豆这个名字真可爱，鹦鹉好养吗？", "s1"
    )
    kept = memory.append_memory("用户的鹦鹉叫豆豆")

    recalled = memory.get_relevant_memories("豆豆是谁的鹦鹉？", 10)

    assert [hit.memory for hit in recalled] == [kept]
    assert recalled[0].memory.memory_type == "long_term"
    assert len(memory.search_memories("豆豆")) == 3


@pytest.mark.scenario("S1.4.2", "S1.5.1")
def test_recall_by_meaning_gives_long_term_memories_only(meaning: MemoryService) -> None:
    meaning.save_conversation_turn("I play the cello in a quartet", "How lovely!", "s1")
    kept = meaning.append_memory("Plays the cello every Thursday evening")
    meaning.wait_until_indexed()

    recalled = meaning.get_relevant_memories("which musical instrument do I play?", 10)

    assert [hit.memory.id for hit in recalled] == [kept.id]
    assert recalled[0].parts.vector is not None


@pytest.mark.scenario("S1.5.2")
def test_a_person_turns_a_message_into_a_long_term_memory(memory: MemoryService) -> None:
    saved = memory.save_conversation_turn("我对芒果过敏，吃了会肿", "记住了，不吃芒果。", "s1")
    assert list(memory.get_relevant_memories("芒果")) == []

    promoted = memory.promote(saved.user.id)

    assert promoted.memory_type == "long_term"
    assert memory.get(saved.user.id).memory_type == "long_term"
    assert memory.get(saved.assistant.id).memory_type == "short_term"
    assert [hit.memory.id for hit in memory.get_relevant_memories("芒果")] == [saved.user.id]
    assert "我对芒果过敏" in memory.main.read().content


@pytest.mark.scenario("S1.6.1")
def test_a_record_read_from_the_database_has_its_memory_type(data: Path) -> None:
    with by_words(data) as memory:
        turn = memory.save_conversation_turn("Where did I park?", "Level two.", "s1").user.id
        fact = memory.append_memory("Parks on level two").id
    stored = dict(read(data / "chatmem.db", "SELECT id, memory_type FROM atomic_memory"))

    with by_words(data) as memory:
        for memory_id, memory_type in ((turn, "short_term"), (fact, "long_term")):
            assert stored[memory_id] == memory_type
            assert memory.get(memory_id).memory_type == memory_type
            found = next(one for one in memory.export_records() if one.id == memory_id)
            assert found.memory_type == memory_type


@pytest.mark.scenario("S1.4.1")
def test_replies_are_part_of_the_window(memory: MemoryService) -> None:
    memory.save_conversation_turn("几点了？", "三点。", "s1")
    memory.save_conversation_turn("And in Berlin?", "Nine in the morning.", "s1")

    built = ChatContextBuilder(memory).build_messages("thanks", "s1")

    assert [(one["role"], one["content"]) for one in built if one["role"] != "system"] == [
        ("user", "几点了？"),
        ("assistant", "三点。"),
        ("user", "And in Berlin?"),
        ("assistant", "Nine in the morning."),
        ("user", "thanks"),
    ]


@pytest.mark.scenario("S1.8.1")
def test_everything_that_is_for_the_system_stands_in_one_message(memory: MemoryService) -> None:
    memory.append_memory("Has a dog called Biscuit")
    memory.update_user_profile("Prefers short answers.")

    built = ChatContextBuilder(memory).build_messages(
        "how is Biscuit?",
        base_system_prompt="You are the assistant of a library.",
        scenario="brief",
        skills=["You can look up books."],
        session_messages=[
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": "hello"},
        ],
    )

    assert [one["role"] for one in built] == ["system", "user", "assistant", "user"]
    for part in (
        "You are the assistant of a library.",
        "You can look up books.",
        "Be kind.",
        "Prefers short answers.",
        "Has a dog called Biscuit",
    ):
        assert part in built[0]["content"]


@pytest.mark.scenario("S1.8.2")
def test_where_there_is_nothing_to_say_there_is_no_system_message(memory: MemoryService) -> None:
    memory.append_memory("Has a dog called Biscuit")
    memory.config.set({"memory.enabled": False})

    built = ChatContextBuilder(memory).build_messages("how is Biscuit?", base_system_prompt="")

    assert built == [{"role": "user", "content": "how is Biscuit?"}]


PLAN = {
    "goal": "A shorter invitation",
    "steps": [{"description": "Count the words", "tool": "count_words"}, "Write it anew"],
}
COUNT = {"tool": "count_words", "arguments": {"text": "Dear all"}}
DYNAMIC = (
    "Shorten my invitation for Biscuit's birthday",
    "Dear all, the party begins at nine",
    "edit the document",
    "Biscuit is the dog of the family",
    "Which day suits you?",
)


def count_words(text: str) -> int:
    """How many words the text has."""
    return len(text.split())


@pytest.fixture
def send() -> ScriptedRequests:
    return ScriptedRequests(PLAN, COUNT, {"result": "It has 2 words"}, {"result": "Party at nine!"})


@pytest.fixture
def agent(memory: MemoryService, send: ScriptedRequests) -> AgentController:
    memory.append_memory("Biscuit is the dog of the family")
    memory.save_conversation_turn("Help me with a party", "Which day suits you?", "s1")
    return AgentController(memory, send, [count_words], session_id="s1")


@pytest.mark.scenario("S1.7.1")
def test_planning_sends_fixed_instructions_as_system_and_the_rest_as_user(
    memory: MemoryService, agent: AgentController, send: ScriptedRequests
) -> None:
    request, content, intent, remembered, said = DYNAMIC

    agent.start_agent(request, content, intent)

    [planning] = send.sent
    for fixed in ('{"goal": ', '"steps": [{"description"', "count_words", '"type": "string"'):
        assert fixed in planning.system
        assert fixed not in planning.user
    for dynamic in (request, content, intent, remembered, said):
        assert dynamic in planning.user
        assert dynamic not in planning.system

    other = ScriptedRequests(PLAN)
    again = AgentController(memory, other, [count_words])
    again.start_agent("Translate this for my colleague", "Etwas anderes", "translate")
    assert other.sent[0].system == planning.system  # nothing of a request is in it


@pytest.mark.scenario("S1.7.2")
def test_a_step_sends_fixed_instructions_as_system_and_its_details_as_user(
    agent: AgentController, send: ScriptedRequests
) -> None:
    agent.start_agent(*DYNAMIC[:3])

    first = agent.execute_next_step()
    second = agent.execute_next_step()

    assert first is not None and second is not None
    planning, *steps = send.sent
    assert len(steps) == 3  # the tool's result took a request of its own
    assert len({one.system for one in steps}) == 1
    system = steps[0].system
    assert system != planning.system
    for fixed in ('{"tool": ', '{"result": ', "count_words", '"type": "string"'):
        assert fixed in system
    details = [*DYNAMIC[:4], "Count the words", "Write it anew", "A shorter invitation"]
    for dynamic in details:
        assert all(dynamic in one.user for one in steps)
        assert dynamic not in system
    assert steps[0].user.rstrip().endswith("1. Count the words")
    assert "2. Write it anew" in steps[2].user.rsplit("\n##", 1)[1]
    assert "It has 2 words" in steps[2].user
    assert "It has 2 words" not in steps[1].user


@pytest.mark.scenario("S1.7.1", "S1.7.2")
@pytest.mark.parametrize(
    ("request_text", "said"),
    [("把邀请函写短一点", "只回答一个 JSON 对象"), ("把邀請函寫短一點", "只回答一个 JSON 对象")],
)
def test_instructions_are_in_the_language_of_the_request(
    memory: MemoryService, request_text: str, said: str
) -> None:
    send = ScriptedRequests({"goal": "", "steps": ["写短"]}, {"result": "周六九点见"})
    agent = AgentController(memory, send)

    agent.start_agent(request_text, "亲爱的大家", "编辑")
    agent.execute_next_step()

    assert all(said in one.system for one in send.sent)
    assert all(f"## 请求\n{request_text}" in one.user for one in send.sent)
