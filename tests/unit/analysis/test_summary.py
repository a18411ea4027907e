"""Titles and snippets of sessions, taken from what was said."""

import pytest

from chatmem.analysis.summary import (
    MAX_SNIPPET_CHARS,
    MAX_TITLE_CHARS,
    ExtractiveSummarizer,
    SummaryText,
)
from chatmem.text.languages import language_of
from chatmem.text.segment import sentences

SUMMARIZER = ExtractiveSummarizer()

MOVE = [
    ("user", "你好！我下个月搬到柏林，帮我列个清单。"),
    ("assistant", "好的：签证、住房、保险，另外记得注销国内的宽带。"),
    ("user", "我对花生过敏，搬家那天是五月三号，一共两个人。"),
    ("assistant", "记下了，五月三号，两个人。"),
    ("user", "好的，谢谢！"),
]
TRIP = [
    ("user", "Hi there! Could you please help me plan a trip to Lisbon in June?"),
    ("assistant", "Of course! Lisbon is lovely in June. What is your budget?"),
    ("user", "We have 2000 euros, and my daughter is afraid of flying, so we take the train."),
    ("assistant", "Then take the night train through Madrid."),
    ("user", "ok thanks"),
]


def test_the_title_is_the_first_request_without_its_politeness() -> None:
    assert SUMMARIZER.summarise(TRIP).title == "Plan a trip to Lisbon in June"
    assert SUMMARIZER.summarise(MOVE).title == "我下个月搬到柏林，帮我列个清单"


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("請問你可以幫我寫一封辭職信嗎？", "寫一封辭職信"),
        ("# Plan\n**Compare** these two laptops for me", "Compare these two laptops for me"),
        ("```\nx = 1\n```\nWhy does this loop never end?", "Why does this loop never end?"),
        ("Hi\nMy name is Sam. I'm looking for a cheap flight to Oslo", "A cheap flight to Oslo"),
        ("ok", "Ok"),
        ("", ""),
        ("👍", ""),
        ("```\nx = 1\n```", ""),
    ],
)
def test_titles(said: str, title: str) -> None:
    assert SUMMARIZER.summarise([("user", said)]).title == title


def test_a_long_title_ends_at_a_word() -> None:
    said = "Compare the fuel costs of diesel and petrol cars over ten years of daily commuting"

    title = SUMMARIZER.summarise([("user", said)]).title

    assert len(title) <= MAX_TITLE_CHARS
    assert title.endswith("…")
    assert said.startswith(title[:-1])


def test_the_snippet_is_whole_sentences_in_their_order() -> None:
    snippet = SUMMARIZER.summarise(TRIP).snippet

    told = [one for _, content in TRIP for one in sentences(content)]
    places = [told.index(one) for one in sentences(snippet)]
    assert places == sorted(places)
    assert "2000 euros" in snippet
    assert "thanks" not in snippet


def test_dates_and_facts_of_the_user_are_in_the_snippet() -> None:
    snippet = SUMMARIZER.summarise(MOVE).snippet

    assert "五月三号" in snippet
    assert "花生过敏" in snippet
    assert "谢谢" not in snippet


def test_the_snippet_has_the_user_s_language() -> None:
    mixed = [
        ("user", "帮我看看这份合同的第三条，我明天要签字。"),
        ("assistant", "The third clause says that the landlord may raise the rent every year."),
    ]

    snippet = SUMMARIZER.summarise(mixed).snippet

    assert language_of(snippet).code == "zh"
    assert "landlord" not in snippet


@pytest.mark.parametrize(
    ("said", "language"),
    [("I bought {} red lamps in Ghent.", "en"), ("我在根特买了{}盏红色的灯。", "zh")],
)
def test_a_long_session_has_a_short_snippet(said: str, language: str) -> None:
    messages = [("user", said.format(number)) for number in range(500)]

    snippet = SUMMARIZER.summarise(messages).snippet

    limit = MAX_SNIPPET_CHARS[language == "en"]
    assert 0 < len(snippet) <= limit
    assert snippet == SUMMARIZER.summarise(messages).snippet


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [("user", "")],
        [("system", "Be kind to everybody here.")],
        [("user", "\ud800")],
        [("tool", "{}")],
    ],
)
def test_nothing_said_is_nothing_told(messages: list[tuple[str, str]]) -> None:
    assert SUMMARIZER.summarise(messages) == SummaryText("", "")


def test_without_a_user_the_assistant_s_words_are_the_title() -> None:
    told = SUMMARIZER.summarise([("assistant", "Your invoice for March is ready to download.")])

    assert told.title == "Your invoice for March is ready to download"
