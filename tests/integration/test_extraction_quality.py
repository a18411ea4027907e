"""What the reader extracts from labelled messages that it did not learn from.

The sets stand in `tests/data/extraction`. A line of `zh.jsonl` and `en.jsonl` is a message with
the facts worth keeping in it, none in half of them. A fact is answered by a candidate of its
category (of any, where the label names none) that holds a word of every group in `must`.
The messages are not shown by these tests.
"""

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pytest
from tests.conftest import labelled
from tests.integration.conftest import told

from chatmem import AtomicMemoryRecord, MemoryService
from chatmem.extraction.extractor import LEAST_CONFIDENCE, Candidate, NewMessage, candidates_of
from chatmem.text.languages import simplify

LANGUAGES = ("zh", "en")
LEAST: Mapping[str, tuple[float, float]] = {"zh": (0.81, 0.75), "en": (0.94, 0.77)}
"""Precision and recall that may not be lost again. Wanted are .92 / .74 and .93 / .76; what is
missing is in docs/remembering.md."""


def plain(text: str) -> str:
    return simplify(text).casefold()


def answers(candidate: Candidate, label: dict[str, Any]) -> bool:
    wish = label.get("wish", "remember")
    if candidate.wish != wish:
        return False
    if wish == "remember" and label["category"] not in (None, candidate.category):
        return False
    content = plain(candidate.content)
    return all(any(plain(word) in content for word in group) for group in label["must"])


def matched(candidates: Sequence[Candidate], labels: Sequence[dict[str, Any]]) -> int:
    """How many labels are answered: one candidate takes one label, the least flexible first."""
    fits = [
        [number for number, label in enumerate(labels) if answers(candidate, label)]
        for candidate in candidates
    ]
    taken: set[int] = set()
    for numbers in sorted(fits, key=len):
        free = [number for number in numbers if number not in taken]
        if free:
            # The label that asks for most words: few other candidates could answer it.
            taken.add(max(free, key=lambda number: len(labels[number]["must"])))
    return len(taken)


def measured(language: str) -> tuple[int, int, int]:
    """Candidates, labels, and candidates that answer one."""
    extracted = wanted = right = 0
    for row in labelled(f"extraction/{language}"):
        said = NewMessage(role="user", content=row["message"], at=datetime.fromisoformat(row["at"]))
        found = [one for one in candidates_of(said) if one.confidence >= LEAST_CONFIDENCE]
        extracted += len(found)
        wanted += len(row["facts"])
        right += matched(found, row["facts"])
    return extracted, wanted, right


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_find_what_is_worth_keeping_and_little_else(language: str) -> None:
    extracted, labels, right = measured(language)
    told = f"{language}: {right} right of {extracted} extracted and {labels} labelled"

    sys.stdout.write(f"{told}\n")
    precision, recall = LEAST[language]
    assert right / extracted >= precision, told
    assert right / labels >= recall, told


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
