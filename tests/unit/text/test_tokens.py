"""Counting and cutting by o200k tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.text.tokens import _count, count_tokens, truncate_tokens


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


@pytest.mark.parametrize("limit", range(8))
def test_cut_text_is_a_beginning_within_the_limit(limit: int) -> None:
    text = "我下个月搬到柏林 and 👨‍👩‍👧 𠮷野家 too"
    cut, was_cut = truncate_tokens(text, limit)
    assert was_cut
    assert text.startswith(cut)
    assert count_tokens(cut) <= limit
    assert "\ufffd" not in cut


def test_text_within_the_limit_comes_back_whole() -> None:
    assert truncate_tokens("hello world", 2) == ("hello world", False)
    assert truncate_tokens("", 0) == ("", False)


def test_no_emoji_is_left_waiting_for_its_second_part() -> None:
    family = "👨‍👩‍👧"
    for limit in range(1, count_tokens(family)):
        assert not truncate_tokens(family, limit)[0].endswith("\u200d")


def test_a_limit_below_one_leaves_nothing() -> None:
    assert truncate_tokens("hello", 0) == ("", True)
    assert truncate_tokens("hello", -1) == ("", True)
