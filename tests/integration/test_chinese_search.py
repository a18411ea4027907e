"""Chinese words are found, all of them, in both scripts; with keywords alone."""

from datetime import timedelta

import pytest
from tests.contract.given import NOON, said
from tests.unit.text.chinese_sentences import (
    EXAMPLES,
    ONE_CHARACTER,
    THREE_AND_MORE,
    TWO_CHARACTERS,
    Example,
)

from chatmem import MemoryService

SENTENCES = list(
    dict.fromkeys(text for one in EXAMPLES for text in (one.simplified, one.traditional))
)


def save_as_turns(memory: MemoryService, texts: list[str], session: str) -> None:
    """One session each, so that none is found for its neighbour's sake."""
    memory.save_messages(
        said(text, session_id=f"{session}-{number}", timestamp=NOON + timedelta(minutes=number))
        for number, text in enumerate(texts)
    )


def missed(memory: MemoryService, examples: tuple[Example, ...], limit: int) -> list[str]:
    """Words, with the sentence, that a search for the word does not find."""
    misses = []
    for example in examples:
        for sentence, word in example.pairs():
            found = [hit.memory.content for hit in memory.search_memories(word, limit=limit)]
            if sentence not in found:
                misses.append(f"{word} in {sentence}")
    return misses


@pytest.mark.parametrize("examples", [ONE_CHARACTER, TWO_CHARACTERS, THREE_AND_MORE])
def test_every_word_is_found_in_turns(memory: MemoryService, examples: tuple[Example, ...]) -> None:
    save_as_turns(memory, SENTENCES, "zh")

    assert missed(memory, examples, 20) == []


def test_every_word_is_found_in_memories(memory: MemoryService) -> None:
    for sentence in SENTENCES:
        memory.append_memory(sentence)

    assert missed(memory, EXAMPLES, 20) == []


def test_every_word_is_found_among_thousands_of_rows(memory: MemoryService) -> None:
    """More rows than are all scored, most of them in the packed index."""
    save_as_turns(memory, SENTENCES, "zh")
    save_as_turns(memory, [f"Filler number {number} is of no use" for number in range(3_000)], "en")
    save_as_turns(memory, SENTENCES, "zh-new")
    memory.wait_until_indexed()

    assert missed(memory, EXAMPLES, 40) == []


def test_every_word_is_recalled_from_a_question(memory: MemoryService) -> None:
    """Words of two and more characters, asked about in a sentence."""
    for sentence in SENTENCES:
        memory.append_memory(sentence)

    misses = []
    for example in (*TWO_CHARACTERS, *THREE_AND_MORE):
        for sentence, word in example.pairs():
            found = memory.get_relevant_memories(f"关于{word}的事，你还记得吗？", 20)
            if sentence not in [hit.memory.content for hit in found]:
                misses.append(f"{word} in {sentence}")
    assert misses == []
