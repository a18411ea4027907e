"""S4.1.1, S4.2.1: how many memories a prompt has, and which: relevance and age decide."""

from datetime import UTC, datetime, timedelta

import pytest

from chatmem import ChatContextBuilder, MemoryService, PromptComposer

MORNING = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
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
