"""Files as they come: packed, marked, damaged; their format, and the dates in them."""

import json
import lzma
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.engine.importing.conftest import SourceOf

from chatmem.engine.importing import detect_format
from chatmem.engine.importing.source_file import read_date
from chatmem.errors import ImportFormatError

TEXT = "第一行\n\nsecond line 🌱\n"


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        TEXT.replace("\n", "\r\n").encode(),
        lzma.compress(TEXT.encode()),
    ],
    ids=["utf-8", "byte order mark", "utf-16", "CRLF", "xz"],
)
def test_text_is_the_same_whatever_the_wrapping(source_of: SourceOf, content: bytes) -> None:
    source = source_of(content, "chat.txt")
    assert source.text == TEXT
    assert list(source.lines()) == [(1, "第一行\n"), (3, "second line 🌱\n")]


def test_text_in_another_encoding_is_refused_with_the_way_out(source_of: SourceOf) -> None:
    source = source_of("你好".encode("gb18030"), "chat.txt")
    with pytest.raises(ImportFormatError, match=r"chat\.txt, byte 0: not UTF-8.*iconv"):
        _ = source.text
    with pytest.raises(ImportFormatError, match=r"chat\.txt, line 1: not UTF-8"):
        list(source.lines())


def test_a_truncated_xz_is_called_damaged(source_of: SourceOf) -> None:
    source = source_of(lzma.compress(TEXT.encode() * 99)[:-20], "chat.txt.xz")
    with pytest.raises(ImportFormatError, match=r"damaged.*whole \.xz"):
        _ = source.text


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1,\n  "b": }', ", line 2 column 8: not JSON"),
        *(("[" * 200_000, ": "), ("9" * 10_000, ": ")),
    ],
    ids=["broken", "deep", "digits"],
)
def test_broken_json_is_placed(source_of: SourceOf, text: str, place: str) -> None:
    with pytest.raises(ImportFormatError, match=rf"chat\.json{place}"):
        _ = source_of(text).json


LINE = {"conv": "c", "id": "1", "speaker": "user", "text": "hi"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ([{"title": "t", "mapping": {}}], "chatgpt"),
        ({"mapping": {}}, "chatgpt"),
        ([{"sample_id": "s", "conversation": {}, "qa": []}], "locomo"),
        (LINE, "jsonl"),
        (f"\n{json.dumps(LINE)}\n{json.dumps(LINE)}\n", "jsonl"),
        ({"id": "m", "content": "x", "memory_type": "long_term"}, "jsonl"),
        ({"results": []}, "mem0"),
        ([{"id": "1", "memory": "x"}], "mem0"),
        ("# Notes\n- one\n", "markdown"),
        ("- [ ] a task\n", "markdown"),
    ],
)
def test_the_content_tells_the_format(source_of: SourceOf, content: object, expected: str) -> None:
    assert detect_format(source_of(content, "file")) == expected


def test_a_markdown_file_may_begin_with_a_bracket(source_of: SourceOf) -> None:
    assert detect_format(source_of("[link](x)\n- one\n", "notes.md")) == "markdown"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "the file is empty"),
        (" \n\n", "the file is empty"),
        ([], "an empty list"),
        ({"a": 1, "b": 2}, r"no known format \(fields a, b\)"),
        ([1, 2], "no known format"),
        ("{broken", "not JSON"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "not UTF-8"),
    ],
)
def test_what_is_in_no_format_is_refused_with_the_formats(
    source_of: SourceOf, content: object, reason: str
) -> None:
    formats = r"expected (valid JSON|a ChatGPT export.*\"role\", \"content\".*--format)"
    with pytest.raises(ImportFormatError, match=f"{reason}.*; {formats}"):
        detect_format(source_of(content, "file"))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("12:00 am on 1 Jan, 2020", datetime(2020, 1, 1, 0, 0)),
        ("12:30 pm on 2nd of Feb, 2021", datetime(2021, 2, 2, 12, 30)),
        ("March 3, 2024 at 7:05 PM", datetime(2024, 3, 3, 19, 5)),
        ("3 March 2024 7:05 PM", datetime(2024, 3, 3, 19, 5)),
        ("2024年03月03日 周日 19:05", datetime(2024, 3, 3, 19, 5)),
        ("2024年3月3日 下午7点05分", datetime(2024, 3, 3, 19, 5)),
        ("２０２４年３月３日　晚上７點", datetime(2024, 3, 3, 19, 0)),
        ("2024年3月3日", datetime(2024, 3, 3)),
        ("2024-03-03", datetime(2024, 3, 3)),
        ("2024-03-03 07:05 PM", datetime(2024, 3, 3, 19, 5)),
        ("2024-03-03T19:05:06Z", datetime(2024, 3, 3, 19, 5, 6)),
        ("2024-03-03T19:05:06+08:00", datetime(2024, 3, 3, 11, 5, 6)),
        ("Sun, 03 Mar 2024 19:05:06 +0100", datetime(2024, 3, 3, 18, 5, 6)),
        ("25/03/2024", datetime(2024, 3, 25)),
        ("03/25/2024 19:05", datetime(2024, 3, 25, 19, 5)),
        (1709492706, datetime(2024, 3, 3, 19, 5, 6)),
        (1709492706000, datetime(2024, 3, 3, 19, 5, 6)),
        ("1709492706", datetime(2024, 3, 3, 19, 5, 6)),
    ],
)
def test_a_date_is_read_in_the_forms_that_exports_use(raw: object, expected: datetime) -> None:
    assert read_date(raw) == expected.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "raw",
    [
        *("", "last spring", "05/08/2024", "2024年2月30日", "2024-03-03 25:00", "3 Foo 2024"),
        *(None, True, float("nan"), float("inf"), [], "9" * 200),
    ],
)
def test_what_cannot_be_told_is_not_guessed(raw: object) -> None:
    assert read_date(raw) is None


@given(st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2199, 1, 1)))
def test_the_forms_of_one_moment_agree(moment: datetime) -> None:
    minute = moment.replace(second=0, microsecond=0, tzinfo=UTC)
    forms = (
        minute.isoformat(),
        minute.strftime("%Y/%m/%d (%a) %H:%M"),
        minute.strftime("%I:%M %p on %d %B, %Y"),
        f"{minute.year}年{minute.month}月{minute.day}日 {minute.hour:02}:{minute.minute:02}",
    )
    assert {read_date(form) for form in forms} == {minute}


@given(st.text(max_size=80) | st.floats() | st.integers())
def test_reading_never_fails(raw: object) -> None:
    moment = read_date(raw)
    assert moment is None or moment.tzinfo is not None
