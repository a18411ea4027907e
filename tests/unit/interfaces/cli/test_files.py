"""Files that appear whole or not at all."""

import lzma
import stat
import sys
from pathlib import Path

import pytest

from chatmem.errors import StorageError
from chatmem.interfaces.cli.files import text_file


def test_a_file_is_written_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with text_file(str(path)) as stream:
        stream.write("豆沙\n")
    assert path.read_bytes() == "豆沙\n".encode()
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_name_in_xz_is_packed(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl.xz"
    with text_file(str(path)) as stream:
        stream.write("豆沙\n" * 100)
    assert lzma.decompress(path.read_bytes()).decode() == "豆沙\n" * 100


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("before")
    with pytest.raises(RuntimeError, match="halfway"), text_file(str(path)) as stream:
        stream.write("after")
        raise RuntimeError("halfway")
    assert [(found.name, found.read_text()) for found in tmp_path.iterdir()] == [
        ("out.jsonl", "before")
    ]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none" / "out.jsonl"
    with pytest.raises(StorageError, match=rf"cannot write {path}"), text_file(str(path)):
        pytest.fail("nothing can be written there")


def test_a_dash_is_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    with text_file("-") as stream:
        stream.write("豆沙\n")
    assert capsys.readouterr().out == "豆沙\n"


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs /dev/null")
def test_a_device_is_written_to_and_not_replaced() -> None:
    with text_file("/dev/null") as stream:
        stream.write("gone")
    assert not Path("/dev/null").is_file()
