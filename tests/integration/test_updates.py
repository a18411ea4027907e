"""Pairs of messages: what makes the other obsolete, and what must leave it alone.

The pairs stand in `tests/data/extraction` and are not shown here, as in
`test_extraction_quality.py`. Each pair is a user's, its messages told through the product: saved,
extracted, settled.
"""

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from chatmem import MemoryService
from chatmem.model import AtomicMemoryRecord
from chatmem.text.normalise import simplify

Open = Callable[..., MemoryService]
SETS = Path(__file__).parents[1] / "data" / "extraction"
LEAST_UPDATED = 0.61
LEAST_KEPT = 0.94
"""What may not be lost again. Wanted are .95 and .98, missed (docs/remembering.md): what is not
sure is kept beside the older one."""


@pytest.fixture
def memory(reopen: Open) -> MemoryService:
    return reopen(extract_interval_seconds=0.0, min_new_messages=1)


def pairs(name: str) -> list[dict[str, Any]]:
    lines = (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def told(memory: MemoryService, user: str, *messages: str) -> list[AtomicMemoryRecord]:
    """The user's long-term memories after these messages, a day between them."""
    mine = memory.for_user(user)
    at = datetime.now(UTC) - timedelta(days=9)
    for message in messages:
        at += timedelta(days=1)
        mine.save_conversation_turn(message, "OK", "s1", now=at)
        memory.wait_until_idle(now=at)
    return list(mine.list_memories(limit=1000).items)


def has(record: AtomicMemoryRecord, words: str) -> bool:
    said = simplify(f"{record.content} {record.value}").casefold()
    return any(simplify(word).casefold() in said for word in words.split("|"))


def is_updated(records: list[AtomicMemoryRecord], pair: dict[str, Any]) -> bool:
    """The old one has ended and the new one holds."""
    ended = [one for one in records if not one.is_valid and has(one, pair["old"])]
    holds = [one for one in records if one.is_valid and has(one, pair["new"])]
    return bool(ended and holds)


def test_what_makes_a_memory_obsolete_takes_its_place(memory: MemoryService) -> None:
    wanted = pairs("updates")
    right = found = 0
    for pair in wanted:
        before = told(memory, f"{pair['id']}-alone", pair["before"])
        records = told(memory, pair["id"], pair["before"], pair["after"])
        is_read = any(has(one, pair["old"]) for one in before) and any(
            has(one, pair["new"]) for one in records
        )
        right += is_updated(records, pair)
        found += is_read
    sys.stdout.write(f"updated {right} of {len(wanted)}; both read in {found}\n")
    assert right / len(wanted) >= LEAST_UPDATED


def test_what_is_another_matter_leaves_a_memory_alone(memory: MemoryService) -> None:
    wanted = pairs("separate")
    right = read = 0
    for pair in wanted:
        first = told(memory, f"{pair['id']}-1", pair["first"])
        second = told(memory, f"{pair['id']}-2", pair["second"])
        both = told(memory, pair["id"], pair["first"], pair["second"])
        there = [
            any(has(one, word) for one in alone)
            for alone, word in zip((first, second), pair["keeps"], strict=True)
        ]
        kept = [any(one.is_valid and has(one, word) for one in both) for word in pair["keeps"]]
        ended = [one for one in both if not one.is_valid]
        right += not ended and all(k for t, k in zip(there, kept, strict=True) if t)
        read += all(there)
    sys.stdout.write(f"kept apart {right} of {len(wanted)}; both read in {read}\n")
    assert right / len(wanted) >= LEAST_KEPT
