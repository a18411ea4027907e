"""S2: memories that are stored, and recalled for the message at hand."""

import json
import sqlite3
from pathlib import Path

import pytest
from tests.doors import by_words

from chatmem import ChatContextBuilder, MemoryService


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

    connection = sqlite3.connect(data / "chatmem.db")
    rows = connection.execute("SELECT content FROM user_profile").fetchall()
    connection.close()
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
