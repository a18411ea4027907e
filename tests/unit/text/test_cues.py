"""Which kind of memory a message speaks of."""

import pytest

from chatmem.model import Category
from chatmem.text.cues import detect_categories


@pytest.mark.parametrize(
    "message",
    [
        "我喜欢喝绿茶",
        "我喜歡什麼？",
        "她讨厌香菜",
        "我不喜欢早起",
        "有什么偏好吗",
        "I really like hiking",
        "what do I like?",
        "I don't like olives",
        "My favourite colour is blue",
        "Alice hates mornings",
        "Which editor do you prefer?",
        "I’d rather walk",
        "He is a big fan of jazz",
    ],
)
def test_s3_3_2_preferences_are_recognised(message: str) -> None:
    assert "preference" in detect_categories(message)


@pytest.mark.parametrize(
    "message",
    [
        "我是医生",
        "我住在柏林",
        "我住在哪里",
        "我叫王小明",
        "我對花生過敏",
        "我的生日是五月三日",
        "My name is Ann",
        "what is my name?",
        "I live in Berlin",
        "where do I live",
        "I work as a nurse",
        "I'm a vegetarian",
        "My sister moved to Rome",
    ],
)
def test_facts_are_recognised(message: str) -> None:
    assert "fact" in detect_categories(message)


@pytest.mark.parametrize(
    "message",
    [
        "我每天早上跑步",
        "通常我十点睡",
        "他總是遲到",
        "我習慣先喝水",
        "I usually cook at home",
        "Every morning I run",
        "how often do I run?",
        "On Sundays we call my parents",
        "she tends to forget",
        "three times a week",
    ],
)
def test_patterns_are_recognised(message: str) -> None:
    assert "pattern" in detect_categories(message)


@pytest.mark.parametrize(
    "message",
    [
        "",
        "今天天气不错",
        "It looks like rain",
        "I would like a table for two",
        "a city like Rome",
        "Open the file and print it",
        "帮我翻译这段话",
        "👍",
    ],
)
def test_other_messages_have_no_category(message: str) -> None:
    assert detect_categories(message) == frozenset()


def test_one_message_can_have_several() -> None:
    expected: frozenset[Category] = frozenset({"preference", "fact", "pattern"})
    assert detect_categories("我是老师，每天都喝我喜欢的红茶") == expected
