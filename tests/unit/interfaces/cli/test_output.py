"""What is printed, and what is kept from a terminal."""

import json

import pytest

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.memories import parts_line
from chatmem.model import Missing, Parts
from chatmem.model.time import from_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("第一行\n\tsecond line", "第一行\n\tsecond line"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("a\rb", "a\\rb"),
        ("\u202eevil", "\\u202eevil"),
        ("half \ud83d", "half \\ud83d"),
        ("👩‍👩‍👧 family", "👩‍👩‍👧 family"),
    ],
)
def test_what_could_rewrite_a_terminal_is_shown_as_escapes(text: str, expected: str) -> None:
    assert output.escaped(text) == expected


def test_only_the_parts_that_apply_are_shown() -> None:
    parts = Parts(bm25=1.0, vector=0.254, importance=4)
    assert parts_line(parts) == "bm25=1.00 vector=0.25 importance=4"


def test_json_holds_chinese_as_it_is_and_times_in_utc(capsys: pytest.CaptureFixture[str]) -> None:
    moment = from_text("2026-05-01T10:00:00+02:00")
    output.print_json({"text": "你好", "at": moment, "missing": (Missing("vectors", "none"),)})
    printed = capsys.readouterr().out
    assert "你好" in printed
    assert json.loads(printed) == {
        "text": "你好",
        "at": "2026-05-01T08:00:00.000Z",
        "missing": [{"what": "vectors", "why": "none", "code": ""}],
    }


def test_one_and_many_are_told_apart() -> None:
    assert output.counted(1, "message") == "1 message"
    assert output.counted(2, "memory", "memories") == "2 memories"
