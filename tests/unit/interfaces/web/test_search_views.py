from datetime import UTC, datetime

import pytest

from chatmem.interfaces.web.views.memories.browse import as_typed
from chatmem.interfaces.web.views.memories.rows import PASSAGE_CHARS, passage_of
from chatmem.interfaces.web.views.memories.score import shares_of
from chatmem.model import AtomicMemoryRecord, Hit, Parts
from chatmem.retrieval.scoring import score_memory

NOW = datetime(2026, 11, 21, tzinfo=UTC)
MEMORY = AtomicMemoryRecord(
    id="a", user_id="u", timestamp=NOW, create_time=NOW, content="Keeps bees", category="fact",
    access_count=3,
)  # fmt: skip


@pytest.mark.parametrize(
    "parts",
    [
        Parts(keyword=0.5, bm25=0.4, vector=0.6, relevance=0.7 * 0.6 + 0.3 * 0.4),
        Parts(keyword=0.5, bm25=0.4, relevance=0.4),
        Parts(keyword=0.5),
    ],
)
def test_shares_of_a_search_make_its_score(parts: Parts) -> None:
    score = parts.relevance if parts.relevance is not None else parts.keyword

    shares = shares_of(Hit(MEMORY, score or 0.0, parts))

    assert sum(share.amount for share in shares) == pytest.approx(score)
    assert all(0 <= share.amount <= share.most for share in shares)


@pytest.mark.parametrize("on_topic", [False, True])
def test_shares_of_a_recall_make_its_score(on_topic: bool) -> None:
    found = Parts(keyword=0.5, bm25=0.4, vector=0.6, relevance=0.54)
    score, parts = score_memory(MEMORY, found, {"fact"}, on_topic=on_topic, now=NOW)

    shares = shares_of(Hit(MEMORY, score, parts))

    assert sum(share.amount for share in shares) == pytest.approx(score)
    assert ("topic" in {share.name for share in shares}) is on_topic
    assert all(0 <= share.amount <= share.most + 1e-9 for share in shares)


def test_a_short_text_is_shown_whole() -> None:
    shown = list(passage_of("Keeps bees & <b>bees</b>", "bees"))

    assert "".join(text for text, _ in shown) == "Keeps bees & <b>bees</b>"
    assert [text for text, is_marked in shown if is_marked] == ["bees", "bees"]


def test_of_a_long_text_the_passage_is_shown_that_was_asked_for() -> None:
    text = "很久以前。" * 400 + "我养蜜蜂。" + "后来呢？" * 400

    shown = list(passage_of(text, "蜜蜂"))

    assert "蜜蜂" in [part for part, is_marked in shown if is_marked]
    assert shown[0] == ("…", False)
    assert shown[-1] == ("…", False)
    assert len("".join(part for part, _ in shown)) == PASSAGE_CHARS + 2


@pytest.mark.parametrize(
    ("typed", "asked"),
    [("bee", "bee*"), ("bees?", "bees?"), ("蜜蜂", "蜜蜂"), ("bee*", "bee*"), ("", "")],
)
def test_the_last_word_may_be_unfinished(typed: str, asked: str) -> None:
    assert as_typed(typed) == asked
