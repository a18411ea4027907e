"""What a memory's card says of a change: which words went and came, and why."""

import pytest

from chatmem.interfaces.web.views.memories.card_history import pieces, reason_of
from chatmem.interfaces.web.words import LANGUAGES, Words


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Likes green tea", "Likes black tea",
         [("span", "Likes "), ("del", "green"), ("ins", "black"), ("span", " tea")]),
        ("喜欢绿茶", "喜欢红茶",
         [("span", "喜欢"), ("del", "绿"), ("ins", "红"), ("span", "茶")]),
        ("喜歡茶", "喜歡烏龍茶", [("span", "喜歡"), ("ins", "烏龍"), ("span", "茶")]),
        ("a\n<b>", "a\n<b>", [("span", "a\n<b>")]),
        ("", "new", [("ins", "new")]),
    ],
)  # fmt: skip
def test_a_text_is_compared_by_words_and_by_chinese_characters(
    before: str, after: str, expected: list[tuple[str, str]]
) -> None:
    assert list(pieces(before, after)) == expected


@pytest.mark.parametrize(
    "reason",
    [
        "asked to remember",
        "written into the daily log",
        "extracted from session s1 by rules",
        "extracted from session s1; 2 by reader",
        "maybe about 36j7xd1dj8zka; extracted from session s1 by reader",
        "said to be out of date",
        "superseded: near in meaning",
        "superseded: home",
        "conflict: home",
        "said again",
        "said before what is known: home",
        "says the same as 36j7xd1dj8zka",
        "MEMORY.md was full",
        "evicted: more than 50 memories",
        "written in MEMORY.md",
        "edited in daily/2026-03-02.md",
        "moved to archive/2026-03.md",
        "36j7xd1dj8zka was restored",
        "superseded: home; extracted from session s1; 2 by gpt-4o",
        "undone: superseded: home",
    ],
)
def test_every_reason_of_the_engine_is_told_in_the_visitors_language(reason: str) -> None:
    texts = {language: reason_of(Words(language), reason) for language in LANGUAGES}

    assert all(texts.values())
    assert any("\u4e00" <= sign <= "\u9fff" for sign in texts["zh-Hans"])
    assert "superseded" not in "".join(texts.values())
    assert "session" not in texts["zh-Hans"]
    assert "reader" not in "".join(texts.values())


def test_what_the_change_says_by_itself_is_not_said_again() -> None:
    words = Words("en")

    assert reason_of(words, "edited") == reason_of(words, "undone: edited") == ""
    assert reason_of(words, "because I said so") == "because I said so"
