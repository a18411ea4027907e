"""Picking candidates among many rows finds what scoring all of them finds."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from chatmem import MemoryService
from chatmem.engine.search import ranking
from chatmem.engine.search.ranking import SCORE_ALL_UP_TO, CandidateRequest, rank
from chatmem.engine.space import Space
from chatmem.model import Message, Role
from chatmem.testing import FakeEmbedder

ROWS = 3_000
START = datetime(2025, 1, 1, tzinfo=UTC)
THINGS = (
    *("bicycle", "violin", "garden", "library", "passport", "kitchen", "blanket", "lantern"),
    *("orchard", "compass", "sweater", "candle", "bakery", "harbour", "railway", "museum"),
    *("teapot", "saddle", "cactus", "mirror", "猫", "咖啡", "图书馆", "自行车", "火车", "花园"),
    *("护照", "雨伞", "钢琴", "海边"),
)
DOINGS = (
    *("lost", "found", "bought", "painted", "repaired", "cleaned", "borrowed", "sold"),
    *("carried", "forgot", "修好", "买了", "弄丢"),
)
PLACES = ("Berlin", "Lisbon", "Kyoto", "Oslo", "Quito", "Perth", "台北", "上海", "成都", "杭州")


def _messages(seed: int = 11) -> Iterator[Message]:
    """Dialogues of 2 to 12 turns about few things each, in two languages."""
    draw = random.Random(seed)
    made = session = 0
    while made < ROWS:
        things = draw.sample(THINGS, 4)
        for turn in range(draw.randint(2, 12)):
            role: Role = "user" if turn % 2 == 0 else "assistant"
            words = [
                draw.choice(["I", "we", "she", "我", "他们"]),
                draw.choice(DOINGS),
                "the",
                draw.choice(things),
                *draw.choices([*THINGS, *PLACES], k=draw.randint(0, 3)),
                draw.choice(["in", "near", "在"]),
                draw.choice(PLACES),
                str(draw.randint(1, 400)),
            ]
            when = START + timedelta(hours=session, minutes=turn)
            yield Message(
                role=role, content=" ".join(words), session_id=f"s{session}", timestamp=when
            )
            made += 1
        session += 1


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Space]:
    folder: Path = tmp_path_factory.mktemp("ranking")
    with MemoryService.open(folder, "mei", embedder=FakeEmbedder(), background=False) as memory:
        memory.save_messages(_messages())
        memory.wait_until_indexed()
        yield memory._space


QUESTIONS = (
    "Who painted the violin in Kyoto?",
    "where is my passport",
    "她的自行车在哪里？",
    "图书馆的猫",
    "bakery 成都 blanket",
    "What did I borrow near the harbour in Lisbon?",
    "Who lost the umbrella? Who repaired the teapot?",
    "lant*",
    "钢琴",
)
KEPT = 0.95
"""Of the first ten; picking is an estimate (docs/scoring.md)."""


def _first_ten(space: Space, question: str) -> dict[int, float]:
    everything = CandidateRequest(lambda corpus: np.ones(len(corpus), bool))
    (ranked,) = rank(space, space.documents.refresh(), question, everything).ranked
    rows, scores = ranked.rows[:10].tolist(), ranked.relevance[:10].tolist()
    return dict(zip(rows, scores, strict=True))


def test_picked_candidates_are_the_best(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(space.store.lexical.rows(space.owner)) >= ROWS > SCORE_ALL_UP_TO
    picked = {question: _first_ten(space, question) for question in QUESTIONS}
    monkeypatch.setattr(ranking, "SCORE_ALL_UP_TO", 2 * ROWS)
    complete = {question: _first_ten(space, question) for question in QUESTIONS}

    kept = 0
    for question in QUESTIONS:
        some, all_of_them = picked[question], complete[question]
        assert len(some) == len(all_of_them) == 10
        assert next(iter(some)) == next(iter(all_of_them))
        both = set(some) & set(all_of_them)
        assert {row: some[row] for row in both} == pytest.approx(
            {row: all_of_them[row] for row in both}
        )
        kept += len(both)
    assert kept >= KEPT * 10 * len(QUESTIONS)


def test_what_is_indexed_is_read_for_the_next_search(tmp_path: Path) -> None:
    with MemoryService.open(tmp_path, embedder=FakeEmbedder(), background=False) as memory:
        memory.search_memories("passport")
        memory.save_conversation_turn("Is my passport green?", "It is red.", "s")
        memory.wait_until_indexed()

        known = memory._space.engine.corpora.get(memory._space.owner.number)
        assert known is not None
        assert len(known) == 2
