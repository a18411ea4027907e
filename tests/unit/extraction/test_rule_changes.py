"""Sentences about a change, and statements that are all that somebody says."""

from datetime import UTC, datetime

import pytest

from chatmem.extraction.candidate import LEAST_CONFIDENCE, Candidate, Said
from chatmem.extraction.rules import RuleExtractor

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def said(text: str) -> list[Said]:
    return [Said(role="user", content=text, at=NOON)]


def changes(text: str) -> list[Candidate]:
    return RuleExtractor().changes(said(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Sold the canoe in the end. Which bike rack fits a Fiat?",
            "Sold the canoe in the end.",
        ),
        ("婚礼推迟到5月9号了，帮我改一下请柬", "婚礼推迟到 2026-05-09 了"),
        ("健身卡退了，有什么在家能练的？", "健身卡退了"),
    ],
)
def test_a_sentence_about_a_change_is_told_without_what_it_asks(text: str, told: str) -> None:
    (found,) = changes(text)
    assert found.content == told
    assert found.confidence < LEAST_CONFIDENCE
    assert found.key is None


@pytest.mark.parametrize(
    "text",
    [
        "Should I quit my job?",
        "我要不要换工作？",
        "Forget that I live in Oslo",
        "What changed in Python 3.12?",
        "The sky is grey.",
    ],
)
def test_questions_and_orders_tell_of_no_change(text: str) -> None:
    assert changes(text) == []


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("I bank with Monzo.", "bank", "Monzo"),
        ("My landlord is Mr Hall.", "relation:landlord", "Mr Hall"),
        ("I bike to work.", "commute", "bike"),
        ("老家绍兴", "hometown", "绍兴"),
        ("走路上班", "commute", "走路"),
        ("属马", "zodiac", "马"),
        ("房東姓陳", "relation:房东", "陳"),
    ],
)
def test_a_few_words_that_are_all_that_is_said_are_a_statement(
    text: str, key: str, value: str
) -> None:
    (found,) = RuleExtractor().extract(said(text))
    assert (found.key, found.value) == (key, value)


@pytest.mark.parametrize(
    "text",
    ["My landlord is an idiot.", "My doctor is late.", "The meeting is long.", "好人", "175"],
)
def test_a_few_words_that_name_nothing_are_none(text: str) -> None:
    assert RuleExtractor().extract(said(text)) == []
