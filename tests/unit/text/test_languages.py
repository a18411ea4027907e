"""Which language a text is in, what every language has, and how its texts are folded."""

import sys

import pytest

from chatmem.text import languages
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
        (
            "这段代码报错 ```raise ValueError('a long english message about values')```",
            "zh",
            "zh-Hans",
        ),
        ("看这里 https://example.com/a/very/long/path/in/english", "zh", "zh-Hans"),
    ],
)
def test_language_and_script(text: str, language: str, script: str) -> None:
    assert languages.language_of(text).code == language
    assert languages.script_of(text) == script


@pytest.mark.parametrize("language", languages.LANGUAGES, ids=lambda one: one.code)
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


each_language = pytest.mark.parametrize("language", languages.LANGUAGES, ids=lambda one: one.code)


@each_language
def test_stop_words_are_plain_and_normalised(language: languages.Language) -> None:
    for word in language.stop_words | language.question_words:
        assert normalise(word) == word
        assert plain_words(word) == (word,)
        assert language.spaced or len(word) > 1
    for character in language.stop_characters:
        assert normalise(character) == character
        assert len(character) == 1


@each_language
def test_lists_of_stop_words_and_question_words_stand_apart(language: languages.Language) -> None:
    assert not language.stop_words & language.question_words


def test_lists_have_the_verbs_of_the_specification_and_no_content() -> None:
    assert {"我", "用", "写"} <= languages.STOP_CHARACTERS
    assert not {"茶", "猫", "吃", "学", "病"} & languages.STOP_CHARACTERS
    assert not {"喜欢", "代码", "like", "may", "python", "work"} & languages.STOP_WORDS


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


@pytest.mark.parametrize(
    ("text", "han"), [("写", True), ("a 𠮷", True), ("カナ", False), ("", False)]
)
def test_chinese_characters_are_seen(text: str, han: bool) -> None:
    assert (languages.language_by_script(text).code == "zh") is han
