"""Files to import that are broken on purpose: one sentence each, nothing saved, little memory."""

import json
import lzma
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.doors import Chatmem

from chatmem import MemoryService
from chatmem.engine.importing import import_file
from chatmem.errors import ImportFormatError

MIB = 1 << 20
HALF = "\ud800"
DIGITS = "9" * 400
GOOD = {"role": "user", "content": "Keeps bees"}
LINE = {"conv": "c", "id": "m1", "speaker": "Mei", "text": "Keeps bees"}
OURS = {"id": "a", "content": "Keeps hens", "memory_type": "long_term", "timestamp": "2026-01-01"}


def lines(*values: object) -> str:
    return "".join(f"{json.dumps(one)}\n" for one in values)


HALVES: dict[str, tuple[str, int]] = {
    "names": (lines(LINE, {**LINE, "conv": HALF, "id": HALF, "speaker": HALF, "session": HALF}), 2),
    "a message": (lines(GOOD, {"role": "user", "content": HALF, "session_id": HALF}), 2),
    "an exported message": (
        lines({**OURS, "memory_type": "short_term", "session_id": f"a{HALF}", "id": HALF}, GOOD),
        2,
    ),
    "a memory": (lines(OURS, {**OURS, "id": HALF, "content": f"{HALF} hens", "key": HALF}), 2),
    "mem0": (json.dumps([{"memory": f"{HALF} hens", "id": HALF, "categories": [HALF]}]), 1),
    "chatgpt": (
        json.dumps(
            [
                {
                    "conversation_id": HALF,
                    "mapping": {
                        HALF: {"message": {"author": {"role": "user"}, "content": {"parts": ["x"]}}}
                    },
                }
            ]
        ),
        1,
    ),
}


@pytest.mark.parametrize("name", HALVES)
def test_half_a_character_is_replaced_wherever_it_stands(
    memory: MemoryService, tmp_path: Path, name: str
) -> None:
    text, count = HALVES[name]
    path = tmp_path / "half.jsonl"
    path.write_text(text, "utf-8")

    report = import_file(memory, path)

    assert report.messages + report.memories == count
    assert HALF not in str(list(memory.export_records()))
    again = import_file(memory, path)
    assert again.messages + again.memories == 0


LATE_FAULTS: dict[str, str] = {
    "a session that nobody can see": lines(LINE, {**LINE, "id": "m2", "conv": "\u0000"}),
    "an app_type of blanks": lines(
        GOOD, {**OURS, "memory_type": "short_term", "app_type": " \u0000 "}
    ),
    "a role of nobody": lines(OURS, {**OURS, "memory_type": "short_term", "role": "sphinx"}),
    "a kind of none": lines(GOOD, {**OURS, "memory_type": None}),
    "a memory that nobody can see": json.dumps([{"memory": "Keeps bees"}, {"memory": "\u0000 "}]),
    "a value in a value": lines(OURS, {**OURS, "id": "b", "importance": {"a": [1]}}),
    "a line that breaks off": lines(LINE) + '{"conv": "c", "id',
    "deep lines": lines(LINE) + '{"a":' * 20_000 + "1" + "}" * 20_000,
}


@pytest.mark.parametrize("name", LATE_FAULTS)
def test_nothing_is_saved_of_a_file_whose_last_line_is_wrong(
    memory: MemoryService, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "late.jsonl"
    path.write_text(LATE_FAULTS[name], "utf-8")

    with pytest.raises(ImportFormatError, match=r"late\.jsonl"):
        import_file(memory, path)

    assert list(memory.export_records()) == []


DATES = [f"[{DIGITS}]", DIGITS, f"-{DIGITS}", f'"{DIGITS}"', f'"{DIGITS}-01-01"']
DATES += ["1e999", "-1e308", "NaN"]


@pytest.mark.parametrize("date", DATES)
def test_a_date_of_400_digits_is_no_date(memory: MemoryService, tmp_path: Path, date: str) -> None:
    path = tmp_path / "date.json"
    path.write_text(f'[{{"role": "user", "content": "Bees", "timestamp": {date}}}]', "utf-8")

    report = import_file(memory, path)

    assert report.messages == sum(report.notes.values()) == 1


def packed(path: Path, begin: bytes, end: bytes) -> None:
    """A file of 300 MiB in a few kilobytes."""
    if path.suffix == ".zip":
        with (
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
            archive.open("conversations.json", "w") as stream,
        ):
            write(stream.write, begin, end)
    else:
        with lzma.open(path, "wb", preset=0) as stream:
            write(stream.write, begin, end)


def write(to: Callable[[bytes], Any], begin: bytes, end: bytes) -> None:
    to(begin)
    for _ in range(300):
        to(b"a" * MIB)
    to(end)


@pytest.mark.parametrize("name", ["bomb.zip", "bomb.json.xz", "bomb.jsonl.xz", "bomb.md.xz"])
def test_a_bomb_is_told_before_it_is_large(
    memory: MemoryService, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    begin = b"" if "json." not in name else b'[{"role": "user", "content": "'
    packed(path, b"- " if "md" in name else begin, b'"}]')
    tracemalloc.start()
    try:
        with pytest.raises(ImportFormatError, match="100 times as large"):
            import_file(memory, path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 150 * MIB
    assert list(memory.export_records()) == []


def test_what_is_packed_well_and_small_is_read(memory: MemoryService, tmp_path: Path) -> None:
    path = tmp_path / "same.jsonl.xz"
    same = [{**LINE, "id": f"m{number}", "text": "Keeps bees " * 50} for number in range(3_000)]
    path.write_bytes(lzma.compress(lines(*same).encode()))
    assert len(lines(*same)) > 100 * path.stat().st_size

    assert import_file(memory, path).messages == 3_000


@pytest.mark.parametrize(
    "text", ["[" * 5_000, "a = " + "[" * 5_000, "a = " + "{a=" * 5_000, "a = " + "9" * 5_000]
)
def test_settings_that_nobody_can_read_are_one_line(
    chatmem: Chatmem, own_folder: Path, text: str
) -> None:
    own_folder.joinpath("chatmem.toml").write_text(text, "utf-8")

    done = chatmem("stats")

    assert done.code == 1
    assert done.err.startswith("chatmem: ")
    assert done.err.count("\n") == 1
    assert len(done.err) < 400
