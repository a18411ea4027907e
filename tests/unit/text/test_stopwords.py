"""The stop lists are in the form in which words are looked up."""

from chatmem.text.latin import plain_words
from chatmem.text.normalise import normalise
from chatmem.text.stopwords import (
    CHINESE_QUESTION_WORDS,
    CHINESE_STOP_WORDS,
    ENGLISH_QUESTION_WORDS,
    ENGLISH_STOP_WORDS,
    STOP_CHARACTERS,
    STOP_WORDS,
)


def test_english_stop_words_are_plain_and_normalised() -> None:
    for word in ENGLISH_STOP_WORDS | ENGLISH_QUESTION_WORDS:
        assert plain_words(normalise(word)) == (word,)


def test_chinese_stop_words_are_simplified_words() -> None:
    for word in CHINESE_STOP_WORDS | CHINESE_QUESTION_WORDS:
        assert normalise(word) == word
        assert len(word) > 1
    for character in STOP_CHARACTERS:
        assert normalise(character) == character
        assert len(character) == 1


def test_lists_have_the_verbs_of_the_specification_and_no_content() -> None:
    assert {"我", "用", "写"} <= STOP_CHARACTERS
    assert not {"茶", "猫", "吃", "学", "病"} & STOP_CHARACTERS
    assert not {"喜欢", "代码", "like", "may", "python", "work"} & STOP_WORDS


def test_lists_of_stop_words_and_question_words_stand_apart() -> None:
    assert not ENGLISH_STOP_WORDS & ENGLISH_QUESTION_WORDS
    assert not CHINESE_STOP_WORDS & CHINESE_QUESTION_WORDS
