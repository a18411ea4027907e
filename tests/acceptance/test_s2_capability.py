"""S2, and S3 where it meets the prompt: what is recalled, profile, sessions, window, settings."""

import json
import re
from pathlib import Path

import pytest
from tests.doors import by_words
from tests.migration.old_files import read

from chatmem import ChatContextBuilder, MemoryService
from chatmem.testing import FakeClock


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
def test_what_is_in_a_prompt_is_counted_once_a_turn(
    memory: MemoryService, clock: FakeClock
) -> None:
    """Composing the same prompt twice is one access; looking is none."""
    kept = memory.append_memory("Has a dog called Biscuit", now=clock())
    other = memory.append_memory("在市立医院做护士", now=clock())
    builder = ChatContextBuilder(memory)

    builder.build_messages("how is Biscuit?", "s1", counts_access=False)
    builder.build_messages("Biscuit?", "s2", budget={"memory_tokens": 0})  # recalled, and no room
    assert memory.get_relevant_memories("Biscuit") and memory.search_memories("Biscuit")
    assert memory.get(kept.id).access_count == 0
    builder.build_messages("how is Biscuit?", "s1", now=clock.advance(days=1))
    builder.build_messages("how is Biscuit?", "s1", now=clock())
    found = memory.get(kept.id)
    assert (found.access_count, found.last_accessed) == (1, clock())

    memory.save_conversation_turn("how is Biscuit?", "Well!", "s1", now=clock())
    builder.build_messages("how is Biscuit?", "s1", now=clock.advance(days=1))
    found = memory.get(kept.id)
    assert (found.access_count, found.last_accessed) == (2, clock())
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


@pytest.mark.scenario("S2.1.1")
def test_the_memories_for_a_message_are_recalled_best_first(meaning: MemoryService) -> None:
    """In both languages, and across them; `top_n` says how many."""
    facts = {
        "dog": "Has a brown dog called Biscuit who is afraid of thunder",
        "job": "在市立医院做护士，常常上夜班",
        "diet": "不吃海鲜，吃了会起疹子",
        "trip": "Is planning a cycling trip along the Danube in May",
        "piano": "女儿每周二学钢琴",
    }
    ids = {name: meaning.append_memory(text).id for name, text in facts.items()}
    meaning.wait_until_indexed()

    for question, name in {
        "what is my dog called?": "dog",
        "我在哪里上班？": "job",
        "which day does my daughter have her piano lesson?": "piano",
        "晚饭点虾可以吗，我对海鲜怎么样？": "diet",
        "多瑙河骑行是什么时候": "trip",
        "孩子哪天有钢琴课": "piano",
    }.items():
        found = meaning.get_relevant_memories(question, 2)

        assert 1 <= len(found) <= 2
        assert found[0].memory.id == ids[name], question


@pytest.mark.scenario("S2.1.1")
def test_a_memory_has_every_field_that_the_specification_lists(memory: MemoryService) -> None:
    kept = memory.append_memory("Sings in a choir", tags=("music", "周三"), session_id="s1")

    record = memory.get(kept.id)

    assert record.id and record.timestamp.tzinfo and record.create_time.tzinfo
    assert record.content == "Sings in a choir"
    assert json.loads(json.dumps(record.tags)) == ["music", "周三"]
    assert record.session_id == "s1"


@pytest.mark.scenario("S2.2.2")
@pytest.mark.files
@pytest.mark.parametrize(
    ("message", "expected"),
    [("Please always keep your answers short.", "short"), ("以后请用英文回答我。", "英")],
)
def test_a_style_that_a_message_asks_for_comes_into_the_profile(
    memory: MemoryService, data: Path, message: str, expected: str
) -> None:
    """Into the document and the table `user_profile`; what was there stays."""
    memory.update_user_profile("# Me")
    memory.save_conversation_turn(message, "All right.", "s1")
    memory.wait_until_idle()

    rows = read(data / "chatmem.db", "SELECT content FROM user_profile")
    assert rows == [((data / "prompts" / "memory" / "USER.md").read_text(),)]
    profile = memory.get_user_profile()
    assert profile.startswith("# Me\n")
    assert expected in profile.removeprefix("# Me\n")


@pytest.mark.scenario("S2.6.1")
def test_a_changed_setting_is_obeyed_at_once_and_by_whoever_opens_the_memory_later(
    memory: MemoryService, place: str
) -> None:
    for kind in ("oolong", "jasmine", "black", "green", "white", "mint"):
        memory.append_memory(f"Drinks {kind} tea")

    def in_prompt() -> int:
        budget = {"main_tokens": 0, "semantic_top_k": 10}
        built = ChatContextBuilder(memory).build_messages("tea?", budget=budget)
        return next(len(one.items) for one in built.receipt.sections if one.name == "semantic")

    assert len(memory.get_relevant_memories("tea")) == in_prompt() == 5

    memory.config.set({"memory.rag_top_n": 2, "enableUserProfile": False})

    assert len(memory.get_relevant_memories("tea")) == in_prompt() == 2
    memory.close()
    with by_words(place) as later:
        assert len(later.get_relevant_memories("tea")) == 2
        assert later.settings.memory.enable_user_profile is False
        assert later.config.origin("memory.rag_top_n") == "stored"


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
    assert memory.stats().messages == 4
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
