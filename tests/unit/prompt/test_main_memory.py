"""MEMORY.md as a prompt takes it."""

import pytest

from chatmem.prompt.main_memory import prepare_main
from chatmem.text.languages import LanguageCode
from chatmem.text.tokens import count_tokens

PAGE = """# Memory

## Preferences

- Drinks oolong, no sugar <!-- id=m1 importance=5 -->
- 喜欢简短的回答 <!-- id=m2 -->

## Facts

## Patterns

- Walks on Sundays,
  with the dog <!-- id=m3 -->
- Written by hand
"""
LONG_PAGE = PAGE.replace("by hand", "by hand" + " and long" * 20)


def test_the_whole_file_without_comments_and_empty_headings() -> None:
    main = prepare_main(PAGE, 1_200, "en")
    assert main.text == (
        "# Memory\n\n## Preferences\n\n- Drinks oolong, no sugar\n- 喜欢简短的回答\n\n"
        "## Patterns\n\n- Walks on Sundays,\n  with the dog\n- Written by hand"
    )
    assert main.ids == ("m1", "m2", "m3")
    assert (main.left_out, main.tokens) == ((), count_tokens(main.text))


@pytest.mark.parametrize(
    "page",
    ["", "\ufeff", "# Memory\n\n## Preferences\n\n## Facts\n", "<!-- a\nnote -->\n# Memory\n"],
)
def test_an_empty_file_is_no_text(page: str) -> None:
    assert prepare_main(page, 1_200, "zh").text == ""


def test_a_persons_own_comments_are_for_no_model() -> None:
    assert prepare_main("- tea <!-- hidden order --> <!-- id=m1 -->\n", 99, "en").text == "- tea"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "(Cut: 2 of 4 memories are shown here. Search finds the rest.)"),
        ("zh", "（已截断：共 4 条记忆，此处显示 2 条，其余可通过搜索找到。）"),
    ],
)
def test_a_cut_is_between_bullets_and_said(language: LanguageCode, said: str) -> None:
    main = prepare_main(LONG_PAGE, 50, language)
    assert main.text.endswith(f"- 喜欢简短的回答\n\n{said}")
    assert main.ids == ("m1", "m2")
    assert main.left_out == ("m3",)
    assert main.tokens <= 50


def test_nothing_fits_into_next_to_nothing() -> None:
    main = prepare_main(PAGE, 5, "en")
    assert (main.text, main.ids, main.left_out) == ("", (), ("m1", "m2", "m3"))


def test_a_prepared_page_can_be_shortened_again() -> None:
    main = prepare_main(LONG_PAGE, 1_200, "en")
    assert main.within(1_000) is main
    assert main.within(50) == prepare_main(LONG_PAGE, 50, "en")


def test_code_that_looks_like_headings_stays() -> None:
    page = "# Notes\n\n```\n# one\n# two\n```\n"
    assert prepare_main(page, 99, "en").text == page.strip()
