"""The stop lists are in the form in which words are looked up."""

import pytest

from chatmem.text.languages import LANGUAGES, STOP_CHARACTERS, STOP_WORDS, Language
from chatmem.text.normalise import normalise
from chatmem.text.segment import plain_words

each_language = pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.code)


@each_language
def test_stop_words_are_plain_and_normalised(language: Language) -> None:
    for word in language.stop_words | language.question_words:
        assert normalise(word) == word
        assert plain_words(word) == (word,)
        assert language.spaced or len(word) > 1
    for character in language.stop_characters:
        assert normalise(character) == character
        assert len(character) == 1


@each_language
def test_lists_of_stop_words_and_question_words_stand_apart(language: Language) -> None:
    assert not language.stop_words & language.question_words


def test_lists_have_the_verbs_of_the_specification_and_no_content() -> None:
    assert {"我", "用", "写"} <= STOP_CHARACTERS
    assert not {"茶", "猫", "吃", "学", "病"} & STOP_CHARACTERS
    assert not {"喜欢", "代码", "like", "may", "python", "work"} & STOP_WORDS
