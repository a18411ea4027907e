"""Texts cleaned, without a model's thoughts, counted and cut by o200k tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.text.clean import clean_text
from chatmem.text.thoughts import SpokenText, without_thoughts
from chatmem.text.tokens import _count, count_tokens, truncate_tokens


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


THINKING = [
    ("<think>The user lives in Paris.</think>\n\nHello!", "Hello!"),
    ("\n<think>\n\n</think>\n\n你好！", "你好！"),
    ("<thinking>a</thinking>Yes.", "Yes."),
    ("<THINK>a\n\nb</THINK>\n<think>c</think>\nYes.", "Yes."),
    ("<think>cut before its end", ""),
    ("First I look at it.\n</think>\n\nIt is blue.", "It is blue."),
    ("```\ncode of a thought\n```\n</think>\nIt is blue.", "It is blue."),
    ("One.\n<think>wait</think>\nTwo.", "One.\nTwo."),
    ("<think>a `</think>`\nDone.", "`\nDone."),
    ("a thought without an answer\n</think>", ""),
]
SAYING = [
    *("Hello!", "a < b and c > d", "Put the reasoning into <think> and </think>."),
    *("`<think>` begins it.", "```xml\n<think>\nquoted\n</think>\n```\nThat is how it looks."),
    *("~~~\n```\n<think>\n</think>\n~~~", "One.\n<think>never closed\nTwo.", "<thin air>"),
    *("  indented\n\nand more\n", "Use </think> here\n"),
]


@pytest.mark.parametrize(("text", "said"), THINKING)
def test_thoughts_are_not_said(text: str, said: str) -> None:
    assert without_thoughts(text) == said


@pytest.mark.parametrize("text", SAYING)
def test_what_only_looks_like_thoughts_stays_as_it_is(text: str) -> None:
    assert without_thoughts(text) == text


def heard(pieces: list[str]) -> str:
    """What stands before a reader who takes back what was no answer."""
    spoken, shown = SpokenText(), ""
    for piece in pieces:
        told = spoken.feed(piece)
        shown = told if spoken.took_back else shown + told
    told = spoken.finish()
    return told if spoken.took_back else shown + told


@given(
    text=st.sampled_from([*(text for text, _ in THINKING), *SAYING])
    | st.lists(
        st.sampled_from(["<think>", "</think>", "a", "\n", " ", "`", "```", "<", "用"]), max_size=12
    ).map("".join),
    sizes=st.lists(st.integers(1, 7), max_size=40),
)
def test_pieces_say_what_the_whole_says(text: str, sizes: list[int]) -> None:
    pieces, start = [], 0
    for size in sizes:
        pieces.append(text[start : start + size])
        start += size
    pieces.append(text[start:])
    assert heard(pieces).strip() == without_thoughts(text).strip()


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("hello world", 2), ("你好 world", 2), ("<|endoftext|>", 7), ("\ud800", 1)],
)
def test_known_counts(text: str, count: int) -> None:
    assert count_tokens(text) == count


@given(
    st.text(
        st.sampled_from("\n\n\r\t /.,-'\"<#*aAsZ我。0\u3000\u2028\u0301\x1c\u200b🙂"), max_size=40
    )
)
def test_lines_are_counted_one_by_one_and_make_up_the_whole(text: str) -> None:
    assert count_tokens(text) == _count(text)


def test_two_million_characters_are_counted() -> None:
    assert count_tokens("hello world " * 200_000) > 400_000


def test_no_emoji_is_left_waiting_for_its_second_part() -> None:
    family = "👨‍👩‍👧"
    for limit in range(1, count_tokens(family)):
        assert not truncate_tokens(family, limit)[0].endswith("\u200d")
