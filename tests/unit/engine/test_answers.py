"""Writes with an idempotency key: carried out once, answered each time."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chatmem import MemoryService, Settings
from chatmem.engine.answers import KEPT, InProgress, KeptAnswer, OtherRequest

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
DONE = KeptAnswer(201, (("content-type", "application/json"),), '{"content": "养蜂"}')


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryService]:
    settings = Settings(embedder={"name": "none"})
    with MemoryService.open(tmp_path, settings=settings, background=False) as opened:
        yield opened


def test_a_request_is_begun_once(memory: MemoryService) -> None:
    assert memory.answers.begin("k", "asked", now=NOON) is None
    assert memory.answers.begin("k", "asked", now=NOON) == InProgress()
    assert memory.answers.begin("k", "other", now=NOON) == OtherRequest()


def test_its_answer_is_given_again(memory: MemoryService) -> None:
    memory.answers.begin("k", "asked", now=NOON)
    memory.answers.finish("k", DONE)
    assert memory.answers.begin("k", "asked", now=NOON) == DONE
    assert memory.answers.begin("k", "other", now=NOON) == OtherRequest()
    assert memory.for_user("tom").answers.begin("k", "asked", now=NOON) is None


def test_what_was_abandoned_is_begun_anew(memory: MemoryService) -> None:
    memory.answers.begin("k", "asked", now=NOON)
    memory.answers.abandon("k")
    assert memory.answers.begin("k", "other", now=NOON) is None


def test_a_key_is_free_again_after_a_day(memory: MemoryService) -> None:
    memory.answers.begin("k", "asked", now=NOON)
    memory.answers.finish("k", DONE)
    later = NOON + KEPT + timedelta(seconds=1)
    assert memory.answers.begin("k", "other", now=later) is None


DIES = """
import os, sys
from chatmem import MemoryService, Settings
settings = Settings(embedder={"name": "none"})
memory = MemoryService.open(sys.argv[1], settings=settings, background=False)
assert memory.answers.begin("k", "asked") is None
os._exit(9)
"""


def test_a_process_that_died_holds_no_key(memory: MemoryService, tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", DIES, str(tmp_path)], timeout=60, check=False)
    assert ended.returncode == 9
    assert memory.answers.begin("k", "asked") is None
    assert memory.answers.begin("k", "asked") == InProgress()
