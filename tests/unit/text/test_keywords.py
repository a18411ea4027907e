"""Keywords of a message."""

import pytest

from chatmem.text.segment import extract_keywords


def test_s3_3_1_the_message_of_the_specification() -> None:
    keywords = extract_keywords("我喜欢用 Python 写代码")
    assert set(keywords) == {"Python", "代码", "喜欢"}
    assert keywords == ("喜欢", "Python", "代码")


@pytest.mark.parametrize(
    ("message", "keywords"),
    [
        ("我喜歡用 Python 寫程式碼", ("喜歡", "Python", "程式碼")),
        ("我喜歡用 Python 寫代碼", ("喜歡", "Python", "代碼")),
        ("I like writing code in Python", ("like", "writing", "code", "Python")),
        ("What's my cat's name?", ("cat", "name")),
        ("我的猫在哪里？它的名字是什么？", ("猫", "名字")),
        ("李晓彤周末去柏林", ("李晓彤", "周末", "柏林")),
        ("我在学 Rust 和 C++", ("学", "Rust", "C++")),
        ("Vitamin D, plan b", ("Vitamin", "D", "plan")),
        ("Room 42 on 3 May", ("Room", "42", "May")),
        ("나는 김치를 먹는다", ("나는", "김치를", "먹는다")),
    ],
)
def test_keywords_keep_order_and_spelling(message: str, keywords: tuple[str, ...]) -> None:
    assert extract_keywords(message) == keywords


@pytest.mark.parametrize(
    "message",
    ["", "   ", "?!…", "我们是什么", "你好，请问这是哪里？", "What is it that you do?", "I don't"],
)
def test_a_message_of_stop_words_has_no_keywords(message: str) -> None:
    assert extract_keywords(message) == ()


def test_the_same_keyword_is_named_once_as_it_first_stood() -> None:
    assert extract_keywords("Tea, tea, ＴＥＡ") == ("Tea",)
    assert extract_keywords("編程 编程") == ("編程",)
