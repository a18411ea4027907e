"""Files as they come: packed, marked, damaged."""

import lzma
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chatmem.engine.importing import SourceFile
from chatmem.errors import ImportFormatError, StorageError

SourceOf = Callable[..., SourceFile]
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


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    for path, reason in ((tmp_path / "none.json", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(StorageError, match=rf"cannot read {path}: {reason}"):
            _ = SourceFile(path, user_id="mei", now=now).text


def test_broken_json_is_placed(source_of: SourceOf) -> None:
    with pytest.raises(ImportFormatError, match=r"chat\.json, line 2 column 8: not JSON"):
        _ = source_of('{"a": 1,\n  "b": }').json


@pytest.mark.parametrize("text", ["[" * 200_000, "9" * 10_000], ids=["deep", "digits"])
def test_json_made_to_hurt_is_refused(source_of: SourceOf, text: str) -> None:
    with pytest.raises(ImportFormatError, match=r"chat\.json: "):
        _ = source_of(text).json
