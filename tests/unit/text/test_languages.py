"""Which language a text is in, what every language has, and how its texts are folded."""

import sys
from itertools import chain

import pytest

from chatmem.model import Category
from chatmem.text import languages
from chatmem.text.cues import TextFlags, asks_for, detect_categories, text_flags
from chatmem.text.normalise import normalise
from chatmem.text.segment import plain_words


@pytest.mark.parametrize(
    ("text", "language", "script"),
    [
        ("", "en", "en"),
        ("123 👍", "en", "en"),
        ("I live in Berlin", "en", "en"),
        ("我住在柏林", "zh", "zh-Hans"),
        ("我下個月搬到柏林", "zh", "zh-Hant"),
        ("我用 Python 和 VS Code 写代码", "zh", "zh-Hans"),
        ("What does 缘分 mean in English?", "en", "en"),
        ("这段代码报错 ```raise V('a long english text of it')```", "zh", "zh-Hans"),
        ("看这里 https://example.com/a/very/long/path/in/english", "zh", "zh-Hans"),
    ],
)
def test_language_and_script(text: str, language: str, script: str) -> None:
    assert languages.language_of(text).code == language
    assert languages.script_of(text) == script


each_language = pytest.mark.parametrize("language", languages.LANGUAGES, ids=lambda one: one.code)


@each_language
def test_every_language_has_every_phrase(language: languages.Language) -> None:
    """Slots of a task may keep their English names."""
    scripts = tuple(f".{script}" for one in languages.LANGUAGES for script in one.scripts)
    needed = {name for name in languages.DEFAULT.phrases if not name.endswith(scripts)}
    needed |= {
        name.removesuffix(languages.DEFAULT.scripts[0]) + script
        for name in languages.DEFAULT.phrases
        if name.endswith(scripts)
        for script in language.scripts
    }
    assert needed <= set(language.phrases)


@each_language
def test_stop_words_are_plain_and_normalised_and_ask_nothing(language: languages.Language) -> None:
    stop = {*chain(*language.words["stop_words"].values())}
    asking = language.words["questions"]["words"]
    assert stop.isdisjoint(asking)
    for word in stop.union(asking):
        assert normalise(word) == word
        assert plain_words(word) == (word,)
        assert language.spaced or len(word) > 1
    for character in languages.STOP_CHARACTERS:
        assert normalise(character) == character
        assert len(character) == 1


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Python", "python"),
        ("ＰＹＴＨＯＮ　３．１１", "python 3.11"),
        ("ﬁne ① ㎏", "fine 1 kg"),
        ("ÉTÉ Straße", "été straße"),
        ("E\u0301", "é"),
        ("我喜歡寫程式", "我喜欢写程式"),
        ("頭髮和發展", "头发和发展"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("臺灣，裡面？", "台湾,里面?"),
        ("寫\ud800", "写\ufffd"),
        ("", ""),
    ],
)
def test_width_case_and_script_are_folded(text: str, normal: str) -> None:
    assert normalise(text) == normal


def test_every_character_is_stable_after_one_pass() -> None:
    characters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    once = normalise("\n".join(characters))
    assert normalise(once) == once


SPEAKING = {
    "preference": [
        *("我喜欢喝绿茶", "我喜歡什麼？", "她讨厌香菜", "我不喜欢早起", "有什么偏好吗"),
        *("I really like hiking", "what do I like?", "I don't like olives"),
        *("My favourite colour is blue", "Alice hates mornings", "Which editor do you prefer?"),
        *("I’d rather walk", "He is a big fan of jazz"),
    ],
    "fact": [
        *("我是医生", "我住在柏林", "我住在哪里", "我叫王小明", "我對花生過敏"),
        *("我的生日是五月三日", "My name is Ann", "what is my name?", "I live in Berlin"),
        *("where do I live", "I work as a nurse", "I'm a vegetarian", "My sister moved to Rome"),
    ],
    "pattern": [
        *("我每天早上跑步", "通常我十点睡", "他總是遲到", "我習慣先喝水", "I usually cook at home"),
        *("Every morning I run", "how often do I run?", "On Sundays we call my parents"),
        *("she tends to forget", "three times a week"),
    ],
}


@pytest.mark.parametrize(
    ("category", "message"), [(name, one) for name, said in SPEAKING.items() for one in said]
)
def test_a_message_that_speaks_of_a_category_is_recognised(category: str, message: str) -> None:
    assert category in detect_categories(message)


@pytest.mark.parametrize(
    "message",
    [
        *("", "今天天气不错", "It looks like rain", "I would like a table for two"),
        *("a city like Rome", "Open the file and print it", "帮我翻译这段话", "👍"),
    ],
)
def test_other_messages_have_no_category(message: str) -> None:
    assert detect_categories(message) == frozenset()


def test_one_message_can_have_several() -> None:
    expected: frozenset[Category] = frozenset({"preference", "fact", "pattern"})
    assert detect_categories("我是老师，每天都喝我喜欢的红茶") == expected


QUESTION, TIME, NUMBER = TextFlags

WITH = {
    QUESTION: [
        *("Do you like it?", "你去过吗", "那他呢。", "你好嗎？", '"Really?"'),
        *("Are you sure? I am.", "你是谁？", "(which one?)"),
    ],
    TIME: [
        *("I saw her yesterday", "we met last summer", "in May we left", "see you on May 3"),
        *("at 7:30", "by 5 pm", "on the 21st", "back in 2019", "2023-05-01", "three weeks ago"),
        *("昨天下雨", "上週見過他", "三天前到的", "2023年5月去的", "周三开会", "下午三点半"),
    ],
    NUMBER: ["I have 3 cats", "two dogs", "养了三只猫", "一百多人", "twice", "十二岁"],
}
WITHOUT = {
    QUESTION: [
        *("I like it.", "", "Why? Because the train was late again and we all had to walk home."),
    ],
    TIME: [
        *("May I come in?", "they march on", "买了一点东西"),
        *("I have 3 cats", "2000 people came", ""),
    ],
    NUMBER: ["a cat", "一个朋友", "我们一起去", ""],
}


@pytest.mark.parametrize(
    ("flag", "text"), [(flag, text) for flag, texts in WITH.items() for text in texts]
)
def test_a_text_that_offers_it_has_the_flag(flag: TextFlags, text: str) -> None:
    assert flag in text_flags(text)


@pytest.mark.parametrize(
    ("flag", "text"), [(flag, text) for flag, texts in WITHOUT.items() for text in texts]
)
def test_a_text_that_does_not_has_it_not(flag: TextFlags, text: str) -> None:
    assert flag not in text_flags(text)


ASKING = {
    TIME: [
        *("When did I go to Rome?", "What day is the exam?", "什么时候开会", "婚禮是幾號？"),
        *("哪天见面", "How often do I run?"),
    ],
    NUMBER: ["How many cats do I have?", "How much was it?", "有多少人来", "我有幾個孩子"],
    TIME | NUMBER: ["How long have I lived there?", "等了多久"],
    TextFlags(0): ["How did I feel when it rained?", "我喜欢什么", ""],
}


@pytest.mark.parametrize(
    ("question", "asked"), [(text, flag) for flag, texts in ASKING.items() for text in texts]
)
def test_what_a_question_asks_for(question: str, asked: TextFlags) -> None:
    assert asks_for(question) == asked
