"""The bullets of memory documents."""

import time

import pytest

from chatmem.errors import InvalidInputError
from chatmem.text.bullets import Bullet, annotate, append, parse, render, replace, visible_text

PERSONAL = """# 我的记忆

Some prose of mine, - not a bullet.

## Preferences

- 爱喝乌龙茶，不加糖 <!-- id=m1 importance=5 -->
* 喜歡坐靠窗的位子 <!-- id=m2 -->
+ Hikes on Sundays
1. Counts from one <!-- id=m4 -->

### Only a smaller heading

2) Still a preference

## Facts
- Lives in Lisbon
  with a cat

  and a balcony <!-- id=m6 -->
"""


def contents(text: str) -> list[str]:
    return [bullet.content for bullet in parse(text).bullets]


def ids(text: str) -> list[str | None]:
    return [bullet.id for bullet in parse(text).bullets]


def test_every_marker_opens_a_bullet_under_its_section() -> None:
    told = [(bullet.content, bullet.id, bullet.heading) for bullet in parse(PERSONAL).bullets]
    assert told == [
        ("爱喝乌龙茶，不加糖", "m1", "Preferences"),
        ("喜歡坐靠窗的位子", "m2", "Preferences"),
        ("Hikes on Sundays", None, "Preferences"),
        ("Counts from one", "m4", "Preferences"),
        ("Still a preference", None, "Preferences"),
        ("Lives in Lisbon\nwith a cat\n\nand a balcony", "m6", "Facts"),
    ]


def test_a_comment_behind_several_lines_has_one_of_its_own() -> None:
    assert render(Bullet("```\nx\n```", {"id": "a"})) == "- ```\n  x\n  ```\n  <!-- id=a -->\n"
    assert render(Bullet("x\ny", {"id": "a"})) == "- x\n  y\n  <!-- id=a -->\n"
    assert render(Bullet("| x |", {"id": "a"})) == "- | x |\n  <!-- id=a -->\n"


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("- likes tea <!-- id=a --> and coffee", "likes tea and coffee"),
        ("- likes tea <!-- id=a -->\n  - especially green", "likes tea\n- especially green"),
        ("- 爱喝茶 <!-- id=a -->，也爱咖啡", "爱喝茶 ，也爱咖啡"),
        ("- ```\n  x\n  ```\n  <!-- id=a -->\n  more", "```\nx\n```\nmore"),
        ("- tea <!-- id=a --> <!-- my own note -->", "tea <!-- my own note -->"),
        ("- tea <!-- id=a\n  confidence=0.5 -->", "tea"),
    ],
)
def test_what_a_person_types_behind_the_comment_joins_the_content(text: str, content: str) -> None:
    (bullet,) = parse(text).bullets
    assert (bullet.content, bullet.id) == (content, "a")


def test_a_bullet_whose_text_was_deleted_is_no_memory() -> None:
    assert parse("- <!-- id=a -->\n-\n- \n").bullets == ()


@pytest.mark.parametrize(
    "hidden",
    [
        "```\n- no\n```",
        "~~~~ md\n- no\n~~~\n- no\n~~~~",
        "<!--\n- no <!-- id=x -->\n-->",
        "<!-- not now\n- no\nreally -->",
    ],
)
def test_bullets_in_a_fence_or_comment_at_the_margin_are_no_memories(hidden: str) -> None:
    assert contents(f"- before\n{hidden}\n- after\n") == ["before", "after"]
    assert contents(f"- before\n{hidden.replace(chr(10), chr(13) + chr(10))}\r\n- after") == [
        "before",
        "after",
    ]


@pytest.mark.parametrize("opened", ["```", "~~~", "<!-- never closed"])
def test_an_unclosed_fence_or_comment_hides_nothing(opened: str) -> None:
    text = f"{opened}\n- kept <!-- id=a -->\n- ```\n  kept too\n  ```\n  <!-- id=b -->\n"
    assert ids(text) == ["a", "b"]
    assert ids(append(text, Bullet("```\nnew\n```", {"id": "c"}), ["Facts"])) == ["a", "b", "c"]


def test_indented_lists_are_read_and_stay_apart() -> None:
    text = "## Facts\n  - one\n    more\n  - two\n- three\n"
    assert contents(text) == ["one\nmore", "two", "three"]
    assert contents(replace(text, parse(text).bullets[0], Bullet("1\n\n2"))) == [
        "1\n\n2",
        "two",
        "three",
    ]


def test_windows_line_ends_and_a_byte_order_mark_are_read_and_kept() -> None:
    text = "\ufeff# Memory\r\n\r\n## Facts\r\n\r\n- one\r\n  more <!-- id=a -->\r\n- two"
    assert contents(text) == ["one\nmore", "two"]
    longer = append(text, Bullet("three\n3", {"id": "c"}), ["Facts"])
    assert longer == text + "\r\n- three\r\n  3\r\n  <!-- id=c -->\r\n"
    two = parse(longer).bullets[1]
    assert annotate(longer, [(two, {"id": "b"})]) == longer.replace("- two", "- two <!-- id=b -->")
    assert "\n" not in replace(longer, two, Bullet("2\n2")).replace("\r\n", "")
    assert contents("\ufeff- first line") == ["first line"]


@pytest.mark.parametrize(
    ("text", "titles", "after"),
    [
        (
            "# Memory\n## 🍵 PREFERENCES: ##\n",
            ["Preferences"],
            "# Memory\n## 🍵 PREFERENCES: ##\n\n- tea\n",
        ),
        ("# Memory", ["Facts"], "# Memory\n\n## Facts\n\n- tea\n"),
        ("", ["Facts"], "## Facts\n\n- tea\n"),
        ("", [], "- tea\n"),
        ("\ufeff", [], "\ufeff- tea\n"),
        ("```\n## Facts\n```\n", ["Facts"], "```\n## Facts\n```\n\n## Facts\n\n- tea\n"),
    ],
    ids=["any decoration", "none", "empty", "no section", "a mark", "in a fence"],
)
def test_a_bullet_goes_to_its_section_or_the_end(text: str, titles: list[str], after: str) -> None:
    assert append(text, Bullet("tea"), titles) == after


def test_replace_keeps_marker_and_place() -> None:
    bullet = parse(PERSONAL).bullets[3]
    text = replace(PERSONAL, bullet, Bullet("Counts\nfrom zero", {"id": "m4"}))
    was = "1. Counts from one <!-- id=m4 -->"
    assert text == PERSONAL.replace(was, "1. Counts\n   from zero\n   <!-- id=m4 -->")
    assert parse(text).bullets[3].content == "Counts\nfrom zero"


def test_comments_of_ours_are_not_visible_and_those_of_a_person_are() -> None:
    text = "\ufeff# M\r\n\r\n- tea <!-- id=a -->\r\n- ```\r\n  x\r\n  ```\r\n  <!-- id=b -->\r\n"
    text += "- <!-- id=c -->\r\n<!-- a note of mine -->\r\n"
    assert visible_text(text) == "# M\n\n- tea\n- ```\n  x\n  ```\n-\n<!-- a note of mine -->\n"


def test_edits_refuse_a_bullet_that_is_not_from_the_text() -> None:
    with pytest.raises(InvalidInputError, match="parse"):
        replace(PERSONAL, Bullet("tea"), Bullet("coffee"))


def test_a_name_that_would_break_the_comment_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="attribute name 'a b'"):
        render(Bullet("tea", {"a b": "c"}))


@pytest.mark.parametrize(
    "piece", ["```\n", "~~~\n", "<!--\n", '<!-- a="', "- <!-- a='\n", "-->", "- x\n<!--\n"]
)
def test_hostile_documents_are_read_in_linear_time(piece: str) -> None:
    started_s = time.process_time()
    parse(piece * 40_000)
    assert time.process_time() - started_s < 5  # 0.3 s; a minute and more if it were quadratic
