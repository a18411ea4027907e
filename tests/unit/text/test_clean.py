"""What may be stored, and files that are no text."""

import pytest

from chatmem.text.clean import clean_text, without_surrogates


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("plain text", "plain text"),
        ("a\x00b\x07c\x1bd\x7fe\x9ff", "abcdef"),
        ("tab\tstays\nand newline", "tab\tstays\nand newline"),
        (
            "one\r\ntwo\rthree\x0bfour\x0cfive\x85six\u2028seven\u2029eight",
            "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight",
        ),
        ("\ufeffmark", "mark"),
        (" \n\ufeff \ufeffmark\ufeff inside ", "mark\ufeff inside"),
        ("  outer \n\t ", "outer"),
        ("\x00 \x01", ""),
        ("x\x00 ", "x"),
        ("lone \ud800 half", "lone \ufffd half"),
        ("\ud83d\ude00", "😀"),
        ("", ""),
    ],
)
def test_what_is_removed_and_replaced(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@pytest.mark.parametrize(
    "text",
    [
        "👨‍👩‍👧‍👦 and ❤️",
        "שלום \u200fעולם\u200e!",
        "مرحبا \u202bبكم\u202c",
        "e\u0301té",
        "सि\u200cत्य",
        "𠮷野家",
    ],
)
def test_emoji_and_right_to_left_text_stay_whole(text: str) -> None:
    assert clean_text(text) == text
    assert clean_text(f"\x00{text}\r\n") == text


def test_a_clean_text_comes_back_as_it_is() -> None:
    text = "nothing to clean, 没有"
    assert clean_text(text) is text
    assert without_surrogates(text) is text
