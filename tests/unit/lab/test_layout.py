"""Lines for a terminal, in Chinese and English."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from chatmem.lab.layout import wrapped


def test_english_breaks_at_blanks() -> None:
    assert wrapped("The figs are ripe and the gate is open", 20).splitlines() == [
        "The figs are ripe",
        "and the gate is open",
    ]


def test_chinese_breaks_between_characters_and_counts_two_columns() -> None:
    lines = wrapped("无花果熟了，園子的門開著。请进来坐坐", 12).splitlines()
    assert lines == ["无花果熟了，", "園子的門開", "著。请进来坐", "坐"]
    assert max(map(cell_len, lines)) <= 12


def test_a_mark_never_begins_a_line() -> None:
    for width in range(4, 30):
        lines = wrapped("早。连着几天晚睡，要不要定一个时间？好！Porto，五月。", width).splitlines()
        assert not any(line[0] in "，。？！" for line in lines)


def test_a_long_word_stays_whole() -> None:
    word = "https://example.org/" + "a" * 60
    assert word in wrapped(f"see {word} please", 20).splitlines()


def test_lines_of_the_text_stay_lines() -> None:
    assert wrapped("one\ntwo\n\nthree", 40) == "one\ntwo\n\nthree"


@given(st.text("ab 语，é。 ", max_size=80), st.integers(10, 40))
def test_nothing_is_lost_and_no_line_is_too_long(text: str, width: int) -> None:
    lines = wrapped(text, width).split("\n")
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        breakable = len(line.split()) > 1 or sum("语" in char for char in line) > 1
        assert cell_len(line) <= width or not breakable
