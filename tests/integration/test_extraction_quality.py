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
