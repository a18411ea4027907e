"""What a reasoning model thinks is taken out of what it says, in pieces or at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.text.thoughts import SpokenText, without_thoughts

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
    "Hello!",
    "a < b and c > d",
    "Put the reasoning into <think> and </think>.",
    "`<think>` begins it.",
    "```xml\n<think>\nquoted\n</think>\n```\nThat is how it looks.",
    "~~~\n```\n<think>\n</think>\n~~~",
    "One.\n<think>never closed\nTwo.",
    "<thin air>",
    "  indented\n\nand more\n",
    "Use </think> here\n",
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
