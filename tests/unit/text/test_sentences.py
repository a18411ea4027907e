"""Sentences in Chinese and English."""

import pytest

from chatmem.text.segment import sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("  \n ", []),
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("我搬到柏林了。你呢？好！", ["我搬到柏林了。", "你呢？", "好！"]),
        ("他說「走吧。」然後就走了。", ["他說「走吧。」", "然後就走了。"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("It costs 3.50 euros. Cheap.", ["It costs 3.50 euros.", "Cheap."]),
        ("Python 3.11 is fine. 版本是3.11。", ["Python 3.11 is fine.", "版本是3.11。"]),
        ("Dr. Li is in. Mr. T. is out.", ["Dr. Li is in.", "Mr. T. is out."]),
        ("Bring fruit, e.g. apples. Thanks.", ["Bring fruit, e.g. apples.", "Thanks."]),
        ("At 3 p.m. we go. At 4 p.m. Home.", ["At 3 p.m. we go.", "At 4 p.m.", "Home."]),
        ("原则：1. 控油 2. 多喝水。", ["原则：1. 控油 2. 多喝水。"]),
        ("Wait... what?", ["Wait...", "what?"]),
        ("no end", ["no end"]),
    ],
)
def test_a_text_is_cut_into_sentences(text: str, found: list[str]) -> None:
    assert sentences(text) == found
