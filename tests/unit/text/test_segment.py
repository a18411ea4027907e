"""Index tokens, query tokens, words, keywords and marks."""

from itertools import pairwise

import pytest
from tests.conftest import run_python

from chatmem.text import segment


def test_index_holds_characters_pairs_and_long_words() -> None:
    tokens = segment.index_tokens("去图书馆")
    assert tokens == ["去", "图", "书", "馆", "去图", "图书", "书馆", "图书馆"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Running dogs", ["run", "dog"]),
        ("Alice's parents' house", ["alic", "parent", "hous"]),
        ("We’ve moved, don't worry", ["we", "move", "dont", "worri"]),
        ("Python 3.11 and v2.0.1", ["python", "3.11", "and", "2.0.1"]),
        ("python3.11", ["python", "3.11"]),
        ("C++, c# and C", ["cplusplus", "csharp", "and", "c"]),
        ("1,000 euros, 2 of 3", ["1000", "euro", "2", "of", "3"]),
        ("on 2023.5.1 or 2023-05-01", ["on", "2023", "5", "1", "or", "2023", "05", "01"]),
        ("state-of-the-art", ["state", "of", "the", "art"]),
        ("snake_case camelCase __init__", ["snake_case", "camelcas", "init"]),
        ("bob@example.com", ["bob", "exampl", "com"]),
        ("https://docs.example.org/a", ["https", "doc", "exampl", "org", "a"]),
        ("the U.S. at 5 p.m.", ["the", "usa", "at", "5", "pm"]),
        ("Ｆｕｌｌ ｗｉｄｔｈ", ["full", "width"]),
        ("L'été à Genève, café", ["lete", "a", "genev", "cafe"]),
        ("...!? 🎉 _ '", []),
        ("", []),
    ],
)
def test_words_of_spaced_scripts(text: str, tokens: list[str]) -> None:
    assert segment.index_tokens(text) == tokens


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("カタカナで書く", "カタカナ"),
        ("私は寿司が好き", "好き"),
        ("나는 김치를 좋아해요", "김치"),
        ("집에 물이 있다", "물"),
        ("ฉันชอบกินข้าว", "ข้าว"),
        ("मुझे चाय पसंद है", "चाय"),
        ("أحب القهوة كثيرا", "القهوة"),
        ("Я люблю чай", "чай"),
        ("Tôi thích phở", "phở"),
    ],
)
def test_a_word_of_another_script_is_found(sentence: str, word: str) -> None:
    terms = segment.query_tokens(word).terms
    assert terms
    assert set(terms) <= set(segment.index_tokens(sentence))


def test_stop_words_of_a_query_can_be_had() -> None:
    assert segment.query_tokens("what is tea").terms == ("tea",)
    assert segment.query_tokens("what is tea", with_stop_words=True).terms == ("what", "is", "tea")


@pytest.mark.parametrize(
    ("query", "terms", "prefixes"),
    [
        ("Pyth*", (), ("pyth",)),
        ("编*", (), ("编",)),
        ("編程*", (), ("编程",)),
        ("我想学编程*", ("学",), ("编程",)),
        ("Pyth* Pyth* tea", ("tea",), ("pyth",)),
        ("happy*", (), ("happy",)),
        ("去北京大*", ("北京", "北", "京"), ("京大",)),
        ("Caf* Zür*", (), ("caf", "zur")),
        ("python3.1* __in*", ("python",), ("3.1", "in")),
        ("3.1*", (), ("3.1",)),
        ("the pyth*", (), ("pyth",)),
        ("**bold** *soft* 2*3 * x", ("bold", "soft", "2", "3", "x"), ()),
        ("プロ*", ("プロ",), ()),
        ("What do the dogs and the dog eat?", ("dog", "eat"), ()),
        ("我们喜欢什么", ("喜欢", "喜", "欢"), ()),
        ("who is it", ("who", "is", "it"), ()),
        *(("写", ("写",), ()), ("   ", (), ()), ("?!", (), ())),
    ],
)
def test_a_query_drops_stop_words_and_asks_for_beginnings_by_a_star(
    query: str, terms: tuple[str, ...], prefixes: tuple[str, ...]
) -> None:
    assert segment.query_tokens(query) == segment.QueryTokens(terms, prefixes)


def words(text: str) -> list[str]:
    return [word for word, _ in segment.normalised_words(text)]


def test_words_keep_order_and_spelling() -> None:
    assert words("我喜歡用 Python 寫代碼") == ["我", "喜歡", "用", "Python", "寫", "代碼"]
    assert words("Alice's C++ isn't _fast_, v3.11") == [*["Alice", "C++", "isn't", "fast", "v3.11"]]


def test_dictionaries_are_loaded_with_the_first_chinese_text_only() -> None:
    program = (
        "import sys\n"
        "from chatmem.text import cues, segment, tokens\n"
        "segment.index_tokens('plain English'); segment.extract_keywords('plain English')\n"
        "assert not {'rjieba', 'opencc', 'bpe_openai'} & set(sys.modules)\n"
        "segment.query_tokens('图书馆')\n"
        "assert {'rjieba', 'opencc'} <= set(sys.modules)\n"
    )
    done = run_python(program)
    assert done.returncode == 0, done.stderr


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
        *(("Tea, tea, ＴＥＡ", ("Tea",)), ("編程 编程", ("編程",))),
        *((nothing, ()) for nothing in ("", "   ", "?!…", "我们是什么", "你好，请问这是哪里？")),
        *((nothing, ()) for nothing in ("What is it that you do?", "I don't")),
    ],
)
def test_keywords_keep_order_and_spelling_once(message: str, keywords: tuple[str, ...]) -> None:
    assert segment.extract_keywords(message) == keywords


def marked(text: str, query: str) -> list[str]:
    return [text[begin:end] for begin, end in segment.find_marks(text, query)]


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("She paints; he painted a painting.", "what did she paint", ["paints", "painted"]),
        ("Python 3.11 and pythons", "Pyth*", ["Python", "pythons"]),
        ("我在学大提琴，老师姓秦", "大提琴", ["大提琴"]),
        ("我在學大提琴，老師姓秦", "大提琴老师", ["大提琴", "老師"]),
        ("对虾严重过敏", "过敏吗", ["过敏"]),
        ("Ｐｙｔｈｏｎ 全角", "python", ["Ｐｙｔｈｏｎ"]),
        ("<b>bold</b> & bold", "bold", ["bold", "bold"]),
        ("nothing of it", "completely different", []),
        ("", "anything", []),
        ("anything", "", []),
    ],
)
def test_marks_are_what_the_query_asks_for(text: str, query: str, expected: list[str]) -> None:
    found = marked(text, query)
    assert set(expected) <= set(found)
    assert len(found) >= len(expected)


def test_single_characters_are_marked_only_where_nothing_longer_is() -> None:
    assert marked("大提琴很大", "大提琴") == ["大提琴"]
    assert marked("琴", "大提琴") == ["琴"]


def test_marks_stand_apart_and_in_order() -> None:
    marks = segment.find_marks("波尔图的房子在波尔图", "波尔图 房子")
    assert marks == sorted(marks)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(marks))


MANY = """
from concurrent.futures import ThreadPoolExecutor
from chatmem.text.segment import index_tokens
with ThreadPoolExecutor(16) as pool:
    found = list(pool.map(index_tokens, ["我下个月搬到柏林，帮我列个机器学习清单"] * 64))
assert all(one == found[0] for one in found)
"""


def test_the_dictionary_is_loaded_once_for_all_threads() -> None:
    for _ in range(3):
        done = run_python(MANY)
        assert done.returncode == 0, done.stderr
