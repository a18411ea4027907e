"""Answers taken apart, whatever pieces they come in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.chat.answer import AnswerReader

CALL = '[[ABP_TOOL:search]]{"action": "find", "parameters": {"query": "茶"}}[[END_ABP_TOOL]]'
BLOCK = '```abp\n{"tools": [{"name": "search", "arguments": {"query": "tea"}}]}\n```'
UPDATE = '{"memory_update": {"should_store": true, "key": "home", "value": "柏林"}}'


def read(text: str, pieces: int = 0, *, reads_calls: bool = True) -> tuple[str, AnswerReader]:
    """The visible text, fed whole, or in pieces of so many characters."""
    reader = AnswerReader(reads_calls=reads_calls)
    step = pieces or max(1, len(text))
    shown = [reader.feed(text[start : start + step]) for start in range(0, len(text), step)]
    return "".join([*shown, reader.finish()]), reader


@pytest.mark.parametrize("pieces", [0, 1, 3])
def test_a_call_is_taken_out_and_read(pieces: int) -> None:
    shown, reader = read(f"我查一下。\n{CALL}\n好了", pieces)

    assert shown == "我查一下。\n\n好了"
    [call] = reader.calls
    assert (call.name, call.action, call.arguments) == ("search", "find", {"query": "茶"})


@pytest.mark.parametrize("pieces", [0, 1, 3])
@pytest.mark.parametrize(
    "block",
    [
        BLOCK,
        '```abp {"tools": [{"name": "search", "arguments": {"query": "tea"}}]} ```',
        '~~~abp\n{"tools": [{"name": "search", "parameters": {"query": "tea"}}]}\n~~~',
        '```ABP\n{"name": "search", "arguments": {"query": "tea"}}\n```',
        '```abp\n[{"name": "search", "arguments": {"query": "tea"}}]\n```',
    ],
)
def test_the_fenced_form_is_read_as_well(block: str, pieces: int) -> None:
    shown, reader = read(f"Wait.\n{block}", pieces)

    assert shown == "Wait.\n"
    assert [(call.name, call.arguments) for call in reader.calls] == [("search", {"query": "tea"})]


def test_several_calls_in_one_block() -> None:
    _, reader = read(
        '```abp\n{"tools": [{"name": "a"}, {"name": "b", "arguments": {"x": 1}}]}\n```'
    )

    assert [(call.name, call.arguments) for call in reader.calls] == [("a", {}), ("b", {"x": 1})]


@pytest.mark.parametrize("pieces", [0, 1, 3])
@pytest.mark.parametrize("update", [UPDATE, f"```json\n{UPDATE}\n```", f"```\n{UPDATE}\n```"])
def test_an_update_is_taken_out(update: str, pieces: int) -> None:
    shown, reader = read(f"记住了。\n\n{update}\n", pieces, reads_calls=False)

    assert shown.strip() == "记住了。"
    assert reader.updates == [{"should_store": True, "key": "home", "value": "柏林"}]


@pytest.mark.parametrize("pieces", [0, 1, 3])
@pytest.mark.parametrize(
    "text",
    [
        "Plain [link](x) and `code` and {braces} ~~gone~~ [[wiki]]",
        f"Write `{CALL}` on a line of its own.",
        f"```text\n{CALL}\n```\nThat is how.",
        f'```python\nx = {{"memory_update": 1}}\n{CALL}\n```',
        '```json\n{"city": "Berlin", "tools": []}\n```\ndone',
        '{"memory_update": 3}',
        "```\nno end",
        "``` a ``` b",
        "[[ABP_TOO",
        '```json\n{"memory_upd',
        "a ``",
    ],
)
def test_everything_else_is_shown_as_it_is(text: str, pieces: int) -> None:
    shown, reader = read(text, pieces)

    assert shown == text
    assert not reader.calls
    assert not reader.updates


def test_calls_are_text_where_no_tools_were_offered() -> None:
    for text in (CALL, BLOCK):
        shown, reader = read(f"{text}\nend", 2, reads_calls=False)
        assert shown == f"{text}\nend"
        assert not reader.calls


@pytest.mark.parametrize("pieces", [0, 1])
def test_a_call_without_its_end_ends_with_its_braces(pieces: int) -> None:
    shown, reader = read('[[ABP_TOOL:search]]{"parameters": {"query": "x"}} and so on', pieces)

    assert shown == " and so on"
    assert reader.calls[0].arguments == {"query": "x"}


@pytest.mark.parametrize(
    "text",
    [
        '[[ABP_TOOL:search]]{"parameters": {"query": }}[[END_ABP_TOOL]]',
        '[[ABP_TOOL:search]]{"parameters": {"qu',
        "[[ABP_TOOL:search]][1][[END_ABP_TOOL]]",
        "[[ABP_TOOL:]]{}[[END_ABP_TOOL]]",
        "```abp\nnonsense\n```",
        '```abp\n{"tools": ["search"]}\n```',
    ],
)
def test_a_call_that_cannot_be_read_says_why(text: str) -> None:
    shown, reader = read(text, 1)

    assert shown == ""
    assert [bool(call.problem) for call in reader.calls] == [True]


def test_an_update_that_cannot_be_read_is_not_shown() -> None:
    for text in ('ok {"memory_update": {"key": }}', 'ok {"memory_update": {"key": "ho'):
        shown, reader = read(text, 1)
        assert (shown, reader.unreadable, reader.updates) == ("ok ", 1, [])


PARTS = st.lists(
    st.sampled_from(
        [
            *(CALL, BLOCK, UPDATE, f"```json\n{UPDATE}\n```", '{"memory_update"'),
            *("```", "`", "~~~", "[", "[[", "{", '"', "\n", "```python\n", "\n```\n"),
            *("words ", "茶", "[[END_ABP_TOOL]]", "abp "),
        ]
    ),
    max_size=8,
).map("".join)


@given(text=PARTS, pieces=st.integers(1, 7), reads_calls=st.booleans())
def test_what_is_shown_does_not_depend_on_the_pieces(
    text: str, pieces: int, reads_calls: bool
) -> None:
    whole, at_once = read(text, reads_calls=reads_calls)
    shown, piecewise = read(text, pieces, reads_calls=reads_calls)

    assert shown == whole
    assert piecewise.calls == at_once.calls
    assert piecewise.updates == at_once.updates
