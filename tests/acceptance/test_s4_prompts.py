"""S4 and S5.6: the prompt, its sections, what is chosen for it, and its limits."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from chatmem import ChatContextBuilder, MemoryService, PromptComposer
from chatmem.text.tokens import count_tokens

MORNING = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
TOOL = {"name": "add_task", "description": "Adds a task", "parameters": {"type": "object"}}


def positions(text: str, *parts: str) -> list[int]:
    """Where each part stands; every one must be there once at least."""
    for part in parts:
        assert part in text, f"{part!r} is not in the prompt"
    return [text.index(part) for part in parts]


def remembering(memory: MemoryService) -> None:
    """A user with something of every dimension."""
    memory.update_user_profile("Prefers short answers.\n")
    memory.profiles.write("household", "A family of four in Leipzig.\n")
    memory.append_memory("Has a dog called Biscuit")
    memory.append_daily_log("Biscuit was at the vet for his paw")
    memory.save_conversation_turn("Biscuit chewed my shoes", "Oh no, again?", "earlier")
    memory.wait_until_idle()


@pytest.mark.scenario("S4.1.1")
def test_the_sections_stand_in_the_order_of_the_specification(memory: MemoryService) -> None:
    remembering(memory)
    memory.save_conversation_turn("hello there", "hello to you", "now")

    text = PromptComposer(memory).compose(
        "how is Biscuit?", "now", rag=["Dogs need walks."], tools=[TOOL]
    )

    found = positions(
        text,
        "[SYSTEM]",
        "A family of four in Leipzig.",
        "Prefers short answers.",
        "[MEMORY]",
        "Has a dog called Biscuit",
        "Biscuit was at the vet",
        "hello there",
        "hello to you",
        "[RAG]",
        "Dogs need walks.",
        "[USER]",
        "how is Biscuit?",
        "[TOOL INSTR]",
        "add_task",
    )
    assert found == sorted(found)


@pytest.mark.scenario("S4.1.2")
def test_personas_have_layouts_of_their_own_and_one_structure(memory: MemoryService) -> None:
    remembering(memory)
    composer = PromptComposer(memory)

    texts = {
        name: str(composer.compose("how is Biscuit?", persona=name, rag=["x"], tools=[TOOL]))
        for name in ("general", "coding", "household")
    }

    assert len(set(texts.values())) == 3
    for text in texts.values():
        marks = positions(text, "[SYSTEM]", "[MEMORY]", "[RAG]", "[USER]", "[TOOL INSTR]")
        assert marks == sorted(marks)
    has_household = {name: "A family of four in Leipzig." in text for name, text in texts.items()}
    assert has_household == {"general": True, "coding": False, "household": True}


@pytest.mark.scenario("S4.2.1")
def test_importance_relevance_and_age_choose_and_the_profile_comes_first(
    memory: MemoryService,
) -> None:
    """Of five that match alike, the three most important are in; of two notes one."""
    for number, importance in enumerate((1, 5, 2, 4, 3)):
        memory.append_memory(f"Tea note {number}", importance=importance)
    memory.append_daily_log("Drank tea at home", now=MORNING - timedelta(days=40))
    memory.append_daily_log("Drank tea at home again", now=MORNING)
    memory.update_user_profile("Likes quiet places.\n")

    built = ChatContextBuilder(memory).build_messages(
        "tea?", budget={"main_tokens": 0, "max_entries": 4}, now=MORNING
    )

    system = built[0]["content"]
    order = positions(
        system, "Likes quiet places.", "Tea note 1", "Tea note 3", "Tea note 4", "Drank tea at home"
    )
    assert order == sorted(order)
    assert "Tea note 0" not in system
    assert "Tea note 2" not in system


@pytest.mark.scenario("S4.2.2")
def test_the_memory_section_is_limited_in_entries_and_tokens(memory: MemoryService) -> None:
    for number in range(60):
        memory.save_conversation_turn(
            f"tea number {number} is the one I drank on the terrace", "Noted.", f"s{number}"
        )

    few = ChatContextBuilder(memory).build_messages("tea?", budget={"max_entries": 5})
    small = ChatContextBuilder(memory).build_messages("tea?", budget={"memory_tokens": 300})

    assert sum("tea number" in line for line in few[0]["content"].splitlines()) <= 5
    begin = small[0]["content"].index("[MEMORY]")
    assert count_tokens(small[0]["content"][begin:]) <= 300
    assert small.receipt.left_out


@pytest.mark.scenario("S4.2.3")
def test_scenarios_have_budgets_of_their_own(memory: MemoryService) -> None:
    for number in range(60):
        memory.save_conversation_turn(
            f"tea number {number} is the one I drank on the terrace", "Noted.", f"s{number}"
        )
    builder = ChatContextBuilder(memory)

    brief = builder.build_messages("tea?", scenario="brief").receipt.total_tokens
    usual = builder.build_messages("tea?").receipt.total_tokens
    deep = builder.build_messages("tea?", scenario="recall").receipt.total_tokens

    assert brief < usual < deep


@pytest.mark.scenario("S4.3.1")
def test_a_chat_request_loads_filters_selects_and_injects(memory: MemoryService) -> None:
    """Profile, session, semantic and episodic memory are in; what others keep private is not."""
    remembering(memory)
    memory.save_conversation_turn("hello there", "hello to you", "now")
    anna, carl = memory.for_user("anna"), memory.for_user("carl")
    anna.append_memory("Biscuit is allergic to chicken", visibility="public")
    anna.append_memory("Biscuit annoys me")
    carl.append_memory("Biscuit bit me once", visibility="household")

    built = ChatContextBuilder(memory).build_messages("how is Biscuit?", "now", tools=[TOOL])

    system = built[0]["content"]
    for part in (
        "Prefers short answers.",
        "Has a dog called Biscuit",
        "Biscuit was at the vet",
        "Biscuit is allergic to chicken",
        "[TOOL INSTR]",
        "ABP_TOOL:",
    ):
        assert part in system
    loaded = {one.name for one in built.receipt.sections}
    assert {"profile", "main", "episodic", "window", "tools"} <= loaded
    assert "annoys" not in system
    assert "bit me" not in system
    assert built[1:] == [
        {"role": "user", "content": "hello there"},
        {"role": "assistant", "content": "hello to you"},
        {"role": "user", "content": "how is Biscuit?"},
    ]


@pytest.mark.scenario("S5.6.1")
def test_the_main_file_is_injected_as_a_whole(memory: MemoryService) -> None:
    facts = [f"Fact number {number}: 第{number}件事" for number in range(30)]
    for fact in facts:
        memory.append_memory(fact)

    system = ChatContextBuilder(memory).build_messages("hi")[0]["content"]

    main = system[system.index("Long-term Memory") :]
    assert all(fact in main for fact in facts)
    assert "<!--" not in main


@pytest.mark.scenario("S5.6.1")
def test_a_main_file_over_its_cap_is_cut_and_says_so(memory: MemoryService) -> None:
    for number in range(200):
        memory.append_memory(f"Fact number {number} about the garden and its flowers")

    built = ChatContextBuilder(memory).build_messages("hi", language="en")
    chinese = ChatContextBuilder(memory).build_messages("你好")

    for messages in (built, chinese):
        section = next(one for one in messages.receipt.sections if one.name == "main")
        assert 1000 < section.tokens <= 1500
        assert 0 < len(section.items) < 200
        cut = "{} of 200 memories" if messages is built else "200 条记忆，此处显示 {} 条"
        assert cut.format(len(section.items)) in messages[0]["content"]


@pytest.mark.scenario("S5.6.2")
def test_what_a_search_finds_is_injected_as_past_context(memory: MemoryService) -> None:
    for colour in ("红", "蓝", "绿"):
        memory.save_conversation_turn(f"有一辆自行车是{colour}色的", "记住了。", colour)
    memory.save_conversation_turn("自行车脏了", "那就洗洗吧。", "now")

    built = ChatContextBuilder(memory).build_messages("自行车什么颜色？", "now")

    past = built[0]["content"].partition("Relevant Past Context")[2]
    assert all(f"有一辆自行车是{colour}色的" in past for colour in "红蓝绿")
    assert "自行车脏了" not in past  # it stands in the window


@pytest.mark.scenario("S5.6.2")
def test_two_turns_of_a_session_share_everything_before_the_past_context(
    memory: MemoryService,
) -> None:
    """So that a provider's prompt cache holds: byte for byte."""
    remembering(memory)
    builder = ChatContextBuilder(memory)
    systems = []
    for number, message in enumerate(
        ("how is Biscuit?", "and my shoes?", "天气怎么样？", "the vet?")
    ):
        built = builder.build_messages(message, "now", now=MORNING + timedelta(minutes=number))
        systems.append(built[0]["content"])
        memory.save_conversation_turn(
            message, "I see.", "now", now=MORNING + timedelta(minutes=number)
        )
        memory.wait_until_idle()

    stable = [one[: one.index("Relevant Past Context")] for one in systems]
    assert "Has a dog called Biscuit" in stable[0]
    for before, after in pairwise(stable):
        assert before.encode() == after.encode()


ONE = {"main_tokens": 0, "semantic_top_k": 1}


@pytest.mark.scenario("S4.1.1")
def test_three_semantic_memories_and_one_episode_are_in_memory(memory: MemoryService) -> None:
    """Where MEMORY.md is not shown; what a search finds beside them comes after."""
    for number in range(5):
        memory.append_memory(f"Tea note {number}")
        memory.append_daily_log(f"Drank tea, cup {number}")

    receipt = PromptComposer(memory).compose("tea?", budget={"main_tokens": 0}).receipt

    sizes = {one.name: len(one.items) for one in receipt.sections}
    assert (sizes["semantic"], sizes["episodic"]) == (3, 1)


@pytest.mark.scenario("S4.2.1")
@pytest.mark.parametrize(
    ("message", "stronger", "weaker", "days"),
    [
        ("jasmine tea?", "Drinks jasmine tea", "Drinks tea in the garden", 0),
        ("茉莉花茶", "喝茉莉花茶", "在花园里喝茶", 0),
        ("jasmine tea?", "Drinks jasmine tea at four", "Drinks jasmine tea at noon", 60),
    ],
    ids=["relevance", "relevance-zh", "age"],
)
def test_what_is_more_relevant_or_newer_has_the_only_place(
    memory: MemoryService, message: str, stronger: str, weaker: str, days: int
) -> None:
    """The other one is surer, which weighs less."""
    kept = memory.append_memory(stronger, confidence=0.9, now=MORNING)
    memory.append_memory(weaker, confidence=1.0, now=MORNING - timedelta(days=days))

    built = ChatContextBuilder(memory).build_messages(message, budget=ONE, now=MORNING)

    sections = {one.name: one.items for one in built.receipt.sections}
    assert sections["semantic"] == (kept.id,)
