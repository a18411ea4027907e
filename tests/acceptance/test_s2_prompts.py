"""S2 and S3, where they meet the prompt: profile, summaries, window, recall, access."""

from pathlib import Path

import pytest
from tests.doors import by_words

from chatmem import ChatContextBuilder, MemoryService


@pytest.mark.scenario("S2.1.1")
def test_what_is_recalled_for_the_message_is_in_its_prompt(memory: MemoryService) -> None:
    """As many as `memory.rag_top_n` says, when MEMORY.md itself is not shown."""
    for number in range(8):
        memory.append_memory(f"Tea note {number}")
    builder = ChatContextBuilder(memory, budget={"main_tokens": 0, "semantic_top_k": 10})

    recalled = {hit.memory.id for hit in memory.get_relevant_memories("tea?")}
    built = builder.build_messages("tea?")

    assert len(recalled) == 5
    assert all(memory.get(one).content in built[0]["content"] for one in recalled)
    semantic = next(one for one in built.receipt.sections if one.name == "semantic")
    assert recalled <= set(semantic.items)  # not among what a search finds besides


@pytest.mark.scenario("S2.2.1")
@pytest.mark.files
def test_the_profile_is_in_every_prompt_where_it_is_switched_on(
    memory: MemoryService, data: Path
) -> None:
    memory.update_user_profile("# 我\n\n- 喜欢简短的回答\n- Works as a nurse\n")
    builder = ChatContextBuilder(memory)

    assert memory.get_user_profile().strip() == "# 我\n\n- 喜欢简短的回答\n- Works as a nurse"
    for message in ("hello", "你好", "what is the capital of Peru?"):
        system = builder.build_messages(message)[0]["content"]
        assert "喜欢简短的回答" in system
        assert "Works as a nurse" in system

    edited = data / "prompts" / "memory" / "USER.md"
    edited.write_text("Works as a baker\n", "utf-8")
    assert "Works as a baker" in builder.build_messages("hello")[0]["content"]

    memory.config.set({"memory.enable_user_profile": False})
    assert "Works as a baker" not in builder.build_messages("hello")[0]["content"]


@pytest.mark.scenario("S2.3.1")
def test_summaries_of_recent_sessions_are_in_the_prompt(memory: MemoryService) -> None:
    """Of other sessions, as many as `memory.session_summary_limit` says, the newest first."""
    for number in range(7):
        memory.save_conversation_turn(
            f"Please help me plan trip number {number} to the mountains",
            "With pleasure.",
            f"s{number}",
        )
    memory.wait_until_idle()
    recent = memory.get_recent_session_summaries()

    built = ChatContextBuilder(memory).build_messages("good evening", "s6")

    assert len(recent) == 5
    section = next(one for one in built.receipt.sections if one.name == "summaries")
    assert list(section.items) == ["s5", "s4", "s3", "s2", "s1"]
    assert all(
        one.title in built[0]["content"] for one in recent if one.session_id in section.items
    )


@pytest.mark.scenario("S2.5.1")
@pytest.mark.parametrize("limit", [4, 5])
def test_past_the_limit_the_oldest_round_leaves_the_window(data: Path, limit: int) -> None:
    """A round leaves as a whole: of five messages there is room for two rounds."""
    with by_words(data, context_limit=limit) as memory:
        builder = ChatContextBuilder(memory)
        for number in range(5):
            memory.save_conversation_turn(f"question {number}", f"answer {number}", "s1")
            built = builder.build_messages("and now?", "s1")

            said = [one["content"] for one in built if one["role"] != "system"]
            first = max(0, number - 1)
            expected = [
                f"{kind} {one}"
                for one in range(first, number + 1)
                for kind in ("question", "answer")
            ]
            assert said == [*expected, "and now?"]
            assert len(built) <= limit + 2

        assert [hit.memory.content for hit in memory.search_memories("question 0", limit=1)] == [
            "question 0"
        ]
        assert memory.list_memories().total == 0  # what left did not become long-term by itself


@pytest.mark.scenario("S3.2.3")
def test_what_is_in_a_prompt_is_counted_once_a_turn(memory: MemoryService) -> None:
    """Composing the same prompt twice is one access; looking is none."""
    kept = memory.append_memory("Has a dog called Biscuit")
    other = memory.append_memory("在市立医院做护士")
    builder = ChatContextBuilder(memory)

    builder.build_messages("how is Biscuit?", "s1", counts_access=False)
    builder.build_messages("Biscuit?", "s2", budget={"memory_tokens": 0})  # recalled, and no room
    assert memory.get_relevant_memories("Biscuit") and memory.search_memories("Biscuit")
    assert memory.get(kept.id).access_count == 0
    builder.build_messages("how is Biscuit?", "s1")
    builder.build_messages("how is Biscuit?", "s1")
    assert memory.get(kept.id).access_count == 1

    memory.save_conversation_turn("how is Biscuit?", "Well!", "s1")
    builder.build_messages("how is Biscuit?", "s1")
    found = memory.get(kept.id)
    assert found.access_count == 2
    assert found.last_accessed is not None
    assert memory.get(other.id).access_count == 0


@pytest.mark.scenario("S3.3.7")
def test_the_topic_of_the_last_turn_widens_recall_for_the_next(memory: MemoryService) -> None:
    """The topic comes from the turn's analysis; "and how long does it take?" names none itself."""
    kept = memory.append_memory("The train to Lisbon leaves at nine")
    memory.append_memory("Likes oolong tea")
    memory.save_conversation_turn("I am planning a trip to Lisbon", "Lovely!", "s1")

    working = memory.working_memory("s1")
    assert working is not None
    assert "Lisbon" in str(working.current_topic)
    with_topic = memory.get_relevant_memories("when does it start?", session_id="s1")
    assert [hit.memory.id for hit in with_topic] == [kept.id]
    assert with_topic[0].parts.topic == 1.3
    assert len(memory.get_relevant_memories("when does it start?")) == 0
