"""What is told later about the same, or about another one: what ends, and what is left alone.

The pairs stand in `tests/data/extraction` and are not shown here, as in
`test_extraction_quality.py`. Each pair is a user's, its messages told through the product: saved,
extracted, settled.
"""

import sys
from typing import Any

import pytest
from tests.conftest import labelled
from tests.integration.conftest import told

from chatmem import AtomicMemoryRecord, MemoryService
from chatmem.text.languages import simplify

LEAST_UPDATED = 0.61
LEAST_KEPT = 0.94
"""What may not be lost again. Wanted are .95 and .98, missed (docs/remembering.md): what is not
sure is kept beside the older one."""


@pytest.fixture
def memory(attentive: MemoryService) -> MemoryService:
    return attentive


def has(record: AtomicMemoryRecord, words: str) -> bool:
    said = simplify(f"{record.content} {record.value}").casefold()
    return any(simplify(word).casefold() in said for word in words.split("|"))


def is_updated(records: list[AtomicMemoryRecord], pair: dict[str, Any]) -> bool:
    """The old one has ended and the new one holds."""
    ended = [one for one in records if not one.is_valid and has(one, pair["old"])]
    holds = [one for one in records if one.is_valid and has(one, pair["new"])]
    return bool(ended and holds)


def test_what_makes_a_memory_obsolete_takes_its_place(memory: MemoryService) -> None:
    wanted = labelled("extraction/updates")
    right = sum(
        is_updated(told(memory.for_user(pair["id"]), pair["before"], pair["after"]), pair)
        for pair in wanted
    )
    sys.stdout.write(f"updated {right} of {len(wanted)}\n")
    assert right / len(wanted) >= LEAST_UPDATED


def test_what_is_another_matter_leaves_a_memory_alone(memory: MemoryService) -> None:
    wanted = labelled("extraction/separate")
    right = 0
    for pair in wanted:
        first = told(memory.for_user(f"{pair['id']}-1"), pair["first"])
        second = told(memory.for_user(f"{pair['id']}-2"), pair["second"])
        both = told(memory.for_user(pair["id"]), pair["first"], pair["second"])
        read = [
            word
            for alone, word in zip((first, second), pair["keeps"], strict=True)
            if any(has(one, word) for one in alone)
        ]
        right += all(one.is_valid for one in both) and all(
            any(has(one, word) for one in both) for word in read
        )
    sys.stdout.write(f"kept apart {right} of {len(wanted)}\n")
    assert right / len(wanted) >= LEAST_KEPT


def test_another_one_ends_nothing(memory: MemoryService) -> None:
    for number, messages in enumerate((
        ("My sister is called Bridget.", "My other sister Fern is a vet."),
        ("My sister is called Bridget.", "My sister Fern is a vet."),
        ("My brother works at the port.", "My second brother works at the zoo."),
        ("My friend Kit lives in Oslo.", "My friend Jude moved to Bergen."),
        ("My cat is called Mo.", "My other cat is called Jo."),
        ("我妹妹叫小满。", "我另一个妹妹叫小雪。"),
        ("我大姐在银川。", "我二姐搬到兰州了。"),
        ("我大儿子上初二。", "小儿子上五年级了。"),
        ("我哥离婚了。", "我弟结婚了。"),
        ("我妹妹叫小满。", "My brother is called Tom."),
    )):  # fmt: skip
        found = told(memory.for_user(f"user {number}"), *messages)
        assert all(one.is_valid for one in found), messages


def test_one_person_is_known_in_both_languages(memory: MemoryService) -> None:
    found = told(memory, "我妈妈住在杭州。", "My mother moved to Bergen.")
    assert {one.is_valid for one in found if has(one, "杭州")} == {False}


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize(
    ("first", "second", "old", "new"),
    [
        ("I live in Leeds.", "We moved to Bristol last month.", "Leeds", "Bristol"),
        ("我住在成都", "上个月搬到重庆了", "成都", "重庆"),
    ],
)
def test_a_change_ends_what_it_is_about(
    memory: MemoryService, first: str, second: str, old: str, new: str, at_once: bool
) -> None:
    found = told(memory, first, second, at_once=at_once)
    assert is_updated(found, {"old": old, "new": new})


@pytest.mark.parametrize("message", ["The shop closed early again.", "店今天又提前关门了"])
def test_a_change_of_nothing_known_is_not_kept(memory: MemoryService, message: str) -> None:
    assert told(memory, message) == []
