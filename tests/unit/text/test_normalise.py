"""The one normaliser."""

import sys

import pytest

from chatmem.text.languages import language_by_script, simplify
from chatmem.text.normalise import normalise


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
        ("", ""),
    ],
)
def test_width_case_and_script_are_folded(text: str, normal: str) -> None:
    assert normalise(text) == normal


def test_every_character_is_stable_after_one_pass() -> None:
    characters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    once = normalise("\n".join(characters))
    assert normalise(once) == once


def test_a_chain_in_the_conversion_table_is_followed_to_its_end() -> None:
    assert simplify("薴") == simplify(simplify("薴"))


def test_a_lone_surrogate_beside_chinese_does_no_harm() -> None:
    assert normalise("寫\ud800") == "写\ufffd"


@pytest.mark.parametrize(
    ("text", "han"), [("写", True), ("a 𠮷", True), ("カナ", False), ("", False)]
)
def test_chinese_characters_are_seen(text: str, han: bool) -> None:
    assert (language_by_script(text).code == "zh") is han


def test_long_and_short_texts_are_folded_alike() -> None:
    assert normalise("寫Ａ" * 5000) == normalise("寫Ａ") * 5000
