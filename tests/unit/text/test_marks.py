from itertools import pairwise

import pytest

from chatmem.text.segment import find_marks


def marked(text: str, query: str) -> list[str]:
    return [text[begin:end] for begin, end in find_marks(text, query)]


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
    marks = find_marks("波尔图的房子在波尔图", "波尔图 房子")
    assert marks == sorted(marks)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(marks))
