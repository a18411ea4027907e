"""The passage of a long text that says most about a message."""

import pytest

from chatmem.prompt.fence import cut_at_lines, excerpt, query_terms
from chatmem.text.tokens import count_tokens

ENGLISH = (
    "We talked about the weather for a while. It rained in the morning. "
    "Then the landlord called about the keys. She wants them back by Friday. "
    "Afterwards we had lunch at the harbour. The soup was too salty. "
)
CHINESE = (
    "早上一直在下雨。我们聊了聊天气。後來房東打電話來要鑰匙。"
    "她說週五之前要還。然后我们去港口吃午饭。汤太咸了。"
)


@pytest.mark.parametrize(
    ("text", "message", "holds"),
    [
        (
            ENGLISH,
            "What did the landlord want with the key?",
            "the landlord called about the keys.",
        ),
        (CHINESE, "房东要钥匙做什么？", "後來房東打電話來要鑰匙。"),
        (CHINESE, "湯的味道如何", "汤太咸了。"),
    ],
)
def test_the_sentences_that_hold_the_messages_words_are_shown(
    text: str, message: str, holds: str
) -> None:
    shown = excerpt(text, 24, query_terms(message))
    assert holds in shown
    assert "…" in shown
    assert count_tokens(shown) <= 24


def test_a_short_text_is_shown_whole() -> None:
    assert excerpt("Likes\n\ntea.", 160, query_terms("x")) == "Likes\n\ntea."


def test_without_any_match_the_beginning_is_shown() -> None:
    assert excerpt(ENGLISH, 24, query_terms("zebra")).startswith("We talked about the weather")


def test_a_sentence_that_is_too_long_is_cut_around_the_match() -> None:
    text = "word " * 500 + "the landlord has the spare key " + "word " * 500
    shown = excerpt(text, 40, query_terms("landlord?"))
    assert "landlord has the spare key" in shown
    assert count_tokens(shown) <= 40


def test_documents_are_cut_between_lines_and_say_so() -> None:
    text = "\n".join(f"line number {number}" for number in range(50))
    cut = cut_at_lines(text, 40, "(cut)")
    assert cut.endswith("\n(cut)") and cut.splitlines()[-2].startswith("line number ")
    assert count_tokens(cut) <= 40
    assert cut_at_lines(text, 2, "(cut)") == ""
