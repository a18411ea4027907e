"""Telling formats apart by their content."""

import io
import json
import zipfile
from collections.abc import Callable

import pytest

from chatmem.engine.importing import SourceFile, detect_format
from chatmem.errors import ImportFormatError

SourceOf = Callable[..., SourceFile]

MESSAGE = {"role": "user", "content": "hi"}
LINE = {"conv": "c", "id": "1", "speaker": "user", "text": "hi"}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ([{"title": "t", "mapping": {}}], "chatgpt"),
        ({"mapping": {}}, "chatgpt"),
        ({"messages": [MESSAGE]}, "openai"),
        ([{"messages": [MESSAGE]}], "openai"),
        ([MESSAGE], "openai"),
        ([[MESSAGE]], "openai"),
        (f"{json.dumps({'messages': [MESSAGE]})}\n" * 2, "openai"),
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


def test_a_zip_is_a_chatgpt_export(source_of: SourceOf) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as target:
        target.writestr("conversations.json", "[]")
    assert detect_format(source_of(archive.getvalue(), "download")) == "chatgpt"


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
    with pytest.raises(ImportFormatError, match=reason):
        detect_format(source_of(content, "file"))
